"""MNIST: 70,000 handwritten digits, shipped with the package."""

import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.mnist_files import read_shipped
from dasksvd.datasets.reduction import reduce_images
from dasksvd.datasets.registry import register
from dasksvd.datasets.splits import balanced_split

MNIST_FOLDER = Path(__file__).parents[1] / "data" / "mnist"
#: The paper's training and validation images of each digit.
_SPLIT = 4000, 1000
_reading = threading.Lock()


@register("mnist", title="MNIST, 16 × 16", split=_SPLIT, reduced=True, gives_reader=True, word="digit")
def load_mnist() -> DataSet:
    """The whole of MNIST, from the files shipped with the package, their sums verified."""
    with _reading:  # who comes while it is being read waits, instead of reading it too
        return _load_mnist()


@lru_cache(maxsize=1)
def _load_mnist() -> DataSet:
    return read_mnist(MNIST_FOLDER)


def read_mnist(folder: Path) -> DataSet:
    """MNIST from a folder with its four gzipped idx files and ``SHA256SUMS``."""
    return DataSet(**read_shipped(folder), class_names=range(10))


@dataclass(frozen=True)
class Split:
    """The paper's split of MNIST's 60,000 training images.

    Attributes
    ----------
    train_signals : ndarray of shape (40000, 256), float32
    train_labels : ndarray of shape (40000,), int64
    val_signals : ndarray of shape (10000, 256), float32
    val_labels : ndarray of shape (10000,), int64
    """

    train_signals: np.ndarray
    train_labels: np.ndarray
    val_signals: np.ndarray
    val_labels: np.ndarray


def mnist_split(seed: int) -> Split:
    """4,000 training and 1,000 validation signals of each digit, drawn at random by ``seed``."""
    data = load_mnist()
    train, val = balanced_split(data.train_labels, *_SPLIT, np.random.default_rng(seed))
    return Split(
        reduce_images(data.train_images[train]),
        data.train_labels[train],
        reduce_images(data.train_images[val]),
        data.train_labels[val],
    )
