"""What a search is to score."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

from dasksvd.common.language import say, say_count
from dasksvd.encoders import DEFAULT as DEFAULT_ENCODER
from dasksvd.encoders import ENCODERS, check_level, levels_of
from dasksvd.errors import ParameterError
from dasksvd.parameters import SWEPT, TABLE, Settings, check_count, check_weights
from dasksvd.rankings import DEFAULT as DEFAULT_RANKING
from dasksvd.rankings import RANKINGS
from dasksvd.search.networks import search_networks
from dasksvd.search.study_plan import StudyPlan

MAX_SEEDS = 50
MAX_STEPS = 1000


@dataclass(frozen=True)
class WeightsPlan:
    """A search over the weights.

    Parameters
    ----------
    step : int, default=6
        Stage 1 has the step Δ1 = 1/step.
    fine_step : int, default=100
        Stage 2 has the step Δ2 = 1/fine_step.
    sizes : tuple of int, default=(5, 10, 15, 20)
        Atoms per class.
    zoomed : tuple of int, default=(20,)
        The sizes whose two best regions go through stage 2.
    classifier : str, default="modern"
        A name of :func:`dasksvd.search.networks.search_networks`.
    seeds : int, default=3
        Networks per dictionary.
    papers_regions : bool, default=False
        Put the paper's two regions through stage 2 too.
    ranking : str, default="combined"
        What ranks the atoms of a class: a name of :data:`dasksvd.rankings.RANKINGS`.
    encoder : str, default="omp"
        What codes the signals: a name of :data:`dasksvd.encoders.ENCODERS`.
    level : float, default=0.0
        Of an encoder that has one; 0 means chosen for the run, see :mod:`dasksvd.search.levels`.
    """

    step: int = 6
    fine_step: int = 100
    sizes: tuple[int, ...] = (5, 10, 15, 20)
    zoomed: tuple[int, ...] = (20,)
    classifier: str = "modern"
    seeds: int = 3
    papers_regions: bool = False
    ranking: str = DEFAULT_RANKING
    encoder: str = DEFAULT_ENCODER
    level: float = 0.0

    kind = "weights"

    def __post_init__(self):
        for name in ("step", "fine_step"):
            if check_count(name, getattr(self, name)) > MAX_STEPS:
                raise ParameterError(
                    say(
                        "{name} must be at most {max_steps}, got {self}",
                        name=name,
                        max_steps=MAX_STEPS,
                        self=getattr(self, name),
                    )
                )
        for name in ("sizes", "zoomed"):
            object.__setattr__(self, name, tuple(check_count(name, size) for size in getattr(self, name)))
        if not self.sizes or not set(self.zoomed) <= set(self.sizes):
            raise ParameterError(f"sizes must not be empty and hold all zoomed ones, got {self.sizes}, {self.zoomed}")
        _check_scoring(self)

    @property
    def scored_by(self) -> str:
        """What scores the dictionaries, as the names of scores begin."""
        return _scored_by(self)


@dataclass(frozen=True)
class SweepPlan:
    """A sweep over one or two other parameters.

    Parameters
    ----------
    axes : dict of str to tuple
        Values of q, t, tau1, tau2 or I.
    alpha, beta : float, default=0.0
    classifier, ranking, encoder, level
        As in :class:`WeightsPlan`.
    seeds : int, default=1
    """

    axes: dict[str, tuple]
    alpha: float = 0.0
    beta: float = 0.0
    classifier: str = "modern"
    seeds: int = 1
    ranking: str = DEFAULT_RANKING
    encoder: str = DEFAULT_ENCODER
    level: float = 0.0

    kind = "sweep"

    def __post_init__(self):
        if not isinstance(self.axes, dict) or not 1 <= len(self.axes) <= 2 or not set(self.axes) <= set(SWEPT):
            raise ParameterError(say("a sweep varies one or two of {swept}", swept=", ".join(SWEPT)))
        object.__setattr__(self, "axes", {name: tuple(dict.fromkeys(values)) for name, values in self.axes.items()})
        if not all(self.axes.values()):
            raise ParameterError(say("each parameter of a sweep needs at least one value"))
        check_weights(self.alpha, self.beta)
        _check_scoring(self)

    @property
    def scored_by(self) -> str:
        """What scores the dictionaries, as the names of scores begin."""
        return _scored_by(self)

    def points(self, settings: Settings) -> list[Settings]:
        """The settings of every point; impossible ones raise ParameterError."""
        return [
            replace(settings, **dict(zip(self.axes, values, strict=True))) for values in product(*self.axes.values())
        ]


#: Searches that score dictionaries by several networks each, which all have the same level.
ScoringPlan = WeightsPlan | SweepPlan
SearchPlan = ScoringPlan | StudyPlan


def _check_scoring(plan: ScoringPlan) -> None:
    for registry, name in ((search_networks(), plan.classifier), (ENCODERS, plan.encoder), (RANKINGS, plan.ranking)):
        registry.check(name)
    check_level(plan.encoder, plan.level)
    if check_count("seeds", plan.seeds) > MAX_SEEDS:
        raise ParameterError(
            say("seeds must be at most {max_seeds}, got {seeds}", max_seeds=MAX_SEEDS, seeds=plan.seeds)
        )


def _scored_by(plan: ScoringPlan) -> str:
    # Scores of old have no word of the encoder in their names: it was the paper's.
    encoder = "" if plan.encoder == DEFAULT_ENCODER else f"+{plan.encoder}"
    return f"{plan.classifier}{encoder}" + (f"={plan.level:.12g}" if plan.level else "")


def plan_as_dict(plan: SearchPlan) -> dict[str, Any]:
    """Plain values, ready for JSON; the paper's ranking and encoder and an open level have no entry, as of old."""
    if isinstance(plan, StudyPlan):
        return {"kind": plan.kind, **plan.as_dict()}
    usual = {"ranking": DEFAULT_RANKING, "encoder": DEFAULT_ENCODER, "level": 0}
    values = {name: value for name, value in asdict(plan).items() if usual.get(name) != value}
    return {"kind": plan.kind, **values}


