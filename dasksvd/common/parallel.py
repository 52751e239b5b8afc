"""Independent tasks on this machine's cores, or on a Dask cluster."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import joblib
import numpy as np

from dasksvd.common.plugins import load_plugins, plugin_names
from dasksvd.errors import ParameterError

#: Environment variable by which the owner of a server names the cluster its searches use.
SCHEDULER = "DASKSVD_SCHEDULER"


def each(
    function: Callable[..., Any],
    tasks: Iterable[tuple[Any, ...]],
    *,
    shared: Sequence[np.ndarray] = (),
    n_jobs: int | None = None,
    scheduler: str = "",
    ahead: str = "all",
) -> Iterator[Any]:
    """Results of ``function(*task, *shared)`` for every task, in the order in which they are ready.

    Parameters
    ----------
    function : callable
        A function of a module, so that other processes find it.
    tasks : iterable of tuple
    shared : sequence of ndarray
        Large arrays that every task needs; they go to each process once.
    n_jobs : int, optional
        Processes on this machine; all cores by default.
    scheduler : str, default=""
        Address of a Dask scheduler, such as ``tcp://10.0.0.1:8786``; then its workers compute,
        and a task whose worker dies is given to another one.
    ahead : {"all", "n_jobs"}, default="all"
        How many tasks are taken before they can be begun: with ``"n_jobs"`` one for each process, so that
        ``tasks`` may decide as late as possible.
    """
    with on_cluster(scheduler, shared):
        n_jobs = -1 if scheduler else n_jobs or os.cpu_count()
        parallel = joblib.Parallel(n_jobs=n_jobs, batch_size=1, pre_dispatch=ahead, return_as="generator_unordered")
        yield from parallel(joblib.delayed(_Call(function, task))(*shared) for task in tasks)


class _Call:
    """A function with its arguments.

    joblib puts a large argument into the memory of one Dask worker and loses the task when that
    worker dies.  Held by an object, arguments travel with the task instead.
    """

    def __init__(self, function: Callable[..., Any], task: tuple[Any, ...]):
        self.function, self.task = function, task
        self.plugins = plugin_names()

    def __call__(self, *shared: np.ndarray) -> Any:
        load_plugins(self.plugins)  # the other process knows only what the package itself registers
        return self.function(*self.task, *shared)


@contextmanager
def on_cluster(scheduler: str, shared: Sequence[np.ndarray] = ()) -> Iterator[None]:
    """Let joblib use a Dask cluster inside the block; with an empty address nothing changes.

    Every worker gets the ``shared`` arrays beforehand, so that none is the only one to have them.
    """
    if not scheduler:
        yield
        return
    try:
        from distributed import Client  # an optional dependency
    except ImportError as error:
        raise ParameterError("a scheduler needs Dask: pip install dasksvd[cluster]") from error
    try:
        client = Client(scheduler, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ParameterError(f"no Dask scheduler answers at {scheduler} ({type(error).__name__})") from error
    with client, joblib.parallel_config(backend="dask", client=client, scatter=list(shared)):
        yield


def n_workers(n_jobs: int | None = None) -> int:
    """Processes that :func:`each` uses on this machine."""
    return n_jobs or os.cpu_count() or 1
