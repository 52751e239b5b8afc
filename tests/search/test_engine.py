"""How a search is computed: in parallel, once, stopped and resumed, and how long it takes."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from dasksvd import Settings
from dasksvd.datasets.parts import describe_labels
from dasksvd.errors import Cancelled, DamagedFile, StoreError
from dasksvd.runs.archive import export_zip, import_zip
from dasksvd.runs.folder import create_run
from dasksvd.runs.worker import compute
from dasksvd.search import tasks
from dasksvd.search.engine import Engine, expected_seconds, search
from dasksvd.search.job import Search, compute_search
from dasksvd.search.plans import SweepPlan, WeightsPlan
from dasksvd.search.weights import weight_scores
from tests.search.small import HERE, PLAN, accuracies


def test_two_processes_give_the_scores_of_one(searched, run):
    search(run, PLAN, Engine(n_jobs=2))
    assert accuracies(run) == accuracies(searched)


def test_a_second_search_computes_only_what_is_new(run, monkeypatch):
    computed = []
    whole = tasks.score_dictionary

    def counted(key, atoms, classifier, seeds, *rest):
        computed.append((key, tuple(seeds)))
        return whole(key, atoms, classifier, seeds, *rest)

    monkeypatch.setattr(tasks, "score_dictionary", counted)
    plan = replace(PLAN, sizes=(2,), zoomed=(), seeds=1)
    search(run, plan, HERE)
    first = list(computed)
    search(run, plan, HERE)
    assert computed == first
    search(run, replace(plan, seeds=3), HERE)
    assert computed[len(first) :] == [(key, (1, 2)) for key, _ in first]


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
