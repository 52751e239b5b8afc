"""Which parameters are best?  Dictionaries scored by a network on validation data.

A **search over the weights** takes all its dictionaries from one trajectory.  Points of the
triangle that choose the same atoms are one dictionary and share its score; a dictionary's codes
are computed once for all its networks.  A **sweep** varies other parameters, and each of its
points is a trajectory of its own.

Networks are trained on the training signals and scored on X_val, which decides nothing before:
not the atoms, and not when training stops (unlike in the tables, where the test set scores).
:mod:`dasksvd.datasets.parts` says which signals these are, for this and for the evaluation of a run.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from dasksvd import cost
from dasksvd.common.parallel import each, n_workers
from dasksvd.common.progress import SearchProgress
from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import learning_part, scoring_parts
from dasksvd.errors import NoAtomForClass, ParameterError
from dasksvd.evaluate import train_network
from dasksvd.method.loop import follow
from dasksvd.method.omp import pursue
from dasksvd.method.trajectory import Trajectory
from dasksvd.metrics import Summary, summarise
from dasksvd.networks import for_search
from dasksvd.parameters import Settings, n_nonzero
from dasksvd.runs.folder import Run, own_arrays
from dasksvd.search.lattice import Point, coarse, fine, papers_regions, regions
from dasksvd.search.plans import SWEPT, SearchPlan, SweepPlan, WeightsPlan
from dasksvd.search.scores import Scores


def weight_scores(run: Run, *, damage: str = "raise") -> Scores:
    """The scores of a run's search over the weights."""
    return Scores(run.folder / "grid.json", run.shipped_scores(), damage=damage)


def sweep_scores(run: Run, *, damage: str = "raise") -> Scores:
    """The scores of the sweeps that start from a run's settings."""
    return Scores(run.folder / "sweep.json", damage=damage)


