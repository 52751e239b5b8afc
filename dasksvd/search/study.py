"""A study: its trials, which of them share a trajectory, what it will take, and how it is computed.

All trials that learn alike are one group: their trajectory is learned once, as long as the longest of them needs it.
Groups are independent of each other, so they go to this machine's cores or to a Dask cluster.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from dasksvd import cost
from dasksvd.common.parallel import each, n_workers
from dasksvd.common.progress import SearchProgress
from dasksvd.datasets.description import Description
from dasksvd.encoders import levels_to_try
from dasksvd.parameters import Settings
from dasksvd.runs.folder import own_arrays
from dasksvd.runs.source import SearchBase
from dasksvd.search.adaptive import next_points, past_points
from dasksvd.search.shared import make_room, of_settings
from dasksvd.search.space import ADAPTIVE, Values
from dasksvd.search.study_plan import StudyPlan
from dasksvd.search.study_tasks import compute_group
from dasksvd.search.trial import Finding, Findings, Trial

Group = list[Trial]


def findings(run: SearchBase) -> Findings:
    """What all studies on a run have found."""
    return Findings(run.folder / "study.jsonl")


def trajectories(run: SearchBase) -> Path:
    """The folder of the trajectories that the studies on a run share."""
    return run.folder / "search" / "trajectories"


def points_of(run: SearchBase, plan: StudyPlan) -> list[Values]:
    """The points that a study has, as far as they are known."""
    return past_points(run, plan) if plan.design == ADAPTIVE else plan.designed(run.description)


def groups_of(trials: Iterable[Trial]) -> list[Group]:
    """Trials by the trajectory that they share, in the order in which they come."""
    found: dict[Settings, Group] = {}
    for trial in trials:
        found.setdefault(trial.trajectory, []).append(trial)
    return list(found.values())


def missing(run: SearchBase, plan: StudyPlan, points: list[Values]) -> list[Group]:
    """The groups of what a study has not found yet, all points with their first seed before any second one."""
    known, pending = findings(run).read(), plan.trials(run.description, points)
    return groups_of(trial for trial in pending.values() if trial.key not in known)


def group_seconds(group: Group, run: SearchBase, speed: cost.Speed | None = None, anew: bool = False) -> float:
    """Seconds on one core for a group: what its trajectory lacks, then the codes and the network of each trial.

    With ``anew`` as if there were no trajectory yet.  Trials that turn out to choose the same atoms are cheaper than
    that: it is the most that is needed.
    """
    speed, what = speed or cost.this_machine(), run.description
    shared = of_settings(trajectories(run), what, group[0].trajectory)
    most, k = max(trial.settings.I for trial in group), len(what.classes)
    atoms = cost.atoms_seconds(replace(group[0].settings, I=most), what.signal_length, k, speed)
    done = 0 if anew else shared.n_finished()
    seconds = atoms * max(0, most - done) / most
    for _, alike in groupby(sorted(group, key=_codes), key=_codes):
        seconds += _scoring_seconds(list(alike), what, speed)
    return seconds


def _codes(trial: Trial) -> tuple:
    """What the codes of a trial depend on; another network reads the same ones."""
    settings = trial.settings
    return settings.I, settings.alpha, settings.beta, settings.ranking, trial.plan.encoder, repr(trial.code_q)


def _scoring_seconds(alike: Sequence[Trial], what: Description, speed: cost.Speed) -> float:
    first, k = alike[0], len(what.classes)
    n_atoms, q = first.settings.I * k, first.settings.q if first.code_q is None else first.code_q
    levels = len(levels_to_try(first.plan.encoder, first.plan.level))
    coding = cost.coding_seconds(replace(what, settings=replace(first.settings, q=q)), n_atoms, speed)
    networks = (
        cost.network_seconds(trial.plan.classifier, what.n_signals, n_atoms, trial.plan.hidden or n_atoms, k, speed)
        for trial in alike
    )
    return levels * (coding + sum(networks))


def missing_study_seconds(run: SearchBase, plan: StudyPlan) -> float:
    """Seconds on one core for what a study lacks; of points that are not chosen yet, as much as usual."""
    points = points_of(run, plan)
    seconds = sum(group_seconds(group, run) for group in missing(run, plan, points))
    unknown = plan.points - len(points) if plan.design == ADAPTIVE else 0
    if unknown > 0:
        middle = next_points(run, plan, points, {}, 1, usual=True)
        trials = plan.trials(run.description, middle).values()
        seconds += unknown * sum(group_seconds(group, run) for group in groups_of(trials))
    return seconds


def independent_seconds(run: SearchBase, plan: StudyPlan) -> float:
    """Seconds on one core if every trial of a study were a run of its own, with its own evaluation."""
    trials, what = plan.trials(run.description, points_of(run, plan)).values(), run.description
    speed, k = cost.this_machine(), len(what.classes)
    return sum(
        cost.atoms_seconds(trial.settings, what.signal_length, k, speed) + _scoring_seconds([trial], what, speed)
        for trial in trials
    )


def shared_cost(run: SearchBase, plan: StudyPlan) -> float | None:
    """What a study costs from its beginning as a share of independent runs; None if its points are not known yet."""
    if plan.design == ADAPTIVE:
        return None
    groups = groups_of(plan.trials(run.description, points_of(run, plan)).values())
    return sum(group_seconds(group, run, anew=True) for group in groups) / independent_seconds(run, plan)


def run_study(run: SearchBase, plan: StudyPlan, engine: Any, report: Callable[[SearchProgress], Any]) -> None:
    """Find what a study lacks; each finding is kept as it comes.

    Parameters
    ----------
    run : Run or ReferenceRun
    plan : StudyPlan
    engine : Engine
        Where it is computed.
    report : callable(SearchProgress)
        Called before the first and after every group; may raise to stop.
    """
    clock = _Clock(plan.minutes * 60, n_workers(engine.n_jobs))
    for points in _rounds(run, plan):
        groups = missing(run, plan, points)
        whole = plan.points if plan.design == ADAPTIVE else len(points)
        done = len(points) * plan.seeds - sum(map(len, groups))
        _compute(run, groups, engine, clock, report, (done, whole * plan.seeds))
        if clock.is_over:
            return


def _rounds(run: SearchBase, plan: StudyPlan) -> Iterator[list[Values]]:
    """All points at once, or one more each time if what was found decides about it."""
    points = points_of(run, plan)
    if plan.design != ADAPTIVE:
        yield points
        return
    if points:
        yield points
    while len(points) < plan.points:
        points += next_points(run, plan, points, scores(run, plan, points), 1)
        yield points


def scores(run: SearchBase, plan: StudyPlan, points: list[Values]) -> dict[Values, list[float]]:
    """The accuracies of the points that have any."""
    known = findings(run).read()
    found: dict[Values, list[float]] = {}
    for (point, _), trial in plan.trials(run.description, points).items():
        finding = known.get(trial.key)
        if finding is not None and not finding.problem:
            found.setdefault(point, []).append(finding.accuracy)
    return found


class _Clock:
    """What time is left, and how fast groups are compared with what was expected."""

    def __init__(self, seconds: float, workers: int):
        self.seconds, self.workers = seconds, workers
        self.started = time.monotonic()
        self.expected = self.begun = 0.0
        self.is_over = False

    @property
    def spent(self) -> float:
        return time.monotonic() - self.started

    @property
    def pace(self) -> float:
        """Seconds of this machine for each expected one, trusted more and more as groups end."""
        return (self.spent * self.workers + 10.0) / (self.expected + 10.0) if self.expected else 1.0

    def allows(self, seconds: float) -> bool:
        """Whether one more group would end in time; the first one is always begun."""
        late = self.seconds and self.begun and self.spent + seconds * self.pace > self.seconds
        self.is_over = self.is_over or bool(late)
        if not self.is_over:
            self.begun += seconds
        return not self.is_over


def _compute(
    run: SearchBase,
    groups: list[Group],
    engine: Any,
    clock: _Clock,
    report: Callable[[SearchProgress], Any],
    counts: tuple[int, int],
) -> None:
    """Compute groups as far as there is time, and say how many trials are done."""
    (done, total), kept = counts, findings(run)
    seconds = {group[0].key: group_seconds(group, run) for group in groups}
    left, elsewhere = sum(seconds.values()), bool(engine.scheduler)
    place = ("", "") if elsewhere else (str(trajectories(run)), str(kept.path))

    def tasks() -> Iterator[tuple]:
        """Asked for one by one, as workers become free."""
        for group in groups:
            if not clock.allows(seconds[group[0].key]):
                return
            yield place, group, run.description

    report(SearchProgress(done, total, left / clock.workers))
    answers = each(
        _compute_and_name,
        tasks(),
        shared=own_arrays(run),
        n_jobs=engine.n_jobs,
        scheduler=engine.scheduler,
        ahead="n_jobs",
    )
    for name, found in answers:
        if elsewhere:
            kept.add(found)
        make_room(trajectories(run))
        done += len(found)
        left -= seconds[name]
        clock.expected += seconds[name]
        report(SearchProgress(done, total, max(0.0, left) * clock.pace / clock.workers))


def _compute_and_name(place: tuple[str, str], group: Group, *more: Any) -> tuple[str, list[Finding]]:
    """Groups end in any order; their first trial tells which one it was."""
    return group[0].key, compute_group(place, group, *more)
