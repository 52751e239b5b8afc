"""Where a search is computed: its tasks go to this machine's cores or to a Dask cluster, its scores to a file.

A **search over the weights** takes all its dictionaries from one trajectory
(:mod:`dasksvd.search.weights`).  A **sweep** varies other parameters, and each of its points is a
trajectory of its own (:mod:`dasksvd.search.sweep`).  Before either, the level of an encoder that has one is chosen
where the plan does not name it (:mod:`dasksvd.search.levels`).  A **study** varies all kinds of parameters by a
design, and its points share trajectories where they can (:mod:`dasksvd.search.study`).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from threadpoolctl import threadpool_limits

from dasksvd.common.parallel import each, n_workers
from dasksvd.common.progress import SearchProgress
from dasksvd.runs.folder import own_arrays
from dasksvd.runs.source import SearchBase
from dasksvd.search.levels import choose_level, is_open, level_batch, missing_level_seconds, settled
from dasksvd.search.plans import ScoringPlan, SearchPlan, WeightsPlan
from dasksvd.search.scores import Scores
from dasksvd.search.study import missing_study_seconds, run_study
from dasksvd.search.study_plan import StudyPlan
from dasksvd.search.sweep import missing_sweep_seconds, sweep_batches, sweep_scores
from dasksvd.search.tasks import Batch
from dasksvd.search.weights import Choices, missing_weights_seconds, weight_batches, weight_scores


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
    run: SearchBase,
    plan: SearchPlan,
    engine: Engine | None = None,
    on_progress: Callable[[SearchProgress], Any] | None = None,
) -> None:
    """Score everything of a plan that has no score yet; each score is saved as it comes.

    Parameters
    ----------
    run : Run or ReferenceRun
    plan : WeightsPlan or SweepPlan
    engine : Engine, optional
    on_progress : callable(SearchProgress), optional
        Called before the first and after every score; may raise to stop.
    """
    report = on_progress or (lambda progress: None)
    engine = engine or Engine()
    if isinstance(plan, StudyPlan):
        run_study(run, plan, engine, report)
        return
    scoring, done = _with_level(run, plan, engine, report)
    if isinstance(scoring, WeightsPlan):
        scores = weight_scores(run, damage="put aside")
        batches = weight_batches(run, scoring, scores)
    else:
        scores = sweep_scores(run, damage="put aside")
        batches = sweep_batches(run, scoring, scores)
    for batch in batches:
        done = _compute(run, batch, scores, engine, done + batch.known, report)


def _with_level(
    run: SearchBase, plan: ScoringPlan, engine: Engine, report: Callable[[SearchProgress], Any]
) -> tuple[ScoringPlan, int]:
    """The plan with the level of its encoder, if it has one, and how many networks have decided it."""
    if not is_open(plan):
        return plan, 0
    scores = weight_scores(run, damage="put aside")
    batch = level_batch(run, plan, scores)
    done = _compute(run, batch, scores, engine, batch.known, report) if batch.tasks else 0
    return choose_level(run, plan, scores), done


def expected_seconds(
    run: SearchBase, plan: SearchPlan, engine: Engine | None = None, choices: Choices | None = None
) -> float:
    """How long a search will take, from what is missing and from the pace of the scores there are."""
    if isinstance(plan, StudyPlan):
        found = missing_study_seconds(run, plan) / n_workers((engine or Engine()).n_jobs)
        return min(found, plan.minutes * 60) if plan.minutes else found
    seconds, plan = missing_level_seconds(run, plan), settled(run, plan)
    if isinstance(plan, WeightsPlan):
        seconds += missing_weights_seconds(run, plan, choices)
    else:
        seconds += missing_sweep_seconds(run, plan)
    return seconds / n_workers((engine or Engine()).n_jobs)


def _compute(
    run: SearchBase, batch: Batch, scores: Scores, engine: Engine, done: int, report: Callable[[SearchProgress], Any]
) -> int:
    """Compute a batch, save its scores; return how many networks have theirs then."""
    total = done + batch.later + sum(task.networks for task in batch.tasks)
    seconds = sum(task.seconds for task in batch.tasks)
    workers = n_workers(engine.n_jobs)
    started, left = time.monotonic(), seconds
    report(SearchProgress(done, total, seconds / workers))
    calls = [(place, task.function, *task.arguments, run.description) for place, task in enumerate(batch.tasks)]
    answers = each(_with_place, calls, shared=own_arrays(run), n_jobs=engine.n_jobs, scheduler=engine.scheduler)
    for place, results in answers:
        for result in results:
            scores.add(*result)
        done += batch.tasks[place].networks
        left -= batch.tasks[place].seconds
        spent = time.monotonic() - started
        # The first tasks also load data and compilers, so trust the clock more and more.
        pace = (spent + seconds / workers * 0.1) / max(seconds - left + 0.1 * seconds, 1e-9)
        report(SearchProgress(done, total, left * pace))
    return done


def _with_place(place: int, function: Callable, *args: Any) -> tuple[int, list]:
    """Results come in any order; their place tells what they belong to."""
    with threadpool_limits(1, user_api="blas"):  # the same bits wherever it is computed
        return place, function(*args)