class Choices:
    """Which atoms the points choose from a trajectory, each ranked only once.

    Parameters
    ----------
    trajectory : Trajectory
    """

    def __init__(self, trajectory: Trajectory):
        self.trajectory = trajectory
        self._indices: dict[Point, np.ndarray] = {}

    def index(self, point: Point, size: int) -> np.ndarray:
        """The chosen atom of every iteration and class; shape (size, n_classes)."""
        if point not in self._indices:
            chosen = self.trajectory.reselect(point.alpha, point.beta).index
            self._indices[point] = np.ascontiguousarray(chosen, "<i4")
        return self._indices[point][:size]  # fewer iterations choose the beginning of this

    def key(self, point: Point, size: int, classifier: str) -> str:
        """A name of the dictionary and its network: equal atoms, equal name."""
        return f"{classifier}/{size}-{hashlib.sha256(self.index(point, size).tobytes()).hexdigest()[:16]}"

    def changed(self, point: Point, size: int) -> int:
        """How many of its atoms are not those of α = β = 0."""
        return int(np.count_nonzero(self.index(point, size) != self.index(Point(0, 0, 1), size)))


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
        Atoms that are not those of α = β = 0.
    shared : int
        Points of the same list that choose the very same atoms, itself included.
    """

    point: Point
    size: int
    summary: Summary | None
    changed: int
    shared: int


def weight_rows(
    choices: Choices, scores: Scores, points: Sequence[Point], sizes: Sequence[int], classifier: str
) -> list[Row]:
    """What is known of points at some sizes."""
    rows = []
    for size in sizes:
        keys = {point: choices.key(point, size, classifier) for point in points}
        sharing = Counter(keys.values())
        for point, key in keys.items():
            entry = scores.entries.get(key)
            summary = _summary(tuple(entry.accuracies.values())) if entry and entry.accuracies else None
            rows.append(Row(point, size, summary, choices.changed(point, size), sharing[key]))
    return rows


@lru_cache(maxsize=8192)
def _summary(accuracies: tuple[float, ...]) -> Summary:
    """A page asks again for all its points whenever a control moves."""
    return summarise(list(accuracies))


def best_regions(rows: Iterable[Row], size: int) -> list[Point]:
    """R1 and R2 of a size; empty until all its points are scored."""
    mine = [row for row in rows if row.size == size]
    if not mine or any(row.summary is None for row in mine):
        return []
    return regions({row.point: row.summary.mean for row in mine})


def zoomed_points(rows: Iterable[Row], size: int, plan: WeightsPlan) -> list[Point]:
    """The points of stage 2 for a size, from the rows of stage 1."""
    centres = best_regions(rows, size)
    if centres and plan.papers_regions:
        centres += papers_regions(size)
    return list(dict.fromkeys(point for centre in centres for point in fine(centre, plan.fine_step)))


@dataclass(frozen=True)
class Engine:
    """Where a search is computed.

    Attributes
    ----------
    n_jobs : int or None
        Processes on this machine; None for all cores.
    scheduler : str
        Address of a Dask scheduler; empty for this machine.
    """

    n_jobs: int | None = None
    scheduler: str = ""


def search(
    run: Run, plan: SearchPlan, engine: Engine | None = None, on_progress: Callable[[SearchProgress], Any] | None = None
):
    """Score everything of a plan that has no score yet; each score is saved as it comes.

    Parameters
    ----------
    run : Run
    plan : WeightsPlan or SweepPlan
    engine : Engine, optional
    on_progress : callable(SearchProgress), optional
        Called before the first and after every score; may raise to stop.
    """
    kind = _WeightsSearch if isinstance(plan, WeightsPlan) else _SweepSearch
    kind(run, plan, engine or Engine(), on_progress or (lambda progress: None)).run()


class _Search:
    """What both searches do: hand out tasks, save scores, report."""

    def __init__(self, run: Run, plan: SearchPlan, engine: Engine, on_progress: Callable[[SearchProgress], Any]):
        self.base, self.plan, self.engine, self.on_progress = run, plan, engine, on_progress
        self.description = run.description
        self.arrays = own_arrays(run)
        self.done = self.later = 0

    def score(self, function: Callable, tasks: list[tuple], costs: list[tuple[int, float]]) -> None:
        """Run tasks, each with its number of networks and expected seconds."""
        total = self.done + self.later + sum(networks for networks, _ in costs)
        seconds = sum(expected for _, expected in costs)
        workers = n_workers(self.engine.n_jobs)
        started, left = time.monotonic(), seconds
        self.on_progress(SearchProgress(self.done, total, seconds / workers))
        tasks = [(place, function, *task, self.description) for place, task in enumerate(tasks)]
        options = {"n_jobs": self.engine.n_jobs, "scheduler": self.engine.scheduler}
        for place, results in each(_with_place, tasks, shared=self.arrays, **options):
            for result in results:
                self.scores.add(*result)
            networks, expected = costs[place]
            self.done += networks
            left -= expected
            spent = time.monotonic() - started
            # The first tasks also load data and compilers, so trust the clock more and more.
            pace = (spent + seconds / workers * 0.1) / max(seconds - left + 0.1 * seconds, 1e-9)
            self.on_progress(SearchProgress(self.done, total, left * pace))


class _WeightsSearch(_Search):
    def run(self) -> None:
        self.scores, self.choices = weight_scores(self.base, damage="put aside"), Choices(self.base.trajectory)
        finished = len(self.base.trajectory.records)
        if max(self.plan.sizes) > finished:
            raise ParameterError(f"the run has {finished} iterations, too few for {max(self.plan.sizes)} per class")
        # Until R1 and R2 are known, the most that stage 2 can need.
        most = (48 if self.plan.papers_regions else 26) * self.plan.seeds
        self.later = most * len(self.plan.zoomed)
        points = coarse(self.plan.step)
        self._score_points(points, self.plan.sizes)
        rows = weight_rows(self.choices, self.scores, points, self.plan.sizes, self.plan.classifier)
        for size in self.plan.zoomed:
            self.later -= most
            self._score_points(zoomed_points(rows, size, self.plan), [size])

    def _score_points(self, points: Sequence[Point], sizes: Sequence[int]) -> None:
        tasks, costs = [], []
        pending = weight_tasks(self.choices, self.scores, points, sizes, self.plan)
        wanted = {self.choices.key(point, size, self.plan.classifier) for point in points for size in sizes}
        self.done += len(wanted) * self.plan.seeds - sum(len(seeds) for *_, seeds in pending)
        for key, point, size, seeds in pending:
            atoms = self.base.trajectory.reselect(point.alpha, point.beta, size).atoms
            tasks.append((key, atoms, self.plan.classifier, seeds))
            seconds = task_seconds(self.plan.classifier, len(atoms), len(seeds), self.description)
            costs.append((len(seeds), seconds))
        self.score(_score_dictionary, tasks, costs)


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
        first.setdefault(choices.key(point, size, plan.classifier), (point, size))
    tasks = []
    for key, (point, size) in sorted(first.items(), key=lambda item: (-item[1][1], item[1][0])):
        seeds = scores.missing(key, plan.seeds)
        portions = [(seed,) for seed in seeds] if plan.classifier == "scg" else [tuple(seeds)]
        tasks += [(key, point, size, portion) for portion in portions if portion]
    return tasks


class _SweepSearch(_Search):
    def run(self) -> None:
        self.scores = sweep_scores(self.base, damage="put aside")
        tasks, costs = [], []
        for settings, sizes in _by_trajectory(self.plan.points(self.description.settings)):
            pending = {size: sweep_key(replace(settings, I=size), self.plan) for size in sizes}
            self.done += len(pending) * self.plan.seeds
            pending = {size: key for size, key in pending.items() if self.scores.missing(key, self.plan.seeds)}
            self.done -= len(pending) * self.plan.seeds
            if pending:
                largest = replace(settings, I=max(pending), alpha=self.plan.alpha, beta=self.plan.beta)
                tasks.append((pending, largest, self.plan.classifier, tuple(range(self.plan.seeds))))
                costs.append((len(pending) * self.plan.seeds, self._seconds(largest, list(pending))))
        self.score(_score_trajectory, tasks, costs)

    def _seconds(self, settings: Settings, sizes: list[int]) -> float:
        return sweep_seconds(settings, sizes, self.plan, self.description)


def _by_trajectory(points: list[Settings]) -> list[tuple[Settings, list[int]]]:
    """Points that differ in I only share a trajectory: (settings, their I)."""
    groups: dict[Settings, list[int]] = {}
    for settings in points:
        groups.setdefault(replace(settings, I=1), []).append(settings.I)
    return list(groups.items())


def sweep_key(settings: Settings, plan: SweepPlan) -> str:
    """The name of a sweep's point among the scores."""
    varied = ",".join(f"{name}={getattr(settings, name):g}" for name in SWEPT)
    return f"{plan.classifier}/{plan.alpha:g},{plan.beta:g}/{varied}"


