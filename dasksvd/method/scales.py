"""Powers of two that bring signals of any size into the range where float32 computes well.

Squares and fourth powers of the signals appear in learning and leave float32 long before the
signals do.  A power of two changes no digit of a number, so the result does not depend on the unit
in which the signals come.
"""

import numpy as np

from dasksvd.errors import ParameterError

#: Signals whose largest value lies in here stay as they are.  The upper end leaves room for squares
#: of long signals; from there down, a signal may be 1e30 times smaller than the largest one.
COMFORTABLE = 2.0**-20, 2.0**50
#: The same for a single signal in the pursuit, where nothing is squared.
_ROW_COMFORTABLE = 2.0**-60, 2.0**100


def largest_values(rows: np.ndarray) -> np.ndarray:
    """Largest absolute value of each row; shape (n,)."""
    return np.maximum(rows.max(axis=1, initial=0), -rows.min(axis=1, initial=0))


def to_common_unit(signals: np.ndarray) -> tuple[np.ndarray, float]:
    """Signals in a unit that float32 computes well with, and that unit, a power of two.

    Parameters
    ----------
    signals : ndarray of shape (n_signals, N), float32
        Finite.

    Returns
    -------
    ndarray of shape (n_signals, N), float32
        ``signals / unit``.
    float
        1 for signals in the comfortable range.
    """
    largest = float(largest_values(signals).max(initial=0))
    if largest == 0 or COMFORTABLE[0] <= largest <= COMFORTABLE[1]:
        return signals, 1.0
    exponent = int(np.frexp(largest)[1] - np.frexp(COMFORTABLE[1])[1] + 1)
    return np.ldexp(signals, -exponent), 2.0**exponent


def row_exponents(signals: np.ndarray) -> np.ndarray:
    """For each signal the power of two to divide it by before a pursuit; shape (n,), mostly 0."""
    largest = largest_values(signals)
    low, high = _ROW_COMFORTABLE
    inside = (largest == 0) | ((largest >= low) & (largest <= high))
    return np.where(inside, 0, np.frexp(largest)[1])


def check_comfortable(name: str, signals: np.ndarray) -> np.ndarray:
    """Return signals that need no other unit, or raise ParameterError."""
    if to_common_unit(signals)[1] != 1:
        largest = largest_values(signals).max()
        low, high = COMFORTABLE
        raise ParameterError(
            f"the largest value of {name} must lie between {low:.2g} and {high:.2g}, got {largest:.3g}; "
            "multiply all signals by one number"
        )
    return signals
