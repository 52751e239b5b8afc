"""Histograms."""

import numpy as np

from dasksvd.common.language import say
from dasksvd.figures import ACCENT
from ui.figures.plots import Plot, Spot

N_BINS = 32
#: Multiples of uniform odds that the axis may name.
_NAMED = (1e-6, 1e-4, 0.01, 0.1, 0.25, 0.5, 1, 2, 4, 10)
#: Bins between two names, so that they do not run into each other.
_APART = 3


def odds_histogram(odds: np.ndarray, title: str, height: int = 280) -> Plot:
    """How many signals have which sampling odds.

    Parameters
    ----------
    odds : ndarray of shape (n_signals,)
        They sum to 1; shown as multiples of 1 / n_signals.
    """
    levels = np.log10(np.maximum(np.asarray(odds) * len(odds), 1e-7))
    counts, edges = np.histogram(levels, bins=N_BINS, range=(min(-1.0, levels.min()), max(0.5, levels.max())))
    middles = (edges[1:] + edges[:-1]) / 2
    bars = [
        Spot(
            place,
            100 * count / len(levels),
            ACCENT,
            say("{count:.1f} %: about {middle:.2g} × uniform", count=100 * count / len(levels), middle=10**middle),
        )
        for place, (count, middle) in enumerate(zip(counts.tolist(), middles.tolist(), strict=True))
    ]
    span = (-0.6, N_BINS - 0.4)
    return Plot("bars", title, say("odds, × uniform"), say("signals (%)"), bars, _ticks(edges), span, height=height)


def _ticks(edges: np.ndarray) -> list[tuple[float, str]]:
    """Where along the bins the named odds stand."""
    ticks: list[tuple[float, str]] = []
    for named in _NAMED:
        place = float((np.log10(named) - edges[0]) / (edges[1] - edges[0]) - 0.5)
        if -0.5 <= place <= N_BINS - 0.5 and (not ticks or place - ticks[-1][0] >= _APART):
            ticks.append((place, f"{named:g}"))
    return ticks
