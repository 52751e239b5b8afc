"""Which points can be told from the best: the noise between networks decides."""

from dataclasses import replace

import numpy as np
from scipy import stats

from dasksvd.search.comparison import compare, network_noise
from dasksvd.search.lattice import Point, coarse, nearest, papers_regions
from dasksvd.search.weights import Row
from dasksvd.statistics import Summary, summarise


def rows_of(rng, means, networks=4, sd=0.001, size=20):
    """A row for each point of a lattice, its networks around a mean."""
    return [
        Row(point, size, summarise(np.clip(rng.normal(mean, sd, networks), 0, 1)), 0, 1, str(point))
        for point, mean in zip(coarse(2), means, strict=True)
    ]


def test_a_dictionary_that_several_points_choose_counts_once(rng):
    rows = rows_of(rng, [0.9] * 6)
    twin = replace(rows[0], point=Point(1, 1, 3))
    assert network_noise([*rows, twin]) == network_noise(rows)


def test_points_near_the_best_are_alike_and_far_ones_are_not(rng):
    rows = rows_of(rng, [0.95, 0.9, 0.9, 0.9, 0.9498, 0.92])
    found = compare(rows)
    assert found.best in (rows[0], rows[4])
    assert found.alike == {rows[0].point, rows[4].point} - {found.best.point}
    assert found.paper.point == nearest(papers_regions(20)[0], 2)


def test_what_chooses_the_same_atoms_is_alike_even_with_one_network(rng):
    rows = rows_of(rng, [0.95, 0.9, 0.9, 0.9, 0.9, 0.9], networks=1)
    rows[3] = replace(rows[0], point=rows[3].point)
    found = compare(rows)
    assert (found.best, found.noise, found.alike) == (rows[0], None, {rows[3].point})
    assert found.gap.half_width is None


def test_there_is_no_comparison_before_all_points_have_scores(rng):
    rows = rows_of(rng, [0.95] * 6)
    assert compare([*rows[:5], replace(rows[5], summary=None)]) is None
    assert compare([]) is None


def exact(means):
    """Rows of four networks each with a standard deviation of 0.1 points."""
    found = [
        Row(point, 20, Summary(mean, 0.001, mean, 4), 0, 1, str(point))
        for point, mean in zip(coarse(2), means, strict=True)
    ]
    return found, [2 * stats.t.sf((max(means) - mean) / (0.001 * np.sqrt(2 / 4)), 6 * 3) for mean in means]


def test_a_point_is_told_from_the_best_only_as_one_of_all_points():
    """Oracle: Student's test with the pooled deviation; Holm asks 0.05 / 5 of the smallest p-value, then 0.05 / 4 …"""
    rows, p = exact([0.95, 0.93, 0.9479, 0.9483, 0.9485, 0.9499])
    assert p[1] < 0.05 / 5
    assert p[2] < 0.05 / 4
    assert 0.05 / 3 < p[3] < p[4] < 0.05 < p[5]
    found = compare(rows)
    assert found.alike == {row.point for row in rows[3:]}
    assert found.paper is rows[0]
    assert found.gap.verdict == "cannot be told apart"


def test_the_gap_to_the_papers_point_is_one_of_the_leads():
    rows, p = exact([0.9484, 0.95, 0.9499, 0.9499, 0.9499, 0.9499])
    assert 0.05 / 5 < p[0] < 0.05
    found = compare(rows)
    assert found.paper is rows[0]
    assert (found.gap.text, found.gap.verdict) == ("+0.16 ± 0.15", "cannot be told apart")
    assert rows[0].point in found.alike


def test_points_that_choose_the_same_atoms_are_one_test():
    """Copies of a point must not make it harder to be told from the best."""
    rows, p = exact([0.95] + [0.9482] * 5)
    assert 0.05 / 5 < p[1] < 0.05 / 2
    assert len(compare(rows).alike) == 5
    copies = [*rows[:2], *(replace(rows[1], point=row.point) for row in rows[2:])]
    assert compare(copies).alike == frozenset()
