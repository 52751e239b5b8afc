"""Digits for all networks."""

import numpy as np
import pytest
from sklearn.datasets import load_digits


@pytest.fixture(scope="module")
def data():
    digits = load_digits()
    X, y = digits.data.astype(np.float32), digits.target
    return X[:1000], y[:1000], X[1000:1400], y[1000:1400], X[1400:], y[1400:]
