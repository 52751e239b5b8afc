"""Scores over the triangle of the weights α and β."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dasksvd.errors import ParameterError
from dasksvd.figures.palette import SCORE_SCALE
from dasksvd.figures.sketch import Sketch, trace

if TYPE_CHECKING:
    import plotly.graph_objects as go


def weight_map(scores: Mapping[tuple[float, float], float], title: str = "") -> go.Figure:
    """Scores of pairs of weights as coloured squares.

    Parameters
    ----------
    scores : mapping of (alpha, beta) to float
        Such as accuracies of a grid search, 0 … 1.
    title : str, default=""

    Returns
    -------
    plotly.graph_objects.Figure
        One square per pair; its score is the hover text, and its colour, as the bar beside the map explains.

    Examples
    --------
    >>> figure = weight_map({(0.0, 0.0): 0.961, (0.5, 0.0): 0.957, (0.0, 0.5): 0.955})
    >>> list(figure.data[0].x), list(figure.data[0].marker.color)
    ([0.0, 0.5, 0.0], [96.1, 95.7, 95.5])
    """
    if not scores:
        raise ParameterError("a map of weights needs at least one score")
    figure = Sketch(
        trace(
            "scatter",
            x=[alpha for alpha, _ in scores],
            y=[beta for _, beta in scores],
            mode="markers",
            marker={
                "symbol": "square",
                "size": 22,
                "color": [round(100 * score, 10) for score in scores.values()],
                "colorscale": SCORE_SCALE,
                "showscale": True,
                "colorbar": {"title": "%"},
            },
            hovertemplate="α = %{x:.3f}, β = %{y:.3f}: %{marker.color:.2f} %<extra></extra>",
        )
    )
    figure.update_xaxes(title="α", range=[-0.06, 1.06], showgrid=False, zeroline=False, constrain="domain")
    figure.update_yaxes(title="β", range=[-0.06, 1.06], showgrid=False, zeroline=False, scaleanchor="x")
    figure.update_layout(title=title, height=420, margin={"l": 50, "r": 10, "t": 50, "b": 45})
    return figure.figure()
