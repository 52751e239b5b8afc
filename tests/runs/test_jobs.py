"""Jobs with real processes."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace

import numpy as np
import psutil
import pytest

from dasksvd import ParameterError, Settings
from dasksvd.datasets.description import Description
from dasksvd.errors import StoreError
from dasksvd.runs import jobs as jobs_module
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import Limits
from dasksvd.runs.processes import is_alive
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute, describe
from tests.runs.test_processes import step_the_clock
from tests.runs.test_worker import TINY, deterministic_files, new_run

#: Long enough to be caught at work: about half a minute.
LONG = Settings(t=100, I=100, ksvd_iter=100)


@pytest.fixture
def jobs(store):
    made = Jobs(store, places=1)
    yield made
    made.places = 0
    for run in store:
        if run.status.state == "queued":
            made.cancel(run)  # or it would be started as soon as there is a place
        if is_alive(run.status):
            psutil.Process(run.status.pid).kill()
    for child in made._children:
        child.wait(timeout=10)


def wait_for(jobs, run, *states, timeout=60.0):
    """Start what waits, like a server does, until the job is in one of the states; return the job and the seconds."""
    started = time.monotonic()
    while (job := jobs.job(run)).state not in states:
        assert time.monotonic() - started < timeout, f"{job.state}: {job.log}"
        jobs.start_waiting()
        time.sleep(0.1)
    return job, time.monotonic() - started


def at_work(jobs, run):
    """Wait until the run's process has written progress of its own."""
    started = time.monotonic()
    while not jobs.job(run).status.ksvd_iteration:
        assert time.monotonic() - started < 60, jobs.job(run)
        time.sleep(0.05)
    return jobs.job(run)


def test_a_job_runs_to_its_end_like_a_run_by_hand(jobs, tmp_path):
    run = jobs.submit(describe(TINY, "digits"), "by the server")
    assert jobs.job(run).state == "running"
    job, _ = wait_for(jobs, run, "finished")
    assert (job.share, job.seconds_left, job.position) == (1.0, None, None)
    assert len(job.status.ended) == TINY.I
    assert 0 < job.status.ended[0] <= job.status.ended[-1] <= job.status.seconds
    by_hand = new_run(tmp_path / "by hand")
    compute(by_hand)
    files = deterministic_files(run.folder)
    assert b"100%  iteration 4/4  K-SVD 5/5" in files.pop("log.txt")
    assert files == deterministic_files(by_hand.folder)


def test_progress_cancel_and_resume(jobs):
    run = jobs.submit(describe(LONG, "digits"))
    job = at_work(jobs, run)
    assert job.state == "running"
    assert 0 < job.share < 1
    assert job.seconds_left > 0
    jobs.cancel(run)
    job, seconds = wait_for(jobs, run, "cancelled")
    assert seconds < 3  # it stopped when asked
    finished = run.n_finished()
    jobs.resume(run)
    assert jobs.job(run).state == "running"
    with pytest.raises(StoreError, match="already waiting or running"):
        jobs.resume(run)
    at_work(jobs, run)
    assert run.status.iteration >= finished
    with pytest.raises(StoreError, match="is running; cancel it first"):
        jobs.delete(run)


def test_a_job_cancelled_before_it_got_going_stops_too(jobs):
    run = jobs.submit(describe(LONG, "digits"))
    jobs.cancel(run)
    _, seconds = wait_for(jobs, run, "cancelled")
    assert seconds < 6
    assert not is_alive(run.status)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGSTOP exists on POSIX only")
def test_a_job_that_does_not_stop_when_asked_is_killed_after_three_seconds(jobs):
    run = jobs.submit(describe(LONG, "digits"))
    pid = at_work(jobs, run).status.pid
    os.kill(pid, signal.SIGSTOP)  # deaf
    jobs.cancel(run)
    _, seconds = wait_for(jobs, run, "cancelled")
    assert 2.5 < seconds < 6
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_a_worker_that_died_is_noticed_and_can_be_retried(jobs):
    run = jobs.submit(describe(LONG, "digits"))
    pid = at_work(jobs, run).status.pid
    with open(run.folder / "log.txt", "a") as log:
        log.write("last words\n")
    psutil.Process(pid).kill()
    job, seconds = wait_for(jobs, run, "died")
    assert seconds < 2
    assert job.log.endswith("last words\n")
    jobs.resume(run)
    assert jobs.job(run).state == "running"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the time of a start does not move")
