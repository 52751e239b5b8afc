"""Images and labels: the bundled MNIST, scikit-learn's digits, and a user's own files."""

import gzip
import hashlib
import math
import threading
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from PIL import Image

from dasksvd.common.registry import Registry
from dasksvd.errors import DataError, ParameterError
from dasksvd.parameters import check_count

#: name -> () -> DataSet
DATASETS: Registry[Callable[[], "DataSet"]] = Registry("data set")
register = DATASETS.register
_reading = threading.Lock()
MNIST_FOLDER = Path(__file__).parents[1] / "data" / "mnist"
REDUCED_SIDE = 16
#: The paper's training and validation images of each digit.
MNIST_SPLIT = 4000, 1000
#: Largest array read from a user's file, in bytes.
MAX_FILE_BYTES = 2**31
_MNIST_FILES = {
    "train_images": "train-images-idx3-ubyte.gz",
    "train_labels": "train-labels-idx1-ubyte.gz",
    "test_images": "t10k-images-idx3-ubyte.gz",
    "test_labels": "t10k-labels-idx1-ubyte.gz",
}


@dataclass(frozen=True)
class DataSet:
    """Images with labels, in a training and a test part.

    Attributes
    ----------
    train_images, test_images : ndarray of shape (n, height, width), uint8
    train_labels, test_labels : ndarray of shape (n,), int64
    """

    train_images: np.ndarray
    train_labels: np.ndarray
    test_images: np.ndarray
    test_labels: np.ndarray

    def __post_init__(self):
        for array in vars(self).values():
            array.setflags(write=False)


@register("mnist", title="MNIST, reduced to 16×16")
def load_mnist() -> DataSet:
    """The whole of MNIST, from the files shipped with the package, their sums verified."""
    with _reading:  # who comes while it is being read waits, instead of reading it too
        return _load_mnist()


@lru_cache(maxsize=1)
def _load_mnist() -> DataSet:
    return read_mnist(MNIST_FOLDER)


def read_mnist(folder: Path) -> DataSet:
    """MNIST from a folder with its four gzipped idx files and ``SHA256SUMS``."""
    sums = _read_sums(folder / "SHA256SUMS")
    parts = {part: _read_verified(folder / name, sums.get(name)) for part, name in _MNIST_FILES.items()}
    return DataSet(**{part: array.astype(np.int64) if array.ndim == 1 else array for part, array in parts.items()})


def _restore(path: Path) -> str:
    return (
        f"restore {path.name} with `git checkout -- {path.parent.name}` in {path.parent.parent}, "
        "or install the package again"
    )


def _read_sums(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="ascii").splitlines()
        return {name.lstrip("*"): digest for digest, name in (line.split() for line in lines)}
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read {path} ({error}); {_restore(path)}") from error


def _read_verified(path: Path, digest: str | None) -> np.ndarray:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {path} ({error.strerror}); {_restore(path)}") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise DataError(f"{path} is damaged (its SHA-256 sum is not the one in SHA256SUMS); {_restore(path)}")
    return _parse_idx(gzip.decompress(content), path)


def _parse_idx(content: bytes, path: Path) -> np.ndarray:
    """The array in an idx file of unsigned bytes: magic 0 0 8 rank, then big-endian sizes."""
    if len(content) < 4 or content[:3] != b"\x00\x00\x08":
        raise DataError(f"{path} is not an idx file of unsigned bytes (it starts with {content[:4]!r})")
    rank = content[3]
    header = 4 + 4 * rank
    shape = tuple(np.frombuffer(content[4:header], ">u4").tolist())
    if len(shape) != rank or len(content) != header + math.prod(shape):
        raise DataError(f"{path} is cut off or too long: {len(content)} bytes for an idx array of shape {shape}")
    return np.frombuffer(content, np.uint8, offset=header).reshape(shape)


