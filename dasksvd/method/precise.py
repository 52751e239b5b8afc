"""Orthogonal matching pursuit in double precision, for signals on which single precision fails.

Both pursuits are a Cholesky factorisation L·Lᵀ of the chosen atoms' Gram matrix that grows by one
row per step, and its relative error is the rounding unit times ‖L⁻¹‖².  Single precision can
afford ‖L⁻¹‖ up to some tens, double precision up to some ten thousands.
"""

import numba
import numpy as np

from dasksvd.common.compiled import Kernel, compiled

#: A further atom explains nothing once its correlation falls below this share of the first one's.
EXPLAINED = 1e-7
#: An atom counts as dependent on the chosen ones if with it ‖L⁻¹‖ would grow beyond this: a code's
#: coefficients stay exact to about 1e-6, and small enough for the float32 they are kept in.
DEPENDENT = 1e5


@compiled
def _dot(first, second, count):
    """Sum of the first ``count`` products; each in double precision, also those of float32 values."""
    total = 0.0
    for j in range(count):
        total += np.float64(first[j]) * np.float64(second[j])
    return total


@compiled
def _strongest(correlations, closed):
    """The open atom with the largest absolute correlation, or -1 if all are closed."""
    at, best = -1, 0.0
    for m in range(correlations.size):
        if not closed[m] and abs(correlations[m]) > best:
            at, best = m, abs(correlations[m])
    return at


@compiled
def _take(i, k, gram, directions, triangle, unsolved):
    """Add row k of the triangle and of the directions for atom i; False if it is dependent.

    ``directions[k]`` holds the correlations of the k-th orthonormal direction with every atom.
    ``unsolved`` solves L·x = ±1 with the signs that make it grow: its size estimates ‖L⁻¹‖.
    """
    row = triangle[k]
    for j in range(k):
        row[j] = directions[j, i]
    distance = gram[i, i] - _dot(row, row, k)
    growth = 1 + abs(_dot(row, unsolved, k))
    if distance * DEPENDENT * DEPENDENT < growth * growth:
        return False
    row[k] = np.sqrt(distance)
    unsolved[k] = (-growth if _dot(row, unsolved, k) >= 0 else growth) / row[k]
    new = directions[k]
    for m in range(new.size):
        new[m] = gram[i, m]
    for j in range(k):
        for m in range(new.size):
            new[m] -= row[j] * directions[j, m]
    for m in range(new.size):
        new[m] /= row[k]
    return True


@compiled
def _pursue_one(signal, atoms, gram, given, support, values):
    """Pursue one signal whose first ``given`` atoms stand in the support; return the count."""
    n_atoms, n_nonzero = len(gram), support.size
    directions = np.empty((n_nonzero, n_atoms))
    triangle = np.empty((n_nonzero, n_nonzero))
    unsolved, projections = np.empty(n_nonzero), np.empty(n_nonzero)
    correlations, closed = np.empty(n_atoms), np.zeros(n_atoms, np.bool_)
    for m in range(n_atoms):
        correlations[m] = _dot(atoms[m], signal, signal.size)
    limit = abs(correlations[_strongest(correlations, closed)]) * EXPLAINED
    k = 0
    while k < n_nonzero:
        i = np.int64(support[k]) if k < given else _strongest(correlations, closed)
        if i < 0 or (k >= given and abs(correlations[i]) <= limit):
            break
        closed[i] = True
        if not _take(i, k, gram, directions, triangle, unsolved):
            continue
        projections[k] = correlations[i] / triangle[k, k]
        for m in range(n_atoms):
            correlations[m] -= projections[k] * directions[k, m]
        support[k] = i
        k += 1
    for j in range(k - 1, -1, -1):
        projections[j] /= triangle[j, j]
        values[j] = projections[j]
        for m in range(j):
            projections[m] -= projections[j] * triangle[j, m]
    return k


@Kernel
def gram_matrix(atoms, gram):
    """Fill the (n_atoms, n_atoms) Gram matrix of the atoms in double precision."""
    for i in numba.prange(len(atoms)):
        for m in range(len(atoms)):
            gram[i, m] = _dot(atoms[i], atoms[m], atoms.shape[1])


@Kernel
def pursue(signals, atoms, gram, chosen, support, values, counts):
    """Continue the codes of the ``chosen`` signals from the atoms they have, with exact coefficients.

    The atoms already in a support stay, so a longer code always begins like a shorter one.
    """
    for c in numba.prange(len(chosen)):
        s = chosen[c]
        counts[s] = _pursue_one(signals[s], atoms, gram, counts[s], support[s], values[s])
