"""K-SVD: learn a dictionary on which signals have sparse codes with a small error."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.linalg import eigh

from dasksvd.method import kernels, supports
from dasksvd.method.omp import SparseCodes, gram_matrix, padded, pursue
from dasksvd.method.scales import to_common_unit

#: D4: an atom used by fewer signals than this is replaced …
MIN_USERS = 4
#: … where a coefficient below this share of the signal's largest one is no use …
NO_USE = 1e-7
#: … and so is one that points the same way as an earlier atom.
MAX_COHERENCE = 0.99


@dataclass(frozen=True)
class Learned:
    """What K-SVD found.

    Attributes
    ----------
    atoms : ndarray of shape (n_atoms, N), float32
        Atoms of length one.
    errors : ndarray of shape (n_iterations,), float64
        Root mean square error per signal value after each iteration's sweep.
    """

    atoms: np.ndarray
    errors: np.ndarray


def learn(
    signals: np.ndarray,
    n_atoms: int,
    n_nonzero: int,
    n_iter: int,
    rng: np.random.Generator,
    *,
    exact: bool = False,
    update: Callable[[np.ndarray, np.ndarray, SparseCodes], np.ndarray] | None = None,
    tol: float | None = None,
    initial: np.ndarray | None = None,
    on_iteration: Callable[[int, float], None] | None = None,
) -> Learned:
    """Learn ``n_atoms`` atoms by K-SVD.

    The unit of the signals does not matter: the atoms are the same, and the errors are in that unit.

    Parameters
    ----------
    signals : ndarray of shape (n_signals, N), float32
    n_atoms, n_nonzero, n_iter : int
        Dictionary size, non-zeros per signal, and the largest number of iterations.
    rng : numpy.random.Generator
        Chooses the signals to start from.
    exact : bool, default=False
        Replace each atom by the first singular vector of its users' error instead of
        taking one least-squares step towards it (D4).
    update : callable(signals, atoms, codes), optional
        Another way to update all atoms, with the contract of :func:`update_atoms`.
    tol : float or None, default=None
        Stop when an iteration lowers the error by less than this share.
    initial : ndarray of shape (n_atoms, N) or None
        Unit atoms to start from instead of random signals.
    on_iteration : callable(iteration, error), optional
        Called after each iteration, counted from 1.
    """
    length = signals.shape[1]
    signals, unit = to_common_unit(pad(signals))
    atoms = pad(initial) if initial is not None else random_signals(signals, n_atoms, rng)
    update = update or partial(update_atoms, exact=exact)
    errors = []
    for iteration in range(1, n_iter + 1):
        codes = pursue(signals, atoms, n_nonzero)
        remainder = update(signals, atoms, codes)
        energies = squared_errors(remainder)
        errors.append(unit * root_mean_square(energies, length))
        replace_bad_atoms(atoms, signals, codes, energies)
        if on_iteration is not None:
            on_iteration(iteration, errors[-1])
        if tol is not None and iteration > 1 and errors[-2] - errors[-1] <= tol * errors[-2]:
            break
    return Learned(np.ascontiguousarray(atoms[:, :length]), np.array(errors))


def random_signals(signals: np.ndarray, n_atoms: int, rng: np.random.Generator) -> np.ndarray:
    """Distinct random signals, scaled to length one; random directions where signals run out."""
    lengths = np.linalg.norm(signals, axis=1)
    usable = np.flatnonzero(lengths > 0)
    chosen = rng.permutation(usable)[:n_atoms]
    atoms = signals[chosen] / lengths[chosen, None]
    missing = n_atoms - len(chosen)
    if missing:
        varied = np.any(signals != 0, axis=0) if len(usable) else np.ones(signals.shape[1], bool)
        extra = rng.standard_normal((missing, signals.shape[1])).astype(np.float32) * varied
        atoms = np.concatenate([atoms, extra / np.linalg.norm(extra, axis=1, keepdims=True)])
    return np.ascontiguousarray(atoms)


def update_atoms(signals: np.ndarray, atoms: np.ndarray, codes: SparseCodes, *, exact: bool = False) -> np.ndarray:
    """One sweep over all atoms, in place in ``atoms`` and ``codes.values``; return the errors.

    The supports stay as they are, and the total squared error never rises.

    Parameters
    ----------
    signals : ndarray of shape (n_signals, N), float32, N a multiple of the kernels' BLOCK
    atoms : ndarray of shape (n_atoms, N), float32
    codes : SparseCodes

    Returns
    -------
    ndarray of shape (n_signals, N), float32
        Signals minus their approximation after the sweep.
    """
    remainder = residuals(signals, atoms, codes)
    starts, users, entries = supports.group_by_atom(codes.support, codes.counts, len(atoms))
    sweep(exact)(atoms, remainder, starts, users, entries, codes.values.reshape(-1))
    return remainder


def residuals(signals: np.ndarray, atoms: np.ndarray, codes: SparseCodes) -> np.ndarray:
    """Signals minus their approximation; shape (n_signals, N), float32."""
    remainder = np.empty_like(signals)
    work = codes.values.size * signals.shape[1]
    kernels.residuals(work, signals, atoms, codes.support, codes.values, codes.counts, remainder)
    return remainder


def squared_errors(remainder: np.ndarray) -> np.ndarray:
    """Squared error of each signal; shape (n_signals,)."""
    return np.einsum("ij,ij->i", remainder, remainder)


def root_mean_square(energies: np.ndarray, length: int) -> float:
    """Root mean square error per value of signals with that ``length`` and those squared errors."""
    return float(np.sqrt(energies.sum(dtype=np.float64) / (len(energies) * length)))


def sweep(exact: bool) -> Callable[..., None]:
    """What updates some atoms in turn, approximately or exactly, with the arguments of :func:`kernels.sweep` (D4)."""
    return _exact_sweep if exact else kernels.sweep


def _exact_sweep(
    atoms: np.ndarray,
    remainder: np.ndarray,
    starts: np.ndarray,
    users: np.ndarray,
    entries: np.ndarray,
    values: np.ndarray,
) -> None:
    """Every atom in turn becomes the first singular vector of its users' error without it."""
    for j in range(len(atoms)):
        mine = slice(starts[j], starts[j + 1])
        if mine.start == mine.stop:
            continue
        rows, places = users[mine], entries[mine]
        without = remainder[rows] + np.outer(values[places], atoms[j])
        atoms[j] = _first_right_singular_vector(without.astype(np.float64), towards=atoms[j])
        values[places] = without @ atoms[j]
        remainder[rows] = without - np.outer(values[places], atoms[j])


