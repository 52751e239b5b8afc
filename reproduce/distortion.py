"""Distorted copies of digits: turned, sheared, scaled, shifted, thicker, thinner, and bent as a hand bends them."""

import numpy as np
from scipy import ndimage

from dasksvd.common.compiled import compiled

SIDE = 28
#: Of bent copies: degrees they are turned by, their shear, scale and shift, and how far in pixels their parts move
#: against each other (the standard deviation of the wildest ones); the distance of places that move on their own.
BENT_TURN, BENT_SHEAR, BENT_SCALE, BENT_SHIFT = 18, 0.35, 0.2, 1.5
WILDEST, KNOTS = 1.2, 4.0


def distort(images: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One randomly distorted copy of each image.

    Rotation ±15°, shear ±0.35, scale 0.8 … 1.2, shift ±1.5 pixels; a quarter of the lines one
    pixel thicker, a quarter thinner.

    Parameters
    ----------
    images : ndarray of shape (n, 28, 28), uint8
    """
    n = len(images)
    angles, shears = rng.uniform(-15, 15, n), rng.uniform(-0.35, 0.35, n)
    scales, shifts = rng.uniform(0.8, 1.2, (n, 2)), rng.uniform(-1.5, 1.5, (n, 2))
    widths = rng.choice([-1, 0, 0, 1], n)
    return np.stack(
        [
            transform(change_width(image, width), angle, shear, scale, shift)
            for image, width, angle, shear, scale, shift in zip(
                images, widths, angles, shears, scales, shifts, strict=True
            )
        ]
    )


def transform(
    image: np.ndarray, angle: float = 0.0, shear: float = 0.0, scale=(1.0, 1.0), shift=(0.0, 0.0)
) -> np.ndarray:
    """An image turned by ``angle`` degrees, sheared, scaled and shifted about its middle; uint8."""
    turn = np.deg2rad(angle)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    matrix = rotation @ np.array([[1, 0], [shear, 1]]) @ np.diag(1 / np.asarray(scale))
    middle = np.full(2, 13.5)
    offset = middle - matrix @ (middle + np.asarray(shift))
    return ndimage.affine_transform(image, matrix, offset, order=1, mode="constant", output=np.uint8)


def change_width(image: np.ndarray, width: int) -> np.ndarray:
    """Lines one pixel thicker (1), thinner (-1) or as they are (0)."""
    if width == 0:
        return image
    filtered = ndimage.maximum_filter if width > 0 else ndimage.minimum_filter
    return filtered(image, size=2)


def bent(images: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One copy of each image, distorted as by :func:`distort` and with its parts moved smoothly against each other.

    The elastic distortions of Simard, Steinkraus and Platt (2003): random moves of the knots of a grid, between
    which cubic splines lead.

    Parameters
    ----------
    images : ndarray of shape (n, 28, 28), uint8
    """
    n, middle = len(images), (SIDE - 1) / 2
    widths = rng.choice([-1, 0, 0, 1], n)
    angles, shears = np.deg2rad(rng.uniform(-BENT_TURN, BENT_TURN, n)), rng.uniform(-BENT_SHEAR, BENT_SHEAR, n)
    scales, shifts = rng.uniform(1 - BENT_SCALE, 1 + BENT_SCALE, (n, 2)), rng.uniform(-BENT_SHIFT, BENT_SHIFT, (n, 2))
    thick = images.copy()
    for width, filtered in ((1, ndimage.maximum_filter), (-1, ndimage.minimum_filter)):
        thick[widths == width] = filtered(images[widths == width], size=(1, 2, 2))
    cosines, sines = np.cos(angles), np.sin(angles)
    turns = np.stack([cosines, -sines, sines, cosines], axis=1).reshape(n, 2, 2)
    slants = np.tile(np.eye(2), (n, 1, 1))
    slants[:, 1, 0] = shears
    matrices = turns @ slants / scales[:, None]
    starts = middle - np.einsum("nij,nj->ni", matrices, middle + shifts)
    moves = _smooth_moves(n, rng)
    copies = np.empty_like(thick)
    look_up(thick, matrices.astype(np.float32), starts.astype(np.float32), moves, copies)
    return copies


def _smooth_moves(n: int, rng: np.random.Generator) -> np.ndarray:
    """How far each pixel is moved down and right in each of n images; (n, 2, 28, 28) float32."""
    knots = np.arange(-1, np.ceil((SIDE - 1) / KNOTS) + 2)
    away = np.abs(np.arange(SIDE)[:, None] / KNOTS - knots)
    spline = np.where(away < 1, 2 / 3 - away**2 + away**3 / 2, np.clip(2 - away, 0, None) ** 3 / 6).astype(np.float32)
    # So that the strength is the pixels' standard deviation, on average over the places between knots.
    spread = np.float32(np.mean(np.sum(spline**2, axis=1)))
    strengths = rng.uniform(0, WILDEST, (n, 1, 1, 1)).astype(np.float32) / spread
    moved = strengths * rng.standard_normal((n, 2, len(knots), len(knots)), dtype=np.float32)
    return spline @ moved @ spline.T


@compiled
def look_up(images, matrices, starts, moves, copies):
    """Fill ``copies``: each pixel from a place of its image, between whose pixels is interpolated; 0 outside.

    Parameters
    ----------
    images, copies : ndarray of shape (n, height, width), uint8
    matrices, starts : ndarray of shape (n, 2, 2) and (n, 2), float32
        The place of pixel p is matrix · p + start …
    moves : ndarray of shape (n, 2, height, width), float32
        … and this much further.
    """
    n, height, width = images.shape
    for i in range(n):
        a, b, c, d = matrices[i, 0, 0], matrices[i, 0, 1], matrices[i, 1, 0], matrices[i, 1, 1]
        for row in range(height):
            for column in range(width):
                y = a * row + b * column + starts[i, 0] + moves[i, 0, row, column]
                x = c * row + d * column + starts[i, 1] + moves[i, 1, row, column]
                top, left = int(np.floor(y)), int(np.floor(x))
                down, right = y - top, x - left
                level = 0.0
                for below in range(2):
                    for beside in range(2):
                        near_row, near_column = top + below, left + beside
                        if 0 <= near_row < height and 0 <= near_column < width:
                            share = (down if below else 1 - down) * (right if beside else 1 - right)
                            level += share * images[i, near_row, near_column]
                copies[i, row, column] = np.uint8(level + 0.5)
