"""Scores over two parameters: the triangle of weights, its zoom, and sweeps."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dasksvd.figures.palette import SCORE_SCALE, channels, ink_on

#: Frames around our best points and the paper's; white names stand on them.
OURS, PAPERS = "#C2410C", "#7048E8"
#: What a legend can explain: its mark is drawn by the component.
OUR_BEST, PAPERS_BEST, CURRENT, ALIKE, EMPTY = "ours", "papers", "current", "alike", "empty"


@dataclass(frozen=True)
class Cell:
    """One point of a search.

    Attributes
    ----------
    x, y : float
        Its place, in steps of the lattice.
    value : float or None
        Its score; None if there is none yet.
    text, hover : str
        What stands in it, and what pointer and arrow keys show; the first two lines of that are said aloud.
    data : tuple
        What a click or Enter reports.
    alike : bool
        Whether it cannot be told from the best.
    """

    x: int
    y: int
    value: float | None
    text: str
    hover: str
    data: tuple = ()
    alike: bool = False


@dataclass(frozen=True)
class Tag:
    """A frame inside a cell with a name at its upper edge, or dashed with the name at its lower edge."""

    x: float
    y: float
    name: str
    color: str
    dashed: bool


@dataclass(frozen=True)
class ScoreMap:
    """Coloured squares over two parameters.

    Attributes
    ----------
    title : str
    axes : (str, str)
        Titles of the two axes.
    x_ticks, y_ticks : list of (place, text)
    columns, rows : (int, int)
        First and last ones shown.
    cells : list of Cell
    fills : list of (color, ink)
        Of the cells' squares and of the texts on them; an empty color is a faint square.
    tags : list of Tag
    frame : (x, y) or None
        Place of a frame, not necessarily on the lattice.
    legend : list of (kind, text)
    scale : list of str
        Colours from the lowest score to the highest.
    limits : (str, str)
        These two scores.
    around : int
        Pixels of the window's height that the rest of the page needs; 0 for a map below the first screen.
    """

    title: str
    axes: tuple[str, str]
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    columns: tuple[int, int]
    rows: tuple[int, int]
    cells: list[Cell]
    fills: list[tuple[str, str]]
    tags: list[Tag]
    frame: tuple[float, float] | None
    legend: list[tuple[str, str]]
    scale: list[str]
    limits: tuple[str, str]
    around: int = 0


def score_map(
    cells: Sequence[Cell],
    limits: tuple[float, float],
    title: str,
    axes: tuple[str, str],
    ticks: tuple[Mapping[int, str], Mapping[int, str]],
    *,
    ours: Mapping[str, tuple[float, float]] | None = None,
    papers: Mapping[str, tuple[float, float]] | None = None,
    frame: tuple[float, float] | None = None,
    legend: Mapping[str, str] | None = None,
    around: int = 0,
) -> ScoreMap:
    """Coloured squares with their scores; a square without a score is faint.

    Parameters
    ----------
    cells : sequence of Cell
    limits : tuple of float
        Scores of the two ends of the colour scale, in percent.
    title : str
    axes : tuple of str
        Titles of the two axes.
    ticks : tuple of mapping of int to str
        Places and texts of the axes' ticks.
    ours : mapping of str to (x, y), optional
        Cells to draw a frame in, with a name at its upper edge.
    papers : mapping of str to (x, y), optional
        The same with a dashed frame and the name at its lower edge.
    frame : (x, y), optional
        Place of a frame, not necessarily on the lattice.
    legend : mapping of str to str, optional
        What the marks mean: :data:`OUR_BEST` and so on -> words.
    around : int
        Pixels of the window's height that the rest of the page needs.
    """
    columns, rows = [cell.x for cell in cells], [cell.y for cell in cells]
    return ScoreMap(
        title,
        axes,
        list(ticks[0].items()),
        list(ticks[1].items()),
        (min(columns), max(columns)),
        (min(rows), max(rows)),
        list(cells),
        [_fill(cell.value, limits) for cell in cells],
        [Tag(*place, name, OURS, False) for name, place in (ours or {}).items()]
        + [Tag(*place, name, PAPERS, True) for name, place in (papers or {}).items()],
        frame,
        list((legend or {}).items()),
        [color for _, color in SCORE_SCALE],
        (f"{limits[0]:.1f}", f"{limits[1]:.1f} %"),
        around,
    )


def score_limits(values: Iterable[float | None]) -> tuple[float, float]:
    """The ends of a colour scale for some scores in percent: their range, but never a narrow one of nothing."""
    known = [value for value in values if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 100.0)
    return (low, high) if high - low > 0.1 else (low - 0.05, high + 0.05)


def _fill(value: float | None, limits: tuple[float, float]) -> tuple[str, str]:
    """The colour of a score, and of the text on it."""
    if value is None:
        return "", ""
    share = np.clip((value - limits[0]) / (limits[1] - limits[0]), 0, 1)
    ends = np.array([channels(color) for _, color in SCORE_SCALE])
    color = [round(float(np.interp(share, [at for at, _ in SCORE_SCALE], end))) for end in ends.T]
    return "#{:02X}{:02X}{:02X}".format(*color), ink_on(color)
