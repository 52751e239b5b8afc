"""Checks of single values; what they refuse is a ParameterError with the number in it."""

import math
import sys
from numbers import Integral, Real
from typing import Any, cast

from dasksvd.common.language import say
from dasksvd.errors import ParameterError

#: A lattice point such as 1/3 + 2/3 may round above 1.
ROUNDING = 1e-9
_LARGEST = sys.float_info.max


def check_count(name: str, value: Any, smallest: int = 1) -> int:
    """Return ``value`` as an int if it is a whole number of at least ``smallest``."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < smallest:
        raise ParameterError(
            say(
                "{name} must be a whole number of at least {smallest}, got {value!r}",
                name=name,
                smallest=smallest,
                value=value,
            )
        )
    return int(value)


def is_between(value: Any, low: float, high: float) -> bool:
    """Whether ``value`` is a number from ``low`` to ``high``; True and False are no numbers."""
    return isinstance(value, Real) and not isinstance(value, bool) and bool(low <= cast(Any, value) <= high)


def check_real(name: str, value: Any, allowed: str, inside: bool) -> float:
    """Return ``value`` as a float if it is a finite number and ``inside`` its ``allowed`` range."""
    if not inside or not is_between(value, -_LARGEST, _LARGEST):
        raise ParameterError(
            say("{name} must be a number with {allowed}, got {value!r}", name=name, allowed=allowed, value=value)
        )
    return float(value)


def check_sparsity(q: Any) -> int | float:
    """Return ``q`` as a count (int) or as a share of the atoms (float)."""
    if isinstance(q, Integral):
        return check_count("q", q)
    allowed = say("0 < q <= 1 (a share of the atoms) or a whole number (a count)")
    return check_real("q", q, allowed, is_between(q, 0, 1) and q > 0)


def n_nonzero(q: int | float, n_atoms: int) -> int:
    """Non-zero coefficients a signal may use on ``n_atoms`` atoms.

    Examples
    --------
    >>> n_nonzero(0.2, 256), n_nonzero(0.2, 50), n_nonzero(7, 50)
    (51, 10, 7)
    """
    q = check_sparsity(q)
    if isinstance(q, int):
        if q > n_atoms:
            raise ParameterError(
                say("q must be at most the number of atoms, got q = {q} for {n_atoms} atoms", q=q, n_atoms=n_atoms)
            )
        return q
    return max(1, math.floor(q * n_atoms + 1e-9))  # D1; 1e-9 because 0.29 * 100 < 29 in binary


def check_weights(alpha: Any, beta: Any) -> tuple[float, float]:
    """Return (α, β) as floats if they lie in the weight triangle."""
    alpha = check_real("alpha", alpha, "0 <= alpha <= 1", is_between(alpha, 0, 1))
    beta = check_real("beta", beta, "0 <= beta <= 1", is_between(beta, 0, 1))
    if alpha + beta > 1 + ROUNDING:
        raise ParameterError(f"alpha + beta must be at most 1, got {alpha:g} + {beta:g} = {alpha + beta:g}")
    return alpha, beta
