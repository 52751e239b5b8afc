"""Random splits are balanced, disjoint and decided by their generator."""

import numpy as np
import pytest

import dasksvd
from dasksvd import ParameterError, balanced_split


def test_balanced_split_is_balanced_disjoint_and_seeded():
    labels = dasksvd.load_mnist().train_labels
    train, val = balanced_split(labels, 4000, 1000, np.random.default_rng(3))
    np.testing.assert_array_equal(np.bincount(labels[train]), 4000)
    np.testing.assert_array_equal(np.bincount(labels[val]), 1000)
    assert np.intersect1d(train, val).size == 0
    again, _ = balanced_split(labels, 4000, 1000, np.random.default_rng(3))
    other, _ = balanced_split(labels, 4000, 1000, np.random.default_rng(4))
    np.testing.assert_array_equal(train, again)
    assert not np.array_equal(train, other)


def test_a_split_too_large_names_the_class():
    with pytest.raises(ParameterError, match="class 1 has 2 signals, too few for 2 to train and 1 to validate"):
        balanced_split(np.array([0, 0, 0, 1, 1]), 2, 1, np.random.default_rng(0))
