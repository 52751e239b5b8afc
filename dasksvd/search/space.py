"""What a study varies: parameters with lists of values or ranges, and the points that a design makes of them."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import numpy as np

from dasksvd.common.language import say
from dasksvd.encoders import ENCODERS
from dasksvd.errors import ParameterError
from dasksvd.networks import NETWORKS
from dasksvd.parameters import TABLE
from dasksvd.parameters.checks import check_sparsity
from dasksvd.parameters.ranges import Count, OneOf, Range, Registered, count_or_share

#: Parameters of which every value needs a trajectory of its own, and those that only choose from one.
LEARNED = ("q", "t", "tau1", "tau2", "r_f", "ksvd_iter", "noise", "re_sign")
CHOSEN = ("I", "alpha", "beta", "ranking")
#: What else can be varied without learning anything again: how the signals are coded, and what reads the codes.
SCORING: dict[str, tuple[str, Range]] = {
    "code_q": ("non-zeros of the codes that are read", Count()),  # also a share, see check_value
    "encoder": ("encoder", Registered(ENCODERS)),
    "network": ("network", Registered(NETWORKS)),
    "hidden": ("hidden units (0: as many as atoms)", Count(0)),
}
STUDIED = (*LEARNED, *CHOSEN, *SCORING)
#: Values of a list, and points that are tried to replace one that cannot be.
MOST_VALUES, MOST_TRIES = 30, 50
Value = int | float | str
Values = tuple[Value, ...]


@dataclass(frozen=True)
class Span:
    """A range of numbers; whole ones if both ends are."""

    low: float
    high: float

    @property
    def is_whole(self) -> bool:
        """Whether it has whole numbers only."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    def at(self, share: float) -> int | float:
        """The number at a share of the way, rounded to what one can read."""
        if self.is_whole:
            return min(int(self.high), math.floor(self.low + share * (self.high - self.low + 1)))
        return float(f"{self.low + share * (self.high - self.low):.4g}")


Axis = Values | Span


def title(name: str) -> str:
    """What people call a parameter of a study: its symbol, or a few words."""
    if name in SCORING:
        return SCORING[name][0]
    return TABLE[name].symbol or TABLE[name].title


def check_axis(name: str, axis: Any) -> Axis:
    """A list of values or a range, each value possible, or ParameterError."""
    if name not in STUDIED:
        raise ParameterError(
            say("a study varies {studied}, not {name!r}", studied=", ".join(STUDIED), name=str(name)[:40])
        )
    if isinstance(axis, Mapping):
        axis = Span(**axis)
    if isinstance(axis, Span):
        ends = [check_value(name, end) for end in (axis.low, axis.high)]
        if isinstance(ends[0], str) or isinstance(axis.low, str) or not axis.low < axis.high:
            raise ParameterError(
                say(
                    "the range of {name} must have a low and a higher end, got {low} to {high}",
                    name=name,
                    low=axis.low,
                    high=axis.high,
                )
            )
        return axis
    values = tuple(dict.fromkeys(check_value(name, value) for value in axis))
    if not 1 <= len(values) <= MOST_VALUES:
        raise ParameterError(
            say(
                "{name} needs 1 to {most_values} values, got {count}",
                name=name,
                most_values=MOST_VALUES,
                count=len(values),
            )
        )
    return values


def check_value(name: str, value: Any) -> Value:
    """A value of a parameter, or ParameterError."""
    if name == "code_q":
        return check_sparsity(value)
    return SCORING[name][1].check(name, value) if name in SCORING else TABLE[name].allowed.check(name, value)


def parse_axis(text: str) -> tuple[str, Axis]:
    """A parameter with its values as people type them.

    Examples
    --------
    >>> parse_axis("q=0.1,0.2"), parse_axis("t=50..200"), parse_axis("ranking=combined,mdcs")
    (('q', (0.1, 0.2)), ('t', Span(low=50, high=200)), ('ranking', ('combined', 'mdcs')))
    """
    name, _, values = text.partition("=")
    low, dots, high = values.partition("..")
    if dots and not is_named(name):
        return name, check_axis(name, Span(_number(name, low), _number(name, high)))
    words = [word.strip() for word in values.split(",") if word.strip()]
    return name, check_axis(name, [word if is_named(name) else _number(name, word) for word in words])