def _with_place(place: int, function: Callable, *args: Any) -> tuple[int, list]:
    """Results come in any order; their place tells what they belong to."""
    with threadpool_limits(1, user_api="blas"):  # the same bits wherever it is computed
        return place, function(*args)


def _score_dictionary(
    key: str, atoms: np.ndarray, classifier: str, seeds: Sequence[int], description: Description, *arrays: np.ndarray
) -> list[tuple]:
    """Score one dictionary by several networks, on codes computed once."""
    parts = scoring_parts(description, arrays)
    count = n_nonzero(description.settings.q, len(atoms))
    train, scored = (pursue(part, atoms, count).dense(len(atoms)) for part in (parts.train, parts.scored))
    started = time.perf_counter()
    accuracies, name = {}, for_search(classifier).name
    for seed in seeds:
        network = train_network(name, train, parts.train_labels, hidden=len(atoms), seed=seed)
        accuracies[seed] = float(np.mean(network.predict(scored) == parts.scored_labels))
    return [(key, accuracies, (time.perf_counter() - started) / len(seeds))]


def _score_trajectory(
    keys: dict[int, str],
    settings: Settings,
    classifier: str,
    seeds: Sequence[int],
    description: Description,
    *arrays: np.ndarray,
) -> list[tuple]:
    """Follow a trajectory and score its dictionaries of several sizes (size -> key)."""
    description = replace(description, settings=settings)
    trajectory = Trajectory(settings, description.classes)
    try:
        trajectory.records.extend(follow(*learning_part(description, arrays), settings, classes=description.classes))
        results = []
        for size, key in keys.items():
            atoms = trajectory.reselect(settings.alpha, settings.beta, size).atoms
            results += _score_dictionary(key, atoms, classifier, seeds, description, *arrays)
        return results
    except (NoAtomForClass, ParameterError) as error:
        return [(key, {}, 0.0, str(error)) for key in keys.values()]


