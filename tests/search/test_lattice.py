"""Points of the weight triangle, in whole numbers."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dasksvd import ParameterError
from dasksvd.parameters import check_weights
from dasksvd.search.lattice import PAPERS_REGIONS, PAPERS_STAGE_2, Point, coarse, fine, nearest, papers_regions, regions


@given(n=st.integers(1, 30))
def test_stage_1_is_the_whole_triangle_once(n):
    points = coarse(n)
    assert len(points) == len(set(points)) == (n + 1) * (n + 2) // 2
    assert {Point(0, 0, n), Point(n, 0, n), Point(0, n, n)} <= set(points)
    for point in points:  # 1/3 + 2/3 and its like must not fall out by rounding
        assert check_weights(point.alpha, point.beta) == (point.alpha, point.beta)


def test_counts_of_the_paper():
    assert len(coarse(6)) == 28
    assert [len(coarse(n)) for n in (4, 14)] == [15, 120]
    assert [len(fine(centre)) for centre in PAPERS_REGIONS] == [6, 13]
    assert {(point.i, point.j) for centre in PAPERS_REGIONS for point in fine(centre)} == set(PAPERS_STAGE_2)


@given(n=st.integers(1, 12), m=st.integers(1, 25), data=st.data())
def test_stage_2_vs_exact_fractions(n, m, data):
    """Oracle: the paper's inequality (α − α*)² + (β − β*)² ≤ (2Δ2)² in exact fractions."""
    centre = data.draw(st.sampled_from(coarse(n)))
    middle = nearest(centre, m)
    alpha, beta = Fraction(middle.i, m), Fraction(middle.j, m)
    expected = {
        (i, j)
        for i in range(m + 1)
        for j in range(m + 1 - i)
        if (Fraction(i, m) - alpha) ** 2 + (Fraction(j, m) - beta) ** 2 <= Fraction(2, m) ** 2
    }
    points = fine(centre, m)
    assert {(point.i, point.j) for point in points} == expected
    assert len(points) == len(expected)


def test_stage_2_is_cut_at_the_sides():
    sizes = {corner: len(fine(Point(*corner, 6))) for corner in [(0, 0), (6, 0), (0, 6), (3, 0), (3, 3), (2, 2)]}
    assert sizes == {(0, 0): 6, (6, 0): 4, (0, 6): 4, (3, 0): 9, (3, 3): 8, (2, 2): 13}


@given(n=st.integers(1, 30), m=st.integers(1, 200), data=st.data())
def test_the_nearest_point_is_inside_and_at_most_a_step_away(n, m, data):
    point = data.draw(st.sampled_from(coarse(n)))
    found = nearest(point, m)
    assert found.n == m
    assert abs(Fraction(found.i, m) - Fraction(point.i, n)) <= Fraction(1, 2 * m)
    assert abs(Fraction(found.j, m) - Fraction(point.j, n)) <= Fraction(1, m)


def test_the_two_best_regions_do_not_touch():
    scores = dict.fromkeys(coarse(6), 0.5)
    scores |= {Point(2, 2, 6): 0.9, Point(3, 2, 6): 0.89, Point(1, 3, 6): 0.88, Point(5, 0, 6): 0.7}
    assert regions(scores) == [Point(2, 2, 6), Point(5, 0, 6)]


def test_equally_good_points_give_the_smallest_weights():
    assert regions(dict.fromkeys(coarse(6), 0.5)) == [Point(0, 0, 6), Point(0, 2, 6)]
    assert regions(dict.fromkeys(coarse(1), 0.5)) == [Point(0, 0, 1)]
    assert regions({}) == []


@pytest.mark.parametrize("place", [(-1, 0), (0, 7), (4, 3)])
def test_points_outside_of_the_triangle_are_refused(place):
    with pytest.raises(ParameterError, match="outside the triangle"):
        Point(*place, 6)


@pytest.mark.parametrize(
    ("size", "centres"),
    [
        (5, ["(0.33, 0.17)", "(0.83, 0.00)"]),
        (10, ["(0.00, 0.00)", "(0.33, 0.17)"]),
        (20, ["(0.00, 0.00)", "(0.33, 0.17)"]),
    ],
)
def test_the_papers_regions_depend_on_the_size(size, centres):
    assert [str(centre) for centre in papers_regions(size)] == centres
