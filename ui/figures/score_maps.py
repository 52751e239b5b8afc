"""Scores over two parameters: the triangle of weights, its zoom, and sweeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dasksvd.figures.palette import SCORE_SCALE, channels, ink_on
from dasksvd.figures.sketch import Sketch, trace

if TYPE_CHECKING:
    import plotly.graph_objects as go

#: Rings around our best points and the paper's; white names stand on them.
OURS, PAPERS = "#C2410C", "#7048E8"


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
        What stands in it, and what pointer and arrow keys show.
    data : tuple
        What a click or Enter reports.
    """

    x: int
    y: int
    value: float | None
    text: str
    hover: str
    data: tuple = ()


@dataclass(frozen=True)
class Ring:
    """A ring around a cell, with a name beside it."""

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
    rings : list of Ring
    frame : (x, y) or None
        Place of a frame, not necessarily on the lattice.
    height : int
        Largest height, in pixels.
    font_size : int
        Largest size of the cells' texts, in pixels.
    """

    title: str
    axes: tuple[str, str]
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    columns: tuple[int, int]
    rows: tuple[int, int]
    cells: list[Cell]
    fills: list[tuple[str, str]]
    rings: list[Ring]
    frame: tuple[float, float] | None
    height: int
    font_size: int


def score_map(
    cells: Sequence[Cell],
    limits: tuple[float, float],
    title: str,
    axes: tuple[str, str],
    ticks: tuple[Mapping[int, str], Mapping[int, str]],
    *,
    rings: Mapping[str, tuple[float, float]] | None = None,
    dashed: Mapping[str, tuple[float, float]] | None = None,
    frame: tuple[float, float] | None = None,
    window: tuple[range, range] | None = None,
    height: int = 300,
    font_size: int = 11,
) -> ScoreMap:
    """Coloured squares with their scores; a square without a score is faint.

    Parameters
    ----------
    cells : sequence of Cell
    limits : tuple of float
        Scores of the two ends of the colour scale.
    title : str
    axes : tuple of str
        Titles of the two axes.
    ticks : tuple of mapping of int to str
        Places and texts of the axes' ticks.
    rings : mapping of str to (x, y), optional
        Cells to draw a ring around, with a name beside it.
    dashed : mapping of str to (x, y), optional
        The same with a dashed ring.
    frame : (x, y), optional
        Place of a frame, not necessarily on the lattice.
    window : tuple of range, optional
        Columns and rows to show; those of the cells by default.
    """
    columns, rows = window or ([cell.x for cell in cells], [cell.y for cell in cells])
    return ScoreMap(
        title,
        axes,
        list(ticks[0].items()),
        list(ticks[1].items()),
        (min(columns), max(columns)),
        (min(rows), max(rows)),
        list(cells),
        [_fill(cell.value, limits) for cell in cells],
        [Ring(*place, name, PAPERS, True) for name, place in (dashed or {}).items()]
        + [Ring(*place, name, OURS, False) for name, place in (rings or {}).items()],
        frame,
        height,
        font_size,
    )


def colour_strip(limits: tuple[float, float], title: str, unit: str = "%") -> go.Figure:
    """The colour scale of several maps as a strip."""
    values = np.linspace(*limits, 200)
    figure = Sketch(
        trace("heatmap", x=values, y=[0], z=[values], colorscale=SCORE_SCALE, showscale=False, hoverinfo="skip")
    )
    figure.update_xaxes(title={"text": f"{title} ({unit})", "standoff": 22}, showgrid=False, zeroline=False)
    figure.update_yaxes(visible=False)
    figure.update_layout(height=92, margin={"l": 10, "r": 10, "t": 4, "b": 66})
    return figure.figure()


def lattice_dots(points: Mapping[str, Sequence[tuple[float, float]]]) -> list[go.Figure]:
    """Triangles of points of different steps, one figure per title."""
    figures = []
    for title, places in points.items():
        figure = Sketch(
            trace(
                "scatter",
                x=[0, 1, 0, 0],
                y=[0, 0, 1, 0],
                mode="lines",
                line={"color": "#888888", "width": 1},
                hoverinfo="skip",
            ),
            trace(
                "scatter",
                x=[alpha for alpha, _ in places],
                y=[beta for _, beta in places],
                mode="markers",
                marker={"color": "#148C9D", "size": 7},
                hovertemplate="α = %{x:.3f}, β = %{y:.3f}<extra></extra>",
            ),
        )
        figure.update_xaxes(title="α", range=[-0.06, 1.06], showgrid=False, zeroline=False, constrain="domain")
        figure.update_yaxes(title="β", range=[-0.06, 1.06], showgrid=False, zeroline=False, scaleanchor="x")
        figure.update_layout(title=title, height=300, margin={"l": 50, "r": 10, "t": 50, "b": 45}, showlegend=False)
        figures.append(figure.figure())
    return figures


def _fill(value: float | None, limits: tuple[float, float]) -> tuple[str, str]:
    """The colour of a score, and of the text on it."""
    if value is None:
        return "", ""
    share = np.clip((value - limits[0]) / (limits[1] - limits[0]), 0, 1)
    ends = np.array([channels(color) for _, color in SCORE_SCALE])
    color = [round(float(np.interp(share, [at for at, _ in SCORE_SCALE], end))) for end in ends.T]
    return "#{:02X}{:02X}{:02X}".format(*color), ink_on(color)
