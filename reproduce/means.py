"""What the rounds of a study say: means with intervals, and differences over the rounds that two things share."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from dasksvd.statistics import Difference, paired, plus_minus

#: The verdict of a difference that has no interval.
ONE_ROUND = Difference(0.0, None, None, 1).verdict
Key = TypeVar("Key", bound=Hashable)
#: Round -> value.
Rounds = Mapping[int, float]


@dataclass(frozen=True)
class Mean:
    """A mean over rounds.

    Attributes
    ----------
    value : float
    half : float or None
        Half the width of Student's 95 % interval; None for one round.
    rounds : mapping of int to float
    """

    value: float
    half: float | None
    rounds: Rounds

    @property
    def low(self) -> float:
        """Lower end of the interval, or the mean itself."""
        return self.value - (self.half or 0)

    @property
    def high(self) -> float:
        """Upper end of the interval, or the mean itself."""
        return self.value + (self.half or 0)

    @property
    def text(self) -> str:
        """In percent, as in ``96.65 ± 0.12``."""
        return plus_minus(100 * self.value, None if self.half is None else 100 * self.half)


def mean(rounds: Rounds) -> Mean:
    """The mean of some rounds' values; its interval is that of the difference to zero."""
    values = list(rounds.values())
    found = paired(values, [0.0] * len(values))
    return Mean(found.mean, None if found.half_width is None else float(found.half_width), dict(rounds))


def mean_of(results: Iterable[Mapping[str, Any]], field: str) -> Mean | None:
    """The mean of one field of some rounds' results; None if none has it."""
    found = {result["round"]: result[field] for result in results if result.get(field) is not None}
    return mean(found) if found else None


def difference(first: Rounds, second: Rounds) -> Difference | None:
    """First minus second, paired over the rounds that both have; None if there is none."""
    common = sorted(set(first) & set(second))
    return paired([first[one] for one in common], [second[one] for one in common]) if common else None


def grouped(results: Iterable[dict[str, Any]], key: Callable[[dict[str, Any]], Key]) -> dict[Key, list[dict[str, Any]]]:
    """Results by what they have in common, each group in the order of its rounds."""
    groups: dict[Key, list[dict[str, Any]]] = defaultdict(list)
    for result in sorted(results, key=lambda result: result["round"]):
        groups[key(result)].append(result)
    return dict(groups)


def place_of(name: str, order: Sequence[str]) -> int:
    """The place of a name in an order; what is not in it comes last."""
    return order.index(name) if name in order else len(order)
