"""A score over one parameter: a curve whose points have intervals."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """One point of a curve.

    Attributes
    ----------
    at : float
        The parameter's value.
    value : float or None
        The score in percent; None if there is none yet.
    half_width : float or None
        Half the width of its interval, in the same unit; None if it is not known.
    hover : str
        What pointer and arrow keys show.
    strong : bool
        Whether it is marked: the best one.
    alike : bool
        Whether it cannot be told from the best.
    """

    at: float
    value: float | None
    half_width: float | None
    hover: str
    strong: bool = False
    alike: bool = False


@dataclass(frozen=True)
class IntervalCurve:
    """A curve with whiskers.

    Attributes
    ----------
    title, x_title, y_title : str
    points : list of (at, value, low, high, hover, strong, alike)
        Those with a score, from left to right; ``low`` and ``high`` are the value's own without an interval.
    ticks : list of (at, text)
        Of all values, also those without a score.
    span, range : (float, float)
        Ends of the two axes.
    current : float or None
        The value that the run itself has.
    around : int
        Pixels of the window's height that the rest of the page needs.
    """

    title: str
    x_title: str
    y_title: str
    points: list[tuple]
    ticks: list[tuple[float, str]]
    span: tuple[float, float]
    range: tuple[float, float]
    current: float | None
    around: int


def interval_curve(
    points: Sequence[Measured], title: str, x_title: str, y_title: str, current: float | None = None, around: int = 0
) -> IntervalCurve:
    """A curve through the points that have scores; the axes end a little beyond all of them."""
    points = sorted(points, key=lambda point: point.at)
    drawn = [
        (
            point.at,
            point.value,
            point.value - (point.half_width or 0),
            point.value + (point.half_width or 0),
            point.hover,
            point.strong,
            point.alike,
        )
        for point in points
        if point.value is not None
    ]
    places = [point.at for point in points]
    lows, highs = [low for _, _, low, *_ in drawn] or [0.0], [high for _, _, _, high, *_ in drawn] or [100.0]
    return IntervalCurve(
        title,
        x_title,
        y_title,
        drawn,
        [(at, f"{at:g}") for at in places],
        _widened(min(places), max(places), 0.08, 0.5),
        _widened(min(lows), max(highs), 0.1, 0.1),
        current if current in places else None,
        around,
    )


def _widened(low: float, high: float, share: float, least: float) -> tuple[float, float]:
    """An interval with some room at both ends."""
    room = share * (high - low) or least
    return low - room, high + room