def plan_from_dict(values: Mapping[str, Any]) -> SearchPlan:
    """The plan in plain values, or ParameterError."""
    kinds = {kind.kind: kind for kind in (WeightsPlan, SweepPlan, StudyPlan)}
    try:
        kind = kinds[values["kind"]]
        return kind(**{name: value for name, value in values.items() if name != "kind"})
    except (KeyError, TypeError) as error:
        raise ParameterError(f"this is not the plan of a search ({error})") from error


def plan_id(plan: SearchPlan) -> str:
    """A short name for links and files: equal plans have equal names.

    Examples
    --------
    >>> plan_id(WeightsPlan()) == plan_id(WeightsPlan(step=6)) != plan_id(WeightsPlan(step=8))
    True
    """
    text = json.dumps(plan_as_dict(plan), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def plan_title(plan: SearchPlan) -> str:
    """What people call a search: what it varies, what scores it, and what is unlike the paper.

    Examples
    --------
    >>> plan_title(WeightsPlan(step=4, sizes=(5, 10), zoomed=()))
    'Weights in steps of 1/4 · 3 networks (ReLU, Adam, 20 epochs) · 5, 10 per class'
    >>> plan_title(SweepPlan({"q": (0.1, 0.2), "t": (100, 500)}))
    'q × t, 2 × 2 points · 1 network (ReLU, Adam, 20 epochs) · α = 0, β = 0'
    """
    if isinstance(plan, StudyPlan):
        return plan.title
    if isinstance(plan, WeightsPlan):
        varied = say("Weights in steps of 1/{step}", step=plan.step)
        where = say("{str} per class", str=", ".join(map(str, plan.sizes)))
    else:
        counts = " × ".join(str(len(values)) for values in plan.axes.values())
        varied = say(
            "{value}, {counts} points", value=" × ".join(TABLE[name].symbol for name in plan.axes), counts=counts
        )
        where = f"α = {plan.alpha:g}, β = {plan.beta:g}"
    networks = say_count(plan.seeds, "{count} network", "{count} networks")
    networks += f" ({say(search_networks()[plan.classifier].title)})"
    ranking = [] if plan.ranking == DEFAULT_RANKING else [say(RANKINGS[plan.ranking].title)]
    encoder = [] if plan.encoder == DEFAULT_ENCODER else [_coded_by(plan)]
    return " · ".join([varied, networks, where, *ranking, *encoder])


def _coded_by(plan: ScoringPlan) -> str:
    """The encoder and its level."""
    level = f"λ = {plan.level:g}" if plan.level else say("λ chosen on X_val")
    title = say(ENCODERS[plan.encoder].title)
    return f"{title}, {level}" if levels_of(plan.encoder) else title


def quarters(n_iterations: int) -> tuple[int, ...]:
    """Four dictionary sizes for a run: a quarter, a half, three quarters and all of its iterations.

    Examples
    --------
    >>> quarters(20), quarters(2)
    ((5, 10, 15, 20), (1, 2))
    """
    return tuple(sorted({n_iterations * part // 4 for part in (1, 2, 3, 4)} - {0}))
