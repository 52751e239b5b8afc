"""Walls of small square images."""

import io
import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from PIL import Image

from dasksvd.figures.palette import GAP, SIGNED, class_color
from dasksvd.figures.sketch import Sketch, trace


def mosaic(
    images: np.ndarray,
    rows: Sequence[str],
    title: str,
    x_title: str,
    colors: list = SIGNED,
    hover: Sequence[Sequence[str]] | None = None,
    marked: Sequence[tuple[int, int]] = (),
    row_height: float = 44,
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
    colors : list
        A colour scale of the palette.
    hover : nested sequence of str, optional
        A text for each image; makes the images clickable, with ``customdata = [row, column]``.
    marked : sequence of (row, column)
        Images to frame in the row's class colour.
    row_height : float
        Pixels for each row.
    """
    n_rows, n_columns, size = images.shape
    side = math.isqrt(size)
    figure = Sketch(_wall(images, colors))
    middles = (side - 1) / 2 + (side + 1) * np.arange(max(n_rows, n_columns))
    if hover is not None:
        figure.add_trace(_targets(middles, hover))
    for row, column in marked:
        figure.add_shape(**_frame(row, column, side, class_color(row)))
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
        ticktext=_coloured(rows) if n_rows > 1 else list(rows),
        range=[n_rows * (side + 1) - 1, -1],
        scaleanchor="x",
        showgrid=False,
        zeroline=False,
        constrain="domain",
        constraintoward="top",
    )
    figure.update_layout(
        title=title, height=110 + row_height * n_rows, margin={"l": 40, "r": 10, "t": 50, "b": 50}, showlegend=False
    )
    return figure.figure()


def dictionary_wall(
    atoms: np.ndarray,
    selected: Sequence[int],
    classes: Sequence[str],
    title: str,
    colors: list = SIGNED,
    columns: int = 32,
    row_height: float = 38,
) -> go.Figure:
    """All atoms of one auxiliary dictionary, the selected ones framed in their class's colour.

    Parameters
    ----------
    atoms : ndarray of shape (n_atoms, side * side)
    selected : sequence of int
        The selected atom of each class.
    classes : sequence of str
    colors : list
        A colour scale of the palette.
    columns : int
        Atoms in a row.
    row_height : float
        Pixels for each row.
    """
    columns = columns if len(atoms) > 64 else min(columns, 16)
    n_rows = -(-len(atoms) // columns)
    padded = np.zeros((n_rows * columns, atoms.shape[1]), np.float32)
    padded[: len(atoms)] = atoms
    side = math.isqrt(atoms.shape[1])
    figure = Sketch(_wall(padded.reshape(n_rows, columns, -1), colors))
    for label, atom in zip(classes, selected, strict=True):
        row, column = divmod(int(atom), columns)
        color = class_color(list(classes).index(label))
        frame = _frame(row, column, side, color)
        figure.add_shape(**frame)
        figure.add_annotation(
            x=frame["x0"] + 3,
            y=frame["y0"] + 4,
            text=f"<b>{label}</b>",
            showarrow=False,
            font={"color": color, "size": 15},
        )
    figure.update_xaxes(visible=False, constrain="domain")
    figure.update_yaxes(visible=False, autorange="reversed", scaleanchor="x", constraintoward="top", constrain="domain")
    figure.update_layout(title=title, height=70 + row_height * n_rows, margin={"l": 10, "r": 10, "t": 50, "b": 10})
    return figure.figure()


def tile(images: np.ndarray) -> np.ndarray:
    """Images of shape (n_rows, n_columns, side * side) as one wall with gaps of one pixel, int8.

    Each image is scaled by its own largest absolute value to -127 … 127; gaps are ``GAP``.  Bytes
    are a quarter of what floats would send to the browser.
    """
    n_rows, n_columns, size = images.shape
    side = math.isqrt(size)
    peaks = np.abs(images).max(axis=2, keepdims=True)
    scaled = np.divide(images, peaks, out=np.zeros_like(images, np.float32), where=peaks > 0)
    wall = np.full((n_rows, side + 1, n_columns, side + 1), GAP, np.int8)
    levels = np.rint(127 * scaled).astype(np.int8).reshape(n_rows, n_columns, side, side)
    wall[:, :side, :, :side] = levels.transpose(0, 2, 1, 3)
    return wall.reshape(n_rows * (side + 1), n_columns * (side + 1))[:-1, :-1]


def wall_png(images: np.ndarray, zoom: int = 4) -> bytes:
    """The wall of :func:`tile` as a PNG in grey, zero in the middle, gaps white."""
    wall = tile(images)
    levels = np.where(wall == GAP, 255, wall.astype(np.int16) + 128).astype(np.uint8)
    picture = Image.fromarray(levels)
    buffer = io.BytesIO()
    picture.resize((zoom * picture.width, zoom * picture.height), Image.Resampling.NEAREST).save(buffer, "PNG")
    return buffer.getvalue()


def _wall(images: np.ndarray, colors: list) -> dict:
    return trace(
        "heatmap",
        z=tile(images),
        colorscale=colors,
        zmin=GAP,
        zmax=127,
        showscale=False,
        hoverinfo="skip",
    )


def _coloured(names: Sequence[str]) -> list[str]:
    """Class names in bold and in their classes' colours."""
    return [f'<span style="color:{class_color(c)}"><b>{name}</b></span>' for c, name in enumerate(names)]


def _frame(row: int, column: int, side: int, color: str) -> dict:
    left, top = column * (side + 1) - 1, row * (side + 1) - 1
    corners = {"x0": left, "y0": top, "x1": left + side + 1, "y1": top + side + 1}
    return {"type": "rect", "line": {"color": color, "width": 3}, **corners}


def _targets(middles: np.ndarray, hover: Sequence[Sequence[str]]) -> dict:
    """Almost invisible squares over the images: a heat map itself reports no clicks."""
    places = [(row, column) for row, texts in enumerate(hover) for column in range(len(texts))]
    return trace(
        "scatter",
        x=[middles[column] for _, column in places],
        y=[middles[row] for row, _ in places],
        customdata=places,
        text=[hover[row][column] for row, column in places],
        hovertemplate="%{text}<extra></extra>",
        mode="markers",
        marker={"symbol": "square", "size": 26, "opacity": 0.01, "color": "#888888"},
    )
