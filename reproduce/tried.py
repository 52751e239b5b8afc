"""What was tried to make codes on DAS-KSVD's atoms read better than pixels; the validation images decide.

Every row is a way to features.  Its network is trained by the one scorer, with as many weights as one of 200 hidden
units on 200 codes, and scored on the validation images, which also end its training.  The test images are not looked
at.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from dasksvd.common.files import read_json, write_json
from dasksvd.encoders import encode_by
from dasksvd.evaluate import train_network
from dasksvd.method.measures import ClassTables, own_residual
from dasksvd.method.sampling import degrade
from dasksvd.method.selection import best_atoms as best_of_each_class
from dasksvd.method.trajectory import Record
from dasksvd.metrics import n_weights
from dasksvd.networks.fine_tuning import Tuning, fine_tune
from dasksvd.statistics import paired
from reproduce.dictionaries import atoms_of
from reproduce.results import results_path, versions
from reproduce.rounds import Round
from reproduce.studies import RAW_WIDTHS

#: Non-zeros of a code: a fifth of 200, and as many as make a denser one.
SPARSE, DENSE = 40, 100
#: Hidden units with which 256 pixels have as many weights as 200-200-10, without and with the atoms' values.
RAW, _, RAW_WITH_ATOMS = RAW_WIDTHS
#: Atoms more alike than this are skipped by the selection that looks at coherence.
TOO_ALIKE = 0.8


@dataclass(frozen=True)
class Variant:
    """A way to features.

    Attributes
    ----------
    start : str
        A key of ``STARTS``, or ``pixels``.
    tuning : Tuning or None
        How the atoms are fine-tuned, None if they are not.
    encoder : str
        A key of :data:`dasksvd.encoders.ENCODERS`, or ``soft`` with its level in ``level``.
    n_nonzero, hidden : int
    unit : bool
        Whether signals are scaled to length one.
    split : bool
        Whether positive and negative coefficients become features of their own.
    level : float
    copies : int
        Of pixels, how many noisy copies are learned from, too: what the noise of the fine-tuning is worth by itself.
    """

    start: str = "das-ksvd"
    tuning: Tuning | None = None
    encoder: str = "threshold"
    n_nonzero: int = SPARSE
    hidden: int = 200
    unit: bool = False
    split: bool = False
    level: float = 0.0
    copies: int = 0


def _reranked(round_: Round, ranking: Callable[[ClassTables], np.ndarray]) -> np.ndarray:
    """One atom of each class and iteration by another score of what the classes do with the atoms."""
    trajectory = round_.trajectory()

    def chosen(record: Record) -> np.ndarray:
        return record.atoms[best_of_each_class(record.measures, ranking(record.tables), trajectory.classes)]

    return np.concatenate([chosen(record) for record in trajectory.records])


def energy_lead(tables: ClassTables) -> np.ndarray:
    """The lead of the largest class in mean a_j²: m_re without the class's own residual; shape (n_atoms,)."""
    energy = np.maximum(tables.r - own_residual(tables)[:, None], 0)
    second, top = np.partition(energy, -2, axis=0)[-2:]
    return np.divide(top - second, top, out=np.zeros_like(top), where=top > 0)


def information(tables: ClassTables) -> np.ndarray:
    """Mutual information of class and use of the atom, in nats, all classes equally likely; shape (n_atoms,)."""
    used, mean = np.clip(tables.p, 1e-12, 1 - 1e-12), np.clip(tables.p.mean(axis=0), 1e-12, 1 - 1e-12)
    return np.mean(used * np.log(used / mean) + (1 - used) * np.log((1 - used) / (1 - mean)), axis=0)


def _incoherent(round_: Round) -> np.ndarray:
    """The best atom of each class and iteration that is not too alike to one selected before."""
    trajectory = round_.trajectory()
    selected = np.zeros((0, 256), np.float32)
    for iteration, record in enumerate(trajectory.records):
        scores = trajectory.scores(iteration, 0, 0)
        if len(selected):
            scores = scores - 10.0 * (np.abs(record.atoms @ selected.T).max(axis=1) > TOO_ALIKE)
        selected = np.concatenate([selected, record.atoms[best_of_each_class(record.measures, scores, range(10))]])
    return selected


