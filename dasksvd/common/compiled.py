"""The one way to compile: numba with its disk cache where the disk allows one.

Numba's disk cache notices a changed source only in the file of the cached function itself.  So a
compiled function calls only compiled functions of its own file, and after a change of the options
below the ``__pycache__`` folders have to go.
"""

import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numba

#: Below this many multiply-adds a second thread costs more than it brings.
SMALL_WORK = 20_000_000

#: Sums may be reordered; what is not a number stays what it is.
KEEP_NAN = frozenset({"nsz", "reassoc", "contract"})
# nnan/ninf are promises kept by the callers' checks; arcp is left out because the
# approximate reciprocal differs between processors.
_FASTMATH = KEEP_NAN | {"nnan", "ninf"}
# Two Python threads inside parallel kernels abort the process under numba's `workqueue` layer.
_parallel_region = threading.Lock()


def compiled(
    function: Callable[..., Any], *, fastmath: frozenset[str] = _FASTMATH, **options: Any
) -> Callable[..., Any]:
    """``numba.njit`` with the project's options, and with the disk cache where the disk allows it."""
    options = {"fastmath": set(fastmath), "nogil": True, "error_model": "numpy", **options}
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # numba found no folder to write to: a read-only tree without a home folder
        return numba.njit(**options)(function)


class Kernel:
    """One body compiled twice: serial for small batches and busy moments, parallel otherwise."""

    def __init__(self, body: Callable[..., Any]):
        self.serial = compiled(body)
        # numba names cache files by function and not by option: a shared name would load
        # the serial code where the parallel one is meant.
        twin = FunctionType(body.__code__, body.__globals__, body.__name__)
        twin.__qualname__ = f"{body.__qualname__}_parallel"
        self.parallel = compiled(twin, parallel=True)
        self.__doc__ = body.__doc__

    def __call__(self, work: int, *args: Any) -> Any:
        """Run on ``args``; ``work`` is the rough number of multiply-adds."""
        alone = work < SMALL_WORK or numba.get_num_threads() == 1
        if alone or not _parallel_region.acquire(blocking=False):
            return self.serial(*args)
        try:
            return self.parallel(*args)
        finally:
            _parallel_region.release()
