"""The one scorer: train a network on sparse codes, and score it on signals that it has not learned from.

Pure functions of arrays, trajectories and parts of data.  :mod:`dasksvd.runs.evaluation` reads and writes the
files of a run around them.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from dasksvd.datasets.parts import Parts
from dasksvd.encoders import ENCODERS
from dasksvd.errors import ParameterError
from dasksvd.method.trajectory import Trajectory
from dasksvd.metrics import confusion_matrix, n_weights
from dasksvd.networks import NETWORKS
from dasksvd.parameters import check_count, n_nonzero

#: Misread signals that are kept.
MAX_WRONG = 200


@dataclass(frozen=True)
class Plan:
    """Which network to train, on which codes.

    Attributes
    ----------
    classifier : str
        A name in :data:`dasksvd.networks.NETWORKS`.
    hidden : int
        Hidden units; 0 means as many as there are atoms.
    encoder : str
        A name in :data:`dasksvd.encoders.ENCODERS`.
    """

    classifier: str = "modern"
    hidden: int = 0
    encoder: str = "omp"

    def __post_init__(self) -> None:
        NETWORKS[self.classifier], ENCODERS[self.encoder]  # unknown names are refused
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
    wrong : list of list of float
        Of misread signals: place, true class, predicted class, probabilities of both.
    error : float
        Mean share of a signal's energy that its code leaves unexplained.
    weights, epochs : int
        Of the network.
    seconds : float
        For coding and training.
    encoder : str
        What made the codes.
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
    confusion: list[list[int]]
    wrong: list[list[float]]
    error: float
    weights: int
    epochs: int
    seconds: float
    encoder: str = "omp"

    def as_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; the encoder only if it is not the usual one, which old files do not name."""
        values = asdict(self)
        return values if self.encoder != "omp" else {key: values[key] for key in values if key != "encoder"}


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
    train, scored = (ENCODERS[plan.encoder].value(part, atoms, count) for part in (parts.train, parts.scored))
    model = train_network(
        plan.classifier,
        train,
        parts.train_labels,
        hidden=plan.hidden or len(atoms),
        seed=seed,
        validation=(scored, parts.scored_labels),
        on_epoch=on_epoch,
    )
    metrics = score(model, scored, parts.scored_labels, parts.places, len(trajectory.classes)) | {
        "classifier": plan.classifier,
        "hidden": plan.hidden or len(atoms),
        "n_atoms": len(atoms),
        "I": I,
        "alpha": alpha,
        "beta": beta,
        "part": parts.name,
        "error": unexplained(parts.scored, scored, atoms),
        "weights": n_weights(len(atoms), plan.hidden or len(atoms), len(trajectory.classes)),
        "epochs": getattr(model, "n_iter_", 0),
        "seconds": round(time.perf_counter() - started, 2),
        "encoder": plan.encoder,
    }
    return Metrics(**metrics), model, train


def train_network(
    name: str,
    codes: np.ndarray,
    labels: np.ndarray,
    *,
    hidden: int,
    seed: int,
    validation: tuple[np.ndarray, np.ndarray] | tuple[()] = (),
    on_epoch: Callable[[int, float, float], Any] | None = None,
) -> Any:
    """A fitted network of :data:`dasksvd.networks.NETWORKS`.

    Parameters
    ----------
    name : str
    codes : ndarray of shape (n, n_atoms)
    labels : ndarray of shape (n,)
    hidden, seed : int
    validation : tuple of ndarray
        Codes and labels that a network with early stopping may watch; empty if it must not.
    on_epoch : callable(epoch, loss, validation), optional
        Called after each epoch of a network that reports them.
    """
    network = NETWORKS[name]
    options = {"on_epoch": on_epoch} if on_epoch is not None and network.facts.get("reports_epochs") else {}
    return network.value(hidden=hidden, random_state=seed).fit(codes, labels, *validation, **options)


def score(model: Any, codes: np.ndarray, labels: np.ndarray, places: np.ndarray, n_classes: int) -> dict[str, Any]:
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
