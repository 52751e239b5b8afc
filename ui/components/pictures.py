"""Small pictures for components: values as bytes, which the browser turns into colours."""

import base64
import math

import numpy as np

from dasksvd.figures import tile
from dasksvd.figures.pictures import color_table


def signed_levels(images: np.ndarray) -> str:
    """Images (n, side * side) as base64 of int8 from -127 to 127, each scaled by its own largest absolute value."""
    side = math.isqrt(images.shape[1])
    rows = tile(images[:, None]).reshape(-1, side) if len(images) else np.zeros(0, np.int8)
    kept = np.arange(len(rows)) % (side + 1) < side  # without the gaps of a wall
    return encoded(rows[kept] if len(images) else rows)


def grey_levels(levels: np.ndarray) -> str:
    """Values from 0 to 255 as base64 of uint8."""
    return encoded(np.rint(np.clip(levels, 0, 255)).astype(np.uint8))


def palette(colors: list) -> str:
    """The colours of levels -128 … 127 of a colour scale, as base64 of (256, 4) bytes."""
    return encoded(color_table(colors))


def encoded(values: np.ndarray) -> str:
    """The bytes of an array as base64."""
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode("ascii")
