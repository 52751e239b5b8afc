"""How long a new job waits, and how long one at work still needs."""

import os
from dataclasses import replace

import pytest

from dasksvd import cost
from dasksvd.datasets.parts import describe
from dasksvd.evaluate import Plan
from dasksvd.parameters import QUICK
from dasksvd.runs.evaluation import write_plan
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.processes import identity
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store
from dasksvd.search.waiting import expected_wait

PLAN = Plan("modern")


@pytest.fixture
def jobs(tmp_path, monkeypatch):
    monkeypatch.setattr(cost, "this_machine", lambda: cost.MEASURED_ON)
    return Jobs(Store(tmp_path / "store"), places=1)


def add(jobs, settings=QUICK, **status):
    run = jobs.store.create(describe(settings, "mnist"))
    write_plan(run, PLAN)
    run.set_status(Status(**status))
    return run


def quick_cost():
    return cost.run_cost(describe(QUICK, "mnist"), PLAN.classifier, speed=cost.MEASURED_ON)


def test_an_idle_queue_starts_at_once(jobs):
    assert expected_wait(jobs) == 0
    add(jobs, state="finished", iteration=QUICK.I)
    assert expected_wait(jobs) == 0


def test_what_is_at_work_and_what_waits_comes_first(jobs):
    """Oracle: the time model."""
    at_work = add(jobs, state="running", iteration=5, seconds=8.0, **identity(os.getpid()))
    add(jobs, queued_at=1.0)
    scoring = quick_cost().coding + quick_cost().network
    assert jobs.job(at_work).seconds_left == pytest.approx(8 + scoring)  # half of the iterations took 8 s
    assert expected_wait(jobs) == pytest.approx(8 + scoring + quick_cost().total)
    jobs.places = 2
    assert expected_wait(jobs) == pytest.approx(min(8 + scoring, quick_cost().total))


def test_a_slow_start_says_nothing_about_the_pace(jobs):
    """Oracle: the time model while nothing is measured, then the iterations' own ends."""
    expected, me = quick_cost(), identity(os.getpid())
    scoring = expected.coding + expected.network
    started = add(jobs, state="running", seconds=60.0, **me)
    assert jobs.job(started).seconds_left == pytest.approx(expected.atoms + scoring)
    first = add(jobs, state="running", iteration=1, seconds=61.0, ended=(61.0,), **me)
    assert jobs.job(first).seconds_left == pytest.approx(0.9 * expected.atoms + scoring)
    third = add(jobs, state="running", iteration=3, seconds=65.0, ended=(61.0, 63.0, 65.0), **me)
    assert jobs.job(third).seconds_left == pytest.approx(7 * 2.0 + scoring)


def test_the_time_left_contains_the_classifier_until_its_end(jobs):
    scoring = quick_cost().coding + quick_cost().network
    me = identity(os.getpid())
    begun = add(jobs, state="running", **me)
    assert jobs.job(begun).seconds_left == pytest.approx(quick_cost().total)
    training = add(jobs, state="running", iteration=QUICK.I, seconds=21.0, ended=(2.0,) * 9 + (20.0,), **me)
    assert jobs.job(training).seconds_left == pytest.approx(scoring - 1)
    late = add(jobs, state="running", iteration=QUICK.I, seconds=999.0, ended=(20.0,) * 10, **me)
    assert jobs.job(late).seconds_left == 0


def test_the_time_left_contains_the_fine_tuning(jobs):
    tuned, plain = (
        add(jobs, settings, state="running", iteration=5, seconds=8.0, **identity(os.getpid()))
        for settings in (replace(QUICK, fine_tune=25), QUICK)
    )
    expected = cost.run_cost(tuned.description, speed=cost.MEASURED_ON).tuning
    assert expected > 1
    assert jobs.job(tuned).seconds_left - jobs.job(plain).seconds_left == pytest.approx(expected)
