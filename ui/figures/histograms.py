"""Histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dasksvd.figures import ACCENT
from dasksvd.figures.sketch import Sketch, trace

if TYPE_CHECKING:
    import plotly.graph_objects as go


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
