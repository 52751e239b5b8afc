"""One round of the experiment: its split, its trajectory, and every method's features."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from dasksvd import KSVD, LCKSVD2, load_mnist, rankings, reduce_images
from dasksvd.baselines.mod import mod_update
from dasksvd.common.files import read_npz, write_npz
from dasksvd.datasets import Split, balanced_split, mnist_split
from dasksvd.method import ksvd
from dasksvd.method.ksvd import random_signals
from dasksvd.method.measures import measure
from dasksvd.method.omp import encode
from dasksvd.method.trajectory import Trajectory
from dasksvd.parameters import MEASURED, Settings, n_nonzero
from dasksvd.runs.folder import Run, create_run
from dasksvd.runs.worker import compute, describe

_EARLIER_CACHE = Path("runs") / "reproduce"
#: Where learned dictionaries are kept between commands; it may be deleted at any time.
#: Apart from the runs of the dashboard, but what was learned at its earlier place is used.
CACHE = _EARLIER_CACHE if _EARLIER_CACHE.is_dir() else Path(".cache") / "reproduce"


@dataclass(frozen=True)
class Features:
    """What a classifier sees: three arrays of shape (n, n_features), float32."""

    train: np.ndarray
    val: np.ndarray
    test: np.ndarray


class Round:
    """A round: its number is the seed of split, sampling, K-SVD and network.

    Parameters
    ----------
    number : int
    cache : Path
        Folder for dictionaries that were learned before.
    settings : Settings, optional
        Of every method, as far as it has them; the seed is the round's number.  By default the
        paper's, with the streams that the committed results were measured with (D18).
    """

    def __init__(self, number: int, cache: Path = CACHE, settings: Settings = MEASURED):
        self.number = number
        self.cache = Path(cache)
        self.settings = replace(settings, seed=number)

    @property
    def n_atoms(self) -> int:
        """Atoms of every method's dictionary."""
        return 10 * self.settings.I

    @cached_property
    def split(self) -> Split:
        """Training and validation signals with their labels."""
        return mnist_split(self.number)

    @cached_property
    def test_signals(self) -> np.ndarray:
        """MNIST's 10,000 test images as signals."""
        return reduce_images(load_mnist().test_images)

    def features(self, method: str, I: int | None = None) -> Features:
        """The features of a method: sparse codes on its I atoms per class, or pixels.

        Parameters
        ----------
        method : str
            A key of ``DICTIONARIES``, ``raw-16`` or ``raw-28``.
        I : int, optional
            All iterations by default.
        """
        if method == "raw-16":
            return Features(self.split.train_signals, self.split.val_signals, self.test_signals)
        if method == "raw-28":
            return self._raw_images()
        atoms = DICTIONARIES[method](self)
        atoms = atoms if I is None else atoms[: 10 * I]
        count = n_nonzero(self.settings.q, len(atoms))
        parts = (self.split.train_signals, self.split.val_signals, self.test_signals)
        return Features(*(encode(signals, atoms, count) for signals in parts))

    def _raw_images(self) -> Features:
        data = load_mnist()
        parts = balanced_split(data.train_labels, 4000, 1000, np.random.default_rng(self.number))
        images = [data.train_images[part] for part in parts] + [data.test_images]
        return Features(*(part.reshape(len(part), -1).astype(np.float32) / 255 for part in images))

    def trajectory(self, **changes) -> Trajectory:
        """The trajectory of this round with some settings changed; computed once, resumable."""
        return self.run(**changes).trajectory

    def run(self, **changes) -> Run:
        """The finished run of this round with some settings changed."""
        settings = replace(self.settings, **changes)
        name = "-".join([f"round{self.number}", *(f"{key}{value}" for key, value in sorted(changes.items()))])
        run = Run(self.cache / name)
        if not (run.folder / "settings.json").exists():
            run = create_run(run.folder, describe(settings, "mnist"))
        if run.n_finished() < settings.I:
            compute(run)
        return run

    def learned(self, name: str, learn) -> np.ndarray:
        """The atoms of ``learn()``, learned once."""
        path = self.cache / f"round{self.number}-{name}.npz"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_npz(path, {"atoms": learn()})
        return read_npz(path, {"atoms": (np.float32, (self.n_atoms, 256))})["atoms"]

    @property
    def rng(self) -> np.random.Generator:
        """Fresh randomness of this round, apart from the trajectory's."""
        return np.random.default_rng([self.number, 2**31])


