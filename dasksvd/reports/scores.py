"""Runs and scores as tidy rows: one for each run, and one for each network of a search."""

from collections.abc import Callable, Iterable
from typing import Any

from dasksvd.cost import reading_products
from dasksvd.errors import DamagedFile
from dasksvd.parameters import PARAMETERS, n_nonzero
from dasksvd.reports.facts import metrics_of
from dasksvd.runs.folder import Run
from dasksvd.runs.reference import SHIPPED, ReferenceRun
from dasksvd.search.job import Search
from dasksvd.search.levels import settled
from dasksvd.search.outcomes import rows as study_rows
from dasksvd.search.plans import SearchPlan, SweepPlan, WeightsPlan, plan_id
from dasksvd.search.results import rows_of
from dasksvd.search.study_plan import StudyPlan
from dasksvd.search.sweep import sweep_key, sweep_scores
from dasksvd.search.weights import weight_scores
from dasksvd.statistics import share_half_width

AnyRun = Run | ReferenceRun
Row = dict[str, Any]


def run_row(run: AnyRun) -> Row:
    """Settings, state and accuracy of a run; half the width of the 95 % interval (Wilson's) beside the accuracy."""
    what, settings = run.description, run.description.settings
    row: Row = {"run": run.id, "name": run.about.name if isinstance(run, Run) else SHIPPED[run.id].name}
    row |= {"data": what.data, "classes": len(what.classes), "signals": what.n_signals}
    row |= {name: getattr(settings, name) for name in PARAMETERS}
    row |= {"iterations": len(run.trajectory.records)}
    metrics = metrics_of(run)
    if metrics is None:
        return row
    count = n_nonzero(settings.q, metrics.n_atoms)
    size = what.signal_length, metrics.n_atoms, count, metrics.hidden, len(what.classes)
    names = ("classifier", "hidden", "encoder", "level", "n_atoms", "weights", "epochs", "seconds", "nonzeros")
    return row | {
        "accuracy": metrics.accuracy,
        "half_width": share_half_width(metrics.accuracy, max(1, metrics.n_scored)),
        "n_scored": metrics.n_scored,
        "scored_on": metrics.part,
        **{name: getattr(metrics, name) for name in names},
        "multiply_adds": reading_products(metrics.encoder, *size),
    }


def run_rows(runs: Iterable[AnyRun]) -> list[Row]:
    """One row for each run; one that is damaged has only its id and what is wrong."""
    found = []
    for run in runs:
        try:
            found.append(run_row(run))
        except DamagedFile as error:
            found.append({"run": run.id, "problem": str(error)})
    return found


def score_rows(run: AnyRun) -> list[Row]:
    """One row for each network that a search on a run has trained, of all its searches."""
    found = []
    for plan in Search(run).plans().values():
        head = {"run": run.id, "search": plan_id(plan), "kind": plan.kind}
        found += [head | row for row in search_rows(run, plan)]
    return found


def search_rows(run: AnyRun, plan: SearchPlan) -> list[Row]:
    """One row for each network that one search on a run has trained."""
    return _KINDS[type(plan)](run, settled(run, plan))


def _of_weights(run: AnyRun, plan: WeightsPlan) -> list[Row]:
    entries, made = weight_scores(run, damage="ignore").entries, []
    for stage, part in enumerate(rows_of(run, plan), 1):
        for row in part:
            entry = entries.get(row.key)
            base: Row = {"stage": stage, "size": row.size, "alpha": row.point.alpha, "beta": row.point.beta}
            base |= {"ranking": plan.ranking, "network": plan.classifier, "encoder": plan.encoder}
            made += [base | {"seed": seed, "accuracy": share} for seed, share in _accuracies(entry)]
    return made


def _of_sweep(run: AnyRun, plan: SweepPlan) -> list[Row]:
    entries, made = sweep_scores(run, damage="ignore").entries, []
    for settings in plan.points(run.description.settings):
        entry = entries.get(sweep_key(settings, plan))
        base: Row = {name: getattr(settings, name) for name in plan.axes}
        base |= {"alpha": plan.alpha, "beta": plan.beta, "ranking": plan.ranking}
        base |= {"network": plan.classifier, "encoder": plan.encoder}
        made += [base | {"seed": seed, "accuracy": share} for seed, share in _accuracies(entry)]
    return made


def _accuracies(entry: Any) -> list[tuple[int, float]]:
    return list(entry.accuracies.items()) if entry else []


def _of_study(run: AnyRun, plan: StudyPlan) -> list[Row]:
    return [{"network": plan.network, "encoder": plan.encoder} | row for row in study_rows(run, plan)]


_KINDS: dict[type[SearchPlan], Callable[[Any, Any], list[Row]]] = {
    WeightsPlan: _of_weights,
    SweepPlan: _of_sweep,
    StudyPlan: _of_study,
}
