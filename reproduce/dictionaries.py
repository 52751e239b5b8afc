"""Every dictionary that is compared: what it is called, how it is learned, and what of it is tuned."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.cluster import KMeans

from dasksvd import KSVD, LCKSVD2, rankings
from dasksvd.baselines.mod import mod_update
from dasksvd.method import ksvd
from dasksvd.method.ksvd import random_signals
from dasksvd.method.measures import measure
from dasksvd.method.trajectory import Trajectory
from dasksvd.networks.fine_tuning import fine_tune
from dasksvd.parameters import n_nonzero
from reproduce.rounds import Round, add_noise

#: Noise of K-SVD's signals, in standard deviations.
LEVELS = (0.5, 1.0, 1.5, 1.9, 2.5)


def _das(
    round_: Round, alpha: float = 0.0, beta: float = 0.0, ranking: str = rankings.DEFAULT, **changes: Any
) -> np.ndarray:
    return round_.trajectory(**changes).reselect(alpha, beta, ranking=ranking).atoms


def _other_sign(round_: Round) -> np.ndarray:
    """The same trajectory ranked with the sign of the authors' code (D7)."""
    trajectory = round_.trajectory()
    records = [replace(record, measures=measure(record.tables, "code")) for record in trajectory.records]
    return Trajectory(trajectory.settings, trajectory.classes, records).reselect(0, 0).atoms


def _any_atoms(round_: Round) -> np.ndarray:
    """Of every iteration ten atoms by chance, whoever uses them."""
    rng, records = round_.rng, round_.trajectory().records
    return np.concatenate([record.atoms[rng.choice(len(record.atoms), 10, replace=False)] for record in records])


def _one_of_them(round_: Round, iteration: int) -> np.ndarray:
    """Atoms by chance of one iteration's dictionary, counted from 1."""
    atoms = round_.trajectory().records[iteration - 1].atoms
    return atoms[round_.rng.choice(len(atoms), round_.n_atoms, replace=False)]


def _learn_ksvd(round_: Round, name: str, signals: Callable[[], np.ndarray]) -> np.ndarray:
    settings = round_.settings
    model = KSVD(n_atoms=round_.n_atoms, q=settings.q, ksvd_iter=settings.ksvd_iter, random_state=round_.number)
    return round_.learned(name, lambda: model.fit(signals()).components_)


def _noisy(round_: Round, level: float | np.ndarray) -> np.ndarray:
    return add_noise(round_.split.train_signals, level, round_.rng)


def _mixture(round_: Round) -> np.ndarray:
    """Training signals with the noise of DAS-KSVD's iterations, each signal with that of one of them."""
    settings, signals = round_.settings, round_.split.train_signals
    rng = np.random.default_rng([round_.number, 2**29])
    levels = settings.tau2 * rng.integers(settings.I, size=len(signals))
    return add_noise(signals, levels, round_.rng)


def _lc_ksvd2(round_: Round, weight: float, level: float = 0.0) -> np.ndarray:
    """LC-KSVD2, whose two terms are one with equally many atoms for each class, so that D-KSVD is the same."""
    split, settings = round_.split, round_.settings
    model = LCKSVD2(
        n_atoms=round_.n_atoms,
        q=settings.q,
        consistency=0.8 * weight / settings.I,
        classification=0.2 * weight,
        ksvd_iter=settings.ksvd_iter,
        random_state=round_.number,
    )
    signals = _noisy(round_, level) if level else split.train_signals
    name = f"lc-ksvd2-{weight:g}" + (f"-noise{level:g}" if level else "")
    return round_.learned(name, lambda: model.fit(signals, split.train_labels).components_)


def _mod(round_: Round) -> np.ndarray:
    n_atoms, n_iter = round_.n_atoms, round_.settings.ksvd_iter
    count = n_nonzero(round_.settings.q, n_atoms)
    signals = round_.split.train_signals
    return round_.learned(
        "mod", lambda: ksvd.learn(signals, n_atoms, count, n_iter, round_.rng, update=mod_update).atoms
    )


def _k_means(round_: Round) -> np.ndarray:
    """Centres of unit signals, scaled to length one (Coates and Ng 2011)."""

    def learn() -> np.ndarray:
        unit = unit_rows(round_.split.train_signals)
        return unit_rows(KMeans(round_.n_atoms, n_init=1, random_state=round_.number).fit(unit).cluster_centers_)

    return round_.learned("k-means", learn)


