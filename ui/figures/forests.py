"""Differences with their intervals around a line at zero: a forest plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dasksvd.common.language import say
from dasksvd.figures import ACCENT

if TYPE_CHECKING:
    from dasksvd.statistics import Corrected


@dataclass(frozen=True)
class Dot:
    """One difference, in points of 100.

    Attributes
    ----------
    kind : int
        Its place in :attr:`Forest.kinds`, which decides its shape.
    value : float
    half : float
        Half the width of its interval; 0 if there is none.
    clear : bool
        Whether it is clearly positive or negative, also as one of many tests.
    text, hover : str
        The number, and what pointer and arrow keys show.
    """

    kind: int
    value: float
    half: float
    clear: bool
    text: str
    hover: str


@dataclass(frozen=True)
class Line:
    """A row of the figure; one without dots is the heading of a group."""

    label: str
    dots: tuple[Dot, ...] = ()


@dataclass(frozen=True)
class Forest:
    """A forest plot.

    Attributes
    ----------
    title, axis : str
    sides : (str, str)
        What is left and what is right of zero.
    kinds : tuple of str
        Names of the dots' shapes: the first is open, the second is filled.
    lines : tuple of Line
    color : str
    """

    title: str
    axis: str
    sides: tuple[str, str]
    kinds: tuple[str, ...]
    lines: tuple[Line, ...]
    color: str = ACCENT


def forest(
    groups: Mapping[str, Mapping[str, Mapping[str, Corrected]]],
    title: str,
    sides: tuple[str, str],
    kinds: Sequence[str],
    axis: str = "",
) -> Forest:
    """Differences in groups.

    Parameters
    ----------
    groups : mapping of group to row to kind to Corrected
        A group without a name has no heading. Which tests belong together, whoever corrects them knows.
    sides : (str, str)
        What is left and what is right of zero.
    kinds : sequence of str
        The kinds of dots in their order.
    axis : str
        What is drawn, a difference in points if nothing else is said.
    """
    kinds = tuple(kinds)
    axis = axis or say("difference in points, with its 95 % interval")
    lines = []
    for group, rows in groups.items():
        if group:
            lines.append(Line(group))
        for label, found in rows.items():
            dots = [_dot(kinds, kind, one, f"{group} {label}".strip(), sides) for kind, one in found.items()]
            lines.append(Line(label, tuple(dots)))
    return Forest(title, axis, sides, kinds, tuple(lines))


def _dot(kinds: tuple[str, ...], kind: str, difference: Corrected, place: str, sides: tuple[str, str]) -> Dot:
    words = {"better": sides[1], "worse": sides[0]}.get(difference.verdict, say(difference.verdict))
    if difference.clear_alone:  # its whisker ends before 0, which asks for a word
        words = say("clear alone, but not as one of {family} tests", family=difference.family)
    return Dot(
        kinds.index(kind),
        100 * difference.mean,
        100 * (difference.half_width or 0),
        difference.verdict in ("better", "worse"),
        difference.text,
        say(
            "{place}, {kind}\n{text} points, {rounds} rounds\n{words}",
            place=place,
            kind=kind,
            text=difference.text,
            rounds=difference.rounds,
            words=words,
        ),
    )
