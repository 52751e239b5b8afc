"""What a shared server accepts from its visitors, and what it says when something is too much."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from dasksvd.common.language import phrase, say
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
    "atoms": phrase("lower I, t, q, r_f or the K-SVD iterations"),
    "tuning": phrase("take fewer epochs of fine-tuning"),
    "coding": phrase("lower I or q"),
    "network": phrase("take fewer hidden units, fewer atoms or today's classifier"),
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
                say(
                    "this server accepts at most {max_ksvd_iter} K-SVD iterations, got {ksvd_iter}",
                    max_ksvd_iter=self.max_ksvd_iter,
                    ksvd_iter=settings.ksvd_iter,
                )
            )
        expected = plan_cost(description, plan)
        if expected.total > self.max_run_seconds:
            most = max(_REMEDIES, key=lambda part: getattr(expected, part))
            raise ParameterError(
                say(
                    "this run would take about {total}, this server accepts {max_run_seconds}; {remedy}, or use the "
                    "command line",
                    total=duration(expected.total),
                    max_run_seconds=duration(self.max_run_seconds),
                    remedy=say(_REMEDIES[most]),
                )
            )

    def check_queue(self, waiting: Iterable[Status], owner: str) -> None:
        """Raise StoreError if nothing more may wait, or nothing more of this visitor."""
        owners = [status.owner for status in waiting]
        if len(owners) >= self.max_waiting:
            raise StoreError(
                say("the queue is full ({count} runs are waiting); try again in a few minutes", count=len(owners))
            )
        if owner and owners.count(owner) >= self.max_waiting_per_owner:
            raise StoreError(say("you already have a run waiting; let it start, or cancel it"))


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
        raise StoreError(
            say(
                "there are {max_runs} runs already; delete some first{store}",
                max_runs=limits.max_runs,
                store=_for_example(store),
            )
        )
    quota, used = limits.quota, store.size()
    if used + needed >= quota:
        more = say(" and {needed:,.1f} MB more are needed", needed=needed / 2**20) if needed else ""
        raise StoreError(
            say(
                "the runs use {used:,.0f} MB of {quota:,.0f} MB{more}; delete some first{store}",
                used=used / 2**20,
                quota=quota / 2**20,
                more=more,
                store=_for_example(store),
            )
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
    return say(", for example the oldest unpinned: {value}", value=oldest or say("none is unpinned"))


def duration(seconds: float) -> str:
    """Seconds in words that need no more than two digits."""
    for words, unit in ((phrase("{count:,.0f} hours"), 3600), (phrase("{count:,.0f} minutes"), 60)):
        if seconds >= 2 * unit:
            return say(words, count=seconds / unit)
    return say("{count:.0f} seconds", count=seconds)
