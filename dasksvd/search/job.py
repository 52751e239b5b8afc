"""A search as a job: its plan, status and log lie in a folder of the run it belongs to.

``python -m dasksvd.search.job FOLDER`` is what the queue starts; FOLDER is that of the run.
"""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from dasksvd.common.files import read_json, write_json
from dasksvd.common.language import say
from dasksvd.common.parallel import SCHEDULER
from dasksvd.common.progress import SearchLine, SearchProgress
from dasksvd.errors import DamagedFile, ParameterError, StoreError
from dasksvd.runs.folder import Run
from dasksvd.runs.job import search_job, search_plan
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import Limits, duration
from dasksvd.runs.processes import is_busy
from dasksvd.runs.reference import ReferenceRun, shipped_runs
from dasksvd.runs.source import SearchBase
from dasksvd.runs.status import Status
from dasksvd.runs.worker import at_work, work_for_queue
from dasksvd.search.engine import Engine, expected_seconds, search
from dasksvd.search.plans import SearchPlan, SweepPlan, plan_as_dict, plan_from_dict, plan_id
from dasksvd.search.study import groups_of, points_of
from dasksvd.search.study_plan import StudyPlan

#: Plans of a run that are listed.
MOST_PLANS = 20


class Search:
    """The search on a run.

    Parameters
    ----------
    base : Run or ReferenceRun
        The run whose atoms or settings it starts from.

    Attributes
    ----------
    job : Job
        Its folder and command.
    """

    def __init__(self, base: SearchBase):
        self.base = base
        self.job = search_job(base.folder, base.id)

    @property
    def id(self) -> str:
        """The run's id with a mark."""
        return self.job.id

    @property
    def status(self) -> Status:
        """Where its job stands."""
        return self.job.status

    def share(self, status: Status) -> float:
        """How much of it is done by its status, 0 … 1."""
        return min(1.0, status.iteration / status.total) if status.total else 0.0

    @property
    def plan(self) -> SearchPlan:
        """What it is to score, or DamagedFile."""
        try:
            return plan_from_dict(read_json(search_plan(self.job)))
        except ParameterError as error:
            raise DamagedFile(f"plan.json: {error}") from error

    def has_plan(self) -> bool:
        """Whether anything was ever searched here."""
        return search_plan(self.job).exists()

    def set_plan(self, plan: SearchPlan) -> None:
        """Write what it is to score, and keep it among the plans that the run has been searched by."""
        kept = self._plans_folder()
        kept.mkdir(parents=True, exist_ok=True)
        write_json(kept / f"{plan_id(plan)}.json", plan_as_dict(plan))
        write_json(search_plan(self.job), plan_as_dict(plan))

    def plans(self) -> dict[str, SearchPlan]:
        """All plans that the run has been searched by, under their ids, the newest first.

        One that cannot be read is left out: the scores do not depend on it.
        """
        kept = sorted(self._plans_folder().glob("*.json"), key=_age)[:MOST_PLANS]
        last = [search_plan(self.job)] if self.has_plan() else []  # all that a run from before has
        stored = (_read(path) for path in [*kept, *last])
        found = [plan for plan in (*stored, *map(_parsed, self.base.shipped_plans())) if plan is not None]
        return {plan_id(plan): plan for plan in found}

    def _plans_folder(self) -> Path:
        return self.job.folder / "plans"


def _age(path: Path) -> float:
    try:
        return -path.stat().st_mtime
    except OSError:  # gone with its run
        return 0.0


def _read(path: Path) -> SearchPlan | None:
    try:
        return _parsed(read_json(path))
    except DamagedFile:
        return None


def _parsed(values: dict[str, Any]) -> SearchPlan | None:
    try:
        return plan_from_dict(values)
    except ParameterError:
        return None


def find_base(folder: Path) -> Run | ReferenceRun:
    """The run of a folder, which may be that of a shipped one."""
    return next((run for run in shipped_runs(folder.parent) if run.folder.name == folder.name), Run(folder))


def submit_search(jobs: Jobs, base: SearchBase, plan: SearchPlan, owner: str = "") -> Search:
    """Put a search on a run at the end of the queue; what was scored before is kept.

    Raises
    ------
    ParameterError
        If the search is larger than the limits.
    StoreError
        If the queue or the disk is full, or the run's last search is still at work.
    """
    check_search(jobs.limits, base, plan)
    submitted = Search(base)
    with jobs.locked():
        if is_busy(submitted.job.status):
            raise StoreError(say("a search on {id} is already waiting or running", id=base.id))
        jobs.check_room(owner)
        submitted.set_plan(plan)
        submitted.job.set_status(Status(queued_at=time.time(), owner=owner))
    jobs.try_to_start()
    return submitted


def resume_search(jobs: Jobs, stopped: Search, owner: str = "") -> None:
    """Put a stopped, failed or dead search back into the queue, within the same limits."""
    try:
        check_search(jobs.limits, stopped.base, stopped.plan)
    except DamagedFile as error:
        raise StoreError(say("{id} cannot be repaired: {error}", id=stopped.id, error=error)) from error
    jobs.put_back(stopped.job, owner)


def check_search(limits: Limits, base: SearchBase, plan: SearchPlan) -> None:
    """Raise ParameterError if a search is larger than a server accepts."""
    if isinstance(plan, SweepPlan):
        for settings in plan.points(base.description.settings):
            limits.check_run(replace(base.description, settings=settings))
    if isinstance(plan, StudyPlan):
        for group in groups_of(plan.trials(base.description, points_of(base, plan)).values()):
            longest = max((trial.settings for trial in group), key=lambda settings: settings.I)
            limits.check_run(replace(base.description, settings=longest))
    seconds = expected_seconds(base, plan)
    if seconds > limits.max_search_seconds:
        quicker = say(", the modern network") if plan.classifier == "scg" else ""
        raise ParameterError(
            say(
                "this search would take about {seconds}, this server accepts {max_search_seconds}; take fewer points "
                "or networks{quicker}, or use the command line",
                seconds=duration(seconds),
                max_search_seconds=duration(limits.max_search_seconds),
                quicker=quicker,
            )
        )


def compute_search(
    planned: Search, engine: Engine | None = None, on_progress: Callable[[SearchProgress], None] | None = None
) -> None:
    """Score what a search's plan still lacks.

    Raises
    ------
    Cancelled
        If a cancel request appears in its folder.
    """
    with at_work(planned.job) as reporter:

        def report(progress: SearchProgress) -> None:
            reporter.count(progress.done, progress.total, progress.seconds_left)
            if on_progress is not None:
                on_progress(progress)
            reporter.stop_if_asked()

        search(planned.base, planned.plan, engine, report)


def compute_search_with_line(planned: Search, engine: Engine) -> None:
    """Compute a search and show its progress as one line on standard error."""
    line = SearchLine()
    compute_search(planned, engine, line.update)
    line.close(f"scores in {planned.base.folder}")


if __name__ == "__main__":
    base_folder = Path(sys.argv[1])
    cluster = Engine(scheduler=os.environ.get(SCHEDULER, ""))
    sys.exit(
        work_for_queue(base_folder.parent, lambda: compute_search_with_line(Search(find_base(base_folder)), cluster))
    )
