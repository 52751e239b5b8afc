"""The search over the weights: all its dictionaries come from one trajectory.

Points of the triangle that choose the same atoms are one dictionary and share its score; a
dictionary's codes are computed once for all its networks.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

from dasksvd.common.language import say
from dasksvd.errors import ParameterError
from dasksvd.method.trajectory import Trajectory
from dasksvd.rankings import DEFAULT as DEFAULT_RANKING
from dasksvd.runs.source import SearchBase
from dasksvd.search import tasks
from dasksvd.search.lattice import Point, coarse, fine, papers_regions, regions
from dasksvd.search.plans import WeightsPlan
from dasksvd.search.scores import Scores
from dasksvd.search.tasks import Batch, Task, dictionary_seconds, network_seconds, takes_minutes
from dasksvd.statistics import Summary, summarise

#: Two regions of stage 2 have at most so many points, four at most so many, and two usually so many.
MOST_OF_TWO, MOST_OF_FOUR, USUAL_OF_TWO = 26, 48, 19


def weight_scores(run: SearchBase, *, damage: str = "raise") -> Scores:
    """The scores of a run's search over the weights."""
    return Scores(run.folder / "grid.json", run.shipped_scores(), damage=damage)


class Choices:
    """Which atoms the points choose from a trajectory, each ranked only once.

    Parameters
    ----------
    trajectory : Trajectory
    ranking : str, default="combined"
    """

    def __init__(self, trajectory: Trajectory, ranking: str = DEFAULT_RANKING):
        self.trajectory, self.ranking = trajectory, ranking
        self._indices: dict[Point, np.ndarray] = {}

    def index(self, point: Point, size: int) -> np.ndarray:
        """The chosen atom of every iteration and class; shape (size, n_classes)."""
        if point not in self._indices:
            chosen = self.trajectory.reselect(point.alpha, point.beta, ranking=self.ranking).index
            self._indices[point] = chosen
        return self._indices[point][:size]  # fewer iterations choose the beginning of this

    def key(self, point: Point, size: int, scored_by: str) -> str:
        """A name of the dictionary and of what scores it: equal atoms, equal name."""
        return dictionary_key(self.index(point, size), scored_by)

    def changed(self, point: Point, size: int) -> int:
        """How many of its atoms differ from those of α = β = 0."""
        return int(np.count_nonzero(self.index(point, size) != self.index(Point(0, 0, 1), size)))


def dictionary_key(index: np.ndarray, scored_by: str) -> str:
    """A name of the dictionary of some chosen atoms, of shape (size, n_classes), and of what scores it."""
    digest = hashlib.sha256(np.ascontiguousarray(index, "<i4").tobytes()).hexdigest()
    return f"{scored_by}/{len(index)}-{digest[:16]}"


@dataclass(frozen=True)
class Row:
    """One point at one size.

    Attributes
    ----------
    point : Point
    size : int
        Atoms per class.
    summary : Summary or None
        Accuracy on X_val over the seeds; None if it is not scored yet.
    changed : int
        Atoms that differ from those of α = β = 0.
    shared : int
        Points of the same list that choose the very same atoms, itself included.
    key : str
        The dictionary's name among the scores.
    """

    point: Point
    size: int
    summary: Summary | None
    changed: int
    shared: int
    key: str


def weight_rows(
    choices: Choices, scores: Scores, points: Sequence[Point], sizes: Sequence[int], scored_by: str
) -> list[Row]:
    """What is known of points at some sizes; ``scored_by`` is that of a plan."""
    rows = []
    for size in sizes:
        keys = {point: choices.key(point, size, scored_by) for point in points}
        sharing = Counter(keys.values())
        for point, key in keys.items():
            entry = scores.entries.get(key)
            summary = _summary(tuple(entry.accuracies.values())) if entry and entry.accuracies else None
            rows.append(Row(point, size, summary, choices.changed(point, size), sharing[key], key))
    return rows


@lru_cache(maxsize=8192)
def _summary(accuracies: tuple[float, ...]) -> Summary:
    """A page asks again for all its points whenever a control moves."""
    return summarise(list(accuracies))


def best_regions(rows: Iterable[Row], size: int) -> list[Point]:
    """R1 and R2 of a size; empty until all its points are scored."""
    means = {}
    for row in rows:
        if row.size == size:
            if row.summary is None:
                return []
            means[row.point] = row.summary.mean
    return regions(means) if means else []


