"""A job is a folder and a command; a run has one and a search has one."""

import subprocess
import sys
import textwrap
import time

import psutil
import pytest

from dasksvd.errors import Cancelled, StoreError
from dasksvd.runs.folder import Run
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.queue import all_jobs
from dasksvd.runs.reference import ReferenceRun
from dasksvd.runs.status import Status
from dasksvd.runs.worker import describe, work_for_queue
from dasksvd.search.job import Search
from dasksvd.search.plans import WeightsPlan
from tests.runs.test_worker import TINY


def test_neither_a_search_nor_the_shipped_run_is_a_run(store):
    shipped = ReferenceRun(store.root)
    for other in (shipped, Search(shipped)):
        assert not isinstance(other, Run)
        assert not hasattr(other, "save_record")
    assert not hasattr(shipped, "job")  # there is nothing to compute


def test_the_jobs_of_a_run_and_of_the_searches_have_folders_and_ids_of_their_own(store, saved):
    shipped = ReferenceRun(store.root)
    assert [job.id for job in all_jobs(store)] == [saved.id]
    for base in (saved, shipped):
        Search(base).set_plan(WeightsPlan(sizes=(1,), zoomed=(1,)))
    jobs = list(all_jobs(store))
    assert sorted(job.id for job in jobs) == sorted([saved.id, f"{saved.id}/search", "reference/search"])
    assert {job.folder.relative_to(store.root).as_posix() for job in jobs} == {job.id for job in jobs} - {
        "reference/search"
    } | {".reference/search"}
    assert {Search(base).job for base in (saved, shipped)} | {saved.job} == set(jobs)


def test_the_status_of_a_search_is_not_that_of_its_run(saved):
    search = Search(saved)
    search.set_plan(WeightsPlan(sizes=(1,), zoomed=(1,)))
    assert (saved.status.state, search.status.state) == ("finished", "new")
    search.job.set_status(Status(state="failed", message="no"))
    assert (saved.status.state, search.status.message) == ("finished", "no")


def test_a_new_run_is_not_started_by_resume(store):
    """What the process at work was really called with."""
    jobs = Jobs(store, places=1)
    run = jobs.submit(describe(TINY, "digits"))
    process = psutil.Process(run.status.pid)
    command = process.cmdline()
    assert command[1:] == ["-m", "dasksvd.runs.worker", str(run.folder)]
    started = time.monotonic()
    while run.status.state == "running":
        assert time.monotonic() - started < 60
        time.sleep(0.05)
    assert run.status.state == "finished"
    for child in jobs._children:
        child.wait(timeout=10)


def test_a_queued_run_with_damaged_settings_fails_and_says_why(store):
    run = store.create(describe(TINY, "digits"))
    run.set_status(Status(queued_at=1.0))
    (run.folder / "settings.json").write_text("[]")
    jobs = Jobs(store, places=1)
    jobs.start_waiting()
    for child in jobs._children:
        assert child.wait(timeout=60) == 2
    assert (run.status.state, run.status.message) == ("failed", "settings.json does not hold a JSON object")
    assert run.job.last_lines() == "dasksvd: error: settings.json does not hold a JSON object\n"


@pytest.mark.parametrize(
    ("error", "code"),
    [(StoreError("no"), 2), (OSError(28, "full"), 2), (Cancelled(), 130), (ZeroDivisionError(), None)],
)
def test_however_its_work_ends_a_process_of_the_queue_starts_what_waits(store, monkeypatch, capsys, error, code):
    started = []
    monkeypatch.setattr("dasksvd.runs.worker.Queue.start_waiting", lambda queue: started.append(queue.store.root))

    def work():
        raise error

    if code is None:
        with pytest.raises(ZeroDivisionError):
            work_for_queue(store.root, work)
    else:
        assert work_for_queue(store.root, work) == code
        assert capsys.readouterr().err.startswith("dasksvd: ")
    assert started == [store.root]


def test_two_processes_do_not_work_on_one_job(saved):
    script = """
        import sys
        from pathlib import Path
        from dasksvd.runs.job import run_job
        with run_job(Path(sys.argv[1])).locked():
            print("held", flush=True)
            sys.stdin.read()
    """
    command = [sys.executable, "-c", textwrap.dedent(script), str(saved.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreError, match="is being computed by another process"), saved.job.locked():
            pass
        holder.kill()  # the system releases the lock
    with saved.job.locked():
        pass


def test_runs_are_listed_and_started_without_the_search_package():
    script = "import sys, dasksvd.runs.jobs, dasksvd.runs.worker; print(*[m for m in sys.modules if '.search' in m])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert [name for name in done.stdout.split() if name.startswith("dasksvd")] == []