def _random_images(round_: Round) -> np.ndarray:
    """Of each class random training images, as many as iterations, in the order of a structured dictionary."""
    rng, split = round_.rng, round_.split
    by_class = [split.train_signals[split.train_labels == digit] for digit in range(10)]
    return np.stack([random_signals(signals, round_.settings.I, rng) for signals in by_class], axis=1).reshape(-1, 256)


def _gaussian(round_: Round) -> np.ndarray:
    return unit_rows(round_.rng.standard_normal((round_.n_atoms, 256), dtype=np.float32))


def _fine_tuned(round_: Round, start: str) -> np.ndarray:
    """A method's atoms, moved so that codes of their largest correlations are easier to classify."""
    split, count = round_.split, n_nonzero(round_.settings.q, round_.n_atoms)

    def learn() -> np.ndarray:
        return fine_tune(split.train_signals, split.train_labels, FIXED[start](round_), count, round_.number)

    return round_.learned(f"{start}-fine-tuned", learn)


def unit_rows(rows: np.ndarray) -> np.ndarray:
    """Rows scaled to length one, float32; rows of zeros stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros(rows.shape), where=lengths > 0).astype(np.float32)


@dataclass(frozen=True)
class Family:
    """A method with something to tune.

    Attributes
    ----------
    learn : callable(round, value) -> atoms (n_atoms, 256)
    candidates : tuple
        Values of what is tuned, equally many for each family.
    """

    learn: Callable[[Round, Any], np.ndarray]
    candidates: tuple[Any, ...]


#: Methods of which one number, or pair, is chosen on the validation images of round 0.
FAMILIES = {
    "ksvd, noise": Family(
        lambda round_, level: _learn_ksvd(round_, f"ksvd-noise{level:g}", lambda: _noisy(round_, level)), LEVELS
    ),
    "lc-ksvd2, tuned": Family(_lc_ksvd2, (0.01, 0.03, 0.1, 0.3, 1.0)),
    "lc-ksvd2, noise": Family(
        lambda round_, pair: _lc_ksvd2(round_, *pair), ((0.03, 1.0), (0.03, 1.9), (0.1, 0.5), (0.1, 1.0), (0.1, 1.9))
    ),
    "one auxiliary dictionary": Family(_one_of_them, (5, 8, 11, 15, 20)),
    "das-ksvd, tuned": Family(lambda round_, tau2: _das(round_, tau2=tau2), (0.05, 0.1, 0.15, 0.2, 0.3)),
}

#: Methods with nothing to tune: name -> function of a round that gives its unit atoms.
FIXED: dict[str, Callable[[Round], np.ndarray]] = {
    "das-ksvd": _das,
    "ksvd": lambda round_: _learn_ksvd(round_, "ksvd", lambda: round_.split.train_signals),
    "ksvd, mixed noise": lambda round_: _learn_ksvd(round_, "ksvd-mixture", lambda: _mixture(round_)),
    "lc-ksvd2": lambda round_: _lc_ksvd2(round_, 1.0),
    "activation only": lambda round_: _das(round_, alpha=1.0),
    "magnitude only": lambda round_: _das(round_, beta=1.0),
    "code's sign": _other_sign,
    "mdcs": lambda round_: _das(round_, ranking="mdcs"),
    "random own atom": lambda round_: _das(round_, ranking="random"),
    "worst own atom": lambda round_: _das(round_, ranking="worst"),
    "any atoms": _any_atoms,
    "no noise": lambda round_: _das(round_, tau2=0.0),
    "constant noise": lambda round_: round_.equally_noisy().reselect(0, 0).atoms,
    "no memory": lambda round_: _das(round_, tau1=1.0),
    "variance noise": lambda round_: _das(round_, noise="variance"),
    "mod": _mod,
    "k-means": _k_means,
    "random images": _random_images,
    "gaussian": _gaussian,
}
#: Where fine-tuned atoms start from: name -> method with nothing to tune.
FINE_TUNED = {
    "das-ksvd, fine-tuned": "das-ksvd",
    "random images, fine-tuned": "random images",
    "gaussian, fine-tuned": "gaussian",
}
#: All methods with a dictionary.
METHODS = (*FIXED, *FAMILIES, *FINE_TUNED)


def atoms_of(round_: Round, method: str, value: Any = None) -> np.ndarray:
    """The unit atoms of a method, learned once; ``value`` is what was chosen for a family."""
    if method in FINE_TUNED:
        return _fine_tuned(round_, FINE_TUNED[method])
    return FIXED[method](round_) if method in FIXED else FAMILIES[method].learn(round_, value)


def learn_all(round_: Round, methods: Iterable[tuple[str, Any]]) -> None:
    """Learn what is not kept yet."""
    for method, value in methods:
        atoms_of(round_, method, value)
