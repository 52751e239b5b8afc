"""Why a drawn digit was read as it was: the steps of the pursuit, votes and neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dasksvd.figures import ACCENT, SIGNED, class_color, in_rows
from dasksvd.figures.sketch import Sketch, trace
from ui.figures.plots import Plot, Spot
from ui.figures.walls import Mark, Wall, wall
from ui.texts import signed

if TYPE_CHECKING:
    import plotly.graph_objects as go

OPPOSED = "#D66824"
#: Strength of the atoms that are still to come.
PALE = 0.25


def picture_row(pictures: np.ndarray, captions: Sequence[str], title: str, colors: list = SIGNED) -> Wall:
    """Pictures side by side on one common scale, each with its caption.

    Parameters
    ----------
    pictures : ndarray of shape (n, side * side)
    """
    peaks = np.abs(pictures).max(axis=1)
    strength = peaks / max(float(peaks.max(initial=0)), 1e-9)
    return wall(pictures[None], title, colors, columns=captions, strength=strength[None], cell=190)


def residual_curve(residuals: np.ndarray, step: int) -> Plot:
    """What is left of the digit after each step of the pursuit, in % of its length; the step shown marked.

    Parameters
    ----------
    residuals : ndarray of shape (n_steps + 1,)
    """
    left = 100 * residuals / max(float(residuals[0]), 1e-9)
    spots = [
        Spot(
            taken,
            float(share),
            ACCENT,
            f"after {taken} atoms: {share:.1f} %",
            weight="strong" if taken == step else "plain",
        )
        for taken, share in enumerate(left)
    ]
    return Plot(
        "line",
        f"Left over after {step}: {left[step]:.1f} %",
        "atoms taken",
        "left over, % of length",
        spots,
        [],
        (0.0, max(1.0, len(left) - 0.5)),
        height=250,
    )


def pursuit_wall(
    atoms: np.ndarray,
    coefficients: np.ndarray,
    classes: np.ndarray,
    step: int,
    title: str,
    columns: int = 14,
    colors: list = SIGNED,
) -> Wall:
    """The atoms of a code in the order of the pursuit, each with its class and coefficient.

    Parameters
    ----------
    atoms : ndarray of shape (n_steps, side * side)
    coefficients : ndarray of shape (n_steps,)
    classes : ndarray of shape (n_steps,), int
    step : int
        Atoms up to this one are bright, later ones pale.
    """
    images = in_rows(atoms, columns)
    rows = len(images)
    strength = np.where(np.arange(rows * columns) < step, 1.0, PALE)
    texts = [
        f"atom {place + 1} taken: class {label}, {signed(value)}"
        for place, (label, value) in enumerate(zip(classes, coefficients, strict=True))
    ] + [""] * (rows * columns - len(atoms))
    shown = wall(
        images,
        title,
        colors,
        strength=strength.reshape(rows, columns),
        hover=[texts[row * columns : (row + 1) * columns] for row in range(rows)],
        cell=74,
    )
    shown.marks.extend(
        Mark(*divmod(place, columns), class_color(int(label)), f"{label} {signed(value, 1)}", framed=False)
        for place, (label, value) in enumerate(zip(classes, coefficients, strict=True))
    )
    return shown


def vote_bars(parts: np.ndarray, names: Sequence[str], title: str) -> go.Figure:
    """Parts of a lead as horizontal bars: the largest parts for it above, those against it below.

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
            text=[signed(part) for part in parts],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{text}<extra></extra>",
        )
    )
    reach = 1.25 * max(0.1, float(np.abs(parts).max(initial=0)))
    figure.update_xaxes(title="part of the lead (difference of the two scores)", range=[-reach, reach])
    figure.update_yaxes(autorange="reversed", type="category")
    figure.update_layout(title=title, height=110 + 24 * len(parts), margin={"l": 120, "r": 10, "t": 50, "b": 45})
    return figure.figure()


def labelled_row(
    pictures: np.ndarray, labels: Sequence[int], texts: Sequence[str], title: str, colors: list = SIGNED
) -> Wall:
    """Small pictures in a row, each with its class in colour and a text below it.

    Parameters
    ----------
    pictures : ndarray of shape (n, side * side)
    labels : sequence of int
        Classes of the pictures.
    """
    names = [f"{label}\n{text}" for label, text in zip(labels, texts, strict=True)]
    return wall(pictures[None], title, colors, columns=names, column_classes=labels, cell=100)
