"""Searches over the weights, on scikit-learn's small digits."""

from dataclasses import replace

import numpy as np
import pytest

from dasksvd import DASKSVD, ParameterError
from dasksvd.datasets.parts import learning_part
from dasksvd.encoders import ENCODERS, register
from dasksvd.networks import NETWORKS
from dasksvd.networks.scg_classifier import SCGClassifier
from dasksvd.rankings import RANKINGS, uses_weights
from dasksvd.runs.worker import describe
from dasksvd.search.engine import expected_seconds, search
from dasksvd.search.lattice import Point, coarse, fine
from dasksvd.search.plans import WeightsPlan
from dasksvd.search.weights import Choices, best_regions, weight_rows, weight_scores, weight_tasks
from tests.search.small import HERE, PLAN, TINY, accuracies, copy_of, score_by_hand


def test_every_point_is_scored_by_every_network(searched):
    choices, scores = Choices(searched.trajectory), weight_scores(searched)
    rows = weight_rows(choices, scores, coarse(3), PLAN.sizes, "modern")
    assert len(rows) == 10 * 2
    assert all(row.summary.rounds == 2 for row in rows)
    centres = best_regions(rows, 4)
    nearby = [point for centre in centres for point in fine(centre)]
    assert len(centres) == 2
    assert all(row.summary.rounds == 2 for row in weight_rows(choices, scores, nearby, [4], "modern"))


def test_atoms_and_score_are_those_of_a_fresh_run_with_these_weights(searched):
    """Oracle: DASKSVD fitted from nothing at the same seed, coded and scored by hand."""
    signals, labels = learning_part(describe(TINY, "digits"))
    choices = Choices(searched.trajectory)
    for point, size in [(Point(0, 0, 3), 4), (Point(1, 2, 3), 4), (Point(2, 0, 3), 2)]:
        fresh = DASKSVD(t=30, I=size, ksvd_iter=3, alpha=point.alpha, beta=point.beta, random_state=0)
        atoms = fresh.fit(signals, labels).components_
        np.testing.assert_array_equal(searched.trajectory.reselect(point.alpha, point.beta, size).atoms, atoms)
        assert accuracies(searched)[choices.key(point, size, "modern")][1] == score_by_hand(atoms, 0.2, seed=1)


def test_equal_selections_are_scored_once_and_shared(learned, tmp_path):
    run = copy_of(learned, tmp_path / "run")
    choices, points = Choices(run.trajectory), coarse(12)
    pending = weight_tasks(choices, weight_scores(run), points, [1], replace(PLAN, sizes=(1,), zoomed=()))
    distinct = {run.trajectory.reselect(point.alpha, point.beta, 1).atoms.tobytes() for point in points}
    assert len(pending) == len(distinct) < len(points)
    search(run, replace(PLAN, step=12, sizes=(1,), zoomed=(), seeds=1), HERE)
    assert len(accuracies(run)) == len(distinct)
    rows = weight_rows(choices, weight_scores(run), points, [1], "modern")
    assert all(row.summary is not None for row in rows)
    assert max(row.shared for row in rows) > 1


def test_distinct_atoms_are_counted_against_the_papers_weights(searched):
    choices = Choices(searched.trajectory)
    for row in weight_rows(choices, weight_scores(searched), coarse(3), [4], "modern"):
        chosen = searched.trajectory.reselect(row.point.alpha, row.point.beta).index
        assert row.changed == np.sum(chosen != searched.trajectory.reselect(0, 0).index)


def test_the_papers_network_is_one_task_per_seed(run, monkeypatch):
    short = replace(NETWORKS["scg"], load=lambda: lambda **options: SCGClassifier(max_epochs=3, **options))
    monkeypatch.setitem(NETWORKS._entries, "scg", short)
    plan = replace(PLAN, step=1, sizes=(2,), zoomed=(), classifier="scg")
    pending = weight_tasks(Choices(run.trajectory), weight_scores(run), coarse(1), [2], plan)
    assert [seeds for *_, seeds in pending] == [(0,), (1,)] * 3
    search(run, plan, HERE)
    rows = weight_rows(Choices(run.trajectory), weight_scores(run), coarse(1), [2], "scg")
    assert all(row.summary.rounds == 2 for row in rows)
    assert weight_rows(Choices(run.trajectory), weight_scores(run), coarse(1), [2], "modern")[0].summary is None


@pytest.mark.parametrize("ranking", list(RANKINGS))
def test_a_search_scores_the_atoms_of_its_ranking(ranking, run):
    """Oracle: atoms by reselecting, coded and scored by hand."""
    plan = replace(PLAN, step=1, sizes=(2,), zoomed=(), seeds=1, ranking=ranking)
    search(run, plan, HERE)
    choices = Choices(run.trajectory, ranking)
    assert len(accuracies(run)) == (3 if uses_weights(ranking) else 1)
    atoms = run.trajectory.reselect(1, 0, 2, ranking).atoms
    assert accuracies(run)[choices.key(Point(1, 0, 1), 2, "modern")][0] == score_by_hand(atoms, 0.2, seed=0)
    rows = weight_rows(choices, weight_scores(run), coarse(1), [2], plan.scored_by)
    assert all(row.summary is not None for row in rows)
    assert expected_seconds(run, plan, HERE) == 0


def test_a_search_codes_by_its_encoder(run):
    def products(signals, atoms, n_nonzero):
        return np.float32(signals @ atoms.T)

    register("products", title="Inner products")(products)
    try:
        plan = replace(PLAN, step=1, sizes=(2,), zoomed=(), seeds=1, encoder="products")
        search(run, plan, HERE)
        atoms = run.trajectory.reselect(1, 0, 2).atoms
        key = Choices(run.trajectory).key(Point(1, 0, 1), 2, plan.scored_by)
        assert accuracies(run)[key][0] == score_by_hand(atoms, 0.2, 0, products)
        search(run, replace(plan, encoder="omp"), HERE)
        other = Choices(run.trajectory).key(Point(1, 0, 1), 2, "modern")
        assert accuracies(run)[other][0] == score_by_hand(atoms, 0.2, 0)
    finally:
        ENCODERS.unregister("products")


def test_more_iterations_than_the_run_has_are_refused(run):
    with pytest.raises(ParameterError, match="the run has 4 iterations, too few for 5 per class"):
        search(run, WeightsPlan(sizes=(5,), zoomed=()), HERE)
