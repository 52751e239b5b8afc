"""When a claim holds: a rule over the intervals of differences.

A claim is tested at several places, such as widths of a network, and for each network. Every test is a difference
that is positive if the paper is right. It is *clear* if it is so among all tests of its network, by Holm's correction:
a claim of which nothing is true then looks clear somewhere in at most 5 of 100 cases, however many places there are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from dasksvd.statistics import Corrected, Difference, corrected, paired

#: Accuracies of the rounds by their number.
Scores = Mapping[int, float]
#: Ours and the other's in the rounds that both have.
Pairs = Mapping[int, tuple[float, float]]


class Verdict(StrEnum):
    """What the results say about a claim; :func:`verdict` has the rule."""

    HOLDS = "holds"
    PARTLY = "partly"
    DEPENDS = "depends"
    FAILS = "fails"
    NOT_SHOWN = "not shown"
    NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Evidence:
    """What the rounds of one network say about a claim.

    Attributes
    ----------
    by : str
        The network, or the runs, for people.
    tests : mapping of str to Difference
        Place -> a difference that is positive if the paper is right.
    whole : Difference
        Of the means over all places.
    """

    by: str
    tests: Mapping[str, Difference]
    whole: Difference

    @property
    def judged(self) -> dict[str, Corrected]:
        """The tests, each with its verdict among all of them."""
        return corrected(self.tests)

    def count(self, word: str) -> int:
        """How many tests have a verdict such as "better"."""
        return sum(test.verdict == word for test in self.judged.values())


def judge(differences: Iterable[Difference]) -> Verdict:
    """What the tests of one network say, corrected for their number.

    All clear and positive: holds. Some: partly. None: fails if one is clear and negative, otherwise not shown.
    """
    words = [difference.verdict for difference in corrected(dict(enumerate(differences))).values()]
    if "better" in words:
        return Verdict.HOLDS if set(words) == {"better"} else Verdict.PARTLY
    return Verdict.FAILS if "worse" in words else Verdict.NOT_SHOWN


def verdict(evidence: Sequence[Evidence]) -> Verdict:
    """What all networks say: the same, or it depends on the network.

    "Fails" and "not shown" together are "fails": nothing is for the claim, and something is against it.
    """
    found = {judge(one.tests.values()) for one in evidence}
    if not found:
        return Verdict.NOT_MEASURED
    if len(found) == 1:
        return found.pop()
    return Verdict.FAILS if found == {Verdict.FAILS, Verdict.NOT_SHOWN} else Verdict.DEPENDS


def weigh(by: str, tests: Mapping[str, Pairs]) -> list[Evidence]:
    """Evidence from pairs of accuracies; places without a common round are left out."""
    known = {place: pairs for place, pairs in tests.items() if pairs}
    if not known:
        return []
    rounds = sorted(set.intersection(*(set(pairs) for pairs in known.values())))
    found = {place: _paired(pairs.values()) for place, pairs in known.items()}
    if rounds:
        means = [[fmean(pairs[number][who] for pairs in known.values()) for who in (0, 1)] for number in rounds]
        whole = _paired(means)
    else:
        whole = Difference(fmean(one.mean for one in found.values()), None, None, 0)
    return [Evidence(by, found, whole)]


def _paired(pairs: Iterable[Sequence[float]]) -> Difference:
    ours, theirs = zip(*pairs, strict=True)
    return paired(ours, theirs)


def common(ours: Scores, theirs: Scores) -> Pairs:
    """The rounds that both have."""
    return {number: (ours[number], theirs[number]) for number in sorted(ours.keys() & theirs.keys())}
