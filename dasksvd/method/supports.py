"""Sparse codes, stored by support, as a matrix or grouped by atom."""

import numba
import numpy as np

from dasksvd.common.compiled import Kernel, compiled


@Kernel
def scatter(support, values, counts, codes):
    """Write codes kept by support into the zero matrix ``codes``."""
    for s in numba.prange(support.shape[0]):
        for k in range(counts[s]):
            codes[s, support[s, k]] = values[s, k]


@compiled
def group_by_atom(support, counts, n_atoms):
    """Turn codes by signal into codes by atom: starts, users and entries of each atom.

    Atom j is used by the signals ``users[starts[j]:starts[j + 1]]``; ``entries`` are the
    places of those coefficients in the flattened values.
    """
    n, n_nonzero = support.shape
    starts = np.zeros(n_atoms + 1, np.int64)
    for s in range(n):
        for k in range(counts[s]):
            starts[support[s, k] + 1] += 1
    for j in range(n_atoms):
        starts[j + 1] += starts[j]
    place = starts.copy()
    users = np.empty(starts[n_atoms], np.int32)
    entries = np.empty(starts[n_atoms], np.int64)
    for s in range(n):
        for k in range(counts[s]):
            j = support[s, k]
            users[place[j]] = s
            entries[place[j]] = s * n_nonzero + k
            place[j] += 1
    return starts, users, entries