#: Where atoms come from: name -> function of a round that gives 200 of length one.
STARTS: dict[str, Callable[[Round], np.ndarray]] = {
    "das-ksvd": partial(atoms_of, method="das-ksvd"),
    "das-ksvd, energy": partial(_reranked, ranking=energy_lead),
    "das-ksvd, information": partial(_reranked, ranking=information),
    "das-ksvd, incoherent": _incoherent,
    "ksvd, noise": partial(atoms_of, method="ksvd, noise", value=1.9),
    "random images": partial(atoms_of, method="random images"),
    "gaussian": partial(atoms_of, method="gaussian"),
}
_CHOSEN = Tuning()
#: Everything that was tried, in the order in which it is told.
VARIANTS = {
    "pixels": Variant("pixels", hidden=RAW),
    "pixels, weights with atoms": Variant("pixels", hidden=RAW_WITH_ATOMS),
    "pixels, noisy copy": Variant("pixels", hidden=RAW, copies=1),
    "pixels, noisy copy, weights with atoms": Variant("pixels", hidden=RAW_WITH_ATOMS, copies=1),
    "das-ksvd": Variant(encoder="omp"),
    "das-ksvd, threshold": Variant(),
    "tuned": Variant(tuning=_CHOSEN),
    "tuned from gaussian atoms": Variant("gaussian", _CHOSEN),
    "tuned from random images": Variant("random images", _CHOSEN),
    "tuned from ksvd, noise": Variant("ksvd, noise", _CHOSEN),
    "tuned from incoherent das-ksvd": Variant("das-ksvd, incoherent", _CHOSEN),
    "tuned, growing noise": Variant(tuning=Tuning(growing=True)),
    "tuned, large helper": Variant(tuning=Tuning(hidden=200)),
    "tuned, large helper, little decay": Variant(tuning=Tuning(hidden=200, decay=1e-4)),
    "tuned, no noise": Variant(tuning=Tuning(noise=0.0)),
    "tuned, 45 epochs": Variant(tuning=Tuning(epochs=45)),
    "tuned, 5 epochs": Variant(tuning=Tuning(epochs=5)),
    "tuned, 5 epochs from gaussian atoms": Variant("gaussian", Tuning(epochs=5)),
    "tuned, denser": Variant(tuning=_CHOSEN, n_nonzero=DENSE),
    "tuned, sparser": Variant(tuning=_CHOSEN, n_nonzero=20),
    "tuned, omp": Variant(tuning=_CHOSEN, encoder="omp"),
    "das-ksvd, threshold, unit signals": Variant(unit=True),
    "das-ksvd, threshold, split signs": Variant(split=True, hidden=102),
    "das-ksvd, threshold, denser": Variant(n_nonzero=DENSE),
    "das-ksvd, soft 0.3": Variant(encoder="soft", level=0.3),
    "das-ksvd, energy": Variant("das-ksvd, energy", encoder="omp"),
    "das-ksvd, information": Variant("das-ksvd, information", encoder="omp"),
    "das-ksvd, incoherent": Variant("das-ksvd, incoherent", encoder="omp"),
    "ksvd, noise": Variant("ksvd, noise", encoder="omp"),
    "ksvd, noise, threshold": Variant("ksvd, noise"),
}


def measure_tried(rounds: int = 3, names: tuple[str, ...] = tuple(VARIANTS), networks: int = 1) -> None:
    """Score the variants on the validation images of rounds 0, 1, …, saving after every network.

    Parameters
    ----------
    rounds : int
    names : tuple of str
        Keys of ``VARIANTS``.
    networks : int
        Networks of each dictionary, which differ in their random start.
    """
    for name in names:
        for number in range(rounds):
            missing = [network for network in range(networks) if f"{name}/{number}/{network}" not in stored_tried()]
            if missing:
                _measure(name, number, missing)


