"""Numbers with their spread, and accuracies of several rounds in three numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dasksvd.errors import ParameterError


def plus_minus(value: float, spread: float | None = None, *, signed: bool = False, digits: int = 2) -> str:
    """A number with its spread or interval: the one way in which both are written.

    Parameters
    ----------
    value : float
        In percent, or in points of 100.
    spread : float, optional
        Standard deviation, or half the width of an interval, in the same unit; None if it is not known.
    signed : bool, default=False
        Whether the number is a difference, whose sign is always written.
    digits : int, default=2
        Digits behind the point.

    Examples
    --------
    >>> plus_minus(96.274, 0.2), plus_minus(96.274), plus_minus(-0.001, 0.25, signed=True)
    ('96.27 ± 0.20', '96.27', '+0.00 ± 0.25')
    """
    number = round(value, digits) + 0.0  # adding 0.0 makes -0.0 a plain zero
    told = f"{number:+.{digits}f}" if signed else f"{value:.{digits}f}"
    return told if spread is None else f"{told} ± {spread:.{digits}f}"


def in_percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


@dataclass(frozen=True)
class Summary:
    """Accuracies of several rounds in three numbers.

    Attributes
    ----------
    mean, best : float
    sd : float or None
        Standard deviation of a sample (divided by rounds - 1); None for one round.
    rounds : int
    """

    mean: float
    sd: float | None
    best: float
    rounds: int

    @property
    def text(self) -> str:
        """Mean and standard deviation in percent, as in ``95.00 ± 1.00``."""
        return plus_minus(100 * self.mean, in_percent(self.sd))

    def __str__(self) -> str:
        return f"{self.text} (best {100 * self.best:.2f} of {self.rounds})"


def summarise(accuracies: Sequence[float]) -> Summary:
    """Mean, standard deviation and best of the rounds' accuracies.

    Parameters
    ----------
    accuracies : array of shape (n_rounds,)
        In 0 … 1.

    Examples
    --------
    >>> print(summarise([0.94, 0.95, 0.96]))
    95.00 ± 1.00 (best 96.00 of 3)
    """
    values = np.asarray(accuracies, np.float64)
    if values.ndim != 1 or values.size == 0:
        raise ParameterError(f"accuracies must have shape (n_rounds,) with n_rounds >= 1, got {values.shape}")
    if not np.all((values >= 0) & (values <= 1)):
        raise ParameterError(f"accuracies must lie in 0 … 1, got {values.min():g} … {values.max():g}")
    sd = float(values.std(ddof=1)) if values.size > 1 else None
    return Summary(float(values.mean()), sd, float(values.max()), values.size)
