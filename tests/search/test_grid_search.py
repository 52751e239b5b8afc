"""Searches over the weights and sweeps over other parameters, on scikit-learn's small digits."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dasksvd import DASKSVD, ParameterError, Settings, encode
from dasksvd.datasets.parts import describe_labels, learning_part, scoring_parts
from dasksvd.errors import Cancelled, DamagedFile, StoreError
from dasksvd.networks.fixed_epochs import QuickClassifier
from dasksvd.networks.mlp import SCGClassifier
from dasksvd.parameters import n_nonzero
from dasksvd.runs.archive import export_zip, import_zip
from dasksvd.runs.folder import Run, create_run
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import Limits, deletable
from dasksvd.runs.reference import ReferenceRun
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute, describe
from dasksvd.search import grid_search
from dasksvd.search.grid_search import (
    Choices,
    Engine,
    best_regions,
    expected_seconds,
    search,
    sweep_key,
    sweep_scores,
    weight_rows,
    weight_scores,
    weight_tasks,
)
from dasksvd.search.job import Search, compute_search, resume_search, submit_search
from dasksvd.search.lattice import Point, coarse, fine
from dasksvd.search.plans import SweepPlan, WeightsPlan, plan_as_dict, plan_from_dict

TINY = Settings(t=30, I=4, ksvd_iter=3)
PLAN = WeightsPlan(step=3, sizes=(2, 4), zoomed=(4,), seeds=2)
HERE = Engine(n_jobs=1)


def copy_of(run, folder):
    """The same run in another folder, without any search."""
    copied = create_run(folder, run.description)
    for iteration, record in enumerate(run.trajectory.records):
        copied.save_record(iteration, record)
    return copied


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    run = create_run(tmp_path_factory.mktemp("learned") / "run", describe(TINY, "digits"))
    compute(run)
    return run


@pytest.fixture
def run(learned, tmp_path):
    return copy_of(learned, tmp_path / "run")


@pytest.fixture(scope="module")
def searched(learned, tmp_path_factory):
    run = copy_of(learned, tmp_path_factory.mktemp("searched") / "run")
    search(run, PLAN, HERE)
    return run


def accuracies(run):
    """The scores without the times, which differ from machine to machine."""
    return {key: entry.accuracies for key, entry in weight_scores(run).entries.items()}


def score_by_hand(atoms, q, seed):
    parts = scoring_parts(describe(TINY, "digits"))
    train, scored = (encode(part, atoms, n_nonzero(q, len(atoms))) for part in (parts.train, parts.scored))
    network = QuickClassifier(hidden=len(atoms), random_state=seed).fit(train, parts.train_labels)
    return np.mean(network.predict(scored) == parts.scored_labels)


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
    tasks = weight_tasks(choices, weight_scores(run), points, [1], replace(PLAN, sizes=(1,), zoomed=()))
    distinct = {run.trajectory.reselect(point.alpha, point.beta, 1).atoms.tobytes() for point in points}
    assert len(tasks) == len(distinct) < len(points)
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


def test_two_processes_give_the_scores_of_one(searched, run):
    search(run, PLAN, Engine(n_jobs=2))
    assert accuracies(run) == accuracies(searched)


def test_a_second_search_computes_only_what_is_new(run, monkeypatch):
    computed = []
    whole = grid_search._score_dictionary

    def counted(key, atoms, classifier, seeds, *rest):
        computed.append((key, tuple(seeds)))
        return whole(key, atoms, classifier, seeds, *rest)

    monkeypatch.setattr(grid_search, "_score_dictionary", counted)
    plan = replace(PLAN, sizes=(2,), zoomed=(), seeds=1)
    search(run, plan, HERE)
    first = list(computed)
    search(run, plan, HERE)
    assert computed == first
    search(run, replace(plan, seeds=3), HERE)
    assert computed[len(first) :] == [(key, (1, 2)) for key, _ in first]


def test_the_papers_network_is_one_task_per_seed(run, monkeypatch):
    monkeypatch.setitem(grid_search.CLASSIFIERS, "scg", lambda **options: SCGClassifier(max_epochs=3, **options))
    plan = replace(PLAN, step=1, sizes=(2,), zoomed=(), classifier="scg")
    tasks = weight_tasks(Choices(run.trajectory), weight_scores(run), coarse(1), [2], plan)
    assert [seeds for *_, seeds in tasks] == [(0,), (1,)] * 3
    search(run, plan, HERE)
    rows = weight_rows(Choices(run.trajectory), weight_scores(run), coarse(1), [2], "scg")
    assert all(row.summary.rounds == 2 for row in rows)
    assert weight_rows(Choices(run.trajectory), weight_scores(run), coarse(1), [2], "modern")[0].summary is None


def test_progress_grows_to_the_end_and_tells_the_time_left(run):
    seen = []
    search(run, PLAN, HERE, seen.append)
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)
    assert seen[-1].done == seen[-1].total
    assert seen[-1].seconds_left == pytest.approx(0, abs=1e-6)
    assert all(progress.seconds_left >= -1e-6 for progress in seen)
    assert seen[0].done == 0
    again = []
    search(run, PLAN, HERE, again.append)
    assert again[-1].done == again[-1].total == seen[-1].total


def test_cancelled_and_resumed_ends_like_undisturbed(run, searched):
    job = Search(run)
    job.set_plan(PLAN)

    def cancel_after_three(progress):
        if progress.done >= 6:
            job.job.cancel_request.touch()

    with pytest.raises(Cancelled):
        compute_search(job, HERE, cancel_after_three)
    assert job.status.state == "cancelled"
    assert 0 < len(accuracies(run)) < len(accuracies(searched))
    compute_search(job, HERE)
    assert (job.status.state, job.status.iteration) == ("finished", job.status.total)
    assert accuracies(run) == accuracies(searched)
    assert run.status.state == "cancelled"  # the run's own status was never touched


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL exists on POSIX only")
def test_killed_it_goes_on_point_by_point(run, searched):
    command = [sys.executable, "-m", "dasksvd", "grid", str(run.folder), "--step", "3", "--sizes", "2", "4"]
    command += ["--seeds", "2", "--jobs", "1"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
    started = time.monotonic()
    while not (run.folder / "grid.json").exists() or len(accuracies(run)) < 4:
        assert time.monotonic() - started < 60
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = json.loads((run.folder / "grid.json").read_text())["scores"]
    assert 4 <= len(kept) < len(accuracies(searched))
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert accuracies(run) == accuracies(searched)
    after = json.loads((run.folder / "grid.json").read_text())["scores"]
    assert {key: after[key] for key in kept} == kept  # not even their times: nothing was computed twice


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


def test_values_of_I_share_one_trajectory(run, monkeypatch):
    followed = []
    monkeypatch.setattr(
        grid_search, "follow", lambda *args, **kw: followed.append(args[2].I) or iter(run.trajectory.records)
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
    monkeypatch.setattr(grid_search, "_score_trajectory", None)
    search(run, plan, HERE)


def test_own_data_travel_with_the_tasks(tmp_path, rng):
    centres = rng.random((3, 16))
    labels = np.arange(90) % 3
    signals = np.float32(centres[labels] + 0.05 * rng.standard_normal((90, 16)))
    description = describe_labels(Settings(t=20, I=2, ksvd_iter=2), "own", ["a", "b", "c"], labels, 16)
    run = create_run(tmp_path / "own", description, signals, labels)
    compute(run)
    search(run, WeightsPlan(step=2, sizes=(1, 2), zoomed=(), seeds=1), HERE)
    assert all(0 <= share <= 1 for scores in accuracies(run).values() for share in scores.values())


def test_estimates_shrink_to_nothing(run):
    before = expected_seconds(run, PLAN, HERE)
    assert before > 0
    assert expected_seconds(run, replace(PLAN, seeds=4), HERE) > before
    assert expected_seconds(run, PLAN, Engine(n_jobs=2)) == pytest.approx(before / 2)
    search(run, PLAN, HERE)
    assert expected_seconds(run, PLAN, HERE) == 0
    sweep = SweepPlan({"q": (0.1, 0.2)})
    assert expected_seconds(run, sweep, HERE) > 0
    search(run, sweep, HERE)
    assert expected_seconds(run, sweep, HERE) == 0


@pytest.mark.parametrize("plan", [PLAN, SweepPlan({"q": (0.1, 0.2), "I": (2,)}, 0.25, 0.5, "scg", 2)])
def test_plans_survive_json(plan):
    assert plan_from_dict(json.loads(json.dumps(plan_as_dict(plan)))) == plan


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: WeightsPlan(step=0), "step must be a whole number of at least 1, got 0"),
        (lambda: WeightsPlan(step=1001), "step must be at most 1000, got 1001"),
        (lambda: WeightsPlan(sizes=(5,), zoomed=(20,)), "hold all zoomed ones"),
        (lambda: WeightsPlan(classifier="svm"), "classifier must be one of modern, scg, got 'svm'"),
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


def test_more_iterations_than_the_run_has_are_refused(run):
    with pytest.raises(ParameterError, match="the run has 4 iterations, too few for 5 per class"):
        search(run, WeightsPlan(sizes=(5,), zoomed=()), HERE)


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"scores": []}',
        '{"scores": {"a": {}}}',
        '{"scores": {"a": {"accuracies": {"0": 1.5}, "seconds": 1, "problem": ""}}}',
    ],
)
def test_damaged_scores_are_noticed_and_put_aside_by_the_next_search(run, content):
    (run.folder / "grid.json").write_text(content)
    with pytest.raises(DamagedFile):
        weight_scores(run)
    search(run, replace(PLAN, step=1, sizes=(2,), zoomed=(), seeds=1), HERE)
    assert (run.folder / "grid.damaged").read_text() == content
    assert len(accuracies(run)) == 3


def test_scores_travel_with_an_exported_run(searched, store):
    store.root.mkdir(parents=True)
    path = store.root.parent / "run.zip"
    path.write_bytes(export_zip(searched))
    with path.open("rb") as file:
        copied = import_zip(store, file)
    assert accuracies(copied) == accuracies(searched)
    (searched.folder / "sweep.json").write_text('{"scores": 1}')
    path.write_bytes(export_zip(searched))
    (searched.folder / "sweep.json").unlink()
    with path.open("rb") as file, pytest.raises(StoreError, match=r"sweep\.json does not hold scores"):
        import_zip(store, file)


@pytest.fixture
def jobs(store, learned):
    made = Jobs(store, places=1)
    copied = copy_of(learned, store.root / "one")
    copied.set_about(created=1.0)
    yield made
    job = Search(copied)
    made.cancel(job)
    for child in made._children:
        child.wait(timeout=20)


def finish(jobs, job, *states):
    started = time.monotonic()
    while (found := jobs.job(job)).state not in states:
        assert time.monotonic() - started < 90, found
        jobs.start_waiting()
        time.sleep(0.05)
    return found


LONG = WeightsPlan(step=60, sizes=(2, 4), zoomed=(), seeds=5)


def test_a_search_is_a_job_of_the_queue(jobs, searched):
    run = jobs.store.run("one")
    job = submit_search(jobs, run, PLAN)
    assert finish(jobs, job, "finished").share == 1.0
    assert accuracies(run) == accuracies(searched)
    assert b"100%" in job.job.log.read_bytes()


def test_a_search_at_work_is_watched_cancelled_and_resumed(jobs):
    run = jobs.store.run("one")
    job = submit_search(jobs, run, LONG)
    with pytest.raises(StoreError, match="a search on one is already waiting or running"):
        submit_search(jobs, run, LONG)
    started = time.monotonic()
    while jobs.job(job).share == 0:
        assert time.monotonic() - started < 60
        time.sleep(0.05)
    found = jobs.job(job)
    assert found.state == "running"
    assert found.seconds_left > 0
    with pytest.raises(StoreError, match="one is running; cancel it first"):
        jobs.delete(run)
    assert run.id not in [found.id for found in deletable(jobs.store)]
    another_server = Jobs(Store(jobs.store.root), places=1)
    another_server.cancel(Search(another_server.store.run("one")))
    finish(another_server, job, "cancelled")
    done = len(accuracies(run))
    assert done > 0
    resume_search(jobs, job)
    assert jobs.job(job).state == "running"
    jobs.cancel(job)
    finish(jobs, job, "cancelled")
    assert len(accuracies(run)) >= done


def test_a_search_waits_for_its_turn(jobs):
    run = jobs.store.run("one")
    jobs.places = 0
    job = submit_search(jobs, run, PLAN)
    found = jobs.job(job)
    assert (found.state, found.position) == ("queued", 1)
    jobs.cancel(job)
    assert jobs.job(job).state == "cancelled"


def test_searches_that_are_too_large_are_refused(jobs):
    run = jobs.store.run("one")
    jobs.limits = Limits(max_search_seconds=0.001)
    with pytest.raises(ParameterError, match="this search would take about"):
        submit_search(jobs, run, LONG)
    jobs.limits = Limits(max_run_seconds=0.1)
    with pytest.raises(ParameterError, match="this run would take about"):
        submit_search(jobs, run, SweepPlan({"q": (0.1,)}))


def test_the_shipped_run_can_be_searched_too(store):
    reference = ReferenceRun(store.root)
    assert reference.description.settings == reference.trajectory.settings
    job = Search(reference)
    assert not job.has_plan()
    job.set_plan(PLAN)
    assert job.has_plan()
    assert list(store) == []  # its folder is hidden
    assert Run(Path(job.job.folder)).status.state == "new"
