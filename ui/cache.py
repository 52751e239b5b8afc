"""Cached look-ups, keyed by run ids and never by arrays.

What the first page does not need is imported where it is used: scikit-learn alone takes a second,
the compiler half of one.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from dasksvd.datasets import load_mnist
from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import Places, signals_at
from dasksvd.errors import DamagedFile, StoreError
from dasksvd.method.trajectory import Trajectory
from dasksvd.parameters import n_nonzero
from dasksvd.runs.folder import Run, own_arrays, places_of
from dasksvd.runs.records import FINE_TUNED
from dasksvd.runs.reference import REFERENCE_ID, SHIPPED, ReferenceRun, load_reference
from dasksvd.runs.store import Listed, Store
from ui import memory, texts
from ui.controls.run_names import labels

if TYPE_CHECKING:
    from dasksvd.evaluate import Metrics
    from dasksvd.runs.jobs import Jobs
    from dasksvd.search.weights import Choices

REFERENCE = REFERENCE_ID
#: The ids of the shipped runs and what people call them, the one that everything begins with first.
SHIPPED_NAMES = {run_id: shipped.name for run_id, shipped in SHIPPED.items()}
ROOT = Path(__file__).parent.parent
#: Drawn signals per class whose codes are shown.
SAMPLED = 150
#: Seconds that a browser needs for the first page once it has been sent.
PAINTING = 2


@st.cache_resource
def store() -> Store:
    """The store of this server."""
    return Store()


@st.cache_resource
def jobs() -> "Jobs":
    """The queue of this server."""
    from dasksvd.runs.jobs import Jobs

    return Jobs(store())


@st.cache_resource
def reference() -> Trajectory:
    """The shipped run that everything begins with."""
    return load_reference()


@st.cache_resource(max_entries=8)
def _trajectory(run_id: str, n_finished: int) -> Trajectory:
    return store().run(run_id).trajectory


def trajectory(run_id: str) -> Trajectory:
    """The finished iterations of a run, or a shipped run."""
    if run_id == REFERENCE:
        return reference()
    if run_id in SHIPPED:
        return load_reference(run_id)
    return _trajectory(run_id, store().run(run_id).n_finished())


@st.cache_resource(max_entries=8, show_spinner=False)
def _fine_tuned(run_id: str, n_finished: int, changed: int) -> tuple[np.ndarray, np.ndarray]:
    run = store().run(run_id)
    return run.atoms, run.selected_atoms


def fine_tuned(run_id: str) -> tuple[np.ndarray, np.ndarray] | None:
    """The fine-tuned atoms of a run and the selected ones that they come from; None if there are none to show."""
    if run_id in SHIPPED or not description(run_id).settings.fine_tune:
        return None
    try:
        file = store().run(run_id).folder / FINE_TUNED
        return _fine_tuned(run_id, store().run(run_id).n_finished(), file.stat().st_mtime_ns)
    except (DamagedFile, OSError):
        return None


@st.cache_resource(max_entries=256, show_spinner=False)
def _closest(run_id: str, n_finished: int, iteration: int, atom: int) -> tuple[np.ndarray, np.ndarray]:
    return trajectory(run_id).closest(iteration, atom)


def closest(run_id: str, iteration: int, atom: int) -> tuple[np.ndarray, np.ndarray]:
    """The most similar atom of every iteration and its cosine, see :meth:`Trajectory.closest`; remembered."""
    return _closest(run_id, len(trajectory(run_id).records), iteration, atom)


def base_run(run_id: str) -> Run | ReferenceRun:
    """The run that searches start from; a shipped one has a hidden folder in the store."""
    return ReferenceRun(store().root, run_id) if run_id in SHIPPED else store().run(run_id)


@st.cache_resource(max_entries=8)
def _choices(run_id: str, n_finished: int, ranking: str) -> "Choices":
    from dasksvd.search.weights import Choices

    return Choices(trajectory(run_id), ranking)


def choices(run_id: str, ranking: str) -> "Choices":
    """What the weights choose in a run by a ranking, remembered."""
    return _choices(run_id, len(trajectory(run_id).records), ranking)


def state(line: Listed) -> str:
    """The state of a run in one word."""
    if line.description is None:
        return say("damaged")
    if line.status.state == "running":
        return say(jobs().job(line.run).state)  # its process may have died
    never = line.status.state == "cancelled" and not line.status.queued_at and not line.run.n_finished()
    return say("not started") if never else say(line.status.state)


def data_of(line: Listed) -> str:
    """What a run learns from; unlike its state, it stays the same."""
    return say("damaged") if line.description is None else data_name(line.description)


def run_names() -> dict[str, str]:
    """Ids and labels of the runs that can be shown; all labels differ."""
    lines = [line for line in store().listing() if line.description is not None and line.run.n_finished()]
    return among_shipped(run_names_of(lines), shipped_name)


def shipped_name(run_id: str) -> str:
    """What people call a shipped run."""
    return say(SHIPPED_NAMES[run_id])


def among_shipped(own: Mapping[str, Any], shipped: Callable[[str], Any]) -> dict[str, Any]:
    """Something of each run by its id: of the first shipped one, of those of one's own, of the other shipped ones.

    Parameters
    ----------
    own : mapping of str to object
    shipped : callable(run_id) -> object
    """
    first, *others = SHIPPED_NAMES
    return {first: shipped(first)} | dict(own) | {run_id: shipped(run_id) for run_id in others}


def run_names_of(lines: Iterable[Listed]) -> dict[str, str]:
    """Ids and labels of some runs of the store."""
    return labels(lines, state)


def description(run_id: str) -> Description:
    """What a run was started with."""
    return base_run(run_id).description


@st.cache_resource
def read_ahead() -> None:
    """Start reading the digits, which the first page needs for its last pictures."""
    threading.Thread(target=load_mnist, daemon=True).start()


@st.cache_resource
def warm_up() -> None:
    """Compile in a process of its own, then load the result, while the first page is already shown."""

    def work() -> None:
        time.sleep(PAINTING)
        subprocess.run([sys.executable, "-m", "ui.warm"], cwd=ROOT, check=False)
        # Only now: importing would keep this process from sending the page.
        import pandas  # noqa: F401  # tables need it

        from ui import warm

        warm.warm_up()
        memory.keep_loaded()

    threading.Thread(target=work, daemon=True).start()


@st.cache_resource(max_entries=8)
def _places(run_id: str) -> Places:
    """Where a run's parts stand in its data set; they never change."""
    return places_of(base_run(run_id))


