"""Arrays in, plotly figures out."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

#: One colour per class, distinct for colour-blind eyes and on light and dark pages.
CLASS_COLORS = (
    "#4477AA",
    "#33B5E5",
    "#228833",
    "#CCAA22",
    "#E65566",
    "#AA3377",
    "#EE7733",
    "#009988",
    "#9970C1",
    "#888888",
)
#: Negative, zero, positive: zero takes the page's own background, so both themes work.
SIGNED = [[0.0, "rgb(214, 104, 36)"], [0.5, "rgba(128, 128, 128, 0.10)"], [1.0, "rgb(20, 140, 157)"]]
GREY = [[0.0, "rgba(128, 128, 128, 0.06)"], [1.0, "rgb(110, 124, 140)"]]


def mosaic(
    images: np.ndarray,
    rows: Sequence[str],
    title: str,
    x_title: str,
    signed: bool = True,
    hover: Sequence[Sequence[str]] | None = None,
) -> go.Figure:
    """A wall of small square images, one row of images per name.

    Parameters
    ----------
    images : ndarray of shape (n_rows, n_columns, side * side)
        Each is scaled by its own largest absolute value.
    rows : sequence of str
        Names of the rows, from the top.
    title, x_title : str
        Of the figure and of the axis along the columns.
    signed : bool, default=True
        Two colours around a neutral zero, or grey from zero up.
    hover : nested sequence of str, optional
        A text for each image; makes the images clickable, with ``customdata = [row, column]``.
    """
    n_rows, n_columns, size = images.shape
    side = math.isqrt(size)
    figure = go.Figure(_wall(images, signed))
    middles = (side - 1) / 2 + (side + 1) * np.arange(max(n_rows, n_columns))
    if hover is not None:
        figure.add_trace(_targets(middles, hover))
    step = 1 if n_columns <= 20 else 5
    figure.update_xaxes(
        title=x_title,
        tickvals=middles[:n_columns:step],
        ticktext=[str(column + 1) for column in range(0, n_columns, step)],
        range=[-1, n_columns * (side + 1) - 1],
        tickangle=0,
        showgrid=False,
        zeroline=False,
        constrain="domain",
    )
    figure.update_yaxes(
        tickvals=middles[:n_rows],
        ticktext=list(rows),
        range=[n_rows * (side + 1) - 1, -1],
        scaleanchor="x",
        showgrid=False,
        zeroline=False,
        constrain="domain",
        constraintoward="top",
    )
    figure.update_layout(
        title=title, height=110 + 44 * n_rows, margin={"l": 40, "r": 10, "t": 50, "b": 50}, showlegend=False
    )
    return figure


def _wall(images: np.ndarray, signed: bool) -> go.Heatmap:
    return go.Heatmap(
        z=tile(images),
        colorscale=SIGNED if signed else GREY,
        zmin=-1 if signed else 0,
        zmax=1,
        showscale=False,
        hoverinfo="skip",
    )


def _targets(middles: np.ndarray, hover: Sequence[Sequence[str]]) -> go.Scatter:
    """Almost invisible squares over the images: a heat map itself reports no clicks."""
    places = [(row, column) for row, texts in enumerate(hover) for column in range(len(texts))]
    return go.Scatter(
        x=[middles[column] for _, column in places],
        y=[middles[row] for row, _ in places],
        customdata=places,
        text=[hover[row][column] for row, column in places],
        hovertemplate="%{text}<extra></extra>",
        mode="markers",
        marker={"symbol": "square", "size": 26, "opacity": 0.01, "color": "#888888"},
    )


def dictionary_wall(atoms: np.ndarray, selected: Sequence[int], classes: Sequence[str], title: str) -> go.Figure:
    """All atoms of one auxiliary dictionary, the selected ones framed in their class's colour.

    Parameters
    ----------
    atoms : ndarray of shape (n_atoms, side * side)
    selected : sequence of int
        The selected atom of each class.
    classes : sequence of str
    """
    columns = 32 if len(atoms) > 64 else 16
    n_rows = -(-len(atoms) // columns)
    padded = np.zeros((n_rows * columns, atoms.shape[1]), np.float32)
    padded[: len(atoms)] = atoms
    side = math.isqrt(atoms.shape[1])
    figure = go.Figure(_wall(padded.reshape(n_rows, columns, -1), signed=True))
    for label, atom in zip(classes, selected, strict=True):
        row, column = divmod(int(atom), columns)
        left, top = column * (side + 1) - 1, row * (side + 1) - 1
        color = CLASS_COLORS[list(classes).index(label) % len(CLASS_COLORS)]
        frame = {"x0": left, "y0": top, "x1": left + side + 1, "y1": top + side + 1}
        figure.add_shape(type="rect", line={"color": color, "width": 3}, **frame)
        figure.add_annotation(
            x=left + 2, y=top + 3, text=f"<b>{label}</b>", showarrow=False, font={"color": color, "size": 15}
        )
    figure.update_xaxes(visible=False, constrain="domain")
    figure.update_yaxes(visible=False, autorange="reversed", scaleanchor="x", constraintoward="top", constrain="domain")
    figure.update_layout(title=title, height=70 + 38 * n_rows, margin={"l": 10, "r": 10, "t": 50, "b": 10})
    return figure


def class_bars(
    values: np.ndarray, classes: Sequence[str], top: int, second: int, title: str, y_title: str
) -> go.Figure:
    """One value per class as bars, ℓ⁺ and ℓ* marked.

    Parameters
    ----------
    values : ndarray of shape (n_classes,)
    top, second : int
        The classes ℓ⁺ and ℓ*.
    """
    marks = ["ℓ⁺" if c == top else "ℓ*" if c == second else "" for c in range(len(values))]
    figure = go.Figure(
        go.Bar(
            x=list(classes),
            y=values,
            text=[f"<b>{mark}</b>" if mark else "" for mark in marks],
            textposition="outside",
            marker={
                "color": [CLASS_COLORS[c % len(CLASS_COLORS)] for c in range(len(values))],
                "opacity": [1.0 if mark else 0.45 for mark in marks],
            },
            hovertemplate="class %{x}: %{y:.3f}<extra></extra>",
        )
    )
    figure.update_xaxes(title="class ℓ", type="category")
    figure.update_yaxes(title=y_title, range=[0, 1.18 * float(values.max() or 1)])
    figure.update_layout(title=title, height=320, margin={"l": 50, "r": 10, "t": 50, "b": 50})
    return figure


def measure_scatter(
    x: np.ndarray,
    y: np.ndarray,
    top: np.ndarray,
    selected: Sequence[int],
    classes: Sequence[str],
    titles: tuple[str, str],
) -> go.Figure:
    """Two measures of every atom, coloured by class, the selected atoms ringed.

    Parameters
    ----------
    x, y : ndarray of shape (n_atoms,)
    top : ndarray of shape (n_atoms,), int
        Class ℓ⁺ of each atom.
    selected : sequence of int
        The selected atom of each class.
    titles : tuple of str
        Of the two axes.
    """
    figure = go.Figure()
    chosen = np.isin(np.arange(len(x)), selected)
    for c, label in enumerate(classes):
        mine = np.flatnonzero(top == c)
        figure.add_trace(
            go.Scatter(
                x=x[mine],
                y=y[mine],
                name=str(label),
                mode="markers",
                customdata=mine,
                marker={
                    "color": CLASS_COLORS[c % len(CLASS_COLORS)],
                    "size": np.where(chosen[mine], 15, 8),
                    "opacity": np.where(chosen[mine], 1.0, 0.6),
                    "line": {"width": np.where(chosen[mine], 2.5, 0), "color": "#888888"},
                },
                hovertemplate="atom %{customdata}: %{x:.3f}, %{y:.3f}<extra>class " + str(label) + "</extra>",
            )
        )
    figure.update_xaxes(title=titles[0], rangemode="tozero")
    figure.update_yaxes(title=titles[1], rangemode="tozero")
    figure.update_layout(
        title="All atoms of the iteration; large: selected",
        height=460,
        legend={"title": "class", "orientation": "h", "y": -0.2},
        margin={"l": 60, "r": 10, "t": 50, "b": 60},
    )
    return figure


def odds_curves(odds: dict[int, np.ndarray]) -> go.Figure:
    """Sampling odds after some iterations: all signals, from the likeliest to the unlikeliest.

    Parameters
    ----------
    odds : dict of iteration (from 1) to ndarray of shape (n_signals,)
    """
    figure = go.Figure()
    shades = np.linspace(0.25, 1, len(odds))
    for shade, (iteration, values) in zip(shades, odds.items(), strict=True):
        ordered = np.sort(values)[::-1] * len(values)
        places = np.unique(np.linspace(0, len(values) - 1, 400).astype(int))
        figure.add_trace(
            go.Scatter(
                x=100 * places / len(values),
                y=ordered[places],
                name=f"l = {iteration}",
                mode="lines",
                line={"color": f"rgba(20, 140, 157, {shade:.2f})", "width": 2.5, "shape": "hv"},
                hovertemplate="%{x:.0f} % of the signals: %{y:.3g} × uniform<extra></extra>",
            )
        )
    figure.update_xaxes(title="signals, sorted by odds (%)")
    ticks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
    figure.update_yaxes(
        title="odds, as a multiple of uniform", type="log", tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks]
    )
    figure.update_layout(
        title="Sampling odds p after iteration l",
        height=380,
        legend={"orientation": "h", "y": -0.25},
        margin={"l": 60, "r": 10, "t": 50, "b": 60},
    )
    return figure


def error_curve(curves: dict[str, Sequence[float]], title: str) -> go.Figure:
    """K-SVD's error after each of its iterations, one line per name."""
    figure = go.Figure()
    for name, errors in curves.items():
        figure.add_trace(
            go.Scatter(
                x=np.arange(1, len(errors) + 1),
                y=list(errors),
                name=name,
                mode="lines+markers",
                line={"color": "#148C9D"},
            )
        )
    figure.update_xaxes(title="K-SVD iteration", rangemode="tozero")
    figure.update_yaxes(title="RMS error per pixel")
    figure.update_layout(title=title, height=300, margin={"l": 60, "r": 10, "t": 50, "b": 50})
    return figure


def tile(images: np.ndarray) -> np.ndarray:
    """Images of shape (n_rows, n_columns, side * side) as one wall with gaps of one NaN pixel."""
    n_rows, n_columns, size = images.shape
    side = math.isqrt(size)
    peaks = np.abs(images).max(axis=2, keepdims=True)
    scaled = np.divide(images, peaks, out=np.zeros_like(images, np.float32), where=peaks > 0)
    wall = np.full((n_rows, side + 1, n_columns, side + 1), np.nan, np.float32)
    wall[:, :side, :, :side] = scaled.reshape(n_rows, n_columns, side, side).transpose(0, 2, 1, 3)
    return wall.reshape(n_rows * (side + 1), n_columns * (side + 1))[:-1, :-1]