def test_a_clock_that_steps_changes_nothing_about_a_job_at_work(jobs, monkeypatch):
    """No second job starts beside it, and it cannot be deleted."""
    run, other = (jobs.submit(describe(settings, "digits")) for settings in (LONG, TINY))
    at_work(jobs, run)
    step_the_clock(monkeypatch, 60)
    jobs.start_waiting()
    assert (jobs.job(run).state, jobs.job(other).state) == ("running", "queued")
    with pytest.raises(StoreError, match="is running; cancel it first"):
        jobs.delete(run)


def test_a_failing_job_shows_its_last_lines(jobs):
    """Own data that vanish between submitting and starting."""
    rng = np.random.default_rng(0)
    description = Description(Settings(t=5, I=1, r_f=0.5), "own", ["cat", "dog"], 40, 9)
    jobs.places = 0
    run = jobs.submit(description, signals=rng.random((40, 9)), labels=np.arange(40) % 2)
    (run.folder / "data.npz").unlink()
    jobs.places = 1
    job, _ = wait_for(jobs, run, "failed")
    assert job.status.message == "data.npz is missing"
    until = time.monotonic() + 60
    while not (log := jobs.job(run).log) and time.monotonic() < until:
        time.sleep(0.1)  # its status says how a job has ended a moment before its process does
    assert log == "dasksvd: error: data.npz is missing\n"


def test_first_come_first_served(jobs):
    jobs.limits = replace(jobs.limits, max_waiting_per_owner=9)
    runs = [jobs.submit(describe(TINY, "digits"), str(number)) for number in range(3)]
    assert [jobs.job(run).state for run in runs] == ["running", "queued", "queued"]
    assert [jobs.job(run).position for run in runs] == [None, 1, 2]
    jobs.cancel(runs[1])
    assert jobs.job(runs[1]).state == "cancelled"
    wait_for(jobs, runs[0], "finished")
    jobs.start_waiting()
    assert jobs.job(runs[2]).state == "running"
    wait_for(jobs, runs[2], "finished")
    assert runs[1].n_finished() == 0


def test_two_servers_do_not_start_the_same_run_twice(store, monkeypatch):
    """Many servers' threads start what waits in one store; each run is started once."""
    started = []
    lock = threading.Lock()

    def pretend_to_start(self, job):
        with lock:
            started.append(job.id)
        me = psutil.Process()
        job.set_status(replace(job.status, state="running", pid=me.pid, process_started=me.create_time()))

    monkeypatch.setattr(Jobs, "_start", pretend_to_start)
    monkeypatch.setattr(Jobs, "_call_keeper", lambda self: None)
    servers = [Jobs(store, places=2, limits=Limits(max_waiting_per_owner=99)) for _ in range(6)]
    for _ in range(4):
        servers[0].submit(describe(TINY, "digits"))
    threads = [threading.Thread(target=server.start_waiting) for server in servers for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(started) == len(set(started)) == 2


def test_a_job_survives_its_server_and_is_found_again(store):
    server = """
        import sys
        from dasksvd.runs.jobs import Jobs
        from dasksvd.parameters import Settings
        from dasksvd.runs.store import Store
        from dasksvd.runs.worker import describe

        run = Jobs(Store(sys.argv[1])).submit(describe(Settings(t=100, I=100, ksvd_iter=100), "digits"))
        print(run.id)
    """
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(server), str(store.root)], capture_output=True, text=True, timeout=60
    )
    jobs = Jobs(Store(store.root))
    run = jobs.store.run(result.stdout.strip())
    try:
        assert at_work(jobs, run).state == "running"
    finally:
        jobs.cancel(run)
        wait_for(jobs, run, "cancelled")


def waiting_run(store, owner=""):
    run = store.create(describe(TINY, "digits"))
    run.set_status(Status(queued_at=time.time(), owner=owner))
    return run


