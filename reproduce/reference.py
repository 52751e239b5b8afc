"""The shipped runs: their trajectories, classifiers and metrics."""

import numpy as np

from dasksvd.common.files import write_json
from dasksvd.common.progress import RunLine
from dasksvd.datasets import load
from dasksvd.datasets.parts import learning_part, scoring_parts, signals_of
from dasksvd.evaluate import Plan, evaluate, score, unexplained
from dasksvd.method.loop import iterate
from dasksvd.method.omp import encode
from dasksvd.method.trajectory import Trajectory
from dasksvd.parameters import n_nonzero
from dasksvd.runs.evaluation import reader_kind, to_reader
from dasksvd.runs.reference import (
    REFERENCE_ID,
    SHIPPED,
    load_reference,
    metrics_path,
    reader_path,
    trajectory_path,
    write_compact,
)
from reproduce.paper import SIZES
from reproduce.results import versions


def make_reference() -> None:
    """Learn the run that everything begins with."""
    learn(REFERENCE_ID)


def make_reference_classifiers() -> None:
    """Train and score its classifiers of all sizes."""
    make_classifiers(REFERENCE_ID, "python -m reproduce reference-classifiers", readers=tuple(SIZES))


def make_other_runs() -> None:
    """Learn, train and score the shipped runs on other data; a classifier of the largest size is kept."""
    for run_id in SHIPPED:
        if run_id != REFERENCE_ID:
            learn(run_id)
            make_classifiers(run_id, "python -m reproduce other-references", readers=(max(SIZES),))


def learn(run_id: str) -> None:
    """Learn a shipped run's atoms and write its small file."""
    what = SHIPPED[run_id].description
    trajectory = Trajectory(what.settings, what.classes)
    bar = RunLine(what.settings.I, what.settings.ksvd_iter)
    trajectory.records.extend(iterate(*learning_part(what), what.settings, on_progress=bar.update))
    path = trajectory_path(run_id)
    write_compact(path, trajectory)
    load_reference.cache_clear()  # an earlier one
    bar.close(f"{path}, {path.stat().st_size / 2**20:.1f} MiB")


def make_classifiers(run_id: str, command: str, readers: tuple[int, ...] = ()) -> None:
    """Train today's network on a shipped run's codes for each size; score it once on the test images.

    Parameters
    ----------
    run_id : str
    command : str
        What the file says that it was made by.
    readers : tuple of int
        Sizes whose classifiers are kept.
    """
    what, trajectory = SHIPPED[run_id].description, load_reference(run_id)
    parts, data, k = scoring_parts(what), load(what.data), len(what.classes)
    test_signals = signals_of(what.data, data.test_images)
    sizes = {}
    for I in SIZES:
        metrics, model, _ = evaluate(trajectory, parts, Plan(), alpha=0.0, beta=0.0, I=I, seed=what.settings.seed)
        atoms = trajectory.reselect(0, 0, I).atoms
        test_codes = encode(test_signals, atoms, n_nonzero(trajectory.settings.q, len(atoms)))
        tested = score(model, test_codes, data.test_labels, np.arange(len(test_codes)), k)
        told = tested | {"part": "test images", "error": unexplained(test_signals, test_codes, atoms)}
        sizes[str(I)] = {"validation": metrics.as_dict(), "test": metrics.as_dict() | told}
        if I in readers:
            to_reader(trajectory, model, 0.0, 0.0, I, kind=reader_kind(what)).save(reader_path(I, run_id))
        print(f"{run_id}, {I} atoms per class: {tested['accuracy']:.2%} of the test images", flush=True)
    kept = {"command": command, "description": what.as_dict(), "versions": versions(), "sizes": sizes}
    write_json(metrics_path(run_id), kept)
