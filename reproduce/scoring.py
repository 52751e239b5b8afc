"""The one function that scores every method."""

import time
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from dasksvd.baselines import src
from dasksvd.datasets.mnist import Split
from dasksvd.encoders import encode_by
from dasksvd.errors import ParameterError
from dasksvd.evaluate import train_network
from dasksvd.metrics import n_weights
from dasksvd.networks.scg_classifier import SCGClassifier
from dasksvd.parameters import n_nonzero
from reproduce import tuning
from reproduce.dictionaries import atoms_of
from reproduce.results import PROTOCOL
from reproduce.rounds import Round

RAW = ("raw-16", "raw-28")


@dataclass(frozen=True, order=True)
class Task:
    """One trained network.

    Attributes
    ----------
    round : int
    method : str
        A name in :mod:`reproduce.dictionaries`, ``raw-16`` or ``raw-28``.
    I : int
        Atoms per class; ignored by raw pixels.
    hidden : int
    classifier : {"scg", "modern", "src"}
        SRC has no network: the class whose atoms rebuild the signal best.
    encoder : {"omp", "threshold", "soft"}
    data : {"mnist", "fashion_mnist"}
    """

    round: int
    method: str
    I: int
    hidden: int
    classifier: str
    encoder: str = "omp"
    data: str = "mnist"

    @property
    def key(self) -> str:
        """A name for the results' file."""
        parts = [self.method, self.I, self.hidden, self.classifier, self.encoder, self.round]
        return "/".join(map(str, parts if self.data == "mnist" else [*parts, self.data]))


@dataclass(frozen=True)
class Features:
    """What a classifier sees: three arrays of shape (n, n_features), float32."""

    train: np.ndarray
    val: np.ndarray
    test: np.ndarray


@lru_cache(maxsize=1)
def round_of(number: int, data: str) -> Round:
    """A round, of which the images are read once for tasks in a row."""
    return Round(number, data)


def atoms_for(task: Task, round_: Round) -> np.ndarray:
    """The dictionary of a task."""
    return _atoms(task.method, round_)[: 10 * task.I]


@lru_cache(maxsize=1)
def _atoms(method: str, round_: Round) -> np.ndarray:
    """All atoms of a method, read once for tasks in a row."""
    return atoms_of(round_, method, tuning.chosen("methods", method))


def features(task: Task, round_: Round) -> Features:
    """Codes on the task's atoms, or pixels."""
    return _features(replace(task, hidden=0, classifier=""), round_)


@lru_cache(maxsize=1)
def _features(task: Task, round_: Round) -> Features:
    """What all networks of a method see, whatever they are; made once for tasks in a row."""
    if task.method == "raw-28":
        return Features(*round_.raw_images())
    parts = round_.split.train_signals, round_.split.val_signals, round_.test_signals
    if task.method == "raw-16":
        return Features(*parts)
    atoms = atoms_for(task, round_)
    level = tuning.chosen("soft", task.method) if task.encoder == "soft" else None
    return Features(*(codes(signals, atoms, task.encoder, round_.settings.q, level) for signals in parts))


def codes(signals: np.ndarray, atoms: np.ndarray, encoder: str, q: float, level: float | None = None) -> np.ndarray:
    """Codes of signals (n, N) on atoms (M, N) by an encoder; the soft threshold needs its level."""
    return encode_by(encoder, signals, atoms, n_nonzero(q, len(atoms)), level or 0.0)


def train(task: Task, seen: Features, round_: Round) -> Any:
    """The task's network, trained on the training part; the validation part decides when it stops."""
    split = round_.split
    if task.classifier == "src":
        return _Residuals(task, seen, round_)
    if task.classifier == "scg":
        start = tuning.chosen("scg", f"{task.method}/{task.I}/{task.hidden}")
        if start is None:
            raise ParameterError(f"no initial weights are chosen for {task.key}; run python -m reproduce tuning-scg")
        return train_scg(task, seen, split, start)
    return train_network(
        task.classifier,
        seen.train,
        split.train_labels,
        hidden=task.hidden,
        seed=task.round,
        validation=(seen.val, split.val_labels),
    )


