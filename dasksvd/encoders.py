"""Encoders: sparse codes on given atoms; each is registered once and appears wherever one is chosen.

An encoder is a function (signals (n, N), atoms (M, N) of length one, n_nonzero) -> codes (n, M), float32, with at
most ``n_nonzero`` non-zeros per signal.  A signal of zeros has a code of zeros.
"""

from collections.abc import Callable

import numpy as np

from dasksvd.common.registry import Registry
from dasksvd.errors import ParameterError

#: name -> function, as described above
ENCODERS: Registry[Callable[[np.ndarray, np.ndarray, int], np.ndarray]] = Registry("encoder")
register = ENCODERS.register
ENCODERS.declare("omp", "dasksvd.method.omp:encode", title="Orthogonal matching pursuit")

#: Signals whose correlations are in memory at once.
_ROWS = 4096


@register("threshold", title="Soft threshold")
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


def _shrink(values: np.ndarray, n_kept: int) -> np.ndarray:
    """The ``n_kept`` largest values of each row, less the size of the next one; the others become zero."""
    sizes = np.abs(values)
    next_one = values.shape[1] - n_kept - 1
    limits = np.partition(sizes, next_one, axis=1)[:, next_one, None] if next_one >= 0 else 0.0
    return np.copysign(np.maximum(sizes - limits, 0), values)
