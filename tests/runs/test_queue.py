"""The queue goes on by itself: real processes, no page, no server."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import filelock
import psutil
import pytest

from dasksvd import Settings
from dasksvd.errors import Busy, StoreError
from dasksvd.runs import queue
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import Limits
from dasksvd.runs.processes import is_alive
from dasksvd.runs.queue import Queue
from dasksvd.runs.worker import describe
from tests.runs.test_worker import TINY

#: Long enough to be caught at work: about half a minute.
LONG = Settings(t=100, I=100, ksvd_iter=100)
PATIENCE = 240.0

SERVER = """
    import os, signal, sys
    from dasksvd.runs.jobs import Jobs
    from dasksvd.parameters import Settings
    from dasksvd.runs.store import Store
    from dasksvd.runs.worker import describe

    jobs = Jobs(Store(sys.argv[1]), places=1)
    first, rest = Settings(t=100, I=100, ksvd_iter=100), Settings(t=30, I=4, ksvd_iter=5)
    if sys.argv[2] == "short":
        first = rest
    for settings in (first, *[rest] * (int(sys.argv[3]) - 1)):
        print(jobs.submit(describe(settings, "digits")).id, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def left_alone(store):
    """A function: some runs, submitted by a server that is killed at once; whatever is left goes in the end."""

    def submit(first, count):
        script = [sys.executable, "-c", textwrap.dedent(SERVER), str(store.root), first, str(count)]
        result = subprocess.run(script, stdout=subprocess.PIPE, text=True, timeout=60)
        assert result.returncode == -signal.SIGKILL
        return [store.run(name) for name in result.stdout.split()]

    yield submit
    for process in [*keepers(store), *workers(store)]:
        process.kill()


def of_store(store, module):
    """Living processes of ``python -m module`` on a store."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        command = process.info["cmdline"] or []
        if module in command and any(part.startswith(str(store.root)) for part in command):
            found += [process] * (process.info["status"] != psutil.STATUS_ZOMBIE)
    return found


def keepers(store):
    return of_store(store, "dasksvd.runs.queue")


def workers(store):
    return of_store(store, "dasksvd.runs.worker")


def until(condition, what):
    """Wait for something to become true, only looking."""
    started = time.monotonic()
    while not (found := condition()):
        assert time.monotonic() - started < PATIENCE, what
        time.sleep(0.05)
    return found


def watch(store, runs):
    """Look, without starting anything, until no run waits or is computed; how many were at work at once, at most."""
    most = 0
    looking = Jobs(store, places=0)
    started = time.monotonic()
    while any(looking.job(run).state in ("queued", "running") for run in runs):
        states = [run.status for run in runs]
        most = max(most, sum(status.state == "running" and is_alive(status) for status in states))
        assert time.monotonic() - started < PATIENCE, [looking.job(run) for run in runs]
        time.sleep(0.05)
    return most, [looking.job(run).state for run in runs]


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL exists on POSIX only")
def test_three_runs_end_one_after_the_other_though_their_server_was_killed(store, left_alone):
    runs = left_alone("short", 3)
    assert watch(store, runs) == (1, ["finished"] * 3)
    ends = [run.status.updated_at for run in runs]
    assert ends == sorted(ends)


def kill_it(store, run, pid):
    os.kill(pid, signal.SIGKILL)


def make_it_fail(store, run, pid):
    """No room for its next iteration: a folder stands where the file should go."""
    for number in range(run.status.iteration + 3, 100):
        (run.folder / f"iteration_{number:03d}.npz").mkdir()


def cancel_it(store, run, pid):
    """As from another server, which is gone before the run has stopped."""
    run.job.cancel_request.touch()


def cancel_it_while_deaf(store, run, pid):
    os.kill(pid, signal.SIGSTOP)
    run.job.cancel_request.touch()


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL exists on POSIX only")
@pytest.mark.parametrize(
    ("end", "state"),
    [(kill_it, "died"), (make_it_fail, "failed"), (cancel_it, "cancelled"), (cancel_it_while_deaf, "cancelled")],
)
def test_however_a_job_ends_the_next_one_starts_by_itself(store, left_alone, end, state):
    runs = left_alone("long", 2)
    until(lambda: runs[0].status.ksvd_iteration, "the first run is not at work")
    end(store, runs[0], runs[0].status.pid)
    assert watch(store, runs) == (1, [state, "finished"])


@pytest.mark.skipif(sys.platform == "win32", reason="SIGSTOP exists on POSIX only")
def test_a_deaf_job_is_killed_though_whoever_cancelled_it_is_gone(store, left_alone):
    (run,) = left_alone("long", 1)
    until(lambda: run.status.ksvd_iteration, "the run is not at work")
    os.kill(run.status.pid, signal.SIGSTOP)
    Jobs(store, places=1).cancel(run)
    assert watch(store, [run]) == (1, ["cancelled"])


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL exists on POSIX only")
def test_a_job_starts_the_next_one_though_the_keeper_was_killed_too(store, left_alone):
    runs = left_alone("long", 3)
    until(lambda: runs[0].status.ksvd_iteration, "the first run is not at work")
    for process in until(lambda: keepers(store), "no keeper is at work"):
        process.kill()
    runs[0].job.cancel_request.touch()
    assert watch(store, runs) == (1, ["cancelled", "finished", "finished"])


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL exists on POSIX only")
def test_one_keeper_is_at_work_for_as_long_as_something_waits(store, left_alone):
    runs = left_alone("long", 3)
    until(lambda: keepers(store), "no keeper is at work")
    time.sleep(3)  # one that came second has seen that it is not needed
    assert len(keepers(store)) == 1
    for run in runs[1:]:
        Jobs(store, places=0).cancel(run)
    until(lambda: not keepers(store), "the keeper does not go")
    assert runs[0].status.state == "running"
    assert (store.root / ".keeper.log").read_text() == ""


def test_the_keeper_waits_without_compiler_and_solver():
    script = "import sys, dasksvd.runs.queue; print(*{'numba', 'pandas', 'scipy', 'sklearn'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_keeper_goes_when_its_store_has_vanished(store, monkeypatch):
    def vanish(self):
        for path in store.root.iterdir():
            path.unlink()
        store.root.rmdir()
        return True

    store.root.mkdir()
    monkeypatch.setattr(queue, "KEEPERS_REST", 0.0)
    monkeypatch.setattr(Queue, "_advance", vanish)
    Queue(store, places=1).keep()
    assert not store.root.exists()


def test_a_keeper_outlasts_a_full_disk(store, monkeypatch):
    """Two looks fail, the third finds nothing to do."""
    answers = iter([OSError(28, "No space left on device"), StoreError("busy"), False])

    def look(self):
        answer = next(answers)
        if answer:
            raise answer
        return answer

    store.root.mkdir()
    monkeypatch.setattr(queue, "KEEPERS_REST", 0.0)
    monkeypatch.setattr(Queue, "_advance", look)
    Queue(store, places=1).keep()
    assert list(answers) == []


def test_a_lock_that_somebody_else_holds_is_not_waited_for_longer_than_asked(store):
    store.root.mkdir()
    message = "another server is busy with the store; try again in a moment"
    with filelock.FileLock(store.root / ".lock"), pytest.raises(Busy, match=message):
        Queue(store, places=1).start_waiting(patience=0.1)


def test_a_run_that_is_written_down_is_accepted_though_it_cannot_be_started_yet(store, monkeypatch):
    calls = []

    def full(self):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Jobs, "_advance", full)
    monkeypatch.setattr(Jobs, "_call_keeper", lambda self: calls.append("keeper"))
    run = Jobs(store, places=1, limits=Limits()).submit(describe(TINY, "digits"))
    assert run.status.state == "queued"
    assert calls == ["keeper"]  # who tries again


def test_a_clock_that_was_put_back_does_not_spare_a_deaf_job(store, monkeypatch):
    run = store.create(describe(TINY, "digits"))
    run.job.cancel_request.touch()
    an_hour_ahead = time.time() + 3600
    os.utime(run.job.cancel_request, (an_hour_ahead, an_hour_ahead))
    assert queue._overdue(run.job)
    os.utime(run.job.cancel_request)
    assert not queue._overdue(run.job)
