"""What a study is to find out: which parameters it varies, by which design, with how many seeds."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dasksvd.common.language import say, say_count
from dasksvd.datasets.description import Description
from dasksvd.encoders import DEFAULT as DEFAULT_ENCODER
from dasksvd.encoders import check_level
from dasksvd.errors import ParameterError
from dasksvd.evaluate import Plan
from dasksvd.networks import NETWORKS
from dasksvd.parameters import PRESETS, Settings, check_count
from dasksvd.parameters.checks import check_real, is_between
from dasksvd.search.space import (
    ADAPTIVE,
    CHOSEN,
    DESIGNS,
    LEARNED,
    SCORING,
    Axis,
    Value,
    Values,
    axis_as_plain,
    check_axis,
    check_value,
    design_points,
    title,
)
from dasksvd.search.trial import Trial

#: Points and seeds of a study.
MAX_POINTS, MAX_SEEDS, MAX_AXES = 500, 20, 6


def fixed_by_preset(name: str, axes: Mapping[str, Axis]) -> dict[str, Any]:
    """What a preset sets for all points, besides what is varied."""
    preset = PRESETS[name]
    return {one: getattr(preset, one) for one in (*LEARNED, *CHOSEN) if one not in axes}


@dataclass(frozen=True)
class StudyPlan:
    """A designed experiment.

    Parameters
    ----------
    axes : dict of str to tuple or Span
        What is varied: names of :data:`dasksvd.search.space.STUDIED` with lists of values, or with ranges.
    design : {"grid", "random", "sobol", "optuna"}
    points : int
        How many, but for a grid, which has all combinations.
    seeds : int
        Each point is learned and scored with so many seeds, from the run's own seed on: of split, atoms and network.
    network, encoder : str
        For all points, unless they are varied.
    level : float
        Of an encoder that has one; 0 means chosen by each network.
    fixed : dict of str to value
        Other settings for all points than those of the run.
    minutes : float
        Nothing new is begun after so many minutes from each start; 0 means no limit.
    design_seed : int
        Of random and Sobol points.
    """

    axes: Mapping[str, Axis]
    design: str = "grid"
    points: int = 16
    seeds: int = 3
    network: str = "fixed"
    encoder: str = DEFAULT_ENCODER
    level: float = 0.0
    fixed: Mapping[str, Value] = field(default_factory=dict)
    minutes: float = 0.0
    design_seed: int = 0

    kind = "study"

    def __post_init__(self) -> None:
        if not isinstance(self.axes, Mapping) or not 1 <= len(self.axes) <= MAX_AXES:
            raise ParameterError(say("a study varies 1 to {max_axes} parameters", max_axes=MAX_AXES))
        object.__setattr__(self, "axes", {name: check_axis(name, axis) for name, axis in self.axes.items()})
        if self.design not in (*DESIGNS, ADAPTIVE):
            known = ", ".join((*DESIGNS, ADAPTIVE))
            raise ParameterError(f"unknown design {str(self.design)[:40]!r}; known are {known}")
        for name, most in (("points", MAX_POINTS), ("seeds", MAX_SEEDS)):
            if check_count(name, getattr(self, name)) > most:
                raise ParameterError(
                    say("{name} must be at most {most}, got {self}", name=name, most=most, self=getattr(self, name))
                )
        check_count("design_seed", self.design_seed, 0)
        NETWORKS.check(self.network)
        check_level(self.encoder, self.level)
        check_real("minutes", self.minutes, "0 <= minutes <= 100000", is_between(self.minutes, 0, 100_000))
        if set(self.fixed) & set(self.axes) or not set(self.fixed) <= {*LEARNED, *CHOSEN}:
            raise ParameterError(
                say("fixed for all points can be what is not varied of {value}", value=", ".join((*LEARNED, *CHOSEN)))
            )
        object.__setattr__(self, "fixed", {name: check_value(name, value) for name, value in self.fixed.items()})

    @property
    def classifier(self) -> str:
        """The network, as other searches call it."""
        return self.network

    def base(self, what: Description) -> Settings:
        """The settings that all points share; studies score the selected atoms, not fine-tuned ones."""
        fixed: dict[str, Any] = dict(self.fixed)
        return replace(what.settings, fine_tune=0, **fixed)

    def designed(self, what: Description) -> list[Values]:
        """The points of a design that does not depend on what is found; those that cannot be are left out."""
        if self.design == ADAPTIVE:
            return []
        found = design_points(self.design, self.axes, self.points, self.design_seed, lambda p: self.can_be(what, p))
        if not found:
            raise ParameterError(say("none of these points can be: {what}", what=self._why_not(what)))
        if len(found) > MAX_POINTS:
            raise ParameterError(
                say(
                    "a study has at most {max_points} points, this one has {count}",
                    max_points=MAX_POINTS,
                    count=len(found),
                )
            )
        return found

    def can_be(self, what: Description, point: Values) -> bool:
        """Whether settings allow a point, such as α + β ≤ 1, on the run's data."""
        try:
            self._check(what, point)
        except ParameterError:
            return False
        return True

    def _why_not(self, what: Description) -> str:
        point = design_points(self.design, self.axes, 1, self.design_seed, lambda point: True)[0]
        try:
            self._check(what, point)
        except ParameterError as error:
            return str(error)
        return say("there is none")

    def _check(self, what: Description, point: Values) -> None:
        settings = self.trial(what, point, 0).settings
        settings.check_data(what.signal_length, dict.fromkeys(what.classes, what.n_signals // len(what.classes)))

    def trial(self, what: Description, point: Values, seed: int) -> Trial:
        """One point with one of its seeds, or ParameterError."""
        values = dict(zip(self.axes, point, strict=True))
        scoring: dict[str, Any] = {"network": self.network, "encoder": self.encoder, "hidden": 0, "code_q": None}
        scoring |= {name: value for name, value in values.items() if name in SCORING}
        base = self.base(what)
        learned: dict[str, Any] = {name: value for name, value in values.items() if name not in SCORING}
        settings = replace(base, **learned, seed=base.seed + seed)
        level = self.level if scoring["encoder"] == self.encoder else 0.0
        plan = Plan(scoring["network"], scoring["hidden"], scoring["encoder"], level)
        return Trial(settings, plan, scoring["code_q"])

    def trials(self, what: Description, points: list[Values]) -> dict[tuple[Values, int], Trial]:
        """All trials of some points: (point, seed from 0) -> trial."""
        return {(point, seed): self.trial(what, point, seed) for seed in range(self.seeds) for point in points}

    def as_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; what is as usual has no entry."""
        usual = StudyPlan(self.axes)
        names = ("design", "points", "seeds", "network", "encoder", "level", "fixed", "minutes", "design_seed")
        values = {name: getattr(self, name) for name in names if getattr(self, name) != getattr(usual, name)}
        return {"axes": {name: axis_as_plain(axis) for name, axis in self.axes.items()}, **values}

    @property
    def title(self) -> str:
        """What people call it."""
        count = "" if self.design == "grid" else say(", {points} points", points=self.points)
        names = " × ".join(title(name) for name in self.axes)
        seeds = say_count(self.seeds, "{count} seed", "{count} seeds")
        return say(
            "Study of {names} · {design}{points} · {seeds}", names=names, design=self.design, points=count, seeds=seeds
        )
