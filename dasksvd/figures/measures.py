"""Measures of atoms, odds of signals, errors of K-SVD."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dasksvd.figures.palette import ACCENT
from dasksvd.figures.sketch import Sketch, trace


def odds_curves(odds: dict[int, np.ndarray]) -> go.Figure:
    """Sampling odds after some iterations: all signals, from the likeliest to the unlikeliest.

    Parameters
    ----------
    odds : dict of iteration (from 1) to ndarray of shape (n_signals,)
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


def odds_histogram(odds: np.ndarray, title: str) -> go.Figure:
    """How many signals have which sampling odds.

    Parameters
    ----------
    odds : ndarray of shape (n_signals,)
        They sum to 1; shown as multiples of 1 / n_signals.
    """
    levels = np.log10(np.maximum(np.asarray(odds) * len(odds), 1e-7))
    counts, edges = np.histogram(levels, bins=40, range=(min(-1.0, levels.min()), max(0.5, levels.max())))
    middles = 10 ** ((edges[1:] + edges[:-1]) / 2)
    figure = Sketch(
        trace(
            "bar",
            x=np.log10(middles),
            y=100 * counts / len(levels),
            marker={"color": ACCENT},
            customdata=middles,
            hovertemplate="%{y:.1f} % of the signals: about %{customdata:.2g} × uniform<extra></extra>",
        )
    )
    ticks = [
        tick for tick in (1e-6, 1e-4, 0.01, 0.1, 0.25, 0.5, 1, 2, 4, 10) if edges[0] <= np.log10(tick) <= edges[-1]
    ]
    figure.update_xaxes(
        title="odds, as a multiple of uniform", tickvals=np.log10(ticks), ticktext=[f"{tick:g}" for tick in ticks]
    )
    figure.update_yaxes(title="signals (%)")
    figure.update_layout(title=title, height=280, bargap=0.05, margin={"l": 60, "r": 10, "t": 50, "b": 50})
    return figure.figure()


def error_curve(curves: dict[str, Sequence[float]], title: str) -> go.Figure:
    """K-SVD's error after each of its iterations, one line per name, the last one darkest."""
    figure = Sketch()
    for shade, (name, errors) in zip(_shades(len(curves)), curves.items(), strict=True):
        figure.add_trace(
            trace(
                "scatter",
                x=np.arange(1, len(errors) + 1),
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
