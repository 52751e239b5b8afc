"""Light charts of what was measured in rounds: dots or lines with intervals, several of them in one chart."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dasksvd.figures import ACCENT, CLASS_COLORS

#: Colours of series that stand beside each other; an empty one is the page's own ink.
COLORS = (ACCENT, *(CLASS_COLORS[number] for number in (6, 8, 2, 5, 3, 0, 4)))
INK = ""


@dataclass(frozen=True)
class Point:
    """A mean with its interval.

    Attributes
    ----------
    at, value, low, high : float
        Its place along and up, and the ends of its interval.
    hover : str
        What pointer and arrow keys tell.
    label : str
        A name beside a dot.
    strong : bool
        Whether it is larger than the others.
    """

    at: float
    value: float
    low: float
    high: float
    hover: str
    label: str = ""
    strong: bool = False


@dataclass(frozen=True)
class Series:
    """Points that belong together.

    Attributes
    ----------
    mark : int
        The shape of its points: disc, square, triangle or diamond.
    dash : str
        How its line is broken, as SVG writes it; empty if it is not.
    strong : bool
        Whether its line is thicker than the others.
    """

    name: str
    color: str
    points: tuple[Point, ...]
    mark: int = 0
    dash: str = ""
    strong: bool = False


@dataclass(frozen=True)
class Chart:
    """A chart of series.

    Attributes
    ----------
    title, x_title, y_title : str
    series : tuple of Series
    joined : bool
        Whether the points of a series are joined by a line with a band; else they are dots with names.
    span, range : (float, float)
        Ends of the two axes.
    ticks : tuple of (place, text)
        Of the horizontal axis; empty for round numbers.
    log : bool
        Whether the horizontal axis is logarithmic.
    current : (float, str) or None
        A marked place on the horizontal axis and its name.
    levels : tuple of float
        Heights of dashed lines across the chart.
    height : int
        Pixels of the drawing.
    """

    title: str
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    joined: bool
    span: tuple[float, float]
    range: tuple[float, float]
    ticks: tuple[tuple[float, str], ...] = ()
    log: bool = False
    current: tuple[float, str] | None = None
    levels: tuple[float, ...] = ()
    height: int = 340


def dot_chart(series: Iterable[Series], title: str, titles: tuple[str, str], levels: Sequence[float] = ()) -> Chart:
    """Dots with names and intervals; the names get as much room as there is."""
    series = tuple(series)
    across, up = _places(series)
    return Chart(
        title,
        *titles,
        series,
        joined=False,
        span=_widened(across, 0.05),
        range=_widened(up, 0.06),
        levels=tuple(levels),
        height=440,
    )


def line_chart(
    series: Iterable[Series],
    title: str,
    titles: tuple[str, str],
    *,
    ticks: Sequence[tuple[float, str]] = (),
    log: bool = False,
    current: tuple[float, str] | None = None,
    height: int = 340,
) -> Chart:
    """Lines with bands.

    Parameters
    ----------
    titles : tuple of str
        Of the two axes.
    log : bool
        Whether the horizontal axis is logarithmic; then all places are positive.
    current : (float, str), optional
        A place to mark, and its name.
    """
    series = tuple(series)
    across, up = _places(series)
    low, high = min(across), max(across)
    span = (low / 1.15, high * 1.15) if log else _widened(across, 0.04)
    marked = current if current is not None and low <= current[0] <= high else None
    return Chart(title, *titles, series, True, span, _widened(up, 0.06), tuple(ticks), log, marked, height=height)


def _places(series: Sequence[Series]) -> tuple[list[float], list[float]]:
    """Where points are along, and where their intervals end."""
    points = [point for one in series for point in one.points]
    return [point.at for point in points], [end for point in points for end in (point.low, point.high)]


def _widened(values: Sequence[float], share: float) -> tuple[float, float]:
    """The ends of some values with a little room."""
    low, high = min(values), max(values)
    room = share * (high - low) or max(0.01 * abs(high), 0.1)
    return low - room, high + room
