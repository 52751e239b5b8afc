"""The scores that belong to a plan, whatever kind of search it is."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from dasksvd.common.files import write_json
from dasksvd.runs.source import SearchBase
from dasksvd.search.lattice import coarse
from dasksvd.search.levels import settled
from dasksvd.search.plans import SearchPlan, SweepPlan, WeightsPlan
from dasksvd.search.scores import Entry
from dasksvd.search.study import findings, points_of
from dasksvd.search.study_plan import StudyPlan
from dasksvd.search.sweep import sweep_key, sweep_scores
from dasksvd.search.weights import Choices, Row, weight_rows, weight_scores, zoomed_points


def scores_of(run: SearchBase, plan: SearchPlan) -> dict[str, Entry]:
    """The scores of a plan's dictionaries by their names, as far as there are any; a level must be settled."""
    return _KINDS[type(plan)](run, plan)


def keep_only(
    run: SearchBase, plan: SearchPlan, seeds: Mapping[str, Collection[int]], seconds: Mapping[str, float]
) -> None:
    """Forget the scores of a plan's dictionaries but some, and how long those took as far as that is told.

    Parameters
    ----------
    seeds : mapping of str to collection of int
        Of the dictionaries that are kept, the seeds of the networks.
    seconds : mapping of str to float
        What took how long instead of the time that was measured here.
    """
    mine = settled(run, plan)
    if isinstance(mine, StudyPlan):
        kept, known = findings(run), findings(run).read()
        kept.path.unlink(missing_ok=True)
        kept.add(replace(one, seconds=seconds.get(key, one.seconds)) for key, one in known.items() if key in seeds)
        return
    scores = (weight_scores if isinstance(mine, WeightsPlan) else sweep_scores)(run, damage="ignore")
    for key, entry in scores_of(run, mine).items():
        left = {seed: share for seed, share in entry.accuracies.items() if seed in seeds.get(key, ())}
        scores.entries[key] = replace(entry, accuracies=left)
        if key not in seeds:
            del scores.entries[key]
    write_json(scores.path, {"scores": scores.as_dict()})


def rows_of(run: SearchBase, plan: WeightsPlan) -> tuple[list[Row], list[Row]]:
    """The points of stage 1 and of stage 2 of a search over the weights."""
    choices, scores = Choices(run.trajectory, plan.ranking), weight_scores(run, damage="ignore")
    first = weight_rows(choices, scores, coarse(plan.step), plan.sizes, plan.scored_by)
    second = [
        row
        for size in plan.zoomed
        for row in weight_rows(choices, scores, zoomed_points(first, size, plan), [size], plan.scored_by)
    ]
    return first, second


def _of_weights(run: SearchBase, plan: WeightsPlan) -> dict[str, Entry]:
    entries = weight_scores(run, damage="ignore").entries
    return {row.key: entries[row.key] for part in rows_of(run, plan) for row in part if row.key in entries}


def _of_sweep(run: SearchBase, plan: SweepPlan) -> dict[str, Entry]:
    entries = sweep_scores(run, damage="ignore").entries
    keys = [sweep_key(settings, plan) for settings in plan.points(run.description.settings)]
    return {key: entries[key] for key in keys if key in entries}


def _of_study(run: SearchBase, plan: StudyPlan) -> dict[str, Entry]:
    """Each trial is a dictionary of its own, with one network, whose seed is the trial's."""
    known, found = findings(run).read(), {}
    for trial in plan.trials(run.description, points_of(run, plan)).values():
        if trial.key in known:
            one = known[trial.key]
            accuracies = {} if one.problem else {trial.settings.seed: one.accuracy}
            found[trial.key] = Entry(accuracies, one.seconds, one.problem)
    return found


_KINDS: dict[type, Callable[[Any, Any], dict[str, Entry]]] = {
    WeightsPlan: _of_weights,
    SweepPlan: _of_sweep,
    StudyPlan: _of_study,
}
