"""Data sets of one's own for tests."""

import numpy as np

from dasksvd import DataSet


def own_set(k=3, per_class=20, side=8, seed=0, names=None):
    """Noisy copies of one picture per class, no two alike."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat(np.arange(k), per_class))
    centres = rng.integers(0, 200, (k, side, side))
    images = np.uint8(centres[labels] + rng.integers(0, 55, (len(labels), side, side)))
    return DataSet(images, labels, class_names=names or [f"kind {c}" for c in range(k)])
