"""Sweeps over other parameters, on scikit-learn's small digits."""

from dataclasses import replace

import numpy as np

from dasksvd import DASKSVD
from dasksvd.datasets.parts import learning_part
from dasksvd.runs.worker import describe
from dasksvd.search import tasks
from dasksvd.search.engine import search
from dasksvd.search.lattice import Point
from dasksvd.search.plans import SweepPlan
from dasksvd.search.sweep import sweep_key, sweep_scores
from dasksvd.search.weights import Choices
from tests.search.small import HERE, TINY, accuracies, score_by_hand


def test_a_sweeps_point_is_a_run_of_its_own(run):
    """Oracle: a trajectory computed and scored by hand."""
    plan = SweepPlan({"q": (0.1, 0.3), "tau2": (0.0, 0.2)}, alpha=0.5, seeds=1)
    search(run, plan, HERE)
    scores = sweep_scores(run).entries
    assert len(scores) == 4
    settings = replace(TINY, q=0.3, tau2=0.2, alpha=0.5)
    fresh = DASKSVD(q=0.3, t=30, tau2=0.2, I=4, ksvd_iter=3, alpha=0.5, random_state=0)
    atoms = fresh.fit(*learning_part(describe(TINY, "digits"))).components_
    assert scores[sweep_key(settings, plan)].accuracies[0] == score_by_hand(atoms, 0.3, seed=0)


def test_a_sweep_that_changes_nothing_gives_the_runs_own_score(searched, run):
    plan = SweepPlan({"I": (2, 4)}, seeds=2)
    search(run, plan, HERE)
    choices = Choices(searched.trajectory)
    for size in (2, 4):
        key = sweep_key(replace(TINY, I=size), plan)
        expected = accuracies(searched)[choices.key(Point(0, 0, 3), size, "modern")]
        assert sweep_scores(run).entries[key].accuracies == expected


def test_a_sweep_ranks_as_its_plan_says(run):
    """Oracle: DASKSVD fitted from nothing with that ranking."""
    plan = SweepPlan({"q": (0.3,)}, ranking="worst")
    search(run, plan, HERE)
    fresh = DASKSVD(q=0.3, t=30, I=4, ksvd_iter=3, random_state=0, ranking="worst")
    atoms = fresh.fit(*learning_part(describe(TINY, "digits"))).components_
    assert not np.array_equal(atoms, fresh.reselect(0, 0, ranking="combined").atoms)
    key = sweep_key(replace(TINY, q=0.3), plan)
    assert sweep_scores(run).entries[key].accuracies[0] == score_by_hand(atoms, 0.3, seed=0)


def test_values_of_I_share_one_trajectory(run, monkeypatch):
    followed = []
    monkeypatch.setattr(
        tasks, "iterate", lambda *args, **kw: followed.append(args[2].I) or iter(run.trajectory.records)
    )
    search(run, SweepPlan({"I": (1, 2, 4)}), HERE)
    assert followed == [4]
    assert len(sweep_scores(run).entries) == 3


def test_a_point_that_cannot_be_learned_says_why_and_is_not_tried_again(run, monkeypatch):
    plan = SweepPlan({"t": (5, 30)})
    seen = []
    search(run, plan, HERE, seen.append)
    entry = sweep_scores(run).entries[sweep_key(replace(TINY, t=5), plan)]
    assert "at least as many drawn signals as atoms" in entry.problem
    assert entry.accuracies == {}
    monkeypatch.setattr(tasks, "score_trajectory", None)
    search(run, plan, HERE)
