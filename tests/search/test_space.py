"""Points of a design: possible ones, no two alike, and more of them begin with the same ones."""

import numpy as np
import pytest

from dasksvd.datasets.parts import describe
from dasksvd.errors import ParameterError
from dasksvd.parameters import TABLE, Settings
from dasksvd.search.plans import plan_as_dict, plan_from_dict, plan_id, plan_title
from dasksvd.search.space import CHOSEN, LEARNED, SCORING, Span, axis_text, check_axis, design_points, parse_axis
from dasksvd.search.study_plan import StudyPlan

WHAT = describe(Settings(t=30, I=4, ksvd_iter=3), "digits")
AXES = {"q": Span(0.05, 0.5), "I": Span(1, 4), "alpha": (0.0, 0.5, 1.0)}


def anything(point):
    return True


def test_a_grid_has_every_combination_once():
    found = design_points("grid", {"q": (0.1, 0.2, 0.1), "I": (1, 2)}, 0, 0, anything)
    assert sorted(found) == [(0.1, 1), (0.1, 2), (0.2, 1), (0.2, 2)]


@pytest.mark.parametrize("design", ["random", "sobol"])
def test_more_points_begin_with_the_same_ones(design):
    few, many = (design_points(design, AXES, count, 3, anything) for count in (5, 40))
    assert many[:5] == few
    assert len(set(many)) == 40
    assert design_points(design, AXES, 40, 4, anything) != many
    for q, I, alpha in many:
        assert 0.05 <= q <= 0.5
        assert I in (1, 2, 3, 4)
        assert alpha in (0.0, 0.5, 1.0)


def test_sobol_points_fill_each_quarter_of_a_range_equally():
    """Oracle: the first 2^m points of a Sobol sequence fall one into each of 2^m equal parts of every axis."""
    points = np.array(design_points("sobol", {"tau1": Span(0.0, 1.0), "tau2": Span(0.0, 0.9)}, 32, 0, anything))
    for column, width in ((0, 1.0), (1, 0.9)):
        counts, _ = np.histogram(points[:, column], bins=4, range=(0, width))
        assert counts.tolist() == [8, 8, 8, 8]


def test_points_that_cannot_be_are_left_out():
    plan = StudyPlan({"alpha": (0.0, 0.6), "beta": (0.0, 0.6)})
    assert plan.designed(WHAT) == [(0.0, 0.0), (0.0, 0.6), (0.6, 0.0)]
    ranged = StudyPlan({"alpha": Span(0.0, 1.0), "beta": Span(0.0, 1.0)}, design="sobol", points=20)
    assert len(ranged.designed(WHAT)) == 20
    assert all(alpha + beta <= 1 for alpha, beta in ranged.designed(WHAT))
    with pytest.raises(ParameterError, match="none of these points can be: t must be at most"):
        StudyPlan({"t": (5000,)}).designed(WHAT)


@pytest.mark.parametrize(
    "text", ["q=0.1,0.2,7", "t=50..200", "tau2=0.0..0.4", "ranking=combined,worst", "network=fixed,scg", "code_q=0.1,5"]
)
def test_an_axis_is_written_as_it_is_read(text):
    name, axis = parse_axis(text)
    assert parse_axis(axis_text(name, axis)) == (name, axis)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seed=1,2", "a study varies"),
        ("q=", "1 to 30 values"),
        ("q=a", "not a number"),
        ("t=200..50", "a higher end"),
        ("t=0..50", "t must be"),
        ("tau2=0.1,1.5", "tau2 must be"),
        ("network=best", "unknown network"),
        ("ranking=a..b", "unknown ranking"),
    ],
)
def test_an_impossible_axis_is_refused_with_its_reason(text, words):
    with pytest.raises(ParameterError, match=words):
        parse_axis(text)


def test_a_grid_needs_lists():
    with pytest.raises(ParameterError, match="a grid needs a list of values of q"):
        StudyPlan({"q": Span(0.1, 0.2)}).designed(WHAT)


@pytest.mark.parametrize(
    "plan",
    [
        StudyPlan({"q": (0.1, 7)}),
        StudyPlan(AXES, "sobol", 9, 2, "modern", "soft", 0.2, {"t": 40}, 2.5, 7),
    ],
)
def test_a_plan_is_read_back_from_plain_values(plan):
    assert plan_from_dict(plan_as_dict(plan)) == plan
    assert plan_id(plan) == plan_id(plan_from_dict(plan_as_dict(plan)))
    assert plan_title(plan).startswith("Study of q")


@pytest.mark.parametrize(
    "values",
    [
        {"axes": {}},
        {"axes": {"q": 3}},
        {"axes": {"q": {"low": 1}}},
        {"axes": {"q": [0.1]}, "design": "clever"},
        {"axes": {"q": [0.1]}, "points": 10**9},
        {"axes": {"q": [0.1]}, "seeds": 0},
        {"axes": {"q": [0.1]}, "minutes": float("nan")},
        {"axes": {"q": [0.1]}, "fixed": {"q": 0.2}},
        {"axes": {"q": [0.1]}, "fixed": {"seed": 2}},
        {"axes": {"q": [0.1]}, "network": "../x"},
    ],
)
def test_odd_plans_are_refused(values):
    with pytest.raises(ParameterError):
        plan_from_dict({"kind": "study"} | values)


def test_every_parameter_of_a_study_is_known_to_the_table_or_scores():
    assert {*LEARNED, *CHOSEN} <= set(TABLE)
    assert not set(SCORING) & set(TABLE)
    assert check_axis("I", [3, 2, 3]) == (3, 2)
