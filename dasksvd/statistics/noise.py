"""How far do equal things differ?  The noise between networks, and what it hides."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv, stdtr, stdtrit

from dasksvd.parameters import check_count
from dasksvd.statistics.corrections import Corrected, Key, corrected
from dasksvd.statistics.differences import Difference
from dasksvd.statistics.summaries import Summary


@dataclass(frozen=True)
class Noise:
    """How far networks differ that differ in nothing but their random start.

    Attributes
    ----------
    sd : float
        Standard deviation between the networks of one dictionary, pooled over several dictionaries.
    freedom : float
        Degrees of freedom of that estimate.
    """

    sd: float
    freedom: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the standard deviation itself."""
        low, high = (float(2 * gammaincinv(self.freedom / 2, level)) for level in (0.975, 0.025))
        return self.sd * (self.freedom / low) ** 0.5, self.sd * (self.freedom / high) ** 0.5

    def half_width(self, rounds: int) -> float:
        """Half the width of the 95 % interval of a mean over so many networks."""
        return self._interval(1 / check_count("rounds", rounds))

    def floor(self, rounds: int) -> float:
        """The gap that two means over so many networks must have to be told apart."""
        return self._interval(2 / check_count("rounds", rounds))

    def difference(self, first: Summary, second: Summary) -> Difference:
        """How much better the first is, with Student's 95 % interval from the pooled standard deviation.

        Unlike :func:`paired`, which has only the rounds of these two, it also learns from others how much
        networks differ, so a few networks of each are enough.
        """
        mean, share = first.mean - second.mean, 1 / first.rounds + 1 / second.rounds
        error = self.sd * float(np.sqrt(share))
        p = float(2 * stdtr(self.freedom, -abs(mean) / error)) if error > 0 else float(mean == 0)
        return Difference(mean, self._interval(share), p, min(first.rounds, second.rounds))

    def leads(self, first: Summary, others: Mapping[Key, Summary]) -> dict[Key, Corrected]:
        """How much better the first is than each of the others, the verdicts corrected for their number."""
        return corrected({key: self.difference(first, other) for key, other in others.items()})

    def _interval(self, share: float) -> float:
        return float(stdtrit(self.freedom, 0.975)) * self.sd * float(np.sqrt(share))


def pooled_noise(summaries: Iterable[Summary]) -> Noise | None:
    """The noise between networks from several dictionaries' scores; None if none has two networks.

    Examples
    --------
    >>> from dasksvd.statistics import summarise
    >>> noise = pooled_noise([summarise([0.950, 0.952]), summarise([0.960, 0.962])])
    >>> f"{noise.sd:.4f}", noise.freedom
    ('0.0014', 2)
    """
    squares, freedom = 0.0, 0
    for summary in summaries:
        if summary.sd is not None:
            squares += (summary.rounds - 1) * summary.sd**2
            freedom += summary.rounds - 1
    return Noise(float(np.sqrt(squares / freedom)), freedom) if freedom else None
