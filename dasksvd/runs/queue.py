"""The queue of a store: start what waits, first come first served, in a fixed number of places.

Whoever looks may tend the queue: a page, a command, a job at its end.  So that nobody has to, a
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

import filelock
import psutil

from dasksvd.errors import Busy, ParameterError, StoreError
from dasksvd.runs import processes
from dasksvd.runs.folder import Run, cancel_request
from dasksvd.runs.processes import is_alive
from dasksvd.runs.store import Listed, Store
from dasksvd.search.job import searches

#: Seconds between asking a run to stop and killing it.
PATIENCE = 3.0
#: Seconds that an action waits for the store's lock.
LOCK_PATIENCE = 10.0
#: Seconds between two looks of the keeper.
KEEPERS_REST = 0.5
#: Environment variable with the number of runs computed at once.
PLACES = "DASKSVD_JOBS"
#: Environment variable that names the run a queue has started.
STARTED_BY_QUEUE = "DASKSVD_STARTED_RUN"
_KEEPERS_LOCK = ".keeper.lock"
_KEEPERS_LOG = ".keeper.log"
#: Keepers that this process has started; they outlive the queue that called them.
_keepers: list[subprocess.Popen] = []


class Queue:
    """What waits and what is computed in a store.

    Parameters
    ----------
    store : Store
    places : int, optional
        Runs computed at once; ``DASKSVD_JOBS`` by default, else 1.
    """

    def __init__(self, store: Store, places: int | None = None):
        self.store = store
        self.places = _places() if places is None else places
        self._children: list[subprocess.Popen] = []

    def tend(self, patience: float = LOCK_PATIENCE) -> None:
        """Kill what does not stop when asked, start what waits.

        Parameters
        ----------
        patience : float
            Seconds to wait for the store's lock.

        Raises
        ------
        Busy
            If somebody else holds the lock for longer; they are tending the queue.
        StoreError
            If the disk is full or read-only.
        """
        self._reap()
        with self._locked(patience):
            left = True
            try:
                left = self._advance()
            finally:
                if left and self.places > 0:
                    self._call_keeper()

    def keep(self) -> None:
        """Tend the queue until nothing waits, unless another process does already."""
        keeper = filelock.FileLock(self.store.root / _KEEPERS_LOCK)
        try:
            keeper.acquire(timeout=2)  # others look for a moment whether it is free
        except filelock.Timeout:
            return
        try:
            while self.store.root.is_dir():
                # A full disk or a busy lock passes.
                with suppress(StoreError), self._locked():
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
        lines = self._lines()
        at_work = [line for line in lines if line.status.state == "running" and is_alive(line.status)]
        asked = [line for line in at_work if cancel_request(line.run).exists()]
        for line in asked:
            if _overdue(line.run) and processes.kill(line.status):
                line.run.set_status(replace(line.status, state="cancelled", **processes.NOBODY))
                cancel_request(line.run).unlink(missing_ok=True)
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

    def _lines(self) -> list[Listed]:
        """All runs and all searches."""
        jobs = [Listed(job, job.base.about, job.status, None) for job in searches(self.store)]
        return self.store.listing() + jobs

    def _position(self, run: Run) -> int | None:
        waiting = _in_order(self._lines())
        return next((place for place, line in enumerate(waiting, 1) if line.run.id == run.id), None)

    def _start_or_fail(self, line: Listed) -> None:
        """Start a waiting run; one that cannot be started must not keep the others from it."""
        problem = line.problem
        try:
            if not problem:
                self._start(line.run)
        except OSError as error:
            problem = f"cannot start: {error.strerror}"
        except psutil.NoSuchProcess:
            problem = "cannot start: its process ended at once"
        if problem:
            line.run.set_status(replace(line.status, state="failed", message=problem))

    def _start(self, run: Run) -> None:
        """Start a run's process; the caller holds the lock."""
        cancel_request(run).unlink(missing_ok=True)
        # The name tells the child that the queue has started it: process numbers do not,
        # because a virtual environment's python may be a launcher with a child of its own.
        child = processes.start(
            ["dasksvd", *run.command],
            run.folder / "log.txt",
            **{STARTED_BY_QUEUE: run.id, PLACES: str(self.places)},
        )
        try:
            run.set_status(
                replace(run.status, state="running", updated_at=time.time(), **processes.identity(child.pid))
            )
        except (OSError, psutil.NoSuchProcess):
            child.kill()
            raise
        finally:
            self._children.append(child)

    @contextmanager
    def _locked(self, patience: float = LOCK_PATIENCE) -> Iterator[None]:
        """Hold the store's lock; disk trouble inside becomes a StoreError."""
        with self.store.writing():
            self.store.root.mkdir(parents=True, exist_ok=True)
            try:
                with filelock.FileLock(self.store.root / ".lock", timeout=patience, poll_interval=0.02):
                    yield
            except filelock.Timeout as error:
                raise Busy("another server is busy with the store; try again in a moment") from error


def started_by_queue(run: Run) -> bool:
    """Whether this process is the one that a queue has started for a run."""
    return os.environ.get(STARTED_BY_QUEUE) == run.id


@contextmanager
def turn_over(root: Path) -> Iterator[None]:
    """Start what waits in a store when a job that its queue has started ends, well or not."""
    try:
        yield
    finally:
        # How the job ended is written down; where this fails, the keeper tries again.
        with suppress(StoreError):
            Queue(Store(root)).tend()


def _places() -> int:
    text = os.environ.get(PLACES) or "1"
    if not text.isdigit() or int(text) < 1:
        raise ParameterError(f"{PLACES} must be a whole number of at least 1, got {text!r}")
    return int(text)


def _in_order(lines: list[Listed]) -> list[Listed]:
    """Those that wait, first come first served."""
    waiting = [line for line in lines if line.status.state == "queued"]
    return sorted(waiting, key=lambda line: (line.status.queued_at, line.run.id))


def _overdue(run: Run) -> bool:
    try:
        # A clock that was put back must not keep the run from being killed.
        return abs(time.time() - cancel_request(run).stat().st_mtime) > PATIENCE
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    Queue(Store(Path(sys.argv[1]))).keep()
