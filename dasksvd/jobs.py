"""Runs computed by processes of their own: queue, start, watch, cancel, resume.

Everything is on disk, so a job survives the server that started it and is found again by the
next one.  A lock on the store makes sure that two servers never start the same run.
"""

import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import filelock
import psutil

from dasksvd.cost import run_cost
from dasksvd.evaluation import Plan, read_plan, write_plan
from dasksvd.exchange import import_zip
from dasksvd.files import DamagedFile
from dasksvd.grid_search import expected_seconds
from dasksvd.plans import SearchPlan, SweepPlan
from dasksvd.run import Description, Run, Status
from dasksvd.searches import Search, searches
from dasksvd.settings import ParameterError
from dasksvd.store import Listed, Store, StoreError
from dasksvd.worker import cancel_request

#: Seconds between asking a run to stop and killing it.
PATIENCE = 3.0
LOG_LINES = 12
#: What makes a run shorter, by what takes most of its time.
_REMEDIES = {
    "atoms": "lower I, t, q, r_f or the K-SVD iterations",
    "coding": "lower I or q",
    "network": "take fewer hidden units, fewer atoms or today's classifier",
}
#: Environment variable that names the run a queue has started.
STARTED_BY_QUEUE = "DASKSVD_STARTED_RUN"


@dataclass(frozen=True)
class Limits:
    """What a shared server accepts from its visitors; the command line has no limits.

    Attributes
    ----------
    max_waiting : int
        Runs in the queue.
    max_waiting_per_owner : int
        Of them, by one visitor.
    max_ksvd_iter : int
    max_run_seconds : float
        Largest expected time of a run with its classifier.  There is one place by default, so
        this is how long others may have to wait.  Half an hour is enough for the paper's
        settings with the largest of its networks.
    max_search_seconds : float
        Largest expected time of a search: an hour is enough for the paper's two stages with
        today's network.
    quota : int
        Bytes of all runs.
    """

    max_waiting: int = 10
    max_waiting_per_owner: int = 1
    max_ksvd_iter: int = 200
    max_run_seconds: float = 1800.0
    max_search_seconds: float = 3600.0
    quota: int = 2 * 2**30


@dataclass(frozen=True)
class Job:
    """How a run is getting on.

    Attributes
    ----------
    run : Run
    status : Status
    state : str
        The status's state, or ``died`` if its process is gone without a word.
    share : float
        Done so far, 0 … 1.
    seconds_left : float or None
        None if it cannot be told yet.
    position : int or None
        Place in the queue, from 1.
    log : str
        The last lines of a run that failed or died.
    """

    run: Run
    status: Status
    state: str
    share: float
    seconds_left: float | None
    position: int | None
    log: str


