"""A search as a job of the queue."""

import shutil
import time
from pathlib import Path

import pytest

from dasksvd import ParameterError
from dasksvd.errors import StoreError
from dasksvd.runs.folder import Run
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import Limits, deletable
from dasksvd.runs.reference import ReferenceRun
from dasksvd.runs.store import Store
from dasksvd.search.job import Search, resume_search, submit_search
from dasksvd.search.plans import SweepPlan, WeightsPlan, plan_id
from reproduce.grid import PLAN as GRID_PLAN
from tests.search.small import PLAN, accuracies, copy_of


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


def test_a_run_keeps_the_plans_of_its_searches_under_their_ids(store, learned):
    search = Search(copy_of(learned, store.root / "one"))
    assert search.plans() == {}
    other = SweepPlan({"q": (0.1, 0.2)})
    for plan in (PLAN, other, PLAN):
        search.set_plan(plan)
    assert search.plans() == {plan_id(plan): plan for plan in (PLAN, other)}
    (search.job.folder / "plans" / f"{plan_id(other)}.json").write_text('{"kind": "dance"}')
    assert list(search.plans().values()) == [PLAN]


def test_the_shipped_run_has_the_plan_of_its_search(store):
    (plan,) = Search(ReferenceRun(store.root)).plans().values()
    assert plan == GRID_PLAN


def test_a_plan_from_before_there_was_a_list_is_listed(store, learned):
    search = Search(copy_of(learned, store.root / "one"))
    search.set_plan(PLAN)
    shutil.rmtree(search.job.folder / "plans")
    assert list(search.plans()) == [plan_id(PLAN)]
