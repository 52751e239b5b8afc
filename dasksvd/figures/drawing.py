"""Why a drawn digit was read as it was: its code, the steps of the pursuit, votes and neighbours."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dasksvd.figures.palette import ACCENT, GAP, SIGNED, class_color
from dasksvd.figures.sketch import Sketch, trace
from dasksvd.figures.walls import tile

OPPOSED = "#D66824"
#: Level of the atoms that are still to come, of 127.
PALE = 32
_MARGIN = {"l": 50, "r": 10, "t": 50, "b": 45}


def picture_row(pictures: np.ndarray, captions: Sequence[str], title: str, colors: list = SIGNED) -> go.Figure:
    """Pictures side by side on one common scale, each with its caption above.

    Parameters
    ----------
    pictures : ndarray of shape (n, side * side)
    """
    side = int(np.sqrt(pictures.shape[1]))
    wall = tile(pictures[None]).astype(np.float32)
    # Back from each picture's own scale to one for all.
    shares = np.abs(pictures).max(axis=1) / max(float(np.abs(pictures).max()), 1e-9)
    wall = np.where(wall == GAP, GAP, np.rint(wall * np.repeat(shares, side + 1)[: wall.shape[1]])).astype(np.int8)
    figure = Sketch(_heat(wall, colors))
    middles = (side - 1) / 2 + (side + 1) * np.arange(len(pictures))
    for middle, caption in zip(middles, captions, strict=True):
        figure.add_annotation(x=middle, y=-1, text=caption, showarrow=False, yanchor="bottom", font={"size": 13})
    figure.update_layout(title=title, height=250, margin={"l": 10, "r": 10, "t": 50, "b": 10})
    return _without_axes(figure, len(pictures) * (side + 1) - 1, side, above=3.5)


def residual_curve(residuals: np.ndarray, step: int) -> go.Figure:
    """What is left of the digit after each step of the pursuit, in % of its length; the step shown marked.

    Parameters
    ----------
    residuals : ndarray of shape (n_steps + 1,)
    """
    left = 100 * residuals / max(float(residuals[0]), 1e-9)
    figure = Sketch(
        trace(
            "scatter",
            x=np.arange(len(left)),
            y=left,
            mode="lines",
            line={"color": ACCENT, "width": 2.5},
            hovertemplate="after %{x} atoms: %{y:.1f} %<extra></extra>",
        )
    )
    figure.add_trace(
        trace(
            "scatter", x=[step], y=[left[step]], mode="markers", marker={"color": ACCENT, "size": 13}, hoverinfo="skip"
        )
    )
    figure.update_xaxes(title="atoms taken", rangemode="tozero")
    figure.update_yaxes(title="left over, % of length", range=[0, 105])
    figure.update_layout(
        title=f"Left over after {step}: {left[step]:.1f} %", height=250, showlegend=False, margin=_MARGIN
    )
    return figure.figure()


def pursuit_wall(
    atoms: np.ndarray,
    coefficients: np.ndarray,
    classes: np.ndarray,
    step: int,
    title: str,
    columns: int = 14,
    colors: list = SIGNED,
) -> go.Figure:
    """The atoms of a code in the order of the pursuit, each with its coefficient and its class's colour.

    Parameters
    ----------
    atoms : ndarray of shape (n_steps, side * side)
    coefficients : ndarray of shape (n_steps,)
    classes : ndarray of shape (n_steps,), int
    step : int
        Atoms up to this one are bright, later ones pale.
    """
    count, size = atoms.shape
    side, pitch = int(np.sqrt(size)), int(np.sqrt(size)) + 7
    rows = max(1, -(-count // columns))
    wall = np.full((rows * pitch, columns * (side + 2)), GAP, np.int8)
    peaks = np.abs(atoms).max(axis=1, keepdims=True)
    bright = np.where(np.arange(count) < step, 127, PALE)[:, None]
    scaled = np.rint(np.divide(atoms, peaks, out=np.zeros_like(atoms), where=peaks > 0) * bright)
    corners = [(index // columns * pitch + 6, index % columns * (side + 2)) for index in range(count)]
    for picture, (top, left) in zip(scaled, corners, strict=True):
        wall[top : top + side, left : left + side] = picture.reshape(side, side)
    figure = Sketch(_heat(wall, colors))
    figure.add_trace(
        trace(
            "scatter",
            x=[left + side / 2 - 0.5 for _, left in corners],
            y=[top - 3 for top, _ in corners],
            mode="text",
            text=[f"<b>{label}</b> {value:+.1f}" for label, value in zip(classes, coefficients, strict=True)],
            textfont={"size": 11, "color": [class_color(label) for label in classes]},
            customdata=np.arange(1, count + 1),
            hovertemplate="atom %{customdata} taken: %{text}<extra></extra>",
        )
    )
    figure.update_layout(
        title=title, height=80 + 72 * rows, showlegend=False, margin={"l": 10, "r": 10, "t": 50, "b": 10}
    )
    return _without_axes(figure, columns * (side + 2) - 2, rows * pitch - 1)


def vote_bars(parts: np.ndarray, names: Sequence[str], title: str) -> go.Figure:
    """Parts of a lead as horizontal bars, the strongest voices for it above, against it below.

    Parameters
    ----------
    parts : ndarray of shape (n,)
        In the order in which they are shown, from the top.
    """
    figure = Sketch(
        trace(
            "bar",
            x=parts,
            y=list(names),
            orientation="h",
            marker={"color": np.where(parts >= 0, ACCENT, OPPOSED)},
            text=[f"{part:+.2f}" for part in parts],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:+.2f}<extra></extra>",
        )
    )
    reach = 1.25 * max(0.1, float(np.abs(parts).max(initial=0)))
    figure.update_xaxes(title="part of the lead (difference of the two scores)", range=[-reach, reach])
    figure.update_yaxes(autorange="reversed", type="category")
    figure.update_layout(title=title, height=110 + 24 * len(parts), margin={"l": 120, "r": 10, "t": 50, "b": 45})
    return figure.figure()


def labelled_row(
    pictures: np.ndarray, labels: Sequence[int], texts: Sequence[str], title: str, colors: list = SIGNED
) -> go.Figure:
    """Small pictures in a row, each with its class in colour and a text below it.

    Parameters
    ----------
    pictures : ndarray of shape (n, side * side)
    labels : sequence of int
        Classes of the pictures.
    """
    side = int(np.sqrt(pictures.shape[1]))
    figure = Sketch(_heat(tile(pictures[None]), colors))
    for place, (label, text) in enumerate(zip(labels, texts, strict=True)):
        figure.add_annotation(
            x=place * (side + 1) + (side - 1) / 2,
            y=side,
            yanchor="top",
            text=f"<b>{label}</b><br>{text}",
            showarrow=False,
            font={"color": class_color(label), "size": 13},
        )
    figure.update_layout(title=title, height=210, margin={"l": 10, "r": 10, "t": 50, "b": 10})
    return _without_axes(figure, len(pictures) * (side + 1) - 1, side + 7)


def _heat(wall: np.ndarray, colors: list) -> dict:
    """A wall of bytes, as :func:`tile` makes them."""
    return trace("heatmap", z=wall, colorscale=colors, zmin=GAP, zmax=127, showscale=False, hoverinfo="skip")


def _without_axes(figure: Sketch, width: float, height: float, above: float = 1) -> go.Figure:
    figure.update_xaxes(visible=False, range=[-1, width], constrain="domain")
    figure.update_yaxes(
        visible=False, range=[height, -above], scaleanchor="x", constrain="domain", constraintoward="top"
    )
    return figure.figure()
