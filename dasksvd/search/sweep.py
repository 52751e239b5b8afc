"""The sweep over other parameters: each of its points is a trajectory of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dasksvd import cost
from dasksvd.datasets.description import Description
from dasksvd.parameters import SWEPT, Settings
from dasksvd.rankings import DEFAULT as DEFAULT_RANKING
from dasksvd.runs.source import SearchBase
from dasksvd.search import tasks
from dasksvd.search.plans import SweepPlan
from dasksvd.search.scores import Scores
from dasksvd.search.tasks import Batch, Task, dictionary_seconds


def sweep_scores(run: SearchBase, *, damage: str = "raise") -> Scores:
    """The scores of the sweeps that start from a run's settings."""
    return Scores(run.folder / "sweep.json", damage=damage)


def sweep_key(settings: Settings, plan: SweepPlan) -> str:
    """The name of a sweep's point among the scores."""
    varied = ",".join(f"{name}={getattr(settings, name):g}" for name in SWEPT)
    ranking = "" if plan.ranking == DEFAULT_RANKING else f"/{plan.ranking}"
    return f"{plan.scored_by}/{plan.alpha:g},{plan.beta:g}/{varied}{ranking}"


def sweep_batches(run: SearchBase, plan: SweepPlan, scores: Scores) -> Iterator[Batch]:
    """All points at once; those that differ in I only share a task."""
    batch, known = [], 0
    for settings, sizes in _by_trajectory(plan.points(run.description.settings)):
        pending = _missing(settings, sizes, plan, scores)
        known += (len(sizes) - len(pending)) * plan.seeds
        if pending:
            largest = replace(settings, I=max(pending), alpha=plan.alpha, beta=plan.beta, ranking=plan.ranking)
            arguments = (pending, largest, plan, tuple(range(plan.seeds)))
            seconds = _trajectory_seconds(largest, list(pending), plan, run.description)
            batch.append(Task(tasks.score_trajectory, arguments, len(pending) * plan.seeds, seconds))
    yield Batch(batch, known)


def missing_sweep_seconds(run: SearchBase, plan: SweepPlan) -> float:
    """Seconds on one core for what a sweep has no scores of."""
    scores, seconds = sweep_scores(run, damage="ignore"), 0.0
    for settings, sizes in _by_trajectory(plan.points(run.description.settings)):
        missing = list(_missing(settings, sizes, plan, scores))
        if missing:
            seconds += _trajectory_seconds(replace(settings, I=max(missing)), missing, plan, run.description)
    return seconds


def _by_trajectory(points: list[Settings]) -> list[tuple[Settings, list[int]]]:
    """Points that differ in I only share a trajectory: (settings, their I)."""
    groups: dict[Settings, list[int]] = {}
    for settings in points:
        groups.setdefault(replace(settings, I=1), []).append(settings.I)
    return list(groups.items())


def _missing(settings: Settings, sizes: Sequence[int], plan: SweepPlan, scores: Scores) -> dict[int, str]:
    """The sizes without all their scores, with their names among the scores."""
    keys = {size: sweep_key(replace(settings, I=size), plan) for size in sizes}
    return {size: key for size, key in keys.items() if scores.missing(key, plan.seeds)}


def _trajectory_seconds(settings: Settings, sizes: Sequence[int], plan: SweepPlan, description: Description) -> float:
    """Seconds for one trajectory and the networks of its sizes."""
    description, k = replace(description, settings=settings), len(description.classes)
    atoms = cost.atoms_seconds(settings, description.signal_length, k, cost.this_machine())
    return atoms + sum(dictionary_seconds(plan.classifier, size * k, plan.seeds, description) for size in sizes)
