"""The evaluation of a run: its plan, its metrics and its reader lie in the run's folder."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from dasksvd.common.files import read_json, write_json
from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import PARTS, SEEN, n_pictures, pictures_at
from dasksvd.datasets.registry import facts_of
from dasksvd.digit.atom_reader import AtomReader
from dasksvd.digit.reader import DigitModel
from dasksvd.encoders import DEFAULT as DEFAULT_ENCODER
from dasksvd.encoders import ENCODERS
from dasksvd.errors import DamagedFile
from dasksvd.evaluate import Metrics, Plan, evaluate
from dasksvd.method.trajectory import Trajectory
from dasksvd.networks import NETWORKS
from dasksvd.parameters import n_nonzero
from dasksvd.parameters.checks import is_between
from dasksvd.runs.folder import Run, load_parts, own_arrays
from dasksvd.runs.source import SearchBase

#: What :data:`SEEN` was called in metrics written before; "test images" stands in the shipped run only.
_KEPT = "images kept from the classifier"
#: The network that a reader is made of.
READER = "modern"
#: More levels than this are tried by nobody.
MAX_TRIED = 100


def evaluate_run(run: Run, plan: Plan, on_epoch: Callable[[int, float, float], Any] | None = None) -> Metrics:
    """Evaluate a finished run at its own weights; write ``metrics.json``, and the reader if its network gives one."""
    settings, trajectory, atoms = run.description.settings, run.trajectory, run.atoms
    metrics, model, _ = evaluate(
        trajectory,
        load_parts(run),
        plan,
        alpha=settings.alpha,
        beta=settings.beta,
        I=len(trajectory.records),
        seed=settings.seed,
        atoms=atoms,
        on_epoch=on_epoch,
    )
    reader = run.folder / "classifier.npz"
    if plan.classifier == READER:
        by = (plan.encoder, metrics.level, atoms, reader_kind(run.description))
        to_reader(trajectory, model, settings.alpha, settings.beta, metrics.I, *by).save(reader)
    else:  # that of an earlier evaluation would not be the one of these metrics
        reader.unlink(missing_ok=True)
    write_json(run.folder / "metrics.json", metrics.as_dict())
    return metrics


def reader_kind(description: Description) -> type[AtomReader]:
    """What reads pictures like those that a run has learned from."""
    return DigitModel if facts_of(description.data).gives_reader else AtomReader


def to_reader(
    trajectory: Trajectory,
    model: Any,
    alpha: float,
    beta: float,
    I: int,
    encoder: str = DEFAULT_ENCODER,
    level: float = 0.0,
    atoms: np.ndarray | None = None,
    kind: type[AtomReader] = DigitModel,
) -> AtomReader:
    """A reader from a trajectory and a network "modern" trained on its codes by an encoder; of digits unless told.

    The atoms are the selected ones unless others, such as fine-tuned ones, are given in their place.
    """
    selected, arrays = trajectory.reselect(alpha, beta, I).atoms, model.to_arrays()
    atoms = selected if atoms is None else atoms
    return kind(
        atoms=atoms,
        atom_classes=np.tile(np.arange(len(trajectory.classes)), I),
        n_nonzero=n_nonzero(trajectory.settings.q, len(atoms)),
        scale=np.full(len(atoms), arrays["scale"], np.float32),
        weights=tuple(arrays[name] for name in ("first", "first_bias", "second", "second_bias")),
        encoder=encoder,
        level=level,
    )


def scored_images(run: Run, places: np.ndarray, part: str) -> np.ndarray:
    """Pictures at some places of the scored part, which the metrics name; (n, side * side), float32 in [0, 1]."""
    return pictures_at(run.description, places, part, own_arrays(run))


def read_plan(run: Run) -> Plan | None:
    """The plan to evaluate a run when it is finished, if there is one."""
    path = run.folder / "plan.json"
    if not path.exists():
        return None
    try:
        return Plan(**read_json(path))
    except (TypeError, ValueError) as error:
        raise DamagedFile(f"plan.json is not one of a run ({error})") from error


def write_plan(run: Run, plan: Plan) -> None:
    """Ask for an evaluation when the run is finished."""
    write_json(run.folder / "plan.json", asdict(plan))


def read_metrics(run: Run | SearchBase) -> Metrics | None:
    """A run's metrics, None before it has been evaluated; anything odd is damage."""
    path = run.folder / "metrics.json"
    if not path.exists():
        return None
    try:
        values, what = read_json(path), run.description
        if values.get("part") == _KEPT:
            values["part"] = SEEN
        return check_metrics(Metrics(**values), len(what.classes), n_pictures(what))
    except (TypeError, ValueError, OverflowError) as error:
        raise DamagedFile(f"metrics.json is not that of a run ({str(error)[:80]})") from error


def check_metrics(metrics: Metrics, n_classes: int, n_pictures: int) -> Metrics:
    """The metrics, if they can be shown; a file from elsewhere is not trusted."""
    confusion = np.asarray(metrics.confusion, np.int64)
    wrong = np.asarray(metrics.wrong, np.float64).reshape(-1, 5)
    numbers = [metrics.accuracy, metrics.error, metrics.alpha, metrics.beta, metrics.seconds]
    sane = (
        confusion.shape == (n_classes, n_classes)
        and confusion.min() >= 0
        and np.isfinite([*wrong.ravel(), *(float(number) for number in numbers)]).all()
        and wrong[:, 0].min(initial=0) >= 0
        and wrong[:, 0].max(initial=0) < n_pictures
        and wrong[:, 1:3].min(initial=0) >= 0
        and wrong[:, 1:3].max(initial=0) < n_classes
        and metrics.part in PARTS
        and metrics.classifier in NETWORKS
        and metrics.encoder in ENCODERS
        and all(isinstance(n, int) for n in (metrics.hidden, metrics.n_atoms, metrics.I, metrics.n_scored))
        and isinstance(metrics.tried, list)
        and len(metrics.tried) <= MAX_TRIED
        and all(isinstance(one, list) and len(one) == 3 for one in metrics.tried)
        and all(is_between(share, 0, 1) for one in metrics.tried for share in one)
        and is_between(metrics.level, 0, 1)
        and is_between(metrics.nonzeros, 0, 1)
    )
    if not sane:
        raise ValueError("a value is out of range")
    return metrics
