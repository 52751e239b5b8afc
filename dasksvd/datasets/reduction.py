"""Images of 28×28 pixels reduced to 16×16, as in the paper."""

from functools import cache

import numpy as np

from dasksvd.errors import ParameterError

REDUCED_SIDE = 16


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


def reduce_to_bytes(images: np.ndarray) -> np.ndarray:
    """The whole grey levels that :func:`reduce_images` gives, to be kept in a file; nothing is lost.

    Parameters
    ----------
    images : ndarray of shape (n, 28, 28)

    Returns
    -------
    ndarray of shape (n, 16, 16), uint8
        Divided by 255 as float32, these are the signals of :func:`reduce_images`, bit for bit.
    """
    return np.rint(reduce_images(images) * 255).astype(np.uint8).reshape(-1, REDUCED_SIDE, REDUCED_SIDE)


def _interpolate_last_axis(images: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(n, a, old) times (new, old) as one product, rounded to grey levels; shape (n, a, new)."""
    levels = images.reshape(images.shape[0] * images.shape[1], images.shape[2]) @ weights.T
    np.clip(np.rint(levels, out=levels), 0, 255, out=levels)
    return levels.reshape(*images.shape[:2], len(weights))


@cache
def _interpolation(old: int, new: int) -> np.ndarray:
    """Pillow's bicubic interpolation of ``old`` points to ``new`` ones; shape (new, old)."""
    from PIL import Image  # not every page needs it

    unit = Image.fromarray(np.eye(old, dtype=np.float32))
    return np.asarray(unit.resize((old, new), Image.Resampling.BICUBIC))
