"""Which level its encoder has in a search whose plan leaves that open.

It is chosen once for a run, a network and an encoder, and kept in the search's folder, so that every search of that
kind has the same one, a resumed one too.  If the run was evaluated by that encoder, its level is that of the
evaluation.  Otherwise one network per level decides: it reads X_val on the run's own dictionary, the one of its own
weights with all its iterations.
"""

from dataclasses import replace
from math import prod
from pathlib import Path
from typing import TypeVar

from dasksvd.common.files import read_json, write_json
from dasksvd.encoders import levels_of
from dasksvd.errors import DamagedFile
from dasksvd.parameters.checks import is_between
from dasksvd.runs.evaluation import read_metrics
from dasksvd.runs.job import search_job
from dasksvd.runs.source import SearchBase
from dasksvd.search import tasks
from dasksvd.search.lattice import coarse
from dasksvd.search.plans import ScoringPlan, SearchPlan, WeightsPlan
from dasksvd.search.scores import Scores
from dasksvd.search.study_plan import StudyPlan
from dasksvd.search.tasks import Batch, Task, dictionary_seconds
from dasksvd.search.weights import dictionary_key, most_zoomed, weight_scores

P = TypeVar("P", bound=ScoringPlan)
S = TypeVar("S", bound=SearchPlan)

#: The seed of the networks that decide.
_SEED = 0


def settled(run: SearchBase, plan: S) -> S:
    """The plan with the level that it has on a run; as it is if there is none to choose, or it is not chosen yet."""
    if isinstance(plan, StudyPlan) or not is_open(plan):
        return plan
    return replace(plan, level=_known_level(run, plan))


def is_open(plan: SearchPlan) -> bool:
    """Whether the level of a plan's encoder is still to be chosen."""
    # The networks of a study choose their levels each, as those of single runs do.
    return not isinstance(plan, StudyPlan) and bool(levels_of(plan.encoder)) and not plan.level


def level_batch(run: SearchBase, plan: ScoringPlan, scores: Scores) -> Batch:
    """What is to be scored before the level of an open plan can be chosen: the run's own dictionary by its levels.

    Parameters
    ----------
    run : Run or ReferenceRun
    plan : WeightsPlan or SweepPlan
    scores : Scores
        Those of the search over the run's weights, whose dictionaries these are.
    """
    if _known_level(run, plan):
        return Batch([])
    settings = run.description.settings
    atoms = run.trajectory.reselect(settings.alpha, settings.beta).atoms
    seconds = dictionary_seconds(plan.classifier, len(atoms), 1, run.description)
    keys = _keys(run, plan)
    batch = [
        Task(tasks.score_dictionary, (key, atoms, replace(plan, level=level), (_SEED,)), 1, seconds)
        for level, key in keys.items()
        if scores.missing(key, _SEED + 1)
    ]
    return Batch(batch, len(keys) - len(batch), _networks(plan))


def choose_level(run: SearchBase, plan: P, scores: Scores) -> P:
    """An open plan with its level, which is kept; the batch of :func:`level_batch` must have been scored."""
    level = _known_level(run, plan)
    if not level:
        read_right = {level: scores.entries[key].accuracies[_SEED] for level, key in _keys(run, plan).items()}
        level = max(read_right, key=lambda one: (read_right[one], one))  # of equally good ones the sparser
    path = _levels_file(run)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, _stored_levels(run) | {plan.scored_by: level})
    return replace(plan, level=level)


def missing_level_seconds(run: SearchBase, plan: ScoringPlan) -> float:
    """Seconds on one core until the level of a plan is chosen."""
    if not is_open(plan):
        return 0.0
    return sum(task.seconds for task in level_batch(run, plan, weight_scores(run, damage="ignore")).tasks)


def _keys(run: SearchBase, plan: ScoringPlan) -> dict[float, str]:
    """The names among the scores of the run's own dictionary, coded by each level."""
    settings = run.description.settings
    index = run.trajectory.reselect(settings.alpha, settings.beta).index
    return {level: dictionary_key(index, replace(plan, level=level).scored_by) for level in levels_of(plan.encoder)}


def _known_level(run: SearchBase, plan: ScoringPlan) -> float:
    """The level that was chosen for such plans, else that of the run's evaluation, else 0."""
    return _stored_levels(run).get(plan.scored_by, 0.0) or _evaluated_level(run, plan.encoder)


def _evaluated_level(run: SearchBase, encoder: str) -> float:
    try:
        metrics = read_metrics(run)
    except DamagedFile:  # told where it is shown
        return 0.0
    return metrics.level if metrics and metrics.encoder == encoder else 0.0


def _stored_levels(run: SearchBase) -> dict[str, float]:
    """What was chosen before; a damaged file is as good as none."""
    try:
        stored = read_json(_levels_file(run))
    except DamagedFile:
        return {}
    return {name: level for name, level in stored.items() if is_between(level, 0, 1) and level < 1}


def _levels_file(run: SearchBase) -> Path:
    return search_job(run.folder, run.id).folder / "levels.json"


def _networks(plan: ScoringPlan) -> int:
    """The most networks that a plan can need."""
    if isinstance(plan, WeightsPlan):
        return len(coarse(plan.step)) * len(plan.sizes) * plan.seeds + most_zoomed(plan) * len(plan.zoomed)
    return prod(map(len, plan.axes.values())) * plan.seeds
