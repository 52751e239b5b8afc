"""Encoders: sparse codes on given atoms; each is registered once and appears wherever one is chosen.

An encoder is a function (signals (n, N), atoms (M, N) of length one, n_nonzero) -> codes (n, M), float32, with at
most ``n_nonzero`` non-zeros per signal.  A signal of zeros has a code of zeros.

One that is registered with ``levels`` has a level λ as its last argument in place of ``n_nonzero``, between 0 and 1 and
the larger the sparser; ``levels`` are those that are tried where nobody has chosen one.  Whoever makes codes by the
name of an encoder calls :func:`encode_by`, and need not ask which kind it is.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from dasksvd.common.registry import Registry
from dasksvd.errors import ParameterError
from dasksvd.parameters.checks import check_real, is_between

#: name -> function, as described above
ENCODERS: Registry[Callable[[np.ndarray, np.ndarray, Any], np.ndarray]] = Registry("encoder")
register = ENCODERS.register
#: The paper's.
DEFAULT = "omp"
#: The one that atoms are fine-tuned through.
TUNED = "threshold"
ENCODERS.declare(DEFAULT, "dasksvd.method.omp:encode", title="Orthogonal matching pursuit", pursues=True)

#: Signals whose correlations are in memory at once.
_ROWS = 4096


def encode_by(name: str, signals: np.ndarray, atoms: np.ndarray, n_nonzero: int, level: float) -> np.ndarray:
    """Codes by a registered encoder.

    Parameters
    ----------
    name : str
    signals : array of shape (n_signals, N)
    atoms : array of shape (n_atoms, N)
        Atoms of length one.
    n_nonzero : int
        Largest number of non-zero coefficients per signal, for an encoder that counts them.
    level : float
        λ, for an encoder that has one.

    Returns
    -------
    ndarray of shape (n_signals, n_atoms), float32
    """
    return ENCODERS[name].value(signals, atoms, level if levels_of(name) else n_nonzero)


def levels_of(name: str) -> tuple[float, ...]:
    """The levels that are tried for an encoder, the densest codes first; empty if it has none."""
    return ENCODERS[name].facts.get("levels", ())


def usual_encoder(fine_tune: int) -> str:
    """What codes signals where nobody has chosen: OMP, or after so many epochs the one that atoms are fine-tuned for.

    Examples
    --------
    >>> usual_encoder(0), usual_encoder(25)
    ('omp', 'threshold')
    """
    return TUNED if fine_tune else DEFAULT


def levels_to_try(name: str, level: float) -> tuple[float, ...]:
    """The given level alone; all of the encoder's if it is 0, which for an encoder without levels is all there is.

    Examples
    --------
    >>> levels_to_try("soft", 0.25), levels_to_try("omp", 0)
    ((0.25,), (0,))
    """
    return (level,) if level else levels_of(name) or (level,)


def check_level(name: str, level: Any) -> float:
    """The level of a plan for an encoder, or ParameterError: 0 where it is still to be chosen, or where there is none.

    Parameters
    ----------
    name : str
        An encoder.
    level : float
    """
    if not levels_of(name) and level != 0:
        raise ParameterError(f"the encoder {name} has no level, got {level!r}")
    allowed = "0 < level < 1, or 0 if it is to be chosen on X_val"
    return check_real("level", level, allowed, is_between(level, 0, 1) and level < 1)


@register("threshold", title="Largest correlations, shrunk")
def threshold(signals: np.ndarray, atoms: np.ndarray, n_nonzero: int) -> np.ndarray:
    """Sparse codes in one step: the largest correlations, shrunk towards zero.

    With the correlations c_j = ⟨x, d_j⟩ of a signal with all atoms, and θ the (n_nonzero + 1)-th largest |c_j|,
    or 0 if there are no more atoms,

        a_j = sign(c_j) · max(|c_j| − θ, 0).

    So at most ``n_nonzero`` coefficients are left, fewer where correlations tie with θ, and an atom that enters
    the code does so from zero.  Much faster than a pursuit and much coarser: atoms that are alike are taken
    together, and the code does not rebuild the signal.

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
    # Here, because whoever only lists the encoders needs no compiler.
    from dasksvd.method.omp import check_nonzeros, check_pair

    signals, atoms = check_pair(signals, atoms)
    n_nonzero = check_nonzeros(n_nonzero, len(atoms))
    codes = np.empty((len(signals), len(atoms)), np.float32)
    for start in range(0, len(signals), _ROWS):
        # In float64, so that a code does not depend on the other signals of its block.
        correlations = signals[start : start + _ROWS].astype(np.float64) @ atoms.T.astype(np.float64)
        with np.errstate(over="ignore", under="ignore"):
            codes[start : start + _ROWS] = _shrink(correlations, n_nonzero)
    if not np.isfinite(codes).all():
        raise ParameterError("the codes of some signals are too large for float32; divide the signals")
    return codes


@register("soft", title="Soft threshold of unit signals", levels=(0.05, 0.1, 0.2, 0.3, 0.4, 0.5))
def soft(signals: np.ndarray, atoms: np.ndarray, level: float) -> np.ndarray:
    """Features of unit signals by one threshold for all.

    With the correlations c_j = ⟨x / ‖x‖, d_j⟩ of a signal with all atoms,

        a_j = sign(c_j) · max(|c_j| − λ, 0).

    No limit on the number of non-zeros: it is what λ and the atoms make it.  A signal and its multiples have the
    same code, and the code does not rebuild the signal.

    Parameters
    ----------
    signals : array of shape (n_signals, N)
    atoms : array of shape (n_atoms, N)
        Atoms of length one.
    level : float
        The threshold λ, 0 … 1; the larger, the sparser.

    Returns
    -------
    ndarray of shape (n_signals, n_atoms), float32
    """
    from dasksvd.method.omp import check_pair

    signals, atoms = check_pair(signals, atoms)
    limit = np.float32(check_real("level", level, "0 <= level <= 1", is_between(level, 0, 1)))
    codes = np.empty((len(signals), len(atoms)), np.float32)
    for start in range(0, len(signals), _ROWS):
        # In float64, where no square of a float32 is too large or too small.
        some = signals[start : start + _ROWS].astype(np.float64)
        lengths = np.linalg.norm(some, axis=1, keepdims=True)
        units = np.divide(some, lengths, out=some, where=lengths > 0)
        # Rounded before the threshold: a correlation that meets it is zero, whichever signals are coded beside it.
        with np.errstate(under="ignore"):
            correlations = np.float32(units @ atoms.T.astype(np.float64))
        codes[start : start + _ROWS] = np.copysign(np.maximum(np.abs(correlations) - limit, 0), correlations)
    return codes


def _shrink(values: np.ndarray, n_kept: int) -> np.ndarray:
    """The ``n_kept`` largest values of each row, less the size of the next one; the others become zero."""
    sizes = np.abs(values)
    next_one = values.shape[1] - n_kept - 1
    limits = np.partition(sizes, next_one, axis=1)[:, next_one, None] if next_one >= 0 else 0.0
    return np.copysign(np.maximum(sizes - limits, 0), values)
