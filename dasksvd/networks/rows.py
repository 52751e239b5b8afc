"""Products of many rows with a layer of weights, over the non-zeros only where most entries are zero.

Sparse codes have a fifth of their entries, and so have MNIST's pixels.  A matrix library computes
with all of them; going over the non-zeros, four at a time so that a row of sums is loaded and
stored once for four of them, takes half its time at that density.
"""

from functools import partial

import numpy as np
from scipy.sparse import csr_array

from dasksvd.common.compiled import KEEP_NAN, compiled

#: Share of non-zeros above which the matrix library is faster.
SPARSE = 0.3


class Rows:
    """Rows that are multiplied again and again.

    Parameters
    ----------
    X : ndarray of shape (n, d), float32
    """

    def __init__(self, X: np.ndarray):
        self._X = X
        self._is_sparse = np.count_nonzero(X) <= SPARSE * X.size
        if self._is_sparse:
            self._by_row, self._by_column = _non_zeros(X), _non_zeros(X.T)

    def __len__(self) -> int:
        return len(self._X)

    def times(self, layer: np.ndarray, out: np.ndarray) -> None:
        """Write ``X @ layer[:-1] + layer[-1]`` into ``out`` of shape (n, k)."""
        if self._is_sparse:
            out[:] = layer[-1]
            _add_products(*self._by_row, layer, out)
        else:
            np.matmul(self._X, layer[:-1], out=out)
            out += layer[-1]

    def transposed_times(self, errors: np.ndarray, out: np.ndarray) -> None:
        """Write ``X.T @ errors`` into the first d rows of ``out`` and the errors' sum into the last."""
        if self._is_sparse:
            out[:-1] = 0
            _add_products(*self._by_column, errors, out)
        else:
            np.matmul(self._X.T, errors, out=out[:-1])
        np.sum(errors, axis=0, out=out[-1])


def _non_zeros(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where each row starts among the non-zeros, their columns, their values."""
    matrix = csr_array(X)
    return matrix.indptr, matrix.indices, matrix.data


@partial(compiled, fastmath=KEEP_NAN)
def _add_products(starts, columns, values, layer, out):
    """Add to each row of ``out`` the rows of ``layer`` that its non-zeros point to, times their values."""
    n_columns = layer.shape[1]
    for i in range(len(starts) - 1):
        row, at, end = out[i], starts[i], starts[i + 1]
        while at + 3 < end:
            a, b, c, d = values[at], values[at + 1], values[at + 2], values[at + 3]
            first, second = layer[columns[at]], layer[columns[at + 1]]
            third, fourth = layer[columns[at + 2]], layer[columns[at + 3]]
            for k in range(n_columns):
                row[k] += a * first[k] + b * second[k] + c * third[k] + d * fourth[k]
            at += 4
        while at < end:
            value, only = values[at], layer[columns[at]]
            for k in range(n_columns):
                row[k] += value * only[k]
            at += 1