def test_limits_of_queue_and_visitor(store, monkeypatch):
    monkeypatch.setattr(Jobs, "start_waiting", lambda self: None)
    jobs = Jobs(store, limits=Limits(max_waiting=2))
    jobs.submit(describe(TINY, "digits"), owner="ann")
    with pytest.raises(StoreError, match="you already have a run waiting"):
        jobs.submit(describe(TINY, "digits"), owner="ann")
    jobs.submit(describe(TINY, "digits"), owner="bob")
    with pytest.raises(StoreError, match=r"the queue is full \(2 runs are waiting\)"):
        jobs.submit(describe(TINY, "digits"), owner="cid")
    assert len(list(store)) == 2


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(ksvd_iter=201), "at most 200 K-SVD iterations, got 201"),
        (Settings(I=2000), "this run would take about .*, this server accepts 30 minutes; lower I, t, q"),
    ],
)
def test_limits_of_size(store, settings, message):
    with pytest.raises(ParameterError, match=message):
        Jobs(store).submit(describe(settings, "mnist"))


def test_a_full_quota_offers_the_oldest_unpinned_runs_and_deletes_nothing(store, saved):
    with pytest.raises(StoreError, match=r"use \d+ MB of 0 MB; delete some first, .* unpinned: first"):
        Jobs(store, limits=Limits(quota=1000)).submit(describe(TINY, "digits"))
    store.pin(saved.id)
    with pytest.raises(StoreError, match="none is unpinned"):
        Jobs(store, limits=Limits(quota=1000)).submit(describe(TINY, "digits"))
    assert [run.id for run in store] == [saved.id]


def test_a_run_that_is_too_large_cannot_slip_in_by_resuming(store):
    run = store.create(describe(Settings(I=2000), "mnist"))
    with pytest.raises(ParameterError, match="this run would take about"):
        Jobs(store).resume(run)


def test_a_run_that_cannot_be_started_fails_and_lets_the_others_pass(jobs):
    jobs.places = 0
    runs = [jobs.submit(describe(TINY, "digits")) for _ in range(2)]
    (runs[0].folder / "log.txt").mkdir()
    jobs.places = 2
    jobs.start_waiting()
    assert (runs[0].status.state, runs[0].status.message) == ("failed", "cannot start: Is a directory")
    wait_for(jobs, runs[1], "finished")


def test_a_launcher_between_queue_and_worker_does_no_harm(jobs, tmp_path, monkeypatch):
    """On Windows a virtual environment's python is a launcher: the worker has another process number."""
    launcher = tmp_path / "python"
    launcher.write_text(f'#!/bin/sh\n"{sys.executable}" "$@" &\nwait $!\n')
    launcher.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(launcher))
    run = jobs.submit(describe(TINY, "digits"))
    wait_for(jobs, run, "finished")


def test_disk_trouble_is_a_store_error(store, saved, monkeypatch):
    def read_only(*args, **kwargs):
        raise OSError(30, "Read-only file system")

    jobs = Jobs(store)
    monkeypatch.setattr(os, "replace", read_only)
    for action in (
        lambda: jobs.submit(describe(TINY, "digits")),
        lambda: jobs.resume(saved),
        lambda: jobs.delete(saved),
        lambda: store.rename(saved.id, "x"),
    ):
        with pytest.raises(StoreError, match="Read-only file system; free space or set DASKSVD_HOME"):
            action()
    monkeypatch.undo()
    assert [run.id for run in store] == [saved.id]


def test_bad_places_are_named(store, monkeypatch):
    monkeypatch.setenv("DASKSVD_JOBS", "two")
    with pytest.raises(ParameterError, match="DASKSVD_JOBS must be a whole number of at least 1, got 'two'"):
        Jobs(store)


def test_places_are_taken_from_the_environment(store, monkeypatch):
    monkeypatch.setenv("DASKSVD_JOBS", "3")
    assert Jobs(store).places == 3


def test_a_run_that_was_asked_to_stop_and_is_gone_was_cancelled(store, saved):
    saved.set_status(Status(state="running", pid=2**22 - 1, process_started=1.0))
    jobs = Jobs(store, places=0)
    assert jobs.job(saved).state == "died"
    saved.job.cancel_request.touch()
    assert jobs.job(saved).state == "cancelled"


def test_a_run_that_ends_while_it_is_looked_at_has_not_died(store, saved, monkeypatch):
    saved.set_status(Status(state="running", pid=1, process_started=1.0))

    def ends_now(status):
        saved.set_status(Status(state="finished"))
        return False

    monkeypatch.setattr(jobs_module, "is_alive", ends_now)
    assert Jobs(store, places=0).job(saved).state == "finished"
