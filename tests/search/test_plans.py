"""Plans of searches: kept in files, and checked."""

import hashlib
import json
from dataclasses import replace

import pytest

from dasksvd import ParameterError
from dasksvd.encoders import ENCODERS, register
from dasksvd.search.lattice import Point
from dasksvd.search.plans import SweepPlan, WeightsPlan, plan_as_dict, plan_from_dict
from dasksvd.search.sweep import sweep_key
from dasksvd.search.weights import Choices
from tests.search.small import PLAN, TINY


@pytest.mark.parametrize("plan", [PLAN, SweepPlan({"q": (0.1, 0.2), "I": (2,)}, 0.25, 0.5, "scg", 2)])
def test_plans_survive_json(plan):
    assert plan_from_dict(json.loads(json.dumps(plan_as_dict(plan)))) == plan


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: WeightsPlan(step=0), "step must be a whole number of at least 1, got 0"),
        (lambda: WeightsPlan(step=1001), "step must be at most 1000, got 1001"),
        (lambda: WeightsPlan(sizes=(5,), zoomed=(20,)), "hold all zoomed ones"),
        (lambda: WeightsPlan(classifier="svm"), "unknown network of a search 'svm'; known are modern, scg"),
        (lambda: WeightsPlan(seeds=51), "seeds must be at most 50, got 51"),
        (lambda: SweepPlan({}), "one or two of q, t, tau1, tau2, I"),
        (lambda: SweepPlan({"r_f": (1,)}), "one or two of q, t, tau1, tau2, I"),
        (lambda: SweepPlan({"q": ()}), "at least one value"),
        (lambda: SweepPlan({"q": (0.1,)}, alpha=0.8, beta=0.4), "alpha \\+ beta must be at most 1"),
        (lambda: plan_from_dict({"kind": "other"}), "not the plan of a search"),
        (lambda: plan_from_dict({"kind": "weights", "path": "/"}), "not the plan of a search"),
    ],
)
def test_impossible_plans_are_named(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


@pytest.mark.parametrize("plan", [PLAN, SweepPlan({"q": (0.1, 0.2)}, 0.25, 0.5, "scg", 2)])
def test_the_papers_ranking_and_encoder_stand_in_no_plan_and_no_name_of_a_score(plan):
    """As in files written before there were others."""
    assert not {"ranking", "encoder"} & set(plan_as_dict(plan))
    assert plan.scored_by == plan.classifier
    other = replace(plan, ranking="mdcs")
    assert plan_as_dict(other)["ranking"] == "mdcs"
    assert plan_from_dict(json.loads(json.dumps(plan_as_dict(other)))) == other


def test_names_of_scores_are_those_of_old_files(learned):
    """Written down from a file made before there were rankings and encoders."""
    plan = SweepPlan({"q": (0.1,)}, 0.5, 0.25)
    assert sweep_key(TINY, plan) == "modern/0.5,0.25/q=0.2,t=30,tau1=0.5,tau2=0.1,I=4"
    assert sweep_key(TINY, replace(plan, ranking="mdcs")) == f"{sweep_key(TINY, plan)}/mdcs"
    index = learned.trajectory.reselect(0.5, 0.25, 2).index
    digest = hashlib.sha256(index.astype("<i4").tobytes()).hexdigest()[:16]
    assert Choices(learned.trajectory).key(Point(2, 1, 4), 2, PLAN.scored_by) == f"modern/2-{digest}"


def test_another_encoder_has_scores_of_its_own():
    register("toy", title="Toy")(lambda signals, atoms, n_nonzero: signals @ atoms.T)
    try:
        plan = SweepPlan({"q": (0.1,)}, encoder="toy")
        assert plan_as_dict(plan)["encoder"] == "toy"
        assert sweep_key(TINY, plan).startswith("modern+toy/0,0/q=")
        assert replace(PLAN, encoder="toy").scored_by == "modern+toy"
    finally:
        ENCODERS.unregister("toy")


@pytest.mark.parametrize(("name", "message"), [("ranking", "known are combined, mdcs"), ("encoder", "known are omp")])
def test_unknown_rankings_and_encoders_are_errors_that_list_the_known_ones(name, message):
    for make in (WeightsPlan, lambda **values: SweepPlan({"q": (0.1,)}, **values)):
        with pytest.raises(ParameterError, match=message):
            make(**{name: "other"})
