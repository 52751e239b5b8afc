"""What visitors may do with the runs of a store: submit, watch, cancel, resume, delete.

Everything is on disk, so a job survives the server that started it and is found again by the
next one.  A lock on the store makes sure that two servers never start the same job.
"""

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import BinaryIO

from dasksvd.common.language import say
from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.description import Description
from dasksvd.datasets.library import Kept, arrays_of
from dasksvd.errors import DamagedFile, StoreError
from dasksvd.evaluate import Plan
from dasksvd.runs.archive import import_zip, unpacked_size
from dasksvd.runs.evaluation import read_plan, write_plan
from dasksvd.runs.folder import Run
from dasksvd.runs.job import Job, Work
from dasksvd.runs.limits import Limits, expected_cost, make_room
from dasksvd.runs.processes import NOBODY, is_alive, is_busy
from dasksvd.runs.queue import Queue
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store


@dataclass(frozen=True)
class JobView:
    """How a run or a search is getting on.

    Attributes
    ----------
    run : Run or Search
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
        The last lines of a job that failed or died.
    """

    run: Work
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
        Jobs at work at once; ``DASKSVD_JOBS`` by default, else 1.
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
        self.limits.check_run(description, plan)
        with self.locked():
            self.check_room(owner)
            run = self.store.create(description, name, **data)
            if plan is not None:
                write_plan(run, plan)
            run.set_status(Status(queued_at=time.time(), owner=owner))
        self.try_to_start()
        return run

    def resume(self, run: Run, owner: str = "") -> None:
        """Put a new, stopped, failed, damaged or dead run into the queue, within the same limits."""
        try:
            self.limits.check_run(run.description, read_plan(run))
        except DamagedFile as error:
            raise StoreError(say("{id} cannot be repaired: {error}", id=run.id, error=error)) from error
        self.put_back(run.job, owner)

    def put_back(self, job: Job, owner: str = "") -> None:
        """Put a job that is not at work into the queue, whatever its size."""
        with self.locked():
            status = job.status
            if is_busy(status):
                raise StoreError(say("{id} is already waiting or running", id=job.id))
            self.check_room(owner)
            job.set_status(replace(status, state="queued", queued_at=time.time(), owner=owner, message="", **NOBODY))
        self.try_to_start()

    def check_room(self, owner: str) -> None:
        """Raise StoreError if the queue or the disk is full; the caller holds the lock."""
        self.limits.check_queue((line.status for line in self.waiting()), owner)
        make_room(self.store, self.limits)

    def try_to_start(self) -> None:
        """Start what can be started; what was asked for is written down, so trouble here is no failure of it."""
        with suppress(StoreError):
            self.start_waiting()

    def cancel(self, work: Work) -> None:
        """Ask a run or a search to stop; :meth:`start_waiting` kills it if it has not after three seconds."""
        job = work.job
        with self.locked():
            status = job.status
            if status.state == "queued":
                job.set_status(replace(status, state="cancelled"))
            elif is_alive(status):
                job.cancel_request.touch()
        self.try_to_start()

    def copy(self, run: Run, name: str = "") -> Run:
        """A new run with the settings, the data and the plan of another; nothing of it is computed yet.

        Raises
        ------
        StoreError
            If the disk is full or the run is damaged.
        """
        data = run.folder / "data.npz"
        with self.locked():
            make_room(self.store, self.limits, data.stat().st_size if data.exists() else 0)
            try:
                plan, new = read_plan(run), self.store.copy(run.id, name)
            except DamagedFile as error:
                raise StoreError(say("{id} cannot be copied: {error}", id=run.id, error=error)) from error
            if plan is not None:
                write_plan(new, plan)
        return new

    def delete(self, run: Run) -> None:
        """Put a run that is neither pinned nor being computed into the bin; :meth:`restore` brings it back."""
        with self.locked():
            run = self.store.run(run.id)
            if run.about.pinned:
                raise StoreError(say("{value} is pinned; unpin it first", value=run.about.name or run.id))
            if any(is_alive(job.status) for job in run.jobs):
                raise StoreError(say("{id} is running; cancel it first", id=run.id))
            for job in run.jobs:
                if job.status.state == "queued":  # or it would start by itself when it is restored
                    job.set_status(replace(job.status, state="cancelled"))
            self.store.discard(run.id)
            self.store.sweep_up()

    def restore(self, run_id: str) -> Run:
        """Take a run out of the bin."""
        with self.locked():
            return self.store.restore(run_id)

    def empty_bin(self) -> None:
        """Remove all runs in the bin for good."""
        with self.locked():
            self.store.empty_bin()

    def add_data(self, data: DataSet, name: str) -> Kept:
        """Keep a data set of one's own, if the quota allows it."""
        with self.locked():
            make_room(self.store, self.limits, sum(array.nbytes for array in arrays_of(data).values()))
            return self.store.library.add(data, name)

    def rename_data(self, wanted: str, name: str) -> Kept:
        """Give the data set of a key another name; runs name it by its key and go on."""
        with self.locked():
            return self.store.library.rename(wanted, name)

    def remove_data(self, name: str) -> None:
        """Delete a data set of one's own that no run needs."""
        with self.locked():
            self.store.remove_data(name)

    def import_zip(self, file: BinaryIO) -> Run:
        """Import a run's zip file, if the quota allows it."""
        with self.locked():
            make_room(self.store, self.limits, unpacked_size(file))
            return import_zip(self.store, file)

    def job(self, work: Work) -> JobView:
        """How a run or a search is getting on."""
        job = work.job
        status = job.status
        if _has_died(status):
            status = job.status  # it may have ended well between the two looks; what it wrote last stands
        state = status.state
        if _has_died(status):
            state = "cancelled" if job.cancel_request.exists() else "died"
        try:
            share = 1.0 if state == "finished" else work.share(status)
        except DamagedFile as error:
            return JobView(work, replace(status, message=str(error)), "failed", 0.0, None, None, job.last_lines())
        return JobView(
            run=work,
            status=status,
            state=state,
            share=share,
            seconds_left=_seconds_left(work, status, share) if state == "running" else None,
            position=self._position(job) if state == "queued" else None,
            log=job.last_lines() if state in ("failed", "died") else "",
        )

    def _position(self, job: Job) -> int | None:
        return next((place for place, line in enumerate(self.waiting(), 1) if line.job.id == job.id), None)


def _seconds_left(work: Work, status: Status, share: float) -> float | None:
    """Seconds that a job at work still needs, with the classifier that follows a run's last iteration."""
    pace = status.seconds * (1 - share) / share if share > 0 and status.seconds > 0 else None
    if not isinstance(work, Run):
        return status.seconds_left or pace
    expected, ended = expected_cost(work), status.ended
    if len(ended) > 1:  # without the first one, which ends late where the process starts slowly
        iterations = (1 - share) * work.description.settings.I * (ended[-1] - ended[0]) / (len(ended) - 1)
    elif pace is not None and status.iteration > len(ended):  # nobody has noted when they ended
        iterations = pace
    else:
        start = max(0.0, expected.start - status.seconds) if share == 0 else 0.0
        iterations = start + (1 - share) * expected.atoms
    scoring = expected.tuning + expected.coding + expected.network
    if share == 1 and ended:
        scoring -= status.seconds - ended[-1]
    return max(0.0, iterations) + max(0.0, scoring)


def _has_died(status: Status) -> bool:
    return status.state == "running" and not is_alive(status)
