"""Train a classifier on a run's sparse codes and score it on signals the run has not learned from."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from dasksvd.common.files import read_json, write_json
from dasksvd.datasets.parts import PARTS, SEEN, Parts, n_pictures, pictures_at
from dasksvd.datasets.parts import mnist_parts as mnist_parts
from dasksvd.datasets.registry import facts_of
from dasksvd.digit.reader import DigitModel
from dasksvd.errors import DamagedFile, ParameterError
from dasksvd.method.omp import encode
from dasksvd.method.trajectory import Trajectory
from dasksvd.metrics import confusion_matrix, n_weights
from dasksvd.networks.mlp import ModernClassifier, SCGClassifier
from dasksvd.parameters import check_count, n_nonzero
from dasksvd.runs.folder import Run, load_parts, own_arrays

CLASSIFIERS = {"modern": ModernClassifier, "scg": SCGClassifier}
#: What :data:`SEEN` was called in metrics written before; "test images" stands in the shipped run only.
_KEPT = "images kept from the classifier"
#: Misread signals that are kept.
MAX_WRONG = 200


@dataclass(frozen=True)
class Plan:
    """Which classifier to train.

    Attributes
    ----------
    classifier : {"modern", "scg"}
    hidden : int
        Hidden units; 0 means as many as there are atoms.
    """

    classifier: str = "modern"
    hidden: int = 0

    def __post_init__(self):
        if self.classifier not in CLASSIFIERS:
            raise ParameterError(f"classifier must be one of {', '.join(CLASSIFIERS)}, got {self.classifier!r}")
        check_count("hidden", self.hidden, smallest=0)
        if self.hidden > 5000:
            raise ParameterError(f"hidden must be at most 5000, got {self.hidden}")


@dataclass(frozen=True)
class Metrics:
    """How well a run's codes are classified.

    Attributes
    ----------
    classifier : str
    hidden, n_atoms, I : int
    alpha, beta : float
    part : str
        What it was scored on.
    n_scored : int
    accuracy : float
        0 … 1.
    confusion : list of list of int
        Rows are true classes, columns predicted ones.
    wrong : list of list
        Of misread signals: place, true class, predicted class, probabilities of both.
    error : float
        Mean share of a signal's energy that its code leaves unexplained.
    weights, epochs : int
        Of the network.
    seconds : float
        For coding and training.
    """

    classifier: str
    hidden: int
    n_atoms: int
    I: int
    alpha: float
    beta: float
    part: str
    n_scored: int
    accuracy: float
    confusion: list
    wrong: list
    error: float
    weights: int
    epochs: int
    seconds: float


def evaluate(
    trajectory: Trajectory,
    parts: Parts,
    plan: Plan,
    *,
    alpha: float,
    beta: float,
    I: int,
    seed: int,
    on_epoch: Callable[[int, float, float], Any] | None = None,
) -> tuple[Metrics, Any, np.ndarray]:
    """Code all signals on the selected atoms, train the classifier, and score it.

    The scored part also decides when training stops, so its accuracy is a little flattering; the
    tables of the paper are scored on a third part.

    Returns
    -------
    metrics : Metrics
    classifier : fitted estimator
    codes : ndarray of shape (n_train, n_atoms), float32
    """
    started = time.perf_counter()
    atoms = trajectory.reselect(alpha, beta, I).atoms
    count = n_nonzero(trajectory.settings.q, len(atoms))
    train, scored = encode(parts.train, atoms, count), encode(parts.scored, atoms, count)
    model = CLASSIFIERS[plan.classifier](hidden=plan.hidden or len(atoms), random_state=seed)
    model.fit(train, parts.train_labels, scored, parts.scored_labels, on_epoch=on_epoch)
    metrics = score(model, scored, parts.scored_labels, parts.places, len(trajectory.classes)) | {
        "classifier": plan.classifier,
        "hidden": model.hidden,
        "n_atoms": len(atoms),
        "I": I,
        "alpha": alpha,
        "beta": beta,
        "part": parts.name,
        "error": unexplained(parts.scored, scored, atoms),
        "weights": n_weights(len(atoms), model.hidden, len(trajectory.classes)),
        "epochs": model.n_iter_,
        "seconds": round(time.perf_counter() - started, 2),
    }
    return Metrics(**metrics), model, train


def score(model, codes: np.ndarray, labels: np.ndarray, places: np.ndarray, n_classes: int) -> dict[str, Any]:
    """Accuracy, confusion and misread signals of a fitted classifier.

    Parameters
    ----------
    model : fitted estimator
        Trained on class numbers; it need not know all of them.
    codes : ndarray of shape (n, n_atoms)
    labels, places : ndarray of shape (n,), int
        Class numbers, and where the signals stand in their data set.
    n_classes : int
    """
    # A class without training signals has no column of its own.
    probabilities = np.zeros((len(codes), n_classes))
    probabilities[:, model.classes_] = model.predict_proba(codes)
    predicted = model.predict(codes)
    wrong = np.flatnonzero(predicted != labels)
    # The surest mistakes first: they teach most.
    wrong = wrong[np.argsort(-probabilities[wrong, predicted[wrong]], kind="stable")][:MAX_WRONG]
    return {
        "n_scored": len(labels),
        "accuracy": float(np.mean(predicted == labels)),
        "confusion": confusion_matrix(labels, predicted, n_classes).tolist(),
        "wrong": [
            [
                int(places[i]),
                int(labels[i]),
                int(predicted[i]),
                round(float(probabilities[i, labels[i]]), 4),
                round(float(probabilities[i, predicted[i]]), 4),
            ]
            for i in wrong
        ],
    }


def unexplained(signals: np.ndarray, codes: np.ndarray, atoms: np.ndarray) -> float:
    """Mean share of a signal's energy that its code leaves unexplained."""
    left = np.einsum("ij,ij->i", signals - codes @ atoms, signals - codes @ atoms)
    energy = np.einsum("ij,ij->i", signals, signals)
    return float(np.mean(np.divide(left, energy, out=np.zeros_like(left), where=energy > 0)))


