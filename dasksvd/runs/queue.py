"""The queue of a store: start the jobs that wait, first come first served, in a fixed number of places.

Whoever looks may start what waits: a page, a command, a job at its end.  So that nobody has to, a
keeper is at work for as long as something waits: one small process for each store, which
survives the server that started it and notices jobs that were killed.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import filelock
import psutil

from dasksvd.errors import Busy, ParameterError, StoreError
from dasksvd.runs import processes
from dasksvd.runs.job import Job, search_job, search_plan
from dasksvd.runs.processes import is_alive
from dasksvd.runs.reference import shipped_runs
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store

#: Seconds between asking a job to stop and killing it.
PATIENCE = 3.0
#: Seconds that an action waits for the store's lock.
LOCK_PATIENCE = 10.0
#: Seconds between two looks of the keeper.
KEEPERS_REST = 0.5
#: Environment variable with the number of jobs at work at once.
PLACES = "DASKSVD_JOBS"
_KEEPERS_LOCK = ".keeper.lock"
_KEEPERS_LOG = ".keeper.log"
#: Keepers that this process has started; they outlive the queue that called them.
_keepers: list[subprocess.Popen] = []


class Line(NamedTuple):
    """A job, and where it stood when it was looked at."""

    job: Job
    status: Status


def all_jobs(store: Store) -> Iterator[Job]:
    """Every job of a store: its runs, and the searches on them and on the shipped ones."""
    searches = [search_job(shipped.folder, shipped.id) for shipped in shipped_runs(store.root)]
    for run in store:
        computing, searching = run.jobs
        yield computing
        searches.append(searching)
    yield from (job for job in searches if search_plan(job).exists())


class Queue:
    """What waits and what is computed in a store.

    Parameters
    ----------
    store : Store
    places : int, optional
        Jobs at work at once; ``DASKSVD_JOBS`` by default, else 1.
    """

    def __init__(self, store: Store, places: int | None = None):
        self.store = store
        self.places = _places() if places is None else places
        self._children: list[subprocess.Popen] = []

    def start_waiting(self, patience: float = LOCK_PATIENCE) -> None:
        """Start what waits as far as there are places; kill what was asked to stop and has not.

        Parameters
        ----------
        patience : float
            Seconds to wait for the store's lock.

        Raises
        ------
        Busy
            If somebody else holds the lock for longer; then they are starting what waits.
        StoreError
            If the disk is full or read-only.
        """
        self._reap()
        with self.locked(patience):
            left = True
            try:
                left = self._advance()
            finally:
                if left and self.places > 0:
                    self._call_keeper()

    def keep(self) -> None:
        """Be the keeper: start what waits until nothing does, unless another process is the keeper already."""
        keeper = filelock.FileLock(self.store.root / _KEEPERS_LOCK)
        try:
            keeper.acquire(timeout=2)  # others look for a moment whether it is free
        except filelock.Timeout:
            return
        try:
            while self.store.root.is_dir():
                # A full disk or a busy lock passes.
                with suppress(StoreError), self.locked():
                    self._reap()
                    if not self._advance():
                        # Still under the store's lock: who adds a run next finds no keeper and calls one.
                        keeper.release()
                        return
                time.sleep(KEEPERS_REST)
        finally:
            keeper.release()

    def _reap(self) -> None:
        """Forget processes that have ended, which lets the system forget them too."""
        self._children = [child for child in self._children if child.poll() is None]
        _keepers[:] = [keeper for keeper in _keepers if keeper.poll() is None]

    def _advance(self) -> bool:
        """Do what can be done now; whether something is left to wait for.  The caller holds the lock."""
        lines = self.lines()
        at_work = [line for line in lines if line.status.state == "running" and is_alive(line.status)]
        asked = [line for line in at_work if line.job.cancel_request.exists()]
        for line in asked:
            if _overdue(line.job) and processes.kill(line.status):
                line.job.set_status(replace(line.status, state="cancelled", **processes.NOBODY))
                line.job.cancel_request.unlink(missing_ok=True)
                at_work.remove(line)
        waiting = _in_order(lines)
        free = max(0, self.places - len(at_work))
        for line in waiting[:free]:
            self._start_or_fail(line)
        return len(waiting) > free or bool(asked)

    def _call_keeper(self) -> None:
        """Start a keeper unless one is at work; without one the queue still goes on whenever somebody looks."""
        with suppress(OSError, filelock.Timeout):
            with filelock.FileLock(self.store.root / _KEEPERS_LOCK, timeout=0):
                pass
            log = self.store.root / _KEEPERS_LOG
            log.unlink(missing_ok=True)
            places = {PLACES: str(self.places)}
            _keepers.append(processes.start(["dasksvd.runs.queue", str(self.store.root)], log, **places))

    def waiting(self) -> list[Line]:
        """The jobs that wait, first come first served."""
        return _in_order(self.lines())

    def lines(self) -> list[Line]:
        """Every job of the store, and where it stands now."""
        return [Line(job, job.status) for job in all_jobs(self.store)]

    def _start_or_fail(self, line: Line) -> None:
        """Start a waiting job; one that cannot be started must not keep the others from it."""
        problem = ""
        try:
            self._start(line.job)
        except OSError as error:
            problem = f"cannot start: {error.strerror}"
        except psutil.NoSuchProcess:
            problem = "cannot start: its process ended at once"
        if problem:
            line.job.set_status(replace(line.status, state="failed", message=problem))

    def _start(self, job: Job) -> None:
        """Start a job's process; the caller holds the lock."""
        job.cancel_request.unlink(missing_ok=True)
        child = processes.start(job.command, job.log, **{PLACES: str(self.places)})
        try:
            job.set_status(
                replace(job.status, state="running", updated_at=time.time(), **processes.identity(child.pid))
            )
        except (OSError, psutil.NoSuchProcess):
            child.kill()
            raise
        finally:
            self._children.append(child)

    @contextmanager
    def locked(self, patience: float = LOCK_PATIENCE) -> Iterator[None]:
        """Hold the store's lock; disk trouble inside becomes a StoreError."""
        with self.store.writing():
            self.store.root.mkdir(parents=True, exist_ok=True)
            try:
                with filelock.FileLock(self.store.root / ".lock", timeout=patience, poll_interval=0.02):
                    yield
            except filelock.Timeout as error:
                raise Busy("another server is busy with the store; try again in a moment") from error


def _places() -> int:
    text = os.environ.get(PLACES) or "1"
    if not text.isdigit() or int(text) < 1:
        raise ParameterError(f"{PLACES} must be a whole number of at least 1, got {text!r}")
    return int(text)


def _in_order(lines: list[Line]) -> list[Line]:
    waiting = [line for line in lines if line.status.state == "queued"]
    return sorted(waiting, key=lambda line: (line.status.queued_at, line.job.id))


def _overdue(job: Job) -> bool:
    try:
        # A clock that was put back must not keep the job from being killed.
        return abs(time.time() - job.cancel_request.stat().st_mtime) > PATIENCE
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    Queue(Store(Path(sys.argv[1]))).keep()