class Jobs:
    """The queue of a store.

    Parameters
    ----------
    store : Store
    places : int, optional
        Runs computed at once; ``DASKSVD_JOBS`` by default, else 1.
    limits : Limits, optional
    """

    def __init__(self, store: Store, places: int | None = None, limits: Limits | None = None):
        self.store = store
        self.places = _places() if places is None else places
        self.limits = limits or Limits()
        self._children: list[subprocess.Popen] = []
        store.sweep_up()

    def submit(
        self, description: Description, name: str = "", owner: str = "", plan: Plan | None = None, **data
    ) -> Run:
        """Put a new run at the end of the queue, to be evaluated by the plan when it is finished.

        Raises
        ------
        ParameterError
            If the run is larger than the limits.
        StoreError
            If the queue or the disk is full.
        """
        self.check_size(description, plan)
        with self._locked():
            self._check_queue(owner)
            self._check_quota()
            run = self.store.create(description, name, **data)
            if plan is not None:
                write_plan(run, plan)
            run.set_status(Status(queued_at=time.time(), owner=owner))
        self.tend()
        return run

    def copy(self, run: Run, name: str = "") -> Run:
        """A new run with the settings, the data and the plan of another; nothing of it is computed yet."""
        plan, new = read_plan(run), self.store.copy(run.id, name)
        if plan is not None:
            write_plan(new, plan)
        return new

    def submit_search(self, base: Run, plan: SearchPlan, owner: str = "") -> Search:
        """Put a search on a run at the end of the queue; what was scored before is kept.

        Raises
        ------
        ParameterError
            If the search is larger than the limits.
        StoreError
            If the queue or the disk is full, or the run's last search is still at work.
        """
        self._check_plan(base, plan)
        job = Search(base)
        with self._locked():
            if _is_busy(job.status):
                raise StoreError(f"a search on {base.id} is already waiting or running")
            self._check_queue(owner)
            self._check_quota()
            job.set_plan(plan)
            job.set_status(Status(queued_at=time.time(), owner=owner))
        self.tend()
        return job

    def resume(self, run: Run, owner: str = "") -> None:
        """Put a stopped, failed, damaged or dead run or search back into the queue, within the same limits."""
        try:
            if isinstance(run, Search):
                self._check_plan(run.base, run.plan)
            else:
                self.check_size(run.description, read_plan(run))
        except DamagedFile as error:
            raise StoreError(f"{run.id} cannot be repaired: {error}") from error
        with self._locked():
            status = run.status
            if _is_busy(status):
                raise StoreError(f"{run.id} is already waiting or running")
            self._check_queue(owner)
            self._check_quota()
            run.set_status(replace(status, state="queued", queued_at=time.time(), owner=owner, message=""))
        self.tend()

    def cancel(self, run: Run) -> None:
        """Ask a run to stop; :meth:`tend` kills it if it has not after three seconds."""
        with self._locked():
            status = run.status
            if status.state == "queued":
                run.set_status(replace(status, state="cancelled"))
            elif is_alive(status):
                cancel_request(run).touch()
        self.tend()

    def delete(self, run: Run) -> None:
        """Delete a run that is not being computed."""
        with self._locked():
            if is_alive(run.status) or is_alive(Search(run).status):
                raise StoreError(f"{run.id} is running; cancel it first")
            self.store.delete(run.id)

    def import_zip(self, file: BinaryIO) -> Run:
        """Import a run's zip file, if the quota allows it."""
        with self._locked():
            self._check_quota()
            return import_zip(self.store, file)

    def deletable(self) -> list[Run]:
        """Unpinned runs that are not at work, oldest first: what to offer when space is short."""
        idle = [
            line.run
            for line in self.store.listing()
            if not line.about.pinned and not _is_busy(line.status) and not _is_busy(Search(line.run).status)
        ]
        return idle[::-1]

    def tend(self) -> None:
        """Kill what does not stop when asked, start what waits; call it about once a second."""
        self._children = [child for child in self._children if child.poll() is None]
        with self._locked():
            lines = self._lines()
            at_work = [line for line in lines if line.status.state == "running" and is_alive(line.status)]
            for line in at_work:
                if _overdue(line.run) and _kill(line.status):
                    line.run.set_status(replace(line.status, state="cancelled", pid=0, process_started=0.0))
                    cancel_request(line.run).unlink(missing_ok=True)
            waiting = sorted((line for line in lines if line.status.state == "queued"), key=_ticket)
            for line in waiting[: max(0, self.places - len(at_work))]:
                self._start_or_fail(line)

    def job(self, run: Run) -> Job:
        """How a run is getting on."""
        status = run.status
        if _has_died(status):
            status = run.status  # it may have ended well between the two looks; what it wrote last stands
        state = "died" if _has_died(status) else status.state
        try:
            share = 1.0 if state == "finished" else run.share(status)
        except DamagedFile as error:
            return Job(run, replace(status, message=str(error)), "failed", 0.0, None, None, last_lines(run))
        known = state == "running" and share > 0 and status.seconds > 0
        left = status.seconds_left or (status.seconds * (1 - share) / share if known else None)
        return Job(
            run=run,
            status=status,
            state=state,
            share=share,
            seconds_left=left if state == "running" else None,
            position=self._position(run) if state == "queued" else None,
            log=last_lines(run) if state in ("failed", "died") else "",
        )

    def _lines(self) -> list[Listed]:
        """All runs and all searches."""
        jobs = [Listed(job, job.base.about, job.status, None) for job in searches(self.store)]
        return self.store.listing() + jobs

    def _position(self, run: Run) -> int | None:
        waiting = sorted((line for line in self._lines() if line.status.state == "queued"), key=_ticket)
        return next((place for place, line in enumerate(waiting, 1) if line.run.id == run.id), None)

    def check_size(self, description: Description, plan: Plan | None = None) -> None:
        """Raise ParameterError if a run, with the evaluation of its plan, is larger than this server accepts."""
        settings = description.settings
        settings.check_data(description.signal_length, dict.fromkeys(description.classes, 2**31))
        if settings.ksvd_iter > self.limits.max_ksvd_iter:
            raise ParameterError(
                f"this server accepts at most {self.limits.max_ksvd_iter} K-SVD iterations, got {settings.ksvd_iter}"
            )
        expected = run_cost(description, *((plan.classifier, plan.hidden) if plan else ()))
        if expected.total > self.limits.max_run_seconds:
            most = max(("atoms", "coding", "network"), key=lambda part: getattr(expected, part))
            raise ParameterError(
                f"this run would take about {_duration(expected.total)}, this server accepts "
                f"{_duration(self.limits.max_run_seconds)}; {_REMEDIES[most]}, or use the command line"
            )

    def _check_plan(self, base: Run, plan: SearchPlan) -> None:
        if isinstance(plan, SweepPlan):
            for settings in plan.points(base.description.settings):
                self.check_size(replace(base.description, settings=settings))
        seconds = expected_seconds(base, plan)
        if seconds > self.limits.max_search_seconds:
            quicker = ", the modern network" if plan.classifier == "scg" else ""
            raise ParameterError(
                f"this search would take about {_duration(seconds)}, this server accepts "
                f"{_duration(self.limits.max_search_seconds)}; take fewer points or networks{quicker}, "
                "or use the command line"
            )

    def _check_queue(self, owner: str) -> None:
        waiting = [line for line in self._lines() if line.status.state == "queued"]
        if len(waiting) >= self.limits.max_waiting:
            raise StoreError(f"the queue is full ({len(waiting)} runs are waiting); try again in a few minutes")
        mine = sum(line.status.owner == owner for line in waiting)
        if owner and mine >= self.limits.max_waiting_per_owner:
            raise StoreError("you already have a run waiting; let it start, or cancel it")

    def _check_quota(self) -> None:
        used = self.store.size()
        if used >= self.limits.quota:
            oldest = ", ".join(run.about.name or run.id for run in self.deletable()[:3])
            raise StoreError(
                f"the runs use {used / 2**20:,.0f} MB of {self.limits.quota / 2**20:,.0f} MB; "
                f"delete some first, for example the oldest unpinned: {oldest or 'none is unpinned'}"
            )

    def _start_or_fail(self, line: Listed) -> None:
        """Start a waiting run; one that cannot be started must not keep the others from it."""
        problem = line.problem
        try:
            if not problem:
                self._start(line.run)
        except OSError as error:
            problem = f"cannot start: {error.strerror}"
        if problem:
            line.run.set_status(replace(line.status, state="failed", message=problem))

    def _start(self, run: Run) -> None:
        """Start a run's process; the caller holds the lock."""
        cancel_request(run).unlink(missing_ok=True)
        with open(run.folder / "log.txt", "ab") as log:
            child = subprocess.Popen(
                [sys.executable, "-m", "dasksvd", *run.command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # The name tells the child that the queue has started it: process numbers do not,
                # because a virtual environment's python may be a launcher with a child of its own.
                env=os.environ | {"PYTHONPATH": _search_path(), STARTED_BY_QUEUE: run.id},
                **_detached(),
            )
        try:
            started = psutil.Process(child.pid).create_time()
            run.set_status(
                replace(run.status, state="running", pid=child.pid, process_started=started, updated_at=time.time())
            )
        except (OSError, psutil.NoSuchProcess):
            child.kill()
            raise
        finally:
            self._children.append(child)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the store's lock; disk trouble inside becomes a StoreError."""
        with self.store.writing():
            self.store.root.mkdir(parents=True, exist_ok=True)
            try:
                with filelock.FileLock(self.store.root / ".lock", timeout=30):
                    yield
            except filelock.Timeout as error:
                raise StoreError("another server has been busy with the store for half a minute; try again") from error


def _places() -> int:
    text = os.environ.get("DASKSVD_JOBS") or "1"
    if not text.isdigit() or int(text) < 1:
        raise ParameterError(f"DASKSVD_JOBS must be a whole number of at least 1, got {text!r}")
    return int(text)


def _duration(seconds: float) -> str:
    """Seconds in words that need no more than two digits."""
    for name, unit in (("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.0f} {name}"
    return f"{seconds:.0f} seconds"


def is_alive(status: Status) -> bool:
    """Whether the process that a status names is still the same and at work."""
    if status.pid == 0:
        return False
    try:
        process = psutil.Process(status.pid)
        same = abs(process.create_time() - status.process_started) < 2.0
        return same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.AccessDenied:
        return True  # it exists, and it is somebody's
    except psutil.Error:
        return False


def _has_died(status: Status) -> bool:
    return status.state == "running" and not is_alive(status)


def _is_busy(status: Status) -> bool:
    return status.state == "queued" or is_alive(status)


def last_lines(run: Run) -> str:
    """The end of a run's log, at most a few lines."""
    try:
        with open(run.folder / "log.txt", encoding="utf-8", errors="replace") as log:
            return "".join(deque(log, LOG_LINES))[-4000:]
    except OSError:
        return ""


def _ticket(line) -> tuple[float, str]:
    return line.status.queued_at, line.run.id


def _overdue(run: Run) -> bool:
    try:
        return time.time() - cancel_request(run).stat().st_mtime > PATIENCE
    except FileNotFoundError:
        return False


def _kill(status: Status) -> bool:
    """Kill a run's process and its children; whether it is dead."""
    try:
        process = psutil.Process(status.pid)
        family = [*process.children(recursive=True), process]
    except psutil.Error:
        return not is_alive(status)
    for member in family:
        with suppress(psutil.Error):
            member.kill()
    with suppress(psutil.Error):
        process.wait(timeout=1)
    return not is_alive(status)


def _detached() -> dict:
    """So that the run outlives the server and is not hit by the terminal's Ctrl-C."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def _search_path() -> str:
    """The package's parent folder first, so that the child finds the same package."""
    here = str(Path(__file__).parent.parent)
    return os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
