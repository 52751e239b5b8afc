"""Points that depend on what was found: Optuna chooses them, if it is installed.

Optuna is asked anew for each point and told all that was found before, so a study that was stopped goes on where it
was.  The chosen points are kept in a file of their own.
"""

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import Any

from dasksvd.common.files import read_json, write_json
from dasksvd.errors import DamagedFile, ParameterError
from dasksvd.runs.source import SearchBase
from dasksvd.search.plans import plan_id
from dasksvd.search.space import MOST_TRIES, Axis, Span, Values, check_value
from dasksvd.search.study_plan import StudyPlan

OPTUNA = "optuna"
#: Points at random before what was found counts; always as many, so that a study with more points begins alike.
STARTUP = 6


def is_installed() -> bool:
    """Whether Optuna can be asked."""
    return find_spec(OPTUNA) is not None


def past_points(run: SearchBase, plan: StudyPlan) -> list[Values]:
    """The points that were chosen before, not more than the plan has; a damaged file is as good as none."""
    try:
        stored = read_json(_file(run, plan))["points"]
        points = [
            tuple(check_value(name, value) for name, value in zip(plan.axes, point, strict=True)) for point in stored
        ]
    except (DamagedFile, ParameterError, KeyError, TypeError, ValueError):
        return []
    return points[: plan.points]


def next_points(
    run: SearchBase,
    plan: StudyPlan,
    points: list[Values],
    scores: Mapping[Values, list[float]],
    count: int,
    usual: bool = False,
) -> list[Values]:
    """The next points, kept; the middle of all axes if only a usual one is asked for.

    Parameters
    ----------
    points : list of tuple
        Those that were chosen before.
    scores : mapping of tuple to list of float
        What they came to; a point without scores has failed.
    """
    if usual:
        return [tuple(axis.at(0.5) if isinstance(axis, Span) else axis[len(axis) // 2] for axis in plan.axes.values())]
    found = [_ask(run, plan, points, scores) for _ in range(count)]
    path = _file(run, plan)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, {"points": [list(point) for point in [*points, *found]]})
    return found


def _ask(run: SearchBase, plan: StudyPlan, points: list[Values], scores: Mapping[Values, list[float]]) -> Values:
    """One point that can be, and that is not among those before if that is possible."""
    if not is_installed():
        raise ParameterError('the design optuna needs Optuna: pip install "dasksvd[optuna]"')
    optuna: Any = import_module(OPTUNA)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.TPESampler(seed=plan.design_seed + len(points), n_startup_trials=STARTUP)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    spaces = {name: _distribution(optuna, axis) for name, axis in plan.axes.items()}
    for point in points:
        given = {"params": dict(zip(plan.axes, point, strict=True)), "distributions": spaces}
        if scores.get(point):
            study.add_trial(optuna.trial.create_trial(value=fmean(scores[point]), **given))
    last: Values = ()
    for _ in range(MOST_TRIES):
        asked = study.ask(spaces)
        point = tuple(check_value(name, _rounded(asked.params[name])) for name in plan.axes)
        if plan.can_be(run.description, point):
            last = point
            if point not in points:
                return point
        study.tell(asked, state=optuna.trial.TrialState.PRUNED)
    if not last:
        raise ParameterError("Optuna has found no point that can be; change the ranges")
    return last


def _rounded(value: Any) -> Any:
    return float(f"{value:.4g}") if isinstance(value, float) else value


def _distribution(optuna: Any, axis: Axis) -> Any:
    if not isinstance(axis, Span):
        return optuna.distributions.CategoricalDistribution(list(axis))
    kind = "IntDistribution" if axis.is_whole else "FloatDistribution"
    return getattr(optuna.distributions, kind)(axis.low, axis.high)


def _file(run: SearchBase, plan: StudyPlan) -> Path:
    """Named by what decides the points, so that more points or minutes go on with the same ones."""
    return run.folder / "search" / f"points-{plan_id(replace(plan, points=1, minutes=0.0))}.json"
