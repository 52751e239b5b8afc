"""Is one method better than another?  A difference has an interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, cast

import numpy as np
from scipy.special import ndtr, stdtr, stdtrit

from dasksvd.errors import ParameterError
from dasksvd.parameters import check_count, check_real
from dasksvd.statistics.summaries import Summary, in_percent, plus_minus

#: Images in MNIST's test set.
N_TEST = 10_000


@dataclass(frozen=True)
class Difference:
    """How much better one method is than another.

    Attributes
    ----------
    mean : float
        Mean of the rounds' differences, first minus second.
    half_width : float or None
        Half the width of the 95 % interval; None for one round, which cannot tell.
    p : float or None
        Two-sided p-value of the same test.
    rounds : int
        1 for two single readings, whose interval comes from the number of signals.
    """

    mean: float
    half_width: float | None
    p: float | None
    rounds: int

    @property
    def text(self) -> str:
        """Points of 100 with their interval, as in ``+0.60 ± 0.25``."""
        return plus_minus(100 * self.mean, in_percent(self.half_width), signed=True)

    @property
    def verdict(self) -> str:
        """What the interval allows to say of the first method: better, worse, or nothing."""
        if self.half_width is None:
            return "one round cannot tell"
        if abs(self.mean) <= self.half_width:
            return "cannot be told apart"
        return "better" if self.mean > 0 else "worse"


def paired(first: Sequence[float], second: Sequence[float]) -> Difference:
    """The difference of two methods over the same rounds, with Student's 95 % interval.

    A round's split and test images are the same for both, so what makes a round easy or hard
    cancels in its difference.

    Parameters
    ----------
    first, second : array of shape (n_rounds,)
        Accuracies in 0 … 1, one of each round.

    Examples
    --------
    >>> paired([0.961, 0.964, 0.962], [0.955, 0.957, 0.957]).text
    '+0.60 ± 0.25'
    """
    ours, theirs = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if ours.ndim != 1 or ours.shape != theirs.shape or ours.size == 0:
        raise ParameterError(f"paired accuracies must have one shape (n_rounds,), got {ours.shape} and {theirs.shape}")
    differences = ours - theirs
    mean, n = float(differences.mean()), ours.size
    if n == 1:
        return Difference(mean, None, None, 1)
    error = float(differences.std(ddof=1)) / np.sqrt(n)
    half_width = float(stdtrit(n - 1, 0.975)) * error
    p = float(2 * stdtr(n - 1, -abs(mean) / error)) if error > 0 else float(mean == 0)
    return Difference(mean, half_width, p, n)


def unpaired(first: Summary, second: Summary) -> Difference:
    """The difference of two means that have no rounds in common, with Welch's 95 % interval.

    For numbers that are known by mean and standard deviation only, such as a paper's. What both have in common
    does not cancel, so the interval is wider than that of :func:`paired`.

    Parameters
    ----------
    first, second : Summary

    Examples
    --------
    >>> unpaired(Summary(0.961, 0.002, 0.965, 10), Summary(0.949, 0.003, 0.962, 10)).text
    '+1.20 ± 0.24'
    """
    mean, rounds = first.mean - second.mean, min(first.rounds, second.rounds)
    if first.sd is None or second.sd is None:
        return Difference(mean, None, None, rounds)
    ours, theirs = first.sd**2 / first.rounds, second.sd**2 / second.rounds
    error = float(np.sqrt(ours + theirs))
    if error == 0:
        return Difference(mean, 0.0, float(mean == 0), rounds)
    freedom = error**4 / (ours**2 / (first.rounds - 1) + theirs**2 / (second.rounds - 1))
    p = float(2 * stdtr(freedom, -abs(mean) / error))
    return Difference(mean, float(stdtrit(freedom, 0.975)) * error, p, rounds)


def probability_better(ours: float, theirs: float, n_test: int = N_TEST) -> float:
    """The paper's significance P(ε_ref < ε): that our true error is below theirs.

    Each number of errors is a binomial, approximated by a Gaussian, and the two are taken as
    independent.  On the same test images they are not: see :func:`paired`.

    Parameters
    ----------
    ours, theirs : float
        Accuracies in 0 … 1.
    n_test : int, default=10000
        Test images of each.

    Examples
    --------
    >>> probability_better(0.967, 0.955) > 0.9999
    True
    """
    n_test = check_count("n_test", n_test)
    ours, theirs = check_share("ours", ours), check_share("theirs", theirs)
    variance = (ours * (1 - ours) + theirs * (1 - theirs)) / n_test
    if variance == 0:  # each always right or always wrong
        return (1 + float(np.sign(ours - theirs))) / 2
    return float(ndtr((ours - theirs) / np.sqrt(variance)))


def check_share(name: str, value: Any) -> float:
    """A share, 0 … 1, or an error that names it."""
    return check_real(name, value, f"0 <= {name} <= 1", isinstance(value, Real) and 0 <= cast(float, value) <= 1)
