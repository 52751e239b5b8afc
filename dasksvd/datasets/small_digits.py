"""Small digits: a data set that comes with scikit-learn, for runs of seconds."""

import numpy as np

from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.registry import register


@register("digits", title="small digits, 8 × 8", older_runs=True, word="digit")
def load_digits_8x8() -> DataSet:
    """scikit-learn's 1,797 digits of 8×8 pixels; the first 1,500 train, the rest test."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    images = np.rint(digits.images * (255 / 16)).astype(np.uint8)
    labels = digits.target
    return DataSet(images[:1500].copy(), labels[:1500].copy(), images[1500:].copy(), labels[1500:].copy())
