"""Scores over two parameters: the triangle of weights, its zoom, and sweeps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dasksvd.figures.sketch import Sketch, trace

#: From low to high; middle tones only, so that every cell stands out on light and dark pages.
SCORE_SCALE = [[0.0, "#4A5768"], [0.5, "#12808F"], [1.0, "#A6EBC9"]]
#: Share of the scale above which dark text reads better than light.
_BRIGHT = 0.68
_FAINT = "rgba(128, 128, 128, 0.14)"
_RING, _OTHER_RING = "#E8590C", "#7048E8"


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
        What stands in it, and what the pointer shows.
    data : tuple
        What a click reports.
    """

    x: int
    y: int
    value: float | None
    text: str
    hover: str
    data: tuple = ()


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
) -> go.Figure:
    """Coloured squares with their scores, clickable; a square without a score is faint.

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
    columns = range(min(cell.x for cell in cells), max(cell.x for cell in cells) + 1)
    rows = range(min(cell.y for cell in cells), max(cell.y for cell in cells) + 1)
    known = [cell for cell in cells if cell.value is not None]
    figure = Sketch(_empty(cells, columns, rows), _filled(known, columns, rows, limits))
    figure.add_trace(_labels(known, limits, font_size))
    columns, rows = window or (columns, rows)
    figure.add_trace(_click_targets(cells, min(34, int(0.7 * height / max(len(columns), len(rows))))))
    for name, (x, y) in (dashed or {}).items():
        _add_ring(figure, x, y, name, _OTHER_RING, "dot", left=True)
    for name, (x, y) in (rings or {}).items():
        _add_ring(figure, x, y, name, _RING, "solid", left=False)
    if frame is not None:
        x, y = frame
        for color, width in (("#10181F", 5), ("#FFFFFF", 2)):  # seen on light and on dark
            figure.add_shape(
                type="rect", x0=x - 0.5, y0=y - 0.5, x1=x + 0.5, y1=y + 0.5, line={"color": color, "width": width}
            )
    for update, title_, places, span in (
        (figure.update_xaxes, axes[0], ticks[0], columns),
        (figure.update_yaxes, axes[1], ticks[1], rows),
    ):
        update(
            title={"text": title_, "standoff": 4},
            tickvals=list(places),
            ticktext=list(places.values()),
            range=[span[0] - 0.85, span[-1] + 0.85],
            showgrid=False,
            zeroline=False,
            constrain="domain",
            automargin=True,  # or the axis titles would stand on the ticks' texts
        )
    figure.update_yaxes(scaleanchor="x", constraintoward="top")
    figure.update_layout(
        title={"text": title, "font": {"size": 15}},
        height=height,
        margin={"l": 34, "r": 4, "t": 40, "b": 40},
        showlegend=False,
    )
    return figure.figure()


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


def _grid(cells: Sequence[Cell], columns: range, rows: range, value) -> list[list]:
    table: list[list] = [[None] * len(columns) for _ in rows]
    for cell in cells:
        table[cell.y - rows[0]][cell.x - columns[0]] = value(cell)
    return table


def _empty(cells: Sequence[Cell], columns: range, rows: range) -> dict:
    return trace(
        "heatmap",
        x=list(columns),
        y=list(rows),
        z=_grid([cell for cell in cells if cell.value is None], columns, rows, lambda cell: 0),
        colorscale=[[0, _FAINT], [1, _FAINT]],
        showscale=False,
        hoverinfo="skip",
        xgap=2,
        ygap=2,
    )


def _filled(cells: Sequence[Cell], columns: range, rows: range, limits: tuple[float, float]) -> dict:
    return trace(
        "heatmap",
        x=list(columns),
        y=list(rows),
        z=_grid(cells, columns, rows, lambda cell: cell.value),
        colorscale=SCORE_SCALE,
        zmin=limits[0],
        zmax=limits[1],
        showscale=False,
        hoverinfo="skip",
        xgap=2,
        ygap=2,
    )


def _labels(cells: Sequence[Cell], limits: tuple[float, float], font_size: int) -> dict:
    """The cells' texts, light on dark colours and dark on light ones."""
    bright = limits[0] + _BRIGHT * (limits[1] - limits[0])
    return trace(
        "scatter",
        x=[cell.x for cell in cells],
        y=[cell.y for cell in cells],
        text=[cell.text for cell in cells],
        mode="text",
        textfont={"size": font_size, "color": ["#062A30" if cell.value > bright else "#FFFFFF" for cell in cells]},
        hoverinfo="skip",
    )


def _add_ring(figure: Sketch, x: float, y: float, name: str, color: str, dash: str, left: bool) -> None:
    """A ring around a cell with its name on a badge beside it."""
    radius = 0.72 if left else 0.62
    figure.add_shape(
        type="circle",
        x0=x - radius,
        y0=y - radius,
        x1=x + radius,
        y1=y + radius,
        line={"color": color, "width": 3, "dash": dash},
    )
    figure.add_annotation(
        x=x + (-0.3 if left else 0.3),
        y=y + (-0.45 if left else 0.45),
        text=f"<b>{name}</b>",
        showarrow=False,
        xanchor="right" if left else "left",
        yanchor="top" if left else "bottom",
        bgcolor=color,
        borderpad=1,
        font={"color": "#FFFFFF", "size": 11},
    )


def _click_targets(cells: Sequence[Cell], size: int) -> dict:
    """Almost invisible squares over the cells: a heat map itself reports no clicks."""
    return trace(
        "scatter",
        x=[cell.x for cell in cells],
        y=[cell.y for cell in cells],
        customdata=[cell.data for cell in cells],
        text=[cell.hover for cell in cells],
        hovertemplate="%{text}<extra></extra>",
        mode="markers",
        marker={"symbol": "square", "size": size, "opacity": 0.01, "color": "#888888"},
    )
