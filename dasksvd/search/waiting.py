"""How long a job that is put into the queue now will wait."""

import heapq

from dasksvd.errors import DasksvdError
from dasksvd.runs.folder import Run
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import expected_cost
from dasksvd.runs.processes import is_busy
from dasksvd.runs.queue import Line
from dasksvd.search.engine import expected_seconds
from dasksvd.search.job import Search, find_base


def expected_wait(jobs: Jobs) -> float:
    """Seconds until the queue has a place for one more job: what is at work and what waits comes first."""
    lines = [line for line in jobs.lines() if is_busy(line.status)]
    at_work = [line for line in lines if line.status.state == "running"]
    free = [0.0] * max(0, max(1, jobs.places) - len(at_work))
    places = [*free, *(_seconds(jobs, line) for line in at_work)]
    heapq.heapify(places)
    for line in lines:
        if line.status.state == "queued":
            heapq.heapreplace(places, places[0] + _seconds(jobs, line))
    return places[0]


def _seconds(jobs: Jobs, line: Line) -> float:
    """Seconds that a job still needs; none if it cannot be told, as of a damaged one."""
    folder, running = line.job.folder, line.status.state == "running"
    try:
        if line.job.id == folder.name:
            run = Run(folder)
            left = jobs.job(run).seconds_left if running else (1 - run.share(line.status)) * expected_cost(run).total
        else:
            search = Search(find_base(folder.parent))
            left = jobs.job(search).seconds_left if running else expected_seconds(search.base, search.plan)
    except DasksvdError:
        return 0.0
    return left or 0.0
