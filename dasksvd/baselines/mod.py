"""MOD, the method of optimal directions (Engan, Aase and Husøy, 1999): all atoms at once.

It is K-SVD with another update: ``ksvd.learn(…, update=mod_update)``.
"""

import numpy as np
from scipy.linalg import lstsq

from dasksvd.method.omp import SparseCodes

#: An eigenvalue of the codes' Gram matrix below this share of the largest one counts as zero.
DEPENDENT = 1e-10


def mod_update(signals: np.ndarray, atoms: np.ndarray, codes: SparseCodes) -> np.ndarray:
    """Replace all atoms by D = (AᵀA)⁻¹AᵀX, in place in ``atoms`` and ``codes.values``; return the errors.

    The atoms are then scaled to length one and the coefficients the other way, so that the
    approximation stays that of D.  No other atoms fit these codes better.  An unused atom
    stays as it is.

    Parameters
    ----------
    signals : ndarray of shape (n_signals, N), float32
    atoms : ndarray of shape (n_atoms, N), float32
    codes : SparseCodes

    Returns
    -------
    ndarray of shape (n_signals, N), float32
        Signals minus their approximation by the new atoms.
    """
    dense = codes.dense(len(atoms))
    optimal = optimal_directions(signals, dense)
    lengths = np.linalg.norm(optimal, axis=1)
    remainder = signals - dense @ optimal.astype(np.float32)
    known = lengths > 0
    atoms[known] = optimal[known] / lengths[known, None]
    in_use = np.arange(codes.support.shape[1]) < codes.counts[:, None]
    codes.values[in_use] *= lengths[codes.support[in_use]].astype(np.float32)
    return remainder


def optimal_directions(signals: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The atoms, not yet of length one, with the least squared error for given codes.

    Where codes depend on each other the shortest solution is taken; an unused atom is zero.

    Parameters
    ----------
    signals : ndarray of shape (n_signals, N)
    codes : ndarray of shape (n_signals, n_atoms)

    Returns
    -------
    ndarray of shape (n_atoms, N), float64
    """
    used = codes.any(axis=0)
    mine = codes[:, used].astype(np.float64)
    directions = np.zeros((codes.shape[1], signals.shape[1]))
    if used.any():
        directions[used] = lstsq(mine.T @ mine, mine.T @ signals, cond=DEPENDENT)[0]
    return directions
