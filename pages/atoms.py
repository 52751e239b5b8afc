"""The structured dictionary, and the auxiliary dictionaries it was taken from."""

import streamlit as st

from ui import figures, sidebar
from ui.components import walls
from ui.panels import atom_details, replay

view = sidebar.begin(
    "One atom per class and iteration",
    "**Each atom was chosen because it belongs to one class more clearly than the others.** Click one for its details.",
)
selection, k = view.selection, len(view.classes)


def hover(row: int, column: int) -> str:
    return f"class {view.classes[row]}, iteration {column + 1}\n{view.score_name} = {selection.scores[column, row]:.3f}"


wall = selection.atoms.reshape(view.I, k, -1).transpose(1, 0, 2)
row, column = walls.picked_in("structured", k, view.I, link="atom")
walls.show(
    figures.wall(
        wall,
        "Structured dictionary: one row per class",
        view.colors,
        rows=view.classes,
        x_title="iteration (order of selection)",
        hover=[[hover(row, column) for column in range(view.I)] for row in range(k)],
    ),
    f"Mosaic of the {view.I * k} atoms of the structured dictionary, one row per class, one column per iteration.",
    "structured",
    picked=(row, column),
)
atom_details.show(view, row, column, int(selection.index[column, row]))
atom_details.downloads(view, wall)

st.header("Where the atoms come from")
replay.show(view)
replay.first_and_last(view)
with st.expander("What am I looking at?"):
    st.markdown(
        r"""
Each iteration $l$ draws $t$ signals per class, adds noise of size $(l-1)\,\tau_2\,\sigma_i$, and lets K-SVD
learn a dictionary $\Phi$ on them. Of every $\Phi$ each class gets, among the atoms it uses most often
($\ell^+ = \ell$), the one with the largest
$$m = \alpha\,m_{af} + \beta\,m_{cm} + (1-\alpha-\beta)\,m_{re}.$$
If all atoms of a class have their measures cut to 0, the sum before the cut decides, and a score below 0 is shown. The
sidebar offers other rankings, too.
The structured dictionary stacks them: after $l$ iterations it has $l$ atoms for each class. Atoms of late iterations
look noisy because their samples were. Each picture is scaled by its own largest value; orange is negative, blue-green
positive (in grey: black and white).
"""
    )
