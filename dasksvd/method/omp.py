"""Orthogonal matching pursuit of many signals at once."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import issparse

from dasksvd.errors import NotNumbers, ParameterError
from dasksvd.method import kernels, precise, scales, supports
from dasksvd.parameters import check_count

#: How far an atom's length may be from one.
UNIT_TOLERANCE = 1e-3
#: The smallest number that float32 holds with all its digits.
SMALLEST = float(np.finfo(np.float32).smallest_normal)


@dataclass(frozen=True)
class SparseCodes:
    """Codes kept by support.

    Attributes
    ----------
    support : ndarray of shape (n_signals, n_nonzero), int32
        Atoms in the order in which the pursuit took them.
    values : ndarray of shape (n_signals, n_nonzero), float32
        Their final coefficients.
    counts : ndarray of shape (n_signals,), int32
        How many of them are in use; the rest of a row is undefined.
    """

    support: np.ndarray
    values: np.ndarray
    counts: np.ndarray

    def dense(self, n_atoms: int) -> np.ndarray:
        """The codes as ndarray of shape (n_signals, n_atoms), float32."""
        codes = np.zeros((len(self.support), n_atoms), np.float32)
        supports.scatter(self.support.size, self.support, self.values, self.counts, codes)
        return codes


def encode(signals: np.ndarray, atoms: np.ndarray, n_nonzero: int) -> np.ndarray:
    """Sparse codes of signals on a dictionary by orthogonal matching pursuit.

    A signal's code stops early when nothing is left to explain or when every further atom
    depends on the chosen ones.  It never depends on the other signals of the batch.

    Parameters
    ----------
    signals : array of shape (n_signals, N)
    atoms : array of shape (n_atoms, N)
        Atoms of length one.
    n_nonzero : int
        Largest number of non-zero coefficients per signal, 1 … n_atoms.

    Returns
    -------
    ndarray of shape (n_signals, n_atoms), float32
    """
    signals, atoms = check_pair(signals, atoms)
    n_nonzero = check_nonzeros(n_nonzero, len(atoms))
    exponents = scales.row_exponents(signals)
    if not exponents.any():
        return pursue(signals, atoms, n_nonzero).dense(len(atoms))
    codes = pursue(np.ldexp(signals, -exponents[:, None]), atoms, n_nonzero).dense(len(atoms))
    with np.errstate(over="ignore", under="ignore"):
        codes = np.ldexp(codes, exponents[:, None])
    lost = np.flatnonzero(~np.isfinite(codes).all(axis=1))
    if lost.size:
        raise ParameterError(f"the codes of signal {lost[0]} are too large for float32; divide the signals")
    return codes


def pursue(signals: np.ndarray, atoms: np.ndarray, n_nonzero: int) -> SparseCodes:
    """:func:`encode` without its checks, with the codes kept by support.

    Parameters
    ----------
    signals : ndarray of shape (n_signals, N), float32, C order
    atoms : ndarray of shape (n_atoms, N), float32, C order
    n_nonzero : int
    """
    n, length = signals.shape
    width = padded(len(atoms))
    blocks = _column_blocks(atoms, width)
    gram = _padded_gram(atoms, blocks, width)
    support = np.empty((n, n_nonzero), np.int32)
    values = np.empty((n, n_nonzero), np.float32)
    counts, steady = np.empty(n, np.int32), np.empty(n, np.bool_)
    work = n * width * (length + n_nonzero * n_nonzero // 2)
    kernels.pursue(work, signals, blocks, gram, width, n_nonzero, support, values, counts, steady)
    codes = SparseCodes(support, values, counts)
    if not steady.all():
        _pursue_precisely(np.flatnonzero(~steady), signals, atoms, codes)
    return codes


def _pursue_precisely(chosen: np.ndarray, signals: np.ndarray, atoms: np.ndarray, codes: SparseCodes) -> None:
    """Finish the codes of some signals in double precision, in place."""
    n_nonzero = codes.support.shape[1]
    gram = np.empty((len(atoms), len(atoms)))
    precise.gram_matrix(gram.size * atoms.shape[1], atoms, gram)
    work = len(chosen) * len(atoms) * (atoms.shape[1] + n_nonzero * n_nonzero // 2)
    precise.pursue(work, signals, atoms, gram, chosen, codes.support, codes.values, codes.counts)


def gram_matrix(atoms: np.ndarray) -> np.ndarray:
    """Inner products of all pairs of atoms; shape (n_atoms, n_atoms).

    Not ``atoms @ atoms.T``: the matrix library's threads keep spinning for a while after a
    product, which halved the speed of the kernels that follow.
    """
    width = padded(len(atoms))
    gram = _padded_gram(atoms, _column_blocks(atoms, width), width)
    return gram.reshape(width, width)[: len(atoms), : len(atoms)]


def _padded_gram(atoms: np.ndarray, blocks: np.ndarray, width: int) -> np.ndarray:
    gram = np.zeros(width * width, np.float32)
    kernels.gram_matrix(width * width * atoms.shape[1], atoms, blocks, width, gram)
    return gram


def padded(length: int) -> int:
    """``length`` rounded up to whole blocks."""
    return -(-length // kernels.BLOCK) * kernels.BLOCK


def _column_blocks(atoms: np.ndarray, width: int) -> np.ndarray:
    """Atoms as columns, cut into blocks of BLOCK columns that lie one after the other, flat."""
    n_atoms, length = atoms.shape
    rows = np.zeros((width, length), np.float32)
    rows[:n_atoms] = atoms
    return rows.reshape(-1, kernels.BLOCK, length).transpose(0, 2, 1).reshape(-1)


def check_matrix(name: str, values: np.ndarray) -> np.ndarray:
    """Return ``values`` as a finite float32 matrix in C order, or raise ParameterError.

    Arrays, lists and tables of real numbers are accepted, whatever their type is.
    """
    given = _check_numbers(name, values)
    if given.ndim != 2:
        raise ParameterError(f"{name} must have shape (n, N) with N >= 1, got {given.shape}. Reshape your data")
    if given.shape[1] == 0:
        raise ParameterError(
            f"{name} must have shape (n, N) with N >= 1, got {given.shape}: "
            f"0 feature(s) (shape={given.shape}) while a minimum of 1 is required."
        )
    with np.errstate(over="ignore", under="ignore"):
        values = np.ascontiguousarray(given, np.float32)
    # One pass: a sum over finite float32 values cannot leave the range of float64.
    if not np.isfinite(values.sum(dtype=np.float64)):
        bad = np.argwhere(~np.isfinite(values))
        place = tuple(map(int, bad[0]))
        raise ParameterError(
            f"{name} must be finite in float32, got {len(bad)} NaN or infinite values, first at {place}"
        )
    tiny = np.flatnonzero(scales.largest_values(values) < SMALLEST)
    tiny = tiny[given[tiny].any(axis=1)]
    if tiny.size:
        raise ParameterError(
            f"a row of {name} must be zero or have a value of at least {SMALLEST:.3g}, the smallest number that "
            f"float32 holds in full; row {tiny[0]} has not. Multiply {name}"
        )
    return values


def _check_numbers(name: str, values: np.ndarray) -> np.ndarray:
    """``values`` as an array of real numbers, or NotNumbers."""
    wanted = f"{name} must be a dense array of real numbers"
    if issparse(values):
        raise NotNumbers(f"{wanted}, got a sparse {type(values).__name__}; use its .toarray()")
    if isinstance(values, np.matrix):
        raise NotNumbers(f"{wanted}, got an np.matrix; use np.asarray of it")
    if np.ma.is_masked(values):
        raise NotNumbers(f"{wanted}, got a masked array with masked values; fill or drop them")
    try:
        values = np.asarray(values)
        if values.dtype == object and not any(isinstance(value, (str, bytes)) for value in values.flat):
            values = values.astype(np.float64)
    except (TypeError, ValueError) as error:  # rows of several lengths, or things that are no numbers
        raise NotNumbers(f"{wanted}, got something else ({error})") from error
    if values.dtype.kind == "c":
        raise NotNumbers(f"{wanted}, got dtype {values.dtype}. Complex data not supported")
    if values.dtype.kind not in "fiub":
        raise NotNumbers(f"{wanted}, got dtype {values.dtype}")
    return values


def check_pair(signals: np.ndarray, atoms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Signals and unit atoms of one length as float32, or ParameterError."""
    signals, atoms = check_matrix("signals", signals), check_matrix("atoms", atoms)
    if len(atoms) == 0:
        raise ParameterError(f"atoms must have at least one row, got shape {atoms.shape}")
    if signals.shape[1] != atoms.shape[1]:
        raise ParameterError(
            f"signals and atoms must have the same length, got {signals.shape[1]} and {atoms.shape[1]}"
        )
    lengths = np.linalg.norm(atoms, axis=1)
    worst = int(np.argmax(np.abs(lengths - 1)))
    if abs(lengths[worst] - 1) > UNIT_TOLERANCE:
        raise ParameterError(f"atoms must have length 1, got {lengths[worst]:.6g} for atom {worst}")
    return signals, atoms


def check_nonzeros(n_nonzero: int, n_atoms: int) -> int:
    """``n_nonzero`` as an int in 1 … n_atoms, or ParameterError."""
    n_nonzero = check_count("n_nonzero", n_nonzero)
    if n_nonzero > n_atoms:
        raise ParameterError(f"n_nonzero must be at most the number of atoms, got {n_nonzero} for {n_atoms} atoms")
    return n_nonzero
