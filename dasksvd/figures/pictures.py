"""Many small square images as one picture: an array, or a PNG."""

import io
import math
import re
from functools import cache

import numpy as np
from PIL import Image

from dasksvd.errors import ParameterError
from dasksvd.figures.palette import GAP, SIGNED


def mosaic(
    images: np.ndarray,
    columns: int | None = None,
    colors: list = SIGNED,
    *,
    zoom: int = 1,
    strength: np.ndarray | None = None,
) -> bytes:
    """Small square images as one PNG, such as the atoms of a dictionary.

    Parameters
    ----------
    images : ndarray of shape (n, side * side) or (n_rows, n_columns, side * side)
        Each is scaled by its own largest absolute value.
    columns : int, optional
        Images in a row; about as many as there are rows by default.  Only for images of shape (n, side * side).
    colors : list
        A colour scale of :mod:`dasksvd.figures`: ``SIGNED``, ``SIGNED_GREY`` or ``GREY``.
    zoom : int, default=1
        Pixels of the picture along the side of one of an image's.
    strength : ndarray of shape (n_rows, n_columns), optional
        Share of the colour scale that each image uses, 1 by default.

    Returns
    -------
    bytes
        The PNG.  The gaps between the images are transparent.

    Examples
    --------
    In a notebook, the atoms of a fitted model with one column per class:
    ``IPython.display.Image(mosaic(model.components_, columns=10, zoom=3))``.

    >>> import io, numpy as np
    >>> from PIL import Image
    >>> from dasksvd.figures import mosaic
    >>> atoms = np.random.default_rng(0).standard_normal((20, 256))
    >>> Image.open(io.BytesIO(mosaic(atoms, columns=10, zoom=2))).size
    (338, 66)
    """
    if images.ndim == 2:
        images = in_rows(images, columns or math.ceil(math.sqrt(len(images))))
    picture = Image.fromarray((tile(images, strength).astype(np.int16) - GAP).astype(np.uint8))
    palette = color_table(colors)
    picture.putpalette(palette[:, :3].tobytes())
    if zoom > 1:
        picture = picture.resize((zoom * picture.width, zoom * picture.height), Image.Resampling.NEAREST)
    buffer = io.BytesIO()
    # Hardly larger than with more effort, and written in a third of the time.
    picture.save(buffer, "PNG", transparency=palette[:, 3].tobytes(), compress_level=2)
    return buffer.getvalue()


def in_rows(images: np.ndarray, columns: int, min_rows: int = 1) -> np.ndarray:
    """Images (n, size) in rows of ``columns``, filled up with zeros; (n_rows, columns, size) float32.

    There are at least ``min_rows`` rows.

    Examples
    --------
    >>> in_rows(np.ones((5, 16)), 3).shape
    (2, 3, 16)
    """
    n_rows = max(min_rows, -(-len(images) // columns))
    filled = np.zeros((n_rows * columns, images.shape[1]), np.float32)
    filled[: len(images)] = images
    return filled.reshape(n_rows, columns, -1)


def tile(images: np.ndarray, strength: np.ndarray | None = None) -> np.ndarray:
    """Images side by side in one array, with gaps of one pixel.

    Parameters
    ----------
    images : ndarray of shape (n_rows, n_columns, side * side)
        Each is scaled by its own largest absolute value.
    strength : ndarray of shape (n_rows, n_columns), optional
        Share of the scale that each image uses, 1 by default.

    Returns
    -------
    ndarray of shape (n_rows * (side + 1) - 1, n_columns * (side + 1) - 1), int8
        From -127 to 127; gaps are -128.

    Examples
    --------
    >>> tile(np.array([[[1, 0, 0, -2], [0, 3, 0, 0]]]))
    array([[  64,    0, -128,    0,  127],
           [   0, -127, -128,    0,    0]], dtype=int8)
    """
    n_rows, n_columns, size = images.shape
    side = math.isqrt(size)
    if side * side != size:
        raise ParameterError(f"the images must be square, but {size} pixels are no square")
    peaks = np.abs(images).max(axis=2, keepdims=True)
    scaled = np.divide(images, peaks, out=np.zeros_like(images, np.float32), where=peaks > 0)
    if strength is not None:
        scaled = scaled * strength[:, :, None]
    wall = np.full((n_rows, side + 1, n_columns, side + 1), GAP, np.int8)
    levels = np.rint(127 * scaled).astype(np.int8).reshape(n_rows, n_columns, side, side)
    wall[:, :side, :, :side] = levels.transpose(0, 2, 1, 3)
    return wall.reshape(n_rows * (side + 1), n_columns * (side + 1))[:-1, :-1]


def color_table(colors: list) -> np.ndarray:
    """The colours of levels GAP … 127 as (256, 4), uint8: red, green, blue, opacity."""
    return _color_table(tuple(map(tuple, colors)))


@cache
def _color_table(colors: tuple) -> np.ndarray:
    at = [place for place, _ in colors]
    parts = [[float(number) for number in re.findall(r"[\d.]+", text)] for _, text in colors]
    values = np.array([part if len(part) == 4 else [*part, 1.0] for part in parts]) * (1, 1, 1, 255)
    levels = np.linspace(0, 1, 256)
    return np.rint(np.stack([np.interp(levels, at, value) for value in values.T], axis=1)).astype(np.uint8)
