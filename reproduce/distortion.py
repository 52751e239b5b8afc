"""Distorted copies of digits: turned, sheared, scaled, shifted, thicker, thinner."""

import numpy as np
from scipy import ndimage


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
