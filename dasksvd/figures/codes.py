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
    figure = Sketch()
    middles = []
    for c, label in enumerate(classes):
        mine = np.flatnonzero(atom_classes == c)
        middles.append(float(np.mean(place[mine])) if len(mine) else 0.0)
        active = mine[code[mine] != 0]
        stems_x = np.repeat(place[active].astype(float), 3)
        stems_y = np.zeros(3 * len(active))
        stems_y[1::3] = code[active]
        stems_x[2::3] = stems_y[2::3] = np.nan
        figure.add_trace(
            trace(
                "scatter",
                x=stems_x,
                y=stems_y,
                mode="lines",
                line={"color": class_color(c), "width": 2},
                hoverinfo="skip",
                showlegend=False,
            )
        )
        figure.add_trace(
            trace(
                "scatter",
                x=place[active],
                y=code[active],
                customdata=active,
                mode="markers",
                name=str(label),
                marker={"color": class_color(c), "size": 7},
                hovertemplate="atom %{customdata}: %{y:+.2f}<extra>class " + str(label) + "</extra>",
                showlegend=False,
            )
        )
    figure.update_xaxes(
        title="atoms, by class",
        tickvals=middles,
        ticktext=[str(label) for label in classes],
        range=[-1, len(code)],
        showgrid=False,
    )
    figure.update_yaxes(title="coefficient a", zeroline=True)
    figure.update_layout(title=title, height=280, margin={"l": 60, "r": 10, "t": 50, "b": 50})
    return figure.figure()
