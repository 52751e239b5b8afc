"""K-SVD and the pursuit taken apart: every half-step with its numbers, from the code that learns and encodes.

:func:`learn` is :func:`dasksvd.method.ksvd.learn`, stopped twice at every atom; after each iteration its atoms
and its error have the same bits.  :func:`encode` follows one signal's pursuit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from dasksvd.method import ksvd, supports
from dasksvd.method.omp import SparseCodes, check_pair, pursue
from dasksvd.method.scales import check_comfortable
from dasksvd.method.trace import trace


@dataclass(frozen=True)
class Started:
    """Before the first iteration: ``atoms`` of shape (n_atoms, N) are random signals of length one."""

    atoms: np.ndarray


@dataclass(frozen=True)
class Coded:
    """All signals are coded on the atoms.

    Attributes
    ----------
    iteration : int
        From 1.
    counts : ndarray of shape (n_atoms,), int
        How many signals use each atom.
    error : float
        Squared error of all signals together.
    """

    iteration: int
    counts: np.ndarray
    error: float


@dataclass(frozen=True)
class Users:
    """An atom's users, and what they miss without it.

    Attributes
    ----------
    iteration, atom : int
    users : ndarray of shape (n_users,), int
        The signals whose codes have the atom.
    coefficients : ndarray of shape (n_users,)
        g, the atom's coefficients in them.
    without : ndarray of shape (n_users, N)
        E, the users minus all their other atoms.
    error : float
        Squared error of all signals together.
    """

    iteration: int
    atom: int
    users: np.ndarray
    coefficients: np.ndarray
    without: np.ndarray
    error: float


@dataclass(frozen=True)
class Renewed:
    """An atom and its users' coefficients after the rank-one fit of E.

    Attributes
    ----------
    iteration, atom : int
    before, after : ndarray of shape (N,)
        The atom.
    coefficients : ndarray of shape (n_users,)
        In the order of the users.
    error_before, error : float
        Squared error of all signals together.
    """

    iteration: int
    atom: int
    before: np.ndarray
    after: np.ndarray
    coefficients: np.ndarray
    error_before: float
    error: float


@dataclass(frozen=True)
class Checked:
    """The end of an iteration: hardly used and duplicate atoms have been replaced (D4).

    Attributes
    ----------
    iteration : int
    counts : ndarray of shape (n_atoms,), int
        How many signals used each atom.
    coherence : ndarray of shape (n_atoms,)
        Its largest cosine with an earlier atom, in size.
    replaced : ndarray of int
        The replaced atoms.
    signals : ndarray of int
        The signals that took their places.
    atoms : ndarray of shape (n_atoms, N)
        All atoms, as :func:`dasksvd.method.ksvd.learn` has them after this iteration.
    error : float
        Root mean square error per value of a signal, as it reports it.
    """

    iteration: int
    counts: np.ndarray
    coherence: np.ndarray
    replaced: np.ndarray
    signals: np.ndarray
    atoms: np.ndarray
    error: float


HalfStep: TypeAlias = Started | Coded | Users | Renewed | Checked


def learn(
    signals: np.ndarray, n_atoms: int, n_nonzero: int, n_iter: int, rng: np.random.Generator, *, exact: bool = False
) -> Iterator[HalfStep]:
    """The half-steps of :func:`dasksvd.method.ksvd.learn` with the same arguments.

    One :class:`Started`; then for each iteration :class:`Coded`, for each atom :class:`Users` and :class:`Renewed`,
    and :class:`Checked`.

    Parameters
    ----------
    signals : ndarray of shape (n_signals, N), float32
        None of them huge or tiny: K-SVD would learn in another unit.
    """
    length = signals.shape[1]
    signals = check_comfortable("signals", ksvd.pad(signals))
    atoms = ksvd.random_signals(signals, n_atoms, rng)
    yield Started(atoms[:, :length].copy())
    for iteration in range(1, n_iter + 1):
        codes = pursue(signals, atoms, n_nonzero)
        remainder = ksvd.residuals(signals, atoms, codes)
        counts, _ = ksvd.use_and_coherence(atoms, codes)
        yield Coded(iteration, counts, _squared(remainder))
        yield from _sweep(iteration, atoms, codes, remainder, length, exact)
        yield _check(iteration, signals, atoms, codes, ksvd.squared_errors(remainder), length)


def _sweep(
    iteration: int, atoms: np.ndarray, codes: SparseCodes, remainder: np.ndarray, length: int, exact: bool
) -> Iterator[Users | Renewed]:
    """Two half-steps for every atom; atoms, codes and remainder change in place."""
    starts, users, entries = supports.group_by_atom(codes.support, codes.counts, len(atoms))
    values, update = codes.values.reshape(-1), ksvd.sweep(exact)
    for j in range(len(atoms)):
        mine = slice(starts[j], starts[j + 1])
        rows, places, before = users[mine], entries[mine], atoms[j].copy()
        without = remainder[rows] + np.outer(values[places], before)
        error = _squared(remainder)
        yield Users(iteration, j, rows.copy(), values[places], without[:, :length], error)
        update(atoms[j : j + 1], remainder, starts[j : j + 2], users, entries, values)
        after = atoms[j, :length].copy()
        yield Renewed(iteration, j, before[:length], after, values[places], error, _squared(remainder))


def _check(
    iteration: int, signals: np.ndarray, atoms: np.ndarray, codes: SparseCodes, energies: np.ndarray, length: int
) -> Checked:
    """Replace bad atoms, in place, and say which and by what."""
    counts, coherence = ksvd.use_and_coherence(atoms, codes)
    replaced = ksvd.replace_bad_atoms(atoms, signals, codes, energies)
    lengths = np.maximum(np.linalg.norm(signals, axis=1), np.finfo(np.float32).tiny)
    nearest = np.argmax(atoms[replaced] @ (signals / lengths[:, None]).T, axis=1)
    error = ksvd.root_mean_square(energies, length)
    return Checked(iteration, counts, coherence, replaced, nearest, atoms[:, :length].copy(), error)


def _squared(remainder: np.ndarray) -> float:
    return float(np.square(remainder, dtype=np.float64).sum())


@dataclass(frozen=True)
class Looked:
    """The residual is compared with every atom, and the most similar one is taken.

    Attributes
    ----------
    residual : ndarray of shape (N,)
    correlations : ndarray of shape (n_atoms,)
        ⟨r, d_j⟩.
    taken : int
    """

    residual: np.ndarray
    correlations: np.ndarray
    taken: int


@dataclass(frozen=True)
class Refitted:
    """All coefficients are fitted again: gram · coefficients = right.

    Attributes
    ----------
    taken : ndarray of shape (s,), int
        The atoms so far, in their order.
    gram : ndarray of shape (s, s)
        Their inner products ⟨d_i, d_j⟩.
    right : ndarray of shape (s,)
        Their inner products ⟨d_j, x⟩ with the signal.
    coefficients : ndarray of shape (s,)
    residual : ndarray of shape (N,)
        What is left, orthogonal to every atom taken.
    """

    taken: np.ndarray
    gram: np.ndarray
    right: np.ndarray
    coefficients: np.ndarray
    residual: np.ndarray


def encode(signal: np.ndarray, atoms: np.ndarray, n_nonzero: int) -> Iterator[Looked | Refitted]:
    """Two half-steps for each atom that :func:`dasksvd.encode` takes, in float64.

    The atoms and their order are those of the pursuit itself.  It computes in float32, so the last coefficients are
    its own up to float32's rounding.

    Parameters
    ----------
    signal : array of shape (N,)
    atoms : array of shape (n_atoms, N)
        Of length one.
    n_nonzero : int
    """
    found = trace(signal, atoms, n_nonzero)
    checked = check_pair(np.asarray(signal)[None], atoms)
    signal, atoms = checked[0][0].astype(np.float64), checked[1].astype(np.float64)
    residual = signal
    for step, taken in enumerate(found.atoms):
        yield Looked(residual, found.correlations[step], int(taken))
        chosen, coefficients = atoms[found.atoms[: step + 1]], found.coefficients[step, : step + 1]
        residual = signal - coefficients @ chosen
        yield Refitted(found.atoms[: step + 1], chosen @ chosen.T, chosen @ signal, coefficients, residual)