@st.cache_resource(max_entries=32)
def _signals(run_id: str, iteration: int) -> tuple[np.ndarray, np.ndarray]:
    what, record = description(run_id), trajectory(run_id).records[iteration]
    k = len(what.classes)
    per_class = len(record.drawn) // k
    # Drawn class by class: the first ones of each class.
    drawn = record.drawn.reshape(k, per_class)[:, :SAMPLED].ravel()
    labels = np.repeat(np.arange(k), min(per_class, SAMPLED))
    signals = signals_at(what.data, _places(run_id).learned[drawn], own_arrays(base_run(run_id)))
    return _read_only(signals), _read_only(labels)


@st.cache_resource(max_entries=32, show_spinner=False)
def _codes(run_id: str, iteration: int) -> np.ndarray:
    from dasksvd.method.omp import encode

    atoms = trajectory(run_id).records[iteration].atoms
    count = n_nonzero(description(run_id).settings.q, len(atoms))
    return _read_only(encode(signals(run_id, iteration)[0], atoms, count))


def _read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def signals(run_id: str, iteration: int) -> tuple[np.ndarray, np.ndarray]:
    """Some signals that an iteration (from 0) drew, without noise, and their classes.

    Returns
    -------
    signals : ndarray of shape (n, N), float32
    labels : ndarray of shape (n,), int
    """
    return _signals(run_id, iteration)


def sample(run_id: str, iteration: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What :func:`signals` gives, and the signals' codes on the iteration's atoms.

    Returns
    -------
    signals : ndarray of shape (n, N), float32
    labels : ndarray of shape (n,), int
    codes : ndarray of shape (n, M), float32
    """
    return *signals(run_id, iteration), _codes(run_id, iteration)


def metrics(run_id: str) -> "Metrics | None":
    """How well a run of one's own is classified, None if it has not been evaluated."""
    from dasksvd.runs.evaluation import read_metrics

    try:
        return read_metrics(store().run(run_id))
    except DamagedFile:
        return None


def data_name(what: Description) -> str:
    """What people call the data that a run learns from: pictures of one's own by the name they were given."""
    return kept_name(what.pictures) or what.data


def kept_name(key: str) -> str:
    """The name of a kept data set; empty if there is none of that key."""
    return next((kept.name for kept in store().library.listing() if kept.key == key), "") if key else ""


def why_unreadable(run_id: str) -> str:
    """Why a run cannot be shown, or an empty text."""
    try:
        trajectory(run_id)
    except (DamagedFile, StoreError) as error:
        return texts.reason(error)
    return "" if description(run_id).is_square else say("its signals are not square pictures")
