"""Plans of searches: kept in files, and checked."""

import json

import pytest

from dasksvd import ParameterError
from dasksvd.search.plans import SweepPlan, WeightsPlan, plan_as_dict, plan_from_dict
from tests.search.small import PLAN


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
