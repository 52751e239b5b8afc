"""Accuracies of methods, and mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dasksvd.common.language import say
from dasksvd.figures import CLASS_COLORS
from dasksvd.figures.sketch import Sketch, trace

if TYPE_CHECKING:
    import plotly.graph_objects as go

#: Pixels of a letter beside a matrix, and how many of them fit below it.
LETTER, MOST_LETTERS = 7, 70
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "star", "x")


def accuracy_by_weights(series: dict[str, Sequence[tuple]], title: str) -> go.Figure:
    """Accuracy against the number of weights, one line per method.

    Parameters
    ----------
    series : dict of name to sequence of (weights, mean, sd or None, text)
        Accuracies in percent; a name that begins with ``paper`` is drawn open and dotted.
    """
    figure = Sketch()
    methods = list(dict.fromkeys(name.split(": ")[-1] for name in series))
    for name, points in series.items():
        number = methods.index(name.split(": ")[-1])
        quoted = name.startswith("paper")
        color, symbol = CLASS_COLORS[number % len(CLASS_COLORS)], _SYMBOLS[number % len(_SYMBOLS)]
        weights, means, spreads, texts = zip(*sorted(points), strict=True)
        figure.add_trace(
            trace(
                "scatter",
                x=weights,
                y=means,
                name=name,
                mode="lines+markers",
                line={"color": color, "width": 1.5 if quoted else 2.5, "dash": "dot" if quoted else "solid"},
                marker={"symbol": symbol + ("-open" if quoted else ""), "size": 10, "color": color},
                error_y={"array": [spread or 0 for spread in spreads], "visible": not quoted, "thickness": 1.2},
                text=texts,
                hovertemplate=say("%{text}<br>%{x:,} weights: %{y:.2f} %<extra>") + name + "</extra>",
            )
        )
    ticks = [3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
    figure.update_xaxes(
        title=say("weights of the network"), type="log", tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks]
    )
    figure.update_yaxes(title=say("test accuracy (%)"))
    figure.update_layout(
        title=title,
        height=520,
        legend={"orientation": "h", "y": -0.2},
        margin={"l": 60, "r": 10, "t": 50, "b": 60},
    )
    return figure.figure()


def confusion(matrix: np.ndarray, classes: Sequence[str], title: str) -> go.Figure:
    """How often class i was read as class j; mistakes by colour, hits only as numbers.

    Parameters
    ----------
    matrix : ndarray of shape (n_classes, n_classes), int
        Rows are true classes, columns predicted ones.
    """
    matrix = np.asarray(matrix)
    mistakes = matrix.astype(float)
    np.fill_diagonal(mistakes, np.nan)
    names = [str(label) for label in classes]
    figure = Sketch(
        trace(
            "heatmap",
            z=mistakes,
            x=names,
            y=names,
            text=matrix,
            # Never so full that the page's text colour could not be read on it, light or dark.
            colorscale=[[0, "rgba(214, 104, 36, 0.03)"], [1, "rgba(214, 104, 36, 0.7)"]],
            zmin=0,
            zmax=max(1.0, float(np.nanmax(mistakes))),  # without mistakes, too, none is pale
            showscale=False,
            hovertemplate=say("%{text} of class %{y} were read as %{x}<extra></extra>"),
        )
    )
    if len(names) <= 12:
        figure.add_trace(_numbers(matrix, names))
    longest = max(map(len, names))
    turned = longest * len(names) > MOST_LETTERS
    beside = max(30, LETTER * longest)
    figure.update_xaxes(
        title=say("read as"),
        title_standoff=6,
        tickangle=-90 if turned else 0,
        type="category",
        showgrid=False,
        constrain="domain",
    )
    figure.update_yaxes(
        title=say("true class"),
        title_standoff=6,
        type="category",
        autorange="reversed",
        showgrid=False,
        scaleanchor="x",
    )
    below = beside if turned else 30
    figure.update_layout(title=title, height=560, margin={"l": 30 + beside, "r": 10, "t": 50, "b": 20 + below})
    return figure.figure()


def _numbers(matrix: np.ndarray, names: Sequence[str]) -> dict:
    """The counts as texts in the page's own colour; a heat map would choose one by its cells alone."""
    rows, columns = np.indices(matrix.shape)
    return trace(
        "scatter",
        x=[names[column] for column in columns.flat],
        y=[names[row] for row in rows.flat],
        text=[
            f"<b>{count}</b>" if row == column else f"{count}"
            for row, column, count in zip(rows.flat, columns.flat, matrix.flat, strict=True)
        ],
        mode="text",
        hoverinfo="skip",
        showlegend=False,
    )