def network_seconds(classifier: str, n_atoms: int, description: Description) -> float:
    """Seconds to train one network as wide as there are atoms, on one core."""
    k, speed = len(description.classes), cost.this_machine()
    return cost.network_seconds(for_search(classifier).name, description.n_signals, n_atoms, n_atoms, k, speed)


def task_seconds(classifier: str, n_atoms: int, n_networks: int, description: Description) -> float:
    """Seconds to code all signals and to train some networks."""
    coding = cost.coding_seconds(description, n_atoms, cost.this_machine())
    return coding + n_networks * network_seconds(classifier, n_atoms, description)


def sweep_seconds(settings: Settings, sizes: Sequence[int], plan: SweepPlan, description: Description) -> float:
    """Seconds for one trajectory and the networks of its sizes."""
    description, k = replace(description, settings=settings), len(description.classes)
    atoms = cost.atoms_seconds(settings, description.signal_length, k, cost.this_machine())
    return atoms + sum(task_seconds(plan.classifier, size * k, plan.seeds, description) for size in sizes)


def expected_seconds(run: Run, plan: SearchPlan, engine: Engine | None = None, choices: Choices | None = None) -> float:
    """How long a search will take, from what is missing and from the pace of the scores there are."""
    description, n_jobs = run.description, n_workers((engine or Engine()).n_jobs)
    k = len(description.classes)
    if isinstance(plan, SweepPlan):
        scores = sweep_scores(run, damage="ignore")
        seconds = 0.0
        for settings, sizes in _by_trajectory(plan.points(description.settings)):
            missing = [size for size in sizes if scores.missing(sweep_key(replace(settings, I=size), plan), plan.seeds)]
            if missing:
                seconds += sweep_seconds(replace(settings, I=max(missing)), missing, plan, description)
        return seconds / n_jobs
    scores, choices = weight_scores(run, damage="ignore"), choices or Choices(run.trajectory)
    points = coarse(plan.step)
    tasks = weight_tasks(choices, scores, points, plan.sizes, plan)
    pending = [(size, len(seeds)) for _, _, size, seeds in tasks]
    rows = weight_rows(choices, scores, points, plan.sizes, plan.classifier)
    for size in plan.zoomed:
        nearby = zoomed_points(rows, size, plan)
        tasks = weight_tasks(choices, scores, nearby, [size], plan)
        # R1 and R2 are not known yet: two regions have 12 to 26 points.
        pending += [(size, len(seeds)) for *_, seeds in tasks] if nearby else [(size, plan.seeds)] * 19
    pace = scores.pace(plan.classifier, lambda size: network_seconds(plan.classifier, size * k, description))
    return pace * sum(task_seconds(plan.classifier, size * k, seeds, description) for size, seeds in pending) / n_jobs
