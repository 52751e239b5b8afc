"""Products over the non-zeros, against NumPy's matrix product."""

import numpy as np
import pytest

from dasksvd.networks.rows import SPARSE, Rows


def _rows(share: float, n: int = 57, d: int = 31) -> np.ndarray:
    rng = np.random.default_rng(0)
    return np.where(rng.random((n, d)) < share, rng.standard_normal((n, d)), 0).astype(np.float32)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.25, 0.6, 1.0])
@pytest.mark.parametrize("width", [1, 3, 8, 50])
def test_products_agree_with_numpy(share, width):
    X = _rows(share)
    layer = np.random.default_rng(1).standard_normal((X.shape[1] + 1, width)).astype(np.float32)
    out = np.full((len(X), width), np.nan, np.float32)
    Rows(X).times(layer, out)
    np.testing.assert_allclose(out, X.astype(float) @ layer[:-1] + layer[-1], atol=2e-5)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.25, 0.6, 1.0])
def test_transposed_products_agree_with_numpy_and_the_last_row_sums(share):
    X = _rows(share)
    errors = np.random.default_rng(1).standard_normal((len(X), 7)).astype(np.float32)
    out = np.full((X.shape[1] + 1, 7), np.nan, np.float32)
    Rows(X).transposed_times(errors, out)
    np.testing.assert_allclose(out[:-1], X.T.astype(float) @ errors, atol=2e-5)
    np.testing.assert_allclose(out[-1], errors.sum(axis=0, dtype=float), atol=2e-5)


def test_both_ways_of_multiplying_are_used_here():
    assert Rows(_rows(0.1))._is_sparse
    assert not Rows(_rows(0.6))._is_sparse
    assert 0.1 < SPARSE < 0.6


def test_what_is_not_a_number_is_passed_on():
    X = _rows(0.1)
    layer = np.zeros((X.shape[1] + 1, 2), np.float32)
    column = np.flatnonzero(X[0])[0]
    layer[column] = np.nan
    out = np.empty((len(X), 2), np.float32)
    Rows(X).times(layer, out)
    assert np.isnan(out[0]).all()
    assert not np.isnan(out[X[:, column] == 0]).any()
