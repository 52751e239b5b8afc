"""The structured dictionary, and the auxiliary dictionaries it was taken from."""

from dataclasses import replace

import streamlit as st

from ui import figures, frame
from ui.components import charts
from ui.panels import atom_details, atom_files, atom_picks, fine_tuned, guess, replay
from ui.panels.atom_picks import Pick

#: Pixels of the window's height that the first screen needs besides the wall.
AROUND = 390

view = frame.begin(
    "One atom per class and iteration",
    "**Each belongs to one class more clearly than the others.** Click one.",
)
k = len(view.classes)


def show_wall(pick: Pick, iteration: int) -> None:
    wall = figures.wall(
        atom_files.in_classes(view),
        "Structured dictionary: one row per class",
        view.colors,
        rows=view.classes,
        x_title="iteration (order of selection)",
        hover=[[view.told(row, column) for column in range(view.I)] for row in range(k)],
        around=AROUND,
    )
    alt = f"Mosaic of the {view.I * k} atoms of the structured dictionary, one row per class, one column per iteration."
    atoms = [[Pick(column, row=row) for column in range(view.I)] for row in range(k)]
    atom_picks.show(view, replace(wall, column=iteration - 1), alt, "structured", atoms, pick)


def show() -> None:
    pick, is_new = atom_picks.current(view)
    left, right = frame.beside(1.5, 1, key="first_screen")
    under = st.container() if charts.on_phone() else left
    st.header("Where the atoms come from", anchor=False)
    iteration = replay.choose(view, pick, is_new, st)
    with left:
        show_wall(pick, iteration)
    with right:
        atom_details.show(view, pick)
    with under:
        fine_tuned.show(view, pick, AROUND)
        atom_details.life(view, pick)
        atom_details.users(view, pick)
        with st.container(horizontal=True):
            atom_files.downloads(view)
            guess.on_atoms(view)
    replay.show(view, pick, iteration)
    replay.first_and_last(view, pick)


replay.as_film(view, show)
frame.about(
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

**Its life.** Every iteration learns its dictionary from scratch, so no atom is carried over. The strip shows, for each
iteration, the atom that looks most like the picked one. The cosine says how much: 1 is the same picture, 0 nothing in
common, −1 the same with its signs exchanged.
"""
)