def _measure(name: str, number: int, networks: list[int]) -> None:
    variant, round_ = VARIANTS[name], Round(number)
    train, val = features(round_, variant)
    for network in networks:
        result = _score(variant, round_, train, val, network)
        _save(stored_tried() | {f"{name}/{number}/{network}": result})
        print(f"{name}, round {number}: {result['validation_accuracy']:.4f}", flush=True)


def _score(variant: Variant, round_: Round, train: np.ndarray, val: np.ndarray, network: int) -> dict[str, Any]:
    split = round_.split
    model = train_network(
        "modern",
        train,
        np.tile(split.train_labels, 1 + variant.copies),
        hidden=variant.hidden,
        seed=round_.number + 1000 * network,
        validation=(val, split.val_labels),
    )
    return {
        "validation_accuracy": float(np.mean(model.predict(val) == split.val_labels)),
        "non_zeros": round(float(np.mean(val != 0)), 4),
        "weights": n_weights(train.shape[1], variant.hidden),
        "epochs": model.n_iter_,
    }


def features(round_: Round, variant: Variant) -> tuple[np.ndarray, np.ndarray]:
    """Training and validation features of a round, each of shape (n, n_features), float32; noisy copies at the end."""
    parts = round_.split.train_signals, round_.split.val_signals
    if variant.unit:
        parts = tuple(part / np.maximum(np.linalg.norm(part, axis=1, keepdims=True), 1e-12) for part in parts)
    if variant.start == "pixels":
        noisy = [degrade(parts[0], 1, Tuning.noise, "std", round_.rng) for _ in range(variant.copies)]
        return np.concatenate([parts[0], *noisy]), parts[1]
    atoms = STARTS[variant.start](round_)
    if variant.tuning is not None:
        atoms = fine_tune(parts[0], round_.split.train_labels, atoms, variant.n_nonzero, round_.number, variant.tuning)
    codes = tuple(_encode(part, atoms, variant) for part in parts)
    return tuple(np.hstack([np.maximum(part, 0), np.maximum(-part, 0)]) for part in codes) if variant.split else codes


def _encode(signals: np.ndarray, atoms: np.ndarray, variant: Variant) -> np.ndarray:
    return encode_by(variant.encoder, signals, atoms, variant.n_nonzero, variant.level)


def stored_tried() -> dict[str, dict[str, Any]]:
    """What was measured: variant/round/network -> result."""
    return stored_file()["results"] if results_path("tried").exists() else {}


def stored_file() -> dict[str, Any]:
    """The whole file."""
    return read_json(results_path("tried"))


def summaries(results: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Of each variant the mean over rounds and its paired differences to pixels and to DAS-KSVD, in points."""
    means = {name: _by_round(results, name) for name in VARIANTS}
    found: dict[str, dict[str, Any]] = {}
    for name, ours in means.items():
        if ours:
            found[name] = {"mean": round(100 * float(np.mean(list(ours.values()))), 3), "rounds": len(ours)}
            for other in ("pixels", "pixels, weights with atoms", "das-ksvd"):
                common = sorted(ours.keys() & means[other].keys())
                if common and other != name:
                    found[name][f"to {other}"] = paired(
                        [ours[key] for key in common], [means[other][key] for key in common]
                    ).text
    return found


def _by_round(results: dict[str, dict[str, Any]], name: str) -> dict[str, float]:
    """Round -> accuracy, the mean of its networks."""
    found: dict[str, list[float]] = {}
    for key, result in results.items():
        variant, number, _ = key.rsplit("/", 2)
        if variant == name:
            found.setdefault(number, []).append(result["validation_accuracy"])
    return {number: float(np.mean(values)) for number, values in found.items()}


def _save(results: dict[str, dict[str, Any]]) -> None:
    write_json(
        results_path("tried"),
        {
            "command": "python -m reproduce tried",
            "seeds": "round for split, trajectory and fine-tuning; round + 1000 · network for the network",
            "variants": {name: asdict(variant) for name, variant in VARIANTS.items()},
            "versions": versions(),
            "summary": summaries(results),
            "results": dict(sorted(results.items())),
        },
    )