@register("digits", title="Small digits, 8×8")
def load_digits_8x8() -> DataSet:
    """scikit-learn's 1,797 digits of 8×8 pixels; the first 1,500 train, the rest test."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    images = np.rint(digits.images * (255 / 16)).astype(np.uint8)
    labels = digits.target.astype(np.int64)
    return DataSet(images[:1500].copy(), labels[:1500].copy(), images[1500:].copy(), labels[1500:].copy())


def load_pair(images: str | Path, labels: str | Path | None = None) -> tuple[np.ndarray, np.ndarray]:
    """A user's own images and labels.

    Parameters
    ----------
    images : path
        An idx file (also gzipped), a ``.npy`` array, or an ``.npz`` file with the arrays
        ``images`` and ``labels``.
    labels : path, optional
        The labels' file; not needed for such an ``.npz`` file.

    Returns
    -------
    images : ndarray of shape (n, height, width), uint8
    labels : ndarray of shape (n,), int64
    """
    pixels = _read_array(Path(images), "images")
    classes = _read_array(Path(images if labels is None else labels), "labels")
    if pixels.ndim != 3 or pixels.dtype != np.uint8:
        raise DataError(
            f"{images}: images must be uint8 of shape (n, height, width), got {pixels.dtype} of shape {pixels.shape}"
        )
    if classes.ndim != 1 or classes.dtype.kind not in "iu":
        raise DataError(f"labels must be whole numbers of shape (n,), got {classes.dtype} of shape {classes.shape}")
    if len(pixels) != len(classes) or len(pixels) == 0:
        raise DataError(f"images and labels must be equally many and not empty, got {len(pixels)} and {len(classes)}")
    return pixels, classes.astype(np.int64)


def _read_array(path: Path, name: str) -> np.ndarray:
    """The array ``name`` of an npz, npy or idx file; never unpickles."""
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as arrays:
                return arrays[name]
        if path.suffix == ".npy":
            return np.load(path, allow_pickle=False)
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, ValueError, KeyError) as error:
        raise DataError(f"cannot read {name} from {path}: {error}") from error
    if len(content) > MAX_FILE_BYTES:
        raise DataError(f"{path} holds more than {MAX_FILE_BYTES} bytes")
    return _parse_idx(content, path)


def to_signals(images: np.ndarray) -> np.ndarray:
    """Images as signals: 28×28 reduced to 16×16, other sizes as they are; float32 in [0, 1]."""
    if images.shape[1:] == (28, 28):
        return reduce_images(images)
    return images.reshape(len(images), -1).astype(np.float32) / 255


def reduce_images(images: np.ndarray) -> np.ndarray:
    """Reduce 28×28 images to 16×16 by bicubic interpolation (D12).

    Interpolation is linear, so it is one matrix product per axis.  Like Pillow, whose result
    this is, each product is rounded to whole grey levels and cut to 0 … 255.

    Parameters
    ----------
    images : ndarray of shape (n, 28, 28)
        uint8, or floats in [0, 1].

    Returns
    -------
    ndarray of shape (n, 256), float32 in [0, 1]
    """
    images = np.asarray(images)
    if images.ndim != 3 or images.shape[1:] != (28, 28):
        raise ParameterError(f"images must have shape (n, 28, 28), got {images.shape}")
    scale = 1
    if images.dtype != np.uint8:
        if images.dtype.kind != "f" or not (images.size == 0 or (images.min() >= 0 and images.max() <= 1)):
            raise ParameterError(f"images must be uint8 or floats in [0, 1], got {images.dtype}")
        scale = 255
    along_rows = _interpolation(28, REDUCED_SIDE)
    reduced = np.empty((len(images), REDUCED_SIDE, REDUCED_SIDE), np.float32)
    for start in range(0, len(images), 5000):  # pieces that fit the cache
        piece = images[start : start + 5000].astype(np.float32) * np.float32(scale)
        narrow = _interpolate_last_axis(piece, along_rows)
        small = _interpolate_last_axis(narrow.transpose(0, 2, 1), along_rows)
        reduced[start : start + 5000] = small.transpose(0, 2, 1)
    reduced /= 255
    return reduced.reshape(len(images), REDUCED_SIDE**2)


def _interpolate_last_axis(images: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(n, a, old) times (new, old) as one product, rounded to grey levels; shape (n, a, new)."""
    levels = images.reshape(images.shape[0] * images.shape[1], images.shape[2]) @ weights.T
    np.clip(np.rint(levels, out=levels), 0, 255, out=levels)
    return levels.reshape(*images.shape[:2], len(weights))


@cache
def _interpolation(old: int, new: int) -> np.ndarray:
    """Pillow's bicubic interpolation of ``old`` points to ``new`` ones; shape (new, old)."""
    unit = Image.fromarray(np.eye(old, dtype=np.float32))
    return np.asarray(unit.resize((old, new), Image.Resampling.BICUBIC))


def balanced_split(
    labels: np.ndarray, n_train: int, n_val: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Disjoint random training and validation sets with equally many signals of each class.

    Parameters
    ----------
    labels : ndarray of shape (n,)
    n_train, n_val : int
        Signals per class.
    rng : numpy.random.Generator

    Returns
    -------
    train, val : ndarray of int
        Sorted indices into ``labels``.
    """
    n_train, n_val = check_count("n_train", n_train), check_count("n_val", n_val, smallest=0)
    train, val = [], []
    for label in np.unique(labels):
        members = rng.permutation(np.flatnonzero(labels == label))
        if len(members) < n_train + n_val:
            raise ParameterError(
                f"class {label} has {len(members)} signals, too few for {n_train} to train and {n_val} to validate"
            )
        train.append(members[:n_train])
        val.append(members[n_train : n_train + n_val])
    return np.sort(np.concatenate(train)), np.sort(np.concatenate(val))


def held_out_sizes(sizes: np.ndarray) -> np.ndarray:
    """How many signals of classes of some sizes are held out: a fifth, at least one, never all.

    Parameters
    ----------
    sizes : ndarray of shape (n_classes,), int

    Returns
    -------
    ndarray of shape (n_classes,), int

    Examples
    --------
    >>> held_out_sizes(np.array([1, 2, 9, 10, 146])).tolist()
    [0, 1, 1, 2, 29]
    """
    return np.minimum(np.maximum(sizes // 5, 1), np.maximum(sizes - 1, 0))


def hold_out(labels: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Hold a fifth of every class out, at random.

    Every class stays in the first part, so that a network trained there knows all of them; the
    only signal of a class is not held out.

    Parameters
    ----------
    labels : ndarray of shape (n,)
    rng : numpy.random.Generator

    Returns
    -------
    train, held : ndarray of int
        Sorted indices into ``labels``.
    """
    classes, sizes = np.unique(labels, return_counts=True)
    held = np.zeros(len(labels), bool)
    for label, size in zip(classes, held_out_sizes(sizes), strict=True):
        held[rng.permutation(np.flatnonzero(labels == label))[:size]] = True
    return np.flatnonzero(~held), np.flatnonzero(held)


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
    train, val = balanced_split(data.train_labels, *MNIST_SPLIT, np.random.default_rng(seed))
    return Split(
        reduce_images(data.train_images[train]),
        data.train_labels[train],
        reduce_images(data.train_images[val]),
        data.train_labels[val],
    )