def train_scg(task: Task, seen: Features, split: Split, start: float | None, **limits: int) -> Any:
    """The paper's kind of network from initial weights of a given spread; ``limits`` as in the protocol."""
    model = SCGClassifier(task.hidden, random_state=task.round, start=start, **PROTOCOL["scg"] | limits)
    return model.fit(seen.train, split.train_labels, seen.val, split.val_labels)


class _Residuals:
    """SRC in the manner of a network; it learns nothing."""

    n_iter_ = 0

    def __init__(self, task: Task, seen: Features, round_: Round):
        self.atoms = atoms_for(task, round_)
        self.classes = classes_of_atoms(task.method, len(self.atoms))
        self.signals = {id(seen.val): round_.split.val_signals, id(seen.test): round_.test_signals}

    def predict(self, codes: np.ndarray) -> np.ndarray:
        return src.predict(self.signals[id(codes)], codes, self.atoms, self.classes)


def classes_of_atoms(method: str, n_atoms: int) -> np.ndarray:
    """The class of each atom; those of LC-KSVD2 stand class by class, others iteration by iteration."""
    numbers = np.arange(n_atoms)
    return numbers // (n_atoms // 10) if method.startswith("lc-ksvd2") else numbers % 10


def score(task: Task, round_: Round | None = None) -> dict[str, Any]:
    """Train the task's network and score it once on the test set, which is not looked at before.

    Returns
    -------
    dict
        The task, both accuracies, epochs, whether their limit ended the training, seconds,
        number of weights, and what is known of the codes.
    """
    round_ = round_ or round_of(task.round, task.data)
    seen, split = features(task, round_), round_.split
    started = time.perf_counter()
    model = train(task, seen, round_)
    seconds = time.perf_counter() - started
    return asdict(task) | {
        "val_accuracy": _share_right(model, seen.val, split.val_labels),
        "test_accuracy": _share_right(model, seen.test, round_.test_labels),
        "epochs": model.n_iter_,
        "at_limit": model.n_iter_ == getattr(model, "max_epochs", None),
        "seconds": round(seconds, 1),
        "weights": n_weights(seen.train.shape[1], task.hidden) if task.hidden else 0,
        **({} if task.method in RAW else about_codes(task, seen, round_)),
    }


def _share_right(model: Any, inputs: np.ndarray, labels: np.ndarray) -> float:
    return float(np.mean(model.predict(inputs) == labels))


def about_codes(task: Task, seen: Features, round_: Round) -> dict[str, float]:
    """Share of non-zeros, largest and mean coherence of two atoms, and the PSNR of what is rebuilt."""
    atoms, signals = atoms_for(task, round_), round_.test_signals
    return {"nonzeros": share_nonzero(seen.test)} | coherence(atoms) | {"psnr": psnr(signals, seen.test @ atoms)}


def share_nonzero(codes: np.ndarray) -> float:
    """Mean share of a code's entries that are not zero."""
    return round(float(np.count_nonzero(codes) / codes.size), 4)


def coherence(atoms: np.ndarray) -> dict[str, float]:
    """Largest |⟨d_i, d_j⟩| of two unit atoms, and the mean over atoms of the largest one with another."""
    gram = np.abs(atoms @ atoms.T)
    np.fill_diagonal(gram, 0)
    return {"coherence": round(float(gram.max()), 4), "mean_coherence": round(float(gram.max(axis=1).mean()), 4)}


def psnr(signals: np.ndarray, rebuilt: np.ndarray) -> float:
    """Peak signal-to-noise ratio in dB of rebuilt signals in 0 … 1, from the mean squared error of all."""
    return round(float(-10 * np.log10(np.mean((signals - rebuilt) ** 2, dtype=np.float64))), 2)