def _first_right_singular_vector(matrix: np.ndarray, towards: np.ndarray) -> np.ndarray:
    """Unit vector v with the largest |matrix @ v|, signed like ``towards``, from the smaller Gram matrix."""
    tall = matrix.shape[0] >= matrix.shape[1]
    gram = matrix.T @ matrix if tall else matrix @ matrix.T
    top = len(gram) - 1
    vector = eigh(gram, subset_by_index=[top, top])[1][:, 0]
    vector = vector if tall else matrix.T @ vector
    length = np.linalg.norm(vector)
    if length == 0:  # the users' error without the atom is zero: any direction is as good
        return towards
    return vector / (length if vector @ towards >= 0 else -length)


def replace_bad_atoms(atoms: np.ndarray, signals: np.ndarray, codes: SparseCodes, energies: np.ndarray) -> np.ndarray:
    """Replace hardly used and duplicate atoms, in place, by the worst-coded signals (D4).

    Parameters
    ----------
    atoms : ndarray of shape (n_atoms, N), float32
    signals : ndarray of shape (n_signals, N), float32
    codes : SparseCodes
    energies : ndarray of shape (n_signals,)
        Squared error of each signal.

    Returns
    -------
    ndarray of int
        The replaced atoms.
    """
    users, coherence = use_and_coherence(atoms, codes)
    bad = np.flatnonzero((users < MIN_USERS) | (coherence > MAX_COHERENCE))
    if bad.size == 0:
        return bad
    kept = np.delete(atoms, bad, axis=0)
    fresh = _distinct_signals(signals[np.argsort(-energies, kind="stable")], kept, wanted=bad.size)
    bad = bad[: len(fresh)]
    atoms[bad] = fresh
    return bad


def use_and_coherence(atoms: np.ndarray, codes: SparseCodes) -> tuple[np.ndarray, np.ndarray]:
    """How many signals use each atom, and how large its |cosine| with an earlier atom is at most; (n_atoms,) each."""
    in_use = np.arange(codes.support.shape[1]) < codes.counts[:, None]
    sizes = np.where(in_use, np.abs(codes.values), 0)
    used = sizes > NO_USE * sizes.max(axis=1, keepdims=True, initial=0)
    users = np.bincount(codes.support[used], minlength=len(atoms))
    earlier = np.tril(np.abs(gram_matrix(atoms)), k=-1)
    return users, earlier.max(axis=1, initial=0)


def _distinct_signals(signals: np.ndarray, atoms: np.ndarray, wanted: int) -> np.ndarray:
    """The first ``wanted`` signals, as unit vectors, unlike all atoms and each other."""
    found = np.empty((0, signals.shape[1]), np.float32)
    for start in range(0, len(signals), 256):
        block = signals[start : start + 256]
        lengths = np.linalg.norm(block, axis=1, keepdims=True)
        block = block[lengths[:, 0] > 0] / lengths[lengths[:, 0] > 0]
        for signal in block[np.abs(block @ atoms.T).max(axis=1, initial=0) <= MAX_COHERENCE]:
            if len(found) == wanted:
                return found
            if np.abs(found @ signal).max(initial=0) <= MAX_COHERENCE:
                found = np.concatenate([found, signal[None]])
    return found


def pad(rows: np.ndarray) -> np.ndarray:
    """Rows with zeros appended up to whole blocks: zeros change no product and no error."""
    missing = padded(rows.shape[1]) - rows.shape[1]
    return np.ascontiguousarray(np.pad(rows, ((0, 0), (0, missing))), np.float32)
