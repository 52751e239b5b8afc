"""What a shared server accepts from its visitors, and what it says when something is too much."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from dasksvd.cost import Cost, run_cost
from dasksvd.datasets.description import Description
from dasksvd.errors import DamagedFile, ParameterError, StoreError
from dasksvd.evaluate import Plan
from dasksvd.runs.evaluation import read_plan
from dasksvd.runs.folder import Run
from dasksvd.runs.processes import is_busy
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store

#: What makes a run shorter, by what takes most of its time.
_REMEDIES = {
    "atoms": "lower I, t, q, r_f or the K-SVD iterations",
    "tuning": "take fewer epochs of fine-tuning",
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

    def check_run(self, description: Description, plan: Plan | None = None) -> None:
        """Raise ParameterError if a run, with the evaluation of its plan, is larger than this server accepts."""
        settings = description.settings
        settings.check_data(description.signal_length, dict.fromkeys(description.classes, 2**31))
        if settings.ksvd_iter > self.max_ksvd_iter:
            raise ParameterError(
                f"this server accepts at most {self.max_ksvd_iter} K-SVD iterations, got {settings.ksvd_iter}"
            )
        expected = plan_cost(description, plan)
        if expected.total > self.max_run_seconds:
            most = max(_REMEDIES, key=lambda part: getattr(expected, part))
            raise ParameterError(
                f"this run would take about {duration(expected.total)}, this server accepts "
                f"{duration(self.max_run_seconds)}; {_REMEDIES[most]}, or use the command line"
            )

    def check_queue(self, waiting: Iterable[Status], owner: str) -> None:
        """Raise StoreError if nothing more may wait, or nothing more of this visitor."""
        owners = [status.owner for status in waiting]
        if len(owners) >= self.max_waiting:
            raise StoreError(f"the queue is full ({len(owners)} runs are waiting); try again in a few minutes")
        if owner and owners.count(owner) >= self.max_waiting_per_owner:
            raise StoreError("you already have a run waiting; let it start, or cancel it")


def expected_cost(run: Run) -> Cost:
    """What a run takes from its start to its end, with the evaluation that its plan asks for."""
    try:
        plan = read_plan(run)
    except DamagedFile:
        plan = None  # it fails when its turn comes
    return plan_cost(run.description, plan)


def plan_cost(description: Description, plan: Plan | None) -> Cost:
    """What a run takes with the evaluation of a plan, if there is one."""
    if plan is None:
        return run_cost(description)
    return run_cost(description, plan.classifier, plan.hidden, n_levels=len(plan.levels))


def make_room(store: Store, limits: Limits, needed: int = 0) -> None:
    """Raise StoreError if there is no room for so many bytes more; runs in the bin make room first."""
    store.sweep_up()
    if len(list(store)) >= limits.max_runs:
        raise StoreError(f"there are {limits.max_runs} runs already; delete some first{_for_example(store)}")
    quota, used = limits.quota, store.size()
    if used + needed >= quota:
        more = f" and {needed / 2**20:,.1f} MB more are needed" if needed else ""
        raise StoreError(
            f"the runs use {used / 2**20:,.0f} MB of {quota / 2**20:,.0f} MB{more}; "
            f"delete some first{_for_example(store)}"
        )
    totals = list(accumulate((run.size() for run in store.binned()), initial=used + needed))[1:]
    store.empty_bin(keep=sum(total < quota for total in totals))


def deletable(store: Store) -> list[Run]:
    """Unpinned runs that are not at work, oldest first: what to offer when space is short."""
    idle = [
        line.run
        for line in store.listing()
        if not line.about.pinned and not any(is_busy(job.status) for job in line.run.jobs)
    ]
    return idle[::-1]


def _for_example(store: Store) -> str:
    oldest = ", ".join(run.about.name or run.id for run in deletable(store)[:3])
    return f", for example the oldest unpinned: {oldest or 'none is unpinned'}"


def duration(seconds: float) -> str:
    """Seconds in words that need no more than two digits."""
    for name, unit in (("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.0f} {name}"
    return f"{seconds:.0f} seconds"
