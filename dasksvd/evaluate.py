"""The one scorer: train a network on sparse codes, and score it on signals that it has not learned from.

Pure functions of arrays, trajectories and parts of data.  :mod:`dasksvd.runs.evaluation` reads and writes the
files of a run around them.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from dasksvd.datasets.parts import Parts
from dasksvd.encoders import DEFAULT as DEFAULT_ENCODER
from dasksvd.encoders import ENCODERS, check_level, encode_by, levels_to_try
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
    level : float
        Of an encoder that has one; 0 means chosen by the accuracy of one network per level.
    """

    classifier: str = "modern"
    hidden: int = 0
    encoder: str = DEFAULT_ENCODER
    level: float = 0.0

    def __post_init__(self) -> None:
        NETWORKS[self.classifier], ENCODERS[self.encoder]  # unknown names are refused
        check_count("hidden", self.hidden, smallest=0)
        check_level(self.encoder, self.level)
        if self.hidden > 5000:
            raise ParameterError(f"hidden must be at most 5000, got {self.hidden}")

    @property
    def levels(self) -> tuple[float, ...]:
        """The encoder's levels at which a network is trained; one of any value if it has none."""
        return levels_to_try(self.encoder, self.level)


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
    level : float
        With which level; 0 if it has none.
    nonzeros : float
        Mean share of non-zeros in the scored codes; 0 in files that do not know it.
    tried : list of list of float
        Where the level was chosen here, of each one: level, share of non-zeros, accuracy.
    n_tested : int
        Pictures of a test part that own data have brought, 0 without one; nothing else has used them.
    test_accuracy : float
        On these, 0 … 1.
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
    encoder: str = DEFAULT_ENCODER
    level: float = 0.0
    nonzeros: float = 0.0
    tried: list[list[float]] = field(default_factory=list)
    n_tested: int = 0
    test_accuracy: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; what old files do not name only where it is not the usual."""
        usual = {one.name: one.default for one in fields(self)} | {"tried": []}
        return {name: value for name, value in asdict(self).items() if value != usual[name]}


def evaluate(
    trajectory: Trajectory,
    parts: Parts,
    plan: Plan,
    *,
    alpha: float,
    beta: float,
    I: int,
    seed: int,
    atoms: np.ndarray | None = None,
    on_epoch: Callable[[int, float, float], Any] | None = None,
    encode: Callable[[str, np.ndarray, np.ndarray, int, float], np.ndarray] = encode_by,
) -> tuple[Metrics, Any, np.ndarray]:
    """Code all signals on the selected atoms, or on ``atoms`` in their place, train the classifier, and score it.

    The scored part also decides when training stops, and at which level the encoder works if the plan leaves that
    open, so its accuracy is a little flattering; the tables of the paper are scored on a third part.
    ``encode`` may remember codes that it has made before.

    Returns
    -------
    metrics : Metrics
    classifier : fitted estimator
    codes : ndarray of shape (n_train, n_atoms), float32
    """
    started = time.perf_counter()
    atoms = trajectory.reselect(alpha, beta, I).atoms if atoms is None else atoms
    count, hidden = n_nonzero(trajectory.settings.q, len(atoms)), plan.hidden or len(atoms)
    learn = partial(train_network, plan.classifier, hidden=hidden, seed=seed, on_epoch=on_epoch)

    def train_at(level: float) -> _Trained:
        train, scored = (encode(plan.encoder, part, atoms, count, level) for part in (parts.train, parts.scored))
        return _Trained(
            level, train, scored, learn(train, parts.train_labels, validation=(scored, parts.scored_labels))
        )

    best, tried = _train_best(plan.levels, train_at, parts.scored_labels)
    metrics = score(best.model, best.scored, parts.scored_labels, parts.places, len(trajectory.classes)) | {
        "classifier": plan.classifier,
        "hidden": hidden,
        "n_atoms": len(atoms),
        "I": I,
        "alpha": alpha,
        "beta": beta,
        "part": parts.name,
        "error": unexplained(parts.scored, best.scored, atoms),
        "weights": n_weights(len(atoms), hidden, len(trajectory.classes)),
        "epochs": getattr(best.model, "n_iter_", 0),
        "seconds": round(time.perf_counter() - started, 2),
        "encoder": plan.encoder,
        "level": best.level,
        "nonzeros": best.nonzeros,
        "tried": [list(one) for one in tried] if len(tried) > 1 else [],
    }
    return Metrics(**metrics), best.model, best.train


class Tried(NamedTuple):
    """A level, the share of non-zeros in the codes that it makes, and the accuracy of a network on them."""

    level: float
    nonzeros: float
    accuracy: float


def best_level(tried: Iterable[Tried]) -> Tried:
    """The level whose codes are read best; of equally good ones the one with the fewest non-zeros."""
    return max(tried, key=lambda one: (one.accuracy, -one.nonzeros, one.level))


@dataclass(frozen=True)
class _Trained:
    """A network with the codes that it learned from and those that it is scored on."""

    level: float
    train: np.ndarray
    scored: np.ndarray
    model: Any

    @property
    def nonzeros(self) -> float:
        return np.count_nonzero(self.scored) / self.scored.size

    def tried(self, labels: np.ndarray) -> Tried:
        """What it says of its level, given the classes of the scored signals."""
        return Tried(self.level, self.nonzeros, float(np.mean(self.model.predict(self.scored) == labels)))


def _train_best(
    levels: Sequence[float], train_at: Callable[[float], _Trained], labels: np.ndarray
) -> tuple[_Trained, list[Tried]]:
    """The best of the networks at some levels, and what each came to; the codes of the others are not kept."""
    best = train_at(levels[0])
    tried = [best.tried(labels)]
    for level in levels[1:]:
        trained = train_at(level)
        tried.append(trained.tried(labels))
        if best_level(tried) == tried[-1]:
            best = trained
    return best, tried


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
