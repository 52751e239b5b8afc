"""Many differences at once: of twenty tests about one is clear by chance, unless their p-values are corrected."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dasksvd.statistics.differences import Difference

#: The share of tables without any true difference in which something is called clear.
LEVEL = 0.05
Key = TypeVar("Key", bound=Hashable)


def holm(differences: Sequence[Difference]) -> list[float | None]:
    """Holm's adjusted p-values: below 0.05 if a difference is clear among all of them.

    The smallest p-value counts as many times as there are tests, the next one time less, and so on; none may
    become smaller than one before it. However many of the differences are zero in truth, and however the tests
    depend on each other, the chance that even one of these is called clear is at most 5 %.

    Parameters
    ----------
    differences : sequence of Difference
        All tests of one table. One without a p-value, from a single round, is no test.

    Returns
    -------
    list of float or None
        In the same order; None where there is no p-value.

    Examples
    --------
    >>> found = [Difference(0.01, 0.008, p, 3) for p in (0.03, 0.01, 0.04)]
    >>> holm([*found, Difference(0.01, None, None, 1)])
    [0.06, 0.03, 0.06, None]
    """
    known = [(one.p, place) for place, one in enumerate(differences) if one.p is not None]
    adjusted: list[float | None] = [None] * len(differences)
    largest = 0.0
    for rank, (p, place) in enumerate(sorted(known)):
        largest = max(largest, min(1.0, (len(known) - rank) * p))
        adjusted[place] = largest
    return adjusted


@dataclass(frozen=True)
class Corrected(Difference):
    """One difference of a table: its interval is its own, its verdict is that of a test among many.

    Attributes
    ----------
    adjusted : float or None
        Holm's adjusted p-value.
    family : int
        Tests in the table.
    """

    adjusted: float | None = None
    family: int = 1

    @property
    def verdict(self) -> str:
        """What the table allows to say of the first method: better, worse, or nothing."""
        if self.adjusted is None:
            return "one round cannot tell"
        if self.adjusted >= LEVEL:
            return "cannot be told apart"
        return "better" if self.mean > 0 else "worse"

    @property
    def clear_alone(self) -> bool:
        """Whether its own interval leaves out zero, but so many tests make that a likely chance."""
        return self.p is not None and self.p < LEVEL and self.verdict == "cannot be told apart"


def corrected(table: Mapping[Key, Difference]) -> dict[Key, Corrected]:
    """All differences of a table, their verdicts corrected for their number by :func:`holm`.

    Examples
    --------
    >>> one = Difference(0.01, 0.008, 0.03, 3)
    >>> one.verdict, corrected({"a": one, "b": one})["a"].verdict
    ('better', 'cannot be told apart')
    """
    adjusted = holm(list(table.values()))
    family = sum(p is not None for p in adjusted)
    return {
        key: Corrected(one.mean, one.half_width, one.p, one.rounds, p, family)
        for (key, one), p in zip(table.items(), adjusted, strict=True)
    }