def zoomed_points(rows: Iterable[Row], size: int, plan: WeightsPlan) -> list[Point]:
    """The points of stage 2 for a size, from the rows of stage 1."""
    centres = best_regions(rows, size)
    if centres and plan.papers_regions:
        centres += papers_regions(size)
    return list(dict.fromkeys(point for centre in centres for point in fine(centre, plan.fine_step)))


def weight_tasks(
    choices: Choices, scores: Scores, points: Sequence[Point], sizes: Sequence[int], plan: WeightsPlan
) -> list[tuple[str, Point, int, tuple[int, ...]]]:
    """What is to be computed: one task per dictionary, or per network where that takes minutes.

    Returns
    -------
    list of (key, point, size, seeds)
        Only one of the points that choose the same atoms.
    """
    first: dict[str, tuple[Point, int]] = {}
    for size, point in product(sizes, points):
        first.setdefault(choices.key(point, size, plan.scored_by), (point, size))
    found = []
    for key, (point, size) in sorted(first.items(), key=lambda item: (-item[1][1], item[1][0])):
        seeds = scores.missing(key, plan.seeds)
        portions = [(seed,) for seed in seeds] if takes_minutes(plan.classifier) else [tuple(seeds)]
        found += [(key, point, size, portion) for portion in portions if portion]
    return found


def most_zoomed(plan: WeightsPlan) -> int:
    """The most networks that stage 2 can need for one size."""
    return (MOST_OF_FOUR if plan.papers_regions else MOST_OF_TWO) * plan.seeds


def weight_batches(run: SearchBase, plan: WeightsPlan, scores: Scores) -> Iterator[Batch]:
    """Stage 1, then stage 2 size by size, which needs the scores of stage 1."""
    choices, finished = Choices(run.trajectory, plan.ranking), len(run.trajectory.records)
    if max(plan.sizes) > finished:
        raise ParameterError(
            say(
                "the run has {finished} iterations, too few for {sizes} per class",
                finished=finished,
                sizes=max(plan.sizes),
            )
        )
    # Until R1 and R2 are known, the most that stage 2 can need.
    most = most_zoomed(plan)
    points = coarse(plan.step)
    yield _batch(run, plan, scores, choices, points, plan.sizes, most * len(plan.zoomed))
    rows = weight_rows(choices, scores, points, plan.sizes, plan.scored_by)
    for left, size in zip(reversed(range(len(plan.zoomed))), plan.zoomed, strict=True):
        yield _batch(run, plan, scores, choices, zoomed_points(rows, size, plan), [size], most * left)


def _batch(
    run: SearchBase,
    plan: WeightsPlan,
    scores: Scores,
    choices: Choices,
    points: Sequence[Point],
    sizes: Sequence[int],
    later: int,
) -> Batch:
    pending = weight_tasks(choices, scores, points, sizes, plan)
    wanted = {choices.key(point, size, plan.scored_by) for point in points for size in sizes}
    batch = []
    for key, point, size, seeds in pending:
        atoms = run.trajectory.reselect(point.alpha, point.beta, size, plan.ranking).atoms
        seconds = dictionary_seconds(plan.classifier, len(atoms), len(seeds), run.description)
        batch.append(Task(tasks.score_dictionary, (key, atoms, plan, seeds), len(seeds), seconds))
    known = len(wanted) * plan.seeds - sum(task.networks for task in batch)
    return Batch(batch, known, later)


def missing_weights_seconds(run: SearchBase, plan: WeightsPlan, choices: Choices | None = None) -> float:
    """Seconds on one core for what a search over the weights has no scores of, by the pace of those it has."""
    description, k = run.description, len(run.description.classes)
    scores, choices = weight_scores(run, damage="ignore"), choices or Choices(run.trajectory, plan.ranking)
    points = coarse(plan.step)
    found = weight_tasks(choices, scores, points, plan.sizes, plan)
    pending = [(size, len(seeds)) for _, _, size, seeds in found]
    rows = weight_rows(choices, scores, points, plan.sizes, plan.scored_by)
    for size in plan.zoomed:
        nearby = zoomed_points(rows, size, plan)
        found = weight_tasks(choices, scores, nearby, [size], plan)
        # Before R1 and R2 are known, a usual number.
        pending += [(size, len(seeds)) for *_, seeds in found] if nearby else [(size, plan.seeds)] * USUAL_OF_TWO
    pace = scores.pace(plan.scored_by, lambda size: network_seconds(plan.classifier, size * k, description))
    return pace * sum(dictionary_seconds(plan.classifier, size * k, seeds, description) for size, seeds in pending)