def scored_images(run: Run, places: np.ndarray, part: str) -> np.ndarray:
    """Pictures at some places of the scored part, which the metrics name; (n, side * side), float32 in [0, 1]."""
    return pictures_at(run.description, places, part, own_arrays(run))


def evaluate_run(run: Run, plan: Plan, on_epoch: Callable[[int, float, float], Any] | None = None) -> Metrics:
    """Evaluate a finished run at its own weights; write ``metrics.json``, and the reader it gives."""
    settings, trajectory = run.description.settings, run.trajectory
    metrics, model, _ = evaluate(
        trajectory,
        load_parts(run),
        plan,
        alpha=settings.alpha,
        beta=settings.beta,
        I=len(trajectory.records),
        seed=settings.seed,
        on_epoch=on_epoch,
    )
    if facts_of(run.description.data).gives_reader and plan.classifier == "modern":
        to_reader(trajectory, model, settings.alpha, settings.beta, metrics.I).save(run.folder / "classifier.npz")
    write_json(run.folder / "metrics.json", asdict(metrics))
    return metrics


def to_reader(trajectory: Trajectory, model: ModernClassifier, alpha: float, beta: float, I: int) -> DigitModel:
    """A reader of 28×28 digits from a trajectory and a network trained on its codes."""
    selection = trajectory.reselect(alpha, beta, I)
    return DigitModel(
        atoms=selection.atoms,
        atom_classes=np.tile(np.arange(len(trajectory.classes)), I),
        n_nonzero=n_nonzero(trajectory.settings.q, len(selection.atoms)),
        scale=np.full(len(selection.atoms), model.scale_, np.float32),
        weights=tuple(array.astype(np.float32) for array in model.weights_),
    )


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


def read_metrics(run: Run) -> Metrics | None:
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
        and metrics.classifier in CLASSIFIERS
        and all(isinstance(n, int) for n in (metrics.hidden, metrics.n_atoms, metrics.I, metrics.n_scored))
    )
    if not sane:
        raise ValueError("a value is out of range")
    return metrics
