"""A user's own images and labels, from files of several formats."""

import gzip
import zipfile
import zlib
from pathlib import Path

import numpy as np

from dasksvd.datasets.dataset import as_signals
from dasksvd.datasets.idx import parse_idx
from dasksvd.datasets.reduction import reduce_images
from dasksvd.errors import DataError

#: Largest array read from a user's file, in bytes.
MAX_FILE_BYTES = 2**31


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
    return parse_idx(content, path)


def to_signals(images: np.ndarray) -> np.ndarray:
    """A user's images as signals: 28×28 reduced to 16×16, other sizes as they are; float32 in [0, 1]."""
    if images.shape[1:] == (28, 28):
        return reduce_images(images)
    return as_signals(images)
