"""One round of the experiments: its data, and what was learned from them, kept between commands."""

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from dasksvd.common.files import read_npz, write_npz
from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.mnist import Split
from dasksvd.datasets.parts import signals_of
from dasksvd.datasets.registry import facts_of, load
from dasksvd.datasets.splits import balanced_split
from dasksvd.method.loop import iterate
from dasksvd.method.trajectory import Trajectory
from dasksvd.parameters import PAPER, Settings
from dasksvd.runs.folder import Run, create_run
from dasksvd.runs.worker import compute, describe

_EARLIER_CACHE = Path("runs") / "reproduce"
#: Where learned dictionaries are kept between commands; it may be deleted at any time.
#: Apart from the runs of the dashboard, but what was learned at its earlier place is used.
CACHE = _EARLIER_CACHE if _EARLIER_CACHE.is_dir() else Path(".cache") / "reproduce"


class Round:
    """A round: its number is the seed of split, sampling, K-SVD and network.

    Parameters
    ----------
    number : int
    data : {"mnist", "fashion_mnist"}
    cache : Path
        Folder for what was learned before.
    settings : Settings, optional
        Of every method, as far as it has them; the seed is the round's number.
    """

    def __init__(self, number: int, data: str = "mnist", cache: Path = CACHE, settings: Settings = PAPER):
        self.number, self.data = number, data
        self.cache = Path(cache) / data
        self.settings = replace(settings, seed=number)

    @property
    def n_atoms(self) -> int:
        """Atoms of every method's dictionary."""
        return 10 * self.settings.I

    @cached_property
    def source(self) -> DataSet:
        """All images."""
        return load(self.data)

    @cached_property
    def places(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the training and the validation images stand."""
        split = facts_of(self.data).split
        assert split is not None
        return balanced_split(self.source.train_labels, *split, np.random.default_rng(self.number))

    @cached_property
    def split(self) -> Split:
        """Training and validation signals with their labels."""
        images, labels = self.source.train_images, self.source.train_labels
        train, val = self.places
        signals = [signals_of(self.data, images[part]) for part in (train, val)]
        return Split(signals[0], labels[train], signals[1], labels[val])

    @cached_property
    def test_signals(self) -> np.ndarray:
        """The 10,000 test images as signals."""
        return signals_of(self.data, self.source.test_images)

    @property
    def test_labels(self) -> np.ndarray:
        """Their classes."""
        return self.source.test_labels

    def raw_images(self) -> tuple[np.ndarray, ...]:
        """Training, validation and test images as they are, as signals."""
        images = [self.source.train_images[part] for part in self.places] + [self.source.test_images]
        return tuple(part.reshape(len(part), -1).astype(np.float32) / 255 for part in images)

    def trajectory(self, **changes: Any) -> Trajectory:
        """The trajectory of this round with some settings changed; computed once, resumable."""
        return self.run(**changes).trajectory

    def run(self, **changes: Any) -> Run:
        """The finished run of this round with some settings changed."""
        run = self._run(**changes)
        if run.n_finished() < run.description.settings.I:
            compute(run)
        return run

    def equally_noisy(self) -> Trajectory:
        """The trajectory with the same noise in every iteration: the mean of the paper's, drawn anew each time."""
        settings, run = self.settings, self._run(folder="constant noise", tau2=0.0)
        level = settings.tau2 * (settings.I - 1) / 2
        records = list(run.trajectory.records) if run.n_finished() else []
        for iteration in range(len(records), settings.I):
            rng = np.random.default_rng([self.number, 2**30, iteration])
            signals = add_noise(self.split.train_signals, level, rng)
            up_to_here = replace(run.description.settings, I=iteration + 1)
            records.extend(iterate(signals, self.split.train_labels, up_to_here, done=records))
            run.save_record(iteration, records[-1])
        return run.trajectory

    def _run(self, folder: str = "", **changes: Any) -> Run:
        words = [folder, *(f"{key}{value}" for key, value in sorted(changes.items()))]
        run = Run(self.cache / "-".join(filter(None, [f"round{self.number}", *words])))
        if not (run.folder / "settings.json").exists():
            run = create_run(run.folder, describe(replace(self.settings, **changes), self.data))
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


def add_noise(signals: np.ndarray, level: float | np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Signals with Gaussian noise of ``level`` times each signal's own standard deviation.

    Parameters
    ----------
    signals : ndarray of shape (n, N), float32
    level : float or ndarray of shape (n,)
    rng : numpy.random.Generator
    """
    sizes = (np.asarray(level, np.float32) * signals.std(axis=1))[:, None]
    return signals + sizes * rng.standard_normal(signals.shape, dtype=np.float32)
