"""Sparse codes."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dasksvd.figures.palette import class_color
from dasksvd.figures.sketch import Sketch, trace


def code_stems(code: np.ndarray, atom_classes: np.ndarray, classes: Sequence[str], title: str) -> go.Figure:
    """A sparse code as stems over the atoms, ordered and coloured by class.

    Parameters
    ----------
    code : ndarray of shape (n_atoms,)
    atom_classes : ndarray of shape (n_atoms,), int
        Class number of each atom.
    classes : sequence of str
    """
    order = np.argsort(atom_classes, kind="stable")
    place = np.empty(len(code), np.int64)
    place[order] = np.arange(len(code))
    active = np.flatnonzero(code)
    colors = [class_color(c) for c in atom_classes[active]]
    places = place[active]
    # Two traces however many classes: the browser draws them while the pen still moves.
    figure = Sketch(
        trace("bar", x=places, y=code[active], width=0.35, marker={"color": colors}, hoverinfo="skip"),
        trace(
            "scatter",
            x=places,
            y=code[active],
            customdata=active,
            text=[str(classes[c]) for c in atom_classes[active]],
            mode="markers",
            marker={"color": colors, "size": 7},
            hovertemplate="atom %{customdata}: %{y:+.2f}<extra>class %{text}</extra>",
        ),
    )
    middles = [
        float(np.mean(place[atom_classes == c])) if np.any(atom_classes == c) else 0.0 for c in range(len(classes))
    ]
    figure.update_xaxes(
        title="atoms, by class",
        tickvals=middles,
        ticktext=[str(label) for label in classes],
        range=[-1, len(code)],
        showgrid=False,
    )
    figure.update_yaxes(title="coefficient a", zeroline=True)
    figure.update_layout(title=title, height=280, showlegend=False, margin={"l": 60, "r": 10, "t": 50, "b": 50})
    return figure.figure()
