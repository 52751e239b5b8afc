"""Runs computed by processes of their own: submit, watch, cancel, resume.

Everything is on disk, so a job survives the server that started it and is found again by the
next one.  A lock on the store makes sure that two servers never start the same run.
"""

import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import BinaryIO

from dasksvd.cost import run_cost
from dasksvd.datasets.description import Description
from dasksvd.errors import DamagedFile, ParameterError, StoreError
from dasksvd.evaluate import Plan
from dasksvd.runs.archive import import_zip, unpacked_size
from dasksvd.runs.evaluation import read_plan, write_plan
from dasksvd.runs.folder import Run, Status, cancel_request
from dasksvd.runs.processes import NOBODY, is_alive
from dasksvd.runs.queue import Queue
from dasksvd.runs.store import Store
from dasksvd.search.grid_search import expected_seconds
from dasksvd.search.job import Search
from dasksvd.search.plans import SearchPlan, SweepPlan

LOG_LINES = 12
#: What makes a run shorter, by what takes most of its time.
_REMEDIES = {
    "atoms": "lower I, t, q, r_f or the K-SVD iterations",
    "coding": "lower I or q",
    "network": "take fewer hidden units, fewer atoms or today's classifier",
}


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
    max_runs : int
        Runs in the store.
    """

    max_waiting: int = 10
    max_waiting_per_owner: int = 1
    max_ksvd_iter: int = 200
    max_run_seconds: float = 1800.0
    max_search_seconds: float = 3600.0
    quota: int = 2 * 2**30
    max_runs: int = 1000


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


class Jobs(Queue):
    """What visitors may do with the queue of a store.

    Parameters
    ----------
    store : Store
    places : int, optional
        Runs computed at once; ``DASKSVD_JOBS`` by default, else 1.
    limits : Limits, optional
    """

    def __init__(self, store: Store, places: int | None = None, limits: Limits | None = None):
        super().__init__(store, places)
        self.limits = limits or Limits()
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
        self._begin()
        return run

    def copy(self, run: Run, name: str = "") -> Run:
        """A new run with the settings, the data and the plan of another; nothing of it is computed yet.

        Raises
        ------
        StoreError
            If the disk is full or the run is damaged.
        """
        data = run.folder / "data.npz"
        with self._locked():
            self._check_quota(data.stat().st_size if data.exists() else 0)
            try:
                plan, new = read_plan(run), self.store.copy(run.id, name)
            except DamagedFile as error:
                raise StoreError(f"{run.id} cannot be copied: {error}") from error
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
        self._begin()
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
            queued = replace(status, state="queued", queued_at=time.time(), owner=owner, message="", **NOBODY)
            run.set_status(queued)
        self._begin()

    def cancel(self, run: Run) -> None:
        """Ask a run to stop; :meth:`tend` kills it if it has not after three seconds."""
        with self._locked():
            status = run.status
            if status.state == "queued":
                run.set_status(replace(status, state="cancelled"))
            elif is_alive(status):
                cancel_request(run).touch()
        self._begin()

    def _begin(self) -> None:
        """Start what can be started; what was asked for is written down, so trouble here is no failure of it."""
        with suppress(StoreError):
            self.tend()

    def delete(self, run: Run) -> None:
        """Put a run that is neither pinned nor being computed into the bin; :meth:`restore` brings it back."""
        with self._locked():
            run = self.store.run(run.id)
            if run.about.pinned:
                raise StoreError(f"{run.about.name or run.id} is pinned; unpin it first")
            if is_alive(run.status) or is_alive(Search(run).status):
                raise StoreError(f"{run.id} is running; cancel it first")
            for job in (run, Search(run)):
                if job.status.state == "queued":  # or it would start by itself when it is restored
                    job.set_status(replace(job.status, state="cancelled"))
            self.store.discard(run.id)
            self.store.sweep_up()

    def restore(self, run_id: str) -> Run:
        """Take a run out of the bin."""
        with self._locked():
            return self.store.restore(run_id)

    def empty_bin(self) -> None:
        """Remove all runs in the bin for good."""
        with self._locked():
            self.store.empty_bin()

    def import_zip(self, file: BinaryIO) -> Run:
        """Import a run's zip file, if the quota allows it."""
        with self._locked():
            self._check_quota(unpacked_size(file))
            return import_zip(self.store, file)

    def deletable(self) -> list[Run]:
        """Unpinned runs that are not at work, oldest first: what to offer when space is short."""
        idle = [
            line.run
            for line in self.store.listing()
            if not line.about.pinned and not _is_busy(line.status) and not _is_busy(Search(line.run).status)
        ]
        return idle[::-1]

    def job(self, run: Run) -> Job:
        """How a run is getting on."""
        status = run.status
        if _has_died(status):
            status = run.status  # it may have ended well between the two looks; what it wrote last stands
        state = status.state
        if _has_died(status):
            state = "cancelled" if cancel_request(run).exists() else "died"
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

    def _check_quota(self, needed: int = 0) -> None:
        """Raise StoreError if there is no room for so many bytes more; runs in the bin make room first."""
        self.store.sweep_up()
        if len(list(self.store)) >= self.limits.max_runs:
            raise StoreError(f"there are {self.limits.max_runs} runs already; delete some first{self._for_example()}")
        quota, used = self.limits.quota, self.store.size()
        if used + needed >= quota:
            more = f" and {needed / 2**20:,.1f} MB more are needed" if needed else ""
            raise StoreError(
                f"the runs use {used / 2**20:,.0f} MB of {quota / 2**20:,.0f} MB{more}; "
                f"delete some first{self._for_example()}"
            )
        fits = list(accumulate((run.size() for run in self.store.binned()), initial=used + needed))[1:]
        self.store.empty_bin(keep=sum(total < quota for total in fits))

    def _for_example(self) -> str:
        oldest = ", ".join(run.about.name or run.id for run in self.deletable()[:3])
        return f", for example the oldest unpinned: {oldest or 'none is unpinned'}"


def _duration(seconds: float) -> str:
    """Seconds in words that need no more than two digits."""
    for name, unit in (("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.0f} {name}"
    return f"{seconds:.0f} seconds"


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