def _das(
    round_: Round, alpha: float = 0.0, beta: float = 0.0, ranking: str = rankings.DEFAULT, **changes
) -> np.ndarray:
    return round_.trajectory(**changes).reselect(alpha, beta, ranking=ranking).atoms


def _ksvd(round_: Round) -> np.ndarray:
    settings = round_.settings
    model = KSVD(n_atoms=round_.n_atoms, q=settings.q, ksvd_iter=settings.ksvd_iter, random_state=round_.number)
    return round_.learned("ksvd", lambda: model.fit(round_.split.train_signals).components_)


def _lc_ksvd2(round_: Round) -> np.ndarray:
    split, settings = round_.split, round_.settings
    model = LCKSVD2(n_atoms=round_.n_atoms, q=settings.q, ksvd_iter=settings.ksvd_iter, random_state=round_.number)
    return round_.learned("lc-ksvd2", lambda: model.fit(split.train_signals, split.train_labels).components_)


def _mod(round_: Round) -> np.ndarray:
    n_atoms, n_iter = round_.n_atoms, round_.settings.ksvd_iter
    count = n_nonzero(round_.settings.q, n_atoms)
    signals = round_.split.train_signals
    return round_.learned(
        "mod", lambda: ksvd.learn(signals, n_atoms, count, n_iter, round_.rng, update=mod_update).atoms
    )


def _other_sign(round_: Round) -> np.ndarray:
    """The same trajectory ranked with the sign of the authors' code (D7)."""
    trajectory = round_.trajectory()
    records = [replace(record, measures=measure(record.tables, "code")) for record in trajectory.records]
    return Trajectory(trajectory.settings, trajectory.classes, records).reselect(0, 0).atoms


def _random_images(round_: Round) -> np.ndarray:
    """Of each class random training images, as many as iterations, in the order of a structured dictionary."""
    rng, split = round_.rng, round_.split
    by_class = [split.train_signals[split.train_labels == digit] for digit in range(10)]
    return np.stack([random_signals(signals, round_.settings.I, rng) for signals in by_class], axis=1).reshape(-1, 256)


def _gaussian(round_: Round) -> np.ndarray:
    atoms = round_.rng.standard_normal((round_.n_atoms, 256), dtype=np.float32)
    return atoms / np.linalg.norm(atoms, axis=1, keepdims=True)


#: Every method with a dictionary: name -> function of a round that gives its unit atoms.
DICTIONARIES = {
    "das-ksvd": _das,
    "ksvd": _ksvd,
    "lc-ksvd2": _lc_ksvd2,
    "activation only": lambda round_: _das(round_, alpha=1.0),
    "magnitude only": lambda round_: _das(round_, beta=1.0),
    "code's sign": _other_sign,
    "mdcs": lambda round_: _das(round_, ranking="mdcs"),
    # The committed results were measured with other random numbers, so the atoms differ from theirs.
    "random own atom": lambda round_: _das(round_, ranking="random"),
    "no noise": lambda round_: _das(round_, tau2=0.0),
    "no memory": lambda round_: _das(round_, tau1=1.0),
    "variance noise": lambda round_: _das(round_, noise="variance"),
    "mod": _mod,
    "random images": _random_images,
    "gaussian": _gaussian,
}


def learn_dictionaries(number: int, methods: Iterable[str]) -> int:
    """Learn what the methods of a round need and is not kept yet; return the round's number."""
    round_ = Round(number)
    for method in sorted(set(methods) & set(DICTIONARIES)):
        DICTIONARIES[method](round_)
    return number
