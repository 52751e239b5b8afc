"""A picture as it came and as it will be learned from, side by side."""

import numpy as np

from dasksvd.datasets.intake import Example

#: Pixels along a side, and between the two.
SIDE, GAP = 56, 6


def before_and_after(example: Example) -> np.ndarray:
    """Both pictures in equal size; shape (SIDE, 2 SIDE + GAP, 4), uint8, transparent around them."""
    after = np.repeat(example.after[..., None], 3, axis=2)
    gap = np.zeros((SIDE, GAP, 4), np.uint8)
    return np.concatenate([_framed(example.before), gap, _framed(after)], axis=1)


def _framed(image: np.ndarray) -> np.ndarray:
    """A colour picture with its longer side scaled to SIDE, in the middle of a transparent square."""
    height, width = (max(1, round(SIDE * n / max(image.shape[:2]))) for n in image.shape[:2])
    rows, columns = (np.arange(new) * old // new for new, old in zip((height, width), image.shape[:2], strict=True))
    framed = np.zeros((SIDE, SIDE, 4), np.uint8)
    top, left = (SIDE - height) // 2, (SIDE - width) // 2
    framed[top : top + height, left : left + width, :3] = image[rows][:, columns]
    framed[top : top + height, left : left + width, 3] = 255
    return framed
