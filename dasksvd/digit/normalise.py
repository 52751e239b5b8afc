"""Pen strokes or a picture of one digit -> a 28×28 image like MNIST's.

MNIST's digits fill a field of 20×20 pixels, are drawn with lines of nearly one width, and have
their centre of mass in the middle.  A drawn digit gets the same: its centre lines are scaled to
the field, drawn again with MNIST's line width, antialiased, and moved.  So the answer depends on
neither the brush nor the size nor the place.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dasksvd.common.language import say
from dasksvd.digit import lines
from dasksvd.digit.centre_lines import centre_lines
from dasksvd.digit.grey import MAX_PIXELS, open_grey
from dasksvd.digit.ink import find_ink
from dasksvd.errors import DigitError

SIDE = 28
#: Where MNIST has the centre of mass: its mean over the training images is 14.0 in both directions.
MIDDLE = 14.0
#: Longest side of the box around the centre lines; with the lines' width it fills 20 pixels.
EXTENT = 17.0
#: Half the line width, and the width of its soft edge, in pixels; fitted to MNIST's training images.
RADIUS = 1.3
SOFTNESS = 1.8
#: Strokes that stay within this share of the canvas are a dot and not a tiny digit.
DOT = 0.02
#: Largest number of points in a drawing; a patient hand draws a few thousand.
MAX_POINTS = 200_000


def from_strokes(strokes: Sequence[Any], size: float) -> np.ndarray:
    """A drawing as an MNIST-like image.

    Parameters
    ----------
    strokes : sequence of array of shape (m, 2)
        Points x, y of each stroke, y pointing down, on a canvas of ``size`` × ``size``.
    size : float
        Side of the canvas.

    Returns
    -------
    ndarray of shape (28, 28), uint8

    Raises
    ------
    DigitError
        If nothing is drawn or the points are no points.
    """
    segments = _segments(strokes)
    if not (np.isfinite(size) and size > 0):
        raise DigitError(f"The canvas must have a positive size, got {size}.")
    return draw(segments, smallest=DOT * size)


def from_image(image: Any, max_pixels: int = MAX_PIXELS) -> np.ndarray:
    """A picture of one digit as an MNIST-like image.

    Dark on light or light on dark, with margins and uneven light.

    Parameters
    ----------
    image : array, PIL image, bytes, path or binary file
        Arrays of shape (h, w), (h, w, 1), (h, w, 3) or (h, w, 4); files are PNG, JPEG or WebP.
    max_pixels : int
        A file with more is not decoded.

    Returns
    -------
    ndarray of shape (28, 28), uint8

    Raises
    ------
    DigitError
        If the picture cannot be read or shows no digit.
    """
    return draw(centre_lines(find_ink(open_grey(image, max_pixels))))


def draw(segments: np.ndarray, smallest: float = 0.0) -> np.ndarray:
    """Line segments, scaled to MNIST's field and drawn with its line width; (28, 28) uint8.

    Parameters
    ----------
    segments : ndarray of shape (n, 4)
        Ends x0, y0, x1, y1 in any unit.
    smallest : float
        An extent up to which the segments are a dot.
    """
    ends = segments.reshape(-1, 2)
    low, high = ends.min(axis=0), ends.max(axis=0)
    extent = float((high - low).max())
    scale = EXTENT / extent if extent > smallest else 0.0
    placed = (ends - (low + high) / 2) * scale + MIDDLE
    image = _cover(placed)
    # Moving the lines rather than the pixels keeps the antialiasing exact.
    return np.rint(255 * _cover(placed + _shift(image, placed))).astype(np.uint8)


def _cover(ends: np.ndarray) -> np.ndarray:
    image = np.zeros((SIDE, SIDE))
    lines.draw_lines(np.ascontiguousarray(ends).reshape(-1, 4), RADIUS, SOFTNESS, image)
    return image


def _shift(image: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """What brings the centre of mass to the middle without pushing a line over the edge."""
    places = np.arange(SIDE)
    centre = np.array([image.sum(axis=0) @ places, image.sum(axis=1) @ places]) / image.sum()
    lowest, highest = RADIUS - ends.min(axis=0), SIDE - 1 - RADIUS - ends.max(axis=0)
    return np.clip(MIDDLE - centre, lowest, highest)


def _segments(strokes: Sequence[Any]) -> np.ndarray:
    """All strokes as line segments; a stroke of one point is a segment of length zero."""
    parts = []
    for stroke in strokes:
        try:
            points = np.asarray(stroke, float)
        except (TypeError, ValueError) as error:
            raise DigitError("A stroke must be a list of points (x, y).") from error
        if points.size == 0:
            continue
        if points.ndim != 2 or points.shape[1] != 2:
            raise DigitError(f"A stroke must have shape (points, 2), got {points.shape}.")
        parts.append(np.hstack([points[: max(1, len(points) - 1)], points[min(1, len(points) - 1) :]]))
    if not parts:
        raise DigitError(say("Nothing is drawn yet. Draw a digit from 0 to 9."))
    segments = np.concatenate(parts)
    if len(segments) > MAX_POINTS:
        raise DigitError(
            say("The drawing has more than {max_points} points. Clear it and draw one digit.", max_points=MAX_POINTS)
        )
    if not np.all(np.abs(segments) < 1e9):  # NaN and infinity included
        raise DigitError("The points of a stroke must be finite numbers.")
    return segments
