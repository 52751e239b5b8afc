"""MOD, the method of optimal directions (Engan, Aase and Husøy, 1999): all atoms at once."""

from collections.abc import Callable

import numpy as np
from scipy.linalg import lstsq

from dasksvd.method import ksvd
from dasksvd.method.omp import SparseCodes

#: An eigenvalue of the codes' Gram matrix below this share of the largest one counts as zero.
DEPENDENT = 1e-10


def learn(
    signals: np.ndarray,
    n_atoms: int,
    n_nonzero: int,
    n_iter: int,
    rng: np.random.Generator,
    *,
    tol: float | None = None,
    initial: np.ndarray | None = None,
    on_iteration: Callable[[int, float], None] | None = None,
) -> ksvd.Learned:
    """Learn ``n_atoms`` atoms by MOD.

    Parameters and result are those of :func:`dasksvd.method.ksvd.learn`, and so is the replacement
    of hardly used and duplicate atoms (D4); only the update differs.

    Parameters
    ----------
    signals : ndarray of shape (n_signals, N), float32
    n_atoms, n_nonzero, n_iter : int
        Dictionary size, non-zeros per signal, and the largest number of iterations.
    rng : numpy.random.Generator
        Chooses the signals to start from.
    tol : float or None, default=None
        Stop when an iteration lowers the error by less than this share.
    initial : ndarray of shape (n_atoms, N) or None
        Unit atoms to start from instead of random signals.
    on_iteration : callable(iteration, error), optional
        Called after each iteration, counted from 1.
    """
    return ksvd.learn(
        signals,
        n_atoms,
        n_nonzero,
        n_iter,
        rng,
        update=mod_update,
        tol=tol,
        initial=initial,
        on_iteration=on_iteration,
    )


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