def is_named(name: str) -> bool:
    """Whether the values of a parameter are names and not numbers."""
    allowed = SCORING[name][1] if name in SCORING else TABLE[name].allowed if name in TABLE else None
    return isinstance(allowed, Registered | OneOf)


def _number(name: str, text: str) -> int | float:
    try:
        number = count_or_share(text.strip())
    except ValueError:
        raise ParameterError(
            say("{text!r} is not a number that {name} can have", text=text[:40], name=name[:40])
        ) from None
    whole = name in TABLE and isinstance(TABLE[name].default, int)
    return number if whole or name in ("q", "code_q", "hidden") else float(number)


#: Makes points of axes: (axes, how many, seed) -> points; it may go on for ever.
Design = Callable[[Mapping[str, Axis], int, int], Iterator[Values]]


def grid(axes: Mapping[str, Axis], count: int, seed: int) -> Iterator[Values]:
    """Every combination of the values."""
    ranged = next((name for name, axis in axes.items() if isinstance(axis, Span)), "")
    if ranged:
        raise ParameterError(
            say("a grid needs a list of values of {ranged}; a range goes with random and sobol", ranged=ranged)
        )
    yield from product(*(axis for axis in axes.values() if not isinstance(axis, Span)))


def random(axes: Mapping[str, Axis], count: int, seed: int) -> Iterator[Values]:
    """Independent points, without end: more of them begin with the same ones."""
    rng = np.random.default_rng(seed)
    while True:
        yield _at(axes, rng.random(len(axes)).tolist())


def sobol(axes: Mapping[str, Axis], count: int, seed: int) -> Iterator[Values]:
    """A scrambled Sobol sequence: its points leave no large gaps; more of them begin with the same ones."""
    from scipy.stats import qmc  # a second to load, and no other design needs it

    sequence = qmc.Sobol(len(axes), scramble=True, rng=np.random.default_rng(seed))
    for shares in sequence.random_base2(12):
        yield _at(axes, shares.tolist())


DESIGNS: dict[str, Design] = {"grid": grid, "random": random, "sobol": sobol}
#: The design whose next points depend on what was found, see :mod:`dasksvd.search.adaptive`.
ADAPTIVE = "optuna"
DESIGN_TITLES = {
    "grid": "Grid: every combination",
    "random": "Random points",
    "sobol": "Sobol points, evenly spread",
    ADAPTIVE: "Optuna chooses the next point",
}


def _at(axes: Mapping[str, Axis], shares: Sequence[float]) -> Values:
    return tuple(
        axis.at(share) if isinstance(axis, Span) else axis[min(len(axis) - 1, int(share * len(axis)))]
        for axis, share in zip(axes.values(), shares, strict=True)
    )


def design_points(
    design: str, axes: Mapping[str, Axis], count: int, seed: int, is_possible: Callable[[Values], bool]
) -> list[Values]:
    """The points of a design, without those that cannot be and without the second of two equal ones.

    Examples
    --------
    >>> design_points("grid", {"alpha": (0.0, 0.6), "beta": (0.0, 0.6)}, 0, 0, lambda point: sum(point) <= 1)
    [(0.0, 0.0), (0.0, 0.6), (0.6, 0.0)]
    """
    made = DESIGNS[design](axes, count, seed)
    if design == "grid":
        return list(dict.fromkeys(point for point in made if is_possible(point)))
    found: dict[Values, None] = {}
    for point in islice(made, count * MOST_TRIES):
        if len(found) == count:
            break
        if is_possible(point):
            found[point] = None
    return list(found)


def axis_as_plain(axis: Axis) -> Any:
    """An axis as JSON has it."""
    return {"low": axis.low, "high": axis.high} if isinstance(axis, Span) else list(axis)


def axis_text(name: str, axis: Axis) -> str:
    """An axis as a command has it.

    Examples
    --------
    >>> axis_text("q", (0.1, 1.0)), axis_text("t", Span(50, 200))
    ('q=0.1,1.0', 't=50..200')
    """
    if isinstance(axis, Span):
        return f"{name}={axis.low!r}..{axis.high!r}"
    return f"{name}={','.join(value if isinstance(value, str) else repr(value) for value in axis)}"
