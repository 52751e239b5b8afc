"""Arrays in, plotly figures out."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

#: Negative, zero, positive: zero takes the page's own background, so both themes work.
SIGNED = [[0.0, "rgb(214, 104, 36)"], [0.5, "rgba(128, 128, 128, 0.10)"], [1.0, "rgb(20, 140, 157)"]]
GREY = [[0.0, "rgba(128, 128, 128, 0.06)"], [1.0, "rgb(110, 124, 140)"]]


def mosaic(images: np.ndarray, rows: Sequence[str], title: str, x_title: str, signed: bool = True) -> go.Figure:
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
    """
    n_rows, n_columns, size = images.shape
    side = math.isqrt(size)
    pitch = side + 1
    wall = tile(images)
    figure = go.Figure(
        go.Heatmap(
            z=wall,
            colorscale=SIGNED if signed else GREY,
            zmin=-1 if signed else 0,
            zmax=1,
            showscale=False,
            hoverinfo="skip",
        )
    )
    middles = (side - 1) / 2 + pitch * np.arange(max(n_rows, n_columns))
    step = 1 if n_columns <= 20 else 5
    figure.update_xaxes(
        title=x_title,
        tickvals=middles[:n_columns:step],
        ticktext=[str(column + 1) for column in range(0, n_columns, step)],
        showgrid=False,
        zeroline=False,
        constrain="domain",
    )
    figure.update_yaxes(
        tickvals=middles[:n_rows],
        ticktext=list(rows),
        autorange="reversed",
        scaleanchor="x",
        showgrid=False,
        zeroline=False,
        constrain="domain",
        constraintoward="top",
    )
    figure.update_layout(title=title, height=110 + 44 * n_rows, margin={"l": 40, "r": 10, "t": 50, "b": 50})
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
