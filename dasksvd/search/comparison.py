"""Which points of a search are better than others by more than the noise between networks?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from dasksvd.search.lattice import Point, nearest, papers_regions
from dasksvd.search.weights import Row
from dasksvd.statistics import Difference, Noise, Summary, pooled_noise


@dataclass(frozen=True)
class Comparison:
    """The best point of a search at one size, against the paper's and against all others.

    Attributes
    ----------
    best, paper : Row
        The best point, and the one nearest to the paper's best.
    noise : Noise or None
        Between the networks of one dictionary; None if no dictionary has two.
    alike : frozenset of Point
        The points that cannot be told from the best, without the best itself: its lead is not clear as one of its
        leads over all dictionaries (Holm's correction), or they choose the very same atoms.
    gap : Difference
        How much better the best point is than the paper's, as one of these leads; without an interval if there is
        no noise.
    """

    best: Row
    paper: Row
    noise: Noise | None
    alike: frozenset[Point]
    gap: Difference


def network_noise(rows: Iterable[Row]) -> Noise | None:
    """The noise between networks; a dictionary that several points choose counts once."""
    return pooled_noise({row.key: row.summary for row in rows if row.summary}.values())


def compare(rows: Sequence[Row]) -> Comparison | None:
    """Compare the points of one size; None until all of them have scores.

    The best of many points looks better than it is, so its lead over one of them is rather too large: what
    cannot be told from it cannot be told from it on a second look either.
    """
    scored = [row for row in rows if row.summary]
    if not rows or len(scored) < len(rows):
        return None
    best = min(scored, key=lambda row: (-_score(row).mean, row.point))
    papers_best = nearest(papers_regions(best.size)[0], best.point.n)
    paper = next(row for row in scored if row.point == papers_best)
    noise = network_noise(scored)
    leads = _leads(best, scored, noise)
    alike = {row.point for row in scored if row.key == best.key or leads[row.key].verdict == "cannot be told apart"}
    return Comparison(best, paper, noise, frozenset(alike - {best.point}), leads[paper.key])


def _leads(best: Row, rows: Sequence[Row], noise: Noise | None) -> Mapping[str, Difference]:
    """How much better the best dictionary is than each, itself included; what several points choose counts once."""
    means = {row.key: _score(row) for row in rows}
    if noise is None:
        return {key: Difference(_score(best).mean - one.mean, None, None, 1) for key, one in means.items()}
    nothing = noise.difference(_score(best), means.pop(best.key))
    return {best.key: nothing, **noise.leads(_score(best), means)}


def _score(row: Row) -> Summary:
    return cast(Summary, row.summary)  # of rows that have one
