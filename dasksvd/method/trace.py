"""The pursuit of one signal step by step: what each step looked at, and what it left."""

from dataclasses import dataclass

import numpy as np

from dasksvd.method.omp import check_nonzeros, check_pair, pursue


@dataclass(frozen=True)
class Trace:
    """Every step of orthogonal matching pursuit on one signal, in float64.

    Attributes
    ----------
    atoms : ndarray of shape (n_steps,), int
        The atom that each step took.
    correlations : ndarray of shape (n_steps, n_atoms)
        ⟨r, d_j⟩ of the residual r before the step with every atom: the step takes the largest in size.
    coefficients : ndarray of shape (n_steps, n_steps)
        Row s has the coefficients of the first s + 1 atoms, fitted together after the step; the rest is 0.
    residuals : ndarray of shape (n_steps + 1,)
        Length of the residual before the first and after each step.
    """

    atoms: np.ndarray
    correlations: np.ndarray
    coefficients: np.ndarray
    residuals: np.ndarray

    def candidates(self, count: int) -> np.ndarray:
        """The atoms most similar to the residual before each step, the most similar first; (n_steps, count), int."""
        return np.argsort(-np.abs(self.correlations), axis=1, kind="stable")[:, :count]


def trace(signal: np.ndarray, atoms: np.ndarray, n_nonzero: int) -> Trace:
    """The steps by which :func:`dasksvd.encode` comes to a signal's code.

    Parameters
    ----------
    signal : array of shape (N,)
    atoms : array of shape (n_atoms, N)
        Atoms of length one.
    n_nonzero : int
        Largest number of steps.
    """
    signals, atoms = check_pair(np.asarray(signal)[None], atoms)
    codes = pursue(signals, atoms, check_nonzeros(n_nonzero, len(atoms)))
    return follow(signals[0], atoms, codes.support[0, : codes.counts[0]])


def follow(signal: np.ndarray, atoms: np.ndarray, taken: np.ndarray) -> Trace:
    """The steps of a pursuit whose atoms are known, in their order.

    One basis serves all steps: with atoms = triangle.T · basis, its first s vectors span the first s atoms, and the
    corner (s, s) of the triangle's inverse turns a signal's parts along them into coefficients of the atoms.

    Parameters
    ----------
    signal : ndarray of shape (N,)
    atoms : ndarray of shape (n_atoms, N)
    taken : ndarray of shape (n_steps,), int
    """
    signal, atoms = signal.astype(np.float64), atoms.astype(np.float64)
    basis, triangle = np.linalg.qr(atoms[taken].T)
    parts = basis.T @ signal
    left = signal - np.concatenate([np.zeros((1, len(signal))), np.cumsum(parts[:, None] * basis.T, axis=0)])
    coefficients = np.cumsum(np.triu(np.linalg.inv(triangle)) * parts, axis=1).T
    return Trace(np.asarray(taken), left[:-1] @ atoms.T, coefficients, np.linalg.norm(left, axis=1))
