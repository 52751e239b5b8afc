"""Curves of a run: the sampling odds, and the error of K-SVD."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dasksvd.figures.sketch import Sketch, trace

if TYPE_CHECKING:
    import plotly.graph_objects as go


def odds_curves(odds: Mapping[int, np.ndarray]) -> go.Figure:
    """Sampling odds after some iterations: all signals, from the most likely to the least likely.

    Parameters
    ----------
    odds : mapping of iteration (from 1) to ndarray of shape (n_signals,)
        Odds that sum to 1, as in the records of a trajectory.

    Returns
    -------
    plotly.graph_objects.Figure
        One line per iteration, as multiples of uniform odds.

    Examples
    --------
    Of a fitted model: ``odds_curves({l + 1: r.odds for l, r in enumerate(model.trajectory_.records)})``.

    >>> figure = odds_curves({1: np.full(4, 0.25), 2: np.array([0.4, 0.2, 0.2, 0.2])})
    >>> [line.name for line in figure.data], figure.data[1].y.round(1).tolist()
    (['l = 1', 'l = 2'], [1.6, 0.8, 0.8, 0.8])
    """
    figure = Sketch()
    for shade, (iteration, values) in zip(_shades(len(odds)), odds.items(), strict=True):
        ordered = np.sort(values)[::-1] * len(values)
        places = np.unique(np.linspace(0, len(values) - 1, 400).astype(int))
        figure.add_trace(
            trace(
                "scatter",
                x=100 * places / len(values),
                y=ordered[places],
                name=f"l = {iteration}",
                mode="lines",
                line={"color": shade, "width": 2.5, "shape": "hv"},
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
    return figure.figure()


def error_curve(curves: Mapping[str, Sequence[float]], title: str = "") -> go.Figure:
    """The error of K-SVD after each of its iterations, one line per name, the last one darkest.

    Parameters
    ----------
    curves : mapping of str to sequence of float
        Errors of each run of K-SVD.
    title : str, default=""

    Returns
    -------
    plotly.graph_objects.Figure

    Examples
    --------
    >>> figure = error_curve({"l = 1": [0.2, 0.15, 0.14]}, "Error of K-SVD")
    >>> list(figure.data[0].x), figure.layout.yaxis.title.text
    ([1, 2, 3], 'RMS error per pixel')
    """
    figure = Sketch()
    for shade, (name, errors) in zip(_shades(len(curves)), curves.items(), strict=True):
        figure.add_trace(
            trace(
                "scatter",
                x=list(range(1, len(errors) + 1)),
                y=list(errors),
                name=name,
                mode="lines+markers" if len(curves) == 1 else "lines",
                line={"color": shade, "width": 2.5},
                hovertemplate="K-SVD iteration %{x}: %{y:.4f}",
            )
        )
    figure.update_xaxes(title="K-SVD iteration", rangemode="tozero")
    figure.update_yaxes(title="RMS error per pixel")
    legend = {"orientation": "h", "y": -0.3}
    figure.update_layout(title=title, height=300, legend=legend, margin={"l": 60, "r": 10, "t": 50, "b": 50})
    return figure.figure()


def _shades(count: int) -> list[str]:
    """One colour from pale to full, for lines that follow each other."""
    return [f"rgba(20, 140, 157, {shade:.2f})" for shade in np.linspace(1, 0.45, count)[::-1]]
