"""Shares of signals that were read right: how sure are they, for so many signals, and do two of them differ?"""

from scipy.special import ndtr

from dasksvd.errors import ParameterError
from dasksvd.parameters import check_count
from dasksvd.statistics.differences import Difference, check_share

#: A Gaussian lies within so many standard deviations in 95 of 100 cases.
Z = 1.959964


def share_half_width(share: float, n: int) -> float:
    """Half the width of the 95 % interval (Wilson's) of a share of n signals."""
    return Z * (share * (1 - share) / n + Z**2 / (4 * n**2)) ** 0.5 / (1 + Z**2 / n)


def share_text(share: float, n: int) -> str:
    """A share of n signals in percent, and half the width of its 95 % interval (Wilson's).

    Examples
    --------
    >>> share_text(0.961, 10_000), share_text(0.5, 1)
    ('96.1 % ± 0.4', '50.0 % ± 44.5')
    """
    return f"{100 * share:.1f} % ± {100 * share_half_width(share, n):.1f}"


def unpaired_shares(first: float, n_first: int, second: float, n_second: int) -> Difference:
    """The difference of two shares of different signals, with the 95 % interval of two binomials.

    The variance is Agresti and Caffo's: as if each had one more signal read right and one more read wrong, which
    keeps the interval honest for few signals and for shares near 0 and 1.

    Parameters
    ----------
    first, second : float
        Shares read right, 0 … 1.
    n_first, n_second : int

    Examples
    --------
    >>> unpaired_shares(0.961, 10_000, 0.955, 10_000).text
    '+0.60 ± 0.56'
    """
    variance = 0.0
    for name, share, n in (("first", first, n_first), ("second", second, n_second)):
        check_share(name, share), check_count(f"n_{name}", n)
        p = (share * n + 1) / (n + 2)
        variance += p * (1 - p) / (n + 2)
    return _from_error(first - second, variance**0.5)


def paired_shares(first: float, second: float, n: int, both_wrong: int = 0) -> Difference:
    """The difference of two shares of the same n signals: only signals that one reads right tell them apart.

    The variance is Bonett and Price's: as if there were one more signal that only the first reads right, and one that
    only the second does.

    Parameters
    ----------
    first, second : float
        Shares read right, 0 … 1.
    n : int
    both_wrong : int, default=0
        How many signals both are known to read wrong. If there are more of them, the interval is rather too wide.

    Examples
    --------
    >>> paired_shares(0.961, 0.955, 10_000, both_wrong=300).text, paired_shares(0.961, 0.955, 10_000).text
    ('+0.60 ± 0.30', '+0.60 ± 0.57')
    """
    n = check_count("n", n)
    wrong = [round(n * (1 - check_share(name, share))) for name, share in (("first", first), ("second", second))]
    if not 0 <= both_wrong <= min(wrong):
        raise ParameterError(f"both_wrong must lie in 0 … {min(wrong)}, got {both_wrong}")
    both = max(both_wrong, sum(wrong) - n)  # more mistakes than signals must share some
    ours, theirs = ((count - both + 1) / (n + 2) for count in wrong)  # read wrong by one only
    return _from_error(first - second, ((ours + theirs - (ours - theirs) ** 2) / (n + 2)) ** 0.5)


def _from_error(mean: float, error: float) -> Difference:
    return Difference(mean, Z * error, float(2 * ndtr(-abs(mean) / error)), 1)
