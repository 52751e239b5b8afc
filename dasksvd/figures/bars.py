"""One value per class as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dasksvd.figures.palette import class_color
from dasksvd.figures.sketch import Sketch, trace

if TYPE_CHECKING:
    import plotly.graph_objects as go


def class_bars(
    values: np.ndarray,
    classes: Sequence[object] | None = None,
    *,
    title: str = "",
    y_title: str = "",
    marks: Mapping[int, str] | None = None,
) -> go.Figure:
    """One bar per class in the class's colour.

    Parameters
    ----------
    values : array of shape (n_classes,)
        Such as an atom's activation probabilities, or the probabilities of an answer.
    classes : sequence, optional
        Names of the classes; their numbers by default.
    title, y_title : str, default=""
    marks : mapping of int to str, optional
        Texts above the bars of some classes, such as ``{7: "ℓ⁺"}``.

    Returns
    -------
    plotly.graph_objects.Figure

    Examples
    --------
    >>> figure = class_bars([0.1, 0.7, 0.2], y_title="probability", marks={1: "answer"})
    >>> list(figure.data[0].x), list(figure.data[0].text)
    (['0', '1', '2'], ['', 'answer', ''])
    """
    values, marks = np.asarray(values), marks or {}
    names = [str(name) for name in (range(len(values)) if classes is None else classes)]
    figure = Sketch(
        trace(
            "bar",
            x=names,
            y=values,
            marker={"color": [class_color(c) for c in range(len(values))]},
            text=[marks.get(c, "") for c in range(len(values))],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="class %{x}: %{y:.3f}<extra></extra>",
        )
    )
    figure.update_xaxes(title="class", type="category")
    figure.update_yaxes(title=y_title)
    figure.update_layout(title=title, height=300, margin={"l": 60, "r": 10, "t": 50, "b": 50})
    return figure.figure()
