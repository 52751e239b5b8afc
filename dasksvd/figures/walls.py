"""Walls of small square images."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dasksvd.figures.palette import CLASS_COLORS, GREY, SIGNED


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


def tile(images: np.ndarray) -> np.ndarray:
    """Images of shape (n_rows, n_columns, side * side) as one wall with gaps of one NaN pixel."""
    n_rows, n_columns, size = images.shape
    side = math.isqrt(size)
    peaks = np.abs(images).max(axis=2, keepdims=True)
    scaled = np.divide(images, peaks, out=np.zeros_like(images, np.float32), where=peaks > 0)
    wall = np.full((n_rows, side + 1, n_columns, side + 1), np.nan, np.float32)
    wall[:, :side, :, :side] = scaled.reshape(n_rows, n_columns, side, side).transpose(0, 2, 1, 3)
    return wall.reshape(n_rows * (side + 1), n_columns * (side + 1))[:-1, :-1]


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
