"""Parallel coordinates: each run is a line through its values, and ranges on the axes keep some of the lines."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

import streamlit as st

from ui import components, links

Value = float | str | None
#: What is kept: by the name of an axis, the lowest and the highest value.
Brush = dict[str, tuple[Any, Any]]
#: Letters of a value in links.
MAX_VALUE = 60
_component = components.declare("parallel_chart", "figure_files", "parallel", "figure.css", "figure.js")


@dataclass(frozen=True)
class Axis:
    """An axis of numbers, or of names in their order.

    Attributes
    ----------
    name, title : str
    low, high : float
        Ends of an axis of numbers.
    names : tuple of str
        Of an axis of names; else empty.
    """

    name: str
    title: str
    low: float = 0.0
    high: float = 1.0
    names: tuple[str, ...] = ()

    def share(self, value: Value) -> float | None:
        """Where a value stands, 0 … 1 from below; None if it has no place."""
        if value is None or isinstance(value, str) != bool(self.names):
            return None
        if isinstance(value, str):
            return self.names.index(value) / max(1, len(self.names) - 1) if value in self.names else None
        return (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5

    def value(self, share: float, *, up: bool) -> Any:
        """The value at a share of the way as an upper or lower end; of names the next one that lies inside."""
        if self.names:
            place = share * (len(self.names) - 1)
            return self.names[math.floor(place + 1e-9) if up else math.ceil(place - 1e-9)]
        if share in (0, 1):
            return self.high if share else self.low
        return float(f"{self.low + share * (self.high - self.low):.4g}")

    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Places along the axis and what stands there: all names, or the ends and the middle of numbers."""
        if self.names:
            return tuple((self.share(name) or 0.0, name[:12]) for name in self.names)
        return tuple((share, short_text(self.low + share * (self.high - self.low))) for share in (0, 0.5, 1))


def short_text(value: float) -> str:
    """A number in few characters, without powers of ten."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def axis_of(name: str, title: str, values: Sequence[Value]) -> Axis | None:
    """An axis through some values; None if they do not differ."""
    known = {value for value in values if value is not None}
    if len(known) < 2:
        return None
    if any(isinstance(value, str) for value in known):
        return Axis(name, title, names=tuple(sorted(map(str, known))))
    numbers = [float(value) for value in known]
    return Axis(name, title, min(numbers), max(numbers))


def keeps(brush: Brush, row: Mapping[str, Value]) -> bool:
    """Whether a row lies within all ranges; without a value it does not."""
    for name, (low, high) in brush.items():
        value = row.get(name)
        if value is None or isinstance(value, str) != isinstance(low, str) or not low <= value <= high:
            return False
    return True


def brushed(key: str, axes: Sequence[Axis], link: str) -> Brush:
    """The ranges that were set last, or that a link names."""
    sent = _checked(components.sent_by(key, "brush"), len(axes))
    seen = f"{key}_seen"
    before = links.look_up(link, KIND, {})
    if sent is not None and sent[1] != st.session_state.get(seen):
        st.session_state[seen] = sent[1]
        kept = {name: ends for name, ends in before.items() if name not in {axis.name for axis in axes}}
        found = {axes[number]: (low, high) for number, low, high in sent[0]}
        brush = kept | {a.name: (a.value(low, up=False), a.value(high, up=True)) for a, (low, high) in found.items()}
    else:
        brush = before
    links.note(link, KIND, brush, {})
    return brush


def show(
    axes: Sequence[Axis],
    lines: Sequence[tuple[Sequence[float | None], str, bool]],
    brush: Brush,
    words: tuple[str, str],
    key: str,
    *,
    height: int = 260,
    on_pick: Callable[[], None] = lambda: None,
) -> None:
    """Show the chart.

    Parameters
    ----------
    axes : sequence of Axis
    lines : sequence of (places, hover, strong)
        Of each run: its places on the axes, what the pointer tells, and whether it stands out.
    brush : dict
    words : (str, str)
        The title, and what a person who cannot see the chart should know.
    key : str
    height : int
        Pixels of the drawing.
    on_pick : callable
        Called when a line was clicked; :func:`ui.components.newly_picked` tells which.
    """
    sent = _checked(components.sent_by(key, "brush"), len(axes))
    data = {
        "title": words[0],
        "alt": words[1],
        "name": f"das-ksvd-{key}",
        "height": height,
        "seen": sent[1] if sent else 0,
        "axes": [_sent_axis(axis, brush.get(axis.name)) for axis in axes],
        "lines": [{"places": _rounded(places), "hover": hover, "strong": strong} for places, hover, strong in lines],
    }
    _component(key=key, data=components.as_data(data), on_brush_change=lambda: None, on_picked_change=on_pick)


def _rounded(places: Sequence[float | None]) -> list[float | None]:
    """Places in few characters: a thousand lines are many numbers."""
    return [None if place is None else round(place, 5) for place in places]


def _sent_axis(axis: Axis, ends: tuple[Any, Any] | None) -> dict[str, Any]:
    low, high = (0.0, 1.0) if ends is None else (axis.share(ends[0]), axis.share(ends[1]))
    shares = [default if share is None else min(1.0, max(0.0, share)) for share, default in ((low, 0.0), (high, 1.0))]
    found: dict[str, Any] = {"name": axis.name, "title": axis.title, "ticks": axis.ticks()}
    return found | {"low": shares[0], "high": shares[1], "ends": None if axis.names else (axis.low, axis.high)}


def _checked(sent: Any, n_axes: int) -> tuple[list[tuple[int, float, float]], float] | None:
    """What the browser has sent, None if it is no list of ranges."""
    if not isinstance(sent, list | tuple) or len(sent) != 2 or not components.is_number(sent[1], components.MAX_TIME):
        return None
    ranges = sent[0]
    if (
        not isinstance(ranges, list | tuple)
        or len(ranges) > n_axes
        or not all(_is_range(one, n_axes) for one in ranges)
    ):
        return None
    return [(one[0], one[1], one[2]) for one in ranges], sent[1]


def _is_range(one: Any, n_axes: int) -> bool:
    if not isinstance(one, list | tuple) or len(one) != 3 or not components.is_count(one[0], n_axes):
        return False
    return all(components.is_number(end, 1) and end >= 0 for end in one[1:]) and one[1] <= one[2]


def _parsed(text: str) -> Brush:
    found: Brush = {}
    for part in text.split("~"):
        name, low, high = part.split(":")
        found[unquote(name)[:MAX_VALUE]] = (_end(low), _end(high))
    return found


def _end(text: str) -> Any:
    """A number, or with a mark before it a name."""
    return unquote(text[1:])[:MAX_VALUE] if text.startswith("!") else links.number(text)


def _written(brush: Brush) -> str:
    return "~".join(f"{_escaped(name)}:{_text(low)}:{_text(high)}" for name, (low, high) in brush.items())


def _text(end: Any) -> str:
    return f"!{_escaped(end)}" if isinstance(end, str) else links.short(end)


def _escaped(text: str) -> str:
    return quote(text, "").replace("~", "%7E")


#: Ranges as links write them: ``accuracy:95:97~data:!mnist:!mnist``.
KIND = links.Kind(_parsed, _written)
