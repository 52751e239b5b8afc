"""The structured dictionary, and the auxiliary dictionaries it was taken from."""

from dataclasses import replace

import streamlit as st

from dasksvd.common.language import say
from ui import figures, frame, texts
from ui.components import charts
from ui.panels import atom_details, atom_files, atom_picks, fine_tuned, guess, replay
from ui.panels.atom_picks import Pick

#: Pixels of the window's height that the first screen needs besides the wall.
AROUND = 390

view = frame.begin(
    say("One atom per class and iteration"),
    say("**Each belongs to one class more clearly than the others.** Click one."),
)
k = len(view.classes)


def show_wall(pick: Pick, iteration: int) -> None:
    wall = figures.wall(
        atom_files.in_classes(view),
        say("Structured dictionary: one row per class"),
        view.colors,
        rows=view.classes,
        x_title=say("iteration (order of selection)"),
        hover=[[view.told(row, column) for column in range(view.I)] for row in range(k)],
        around=AROUND,
    )
    alt = say(
        "Mosaic of the {I} atoms of the structured dictionary, one row per class, one column per iteration.",
        I=view.I * k,
    )
    atoms = [[Pick(column, row=row) for column in range(view.I)] for row in range(k)]
    atom_picks.show(view, replace(wall, column=iteration - 1), alt, "structured", atoms, pick)


def show() -> None:
    pick, is_new = atom_picks.current(view)
    left, right = frame.beside(1.5, 1, key="first_screen")
    under = st.container() if charts.on_phone() else left
    st.header(say("Where the atoms come from"), anchor=False)
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
frame.about(texts.whole("atoms"))
