"""Pictures, the atoms a run chose for them, and how one iteration finds its atoms."""

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from ui import figures, frame, texts
from ui.components import charts
from ui.panels import method, selected_atoms
from ui.state import View

#: Pixels of the window's height above and below the wall's pictures, on a phone above them only.
AROUND, ABOVE = 470, 540
#: Classes whose rows fit there.
FEW_ROWS = 15


def _title(view: View) -> str:
    return say("Atoms that tell digits apart") if view.word == "digit" else say("Atoms that tell classes apart")


view = frame.begin(_title, say("**Learn, add noise, repeat; keep each class's own atom.**"))
selected_atoms.open_picked(view)

with st.container(key="doors"):
    doors = (
        ("draw", say("Draw a digit") if view.draws else say("Read a picture"), say("and see its atoms"), "draw"),
        ("train", say("Learn your own atoms"), say("in ten seconds"), "model_training"),
        ("measures", say("Move α and β"), say("to choose others"), "tune"),
        ("accuracy", say("Does the paper hold?"), say("its numbers and ours"), "fact_check"),
    )
    if charts.on_phone():
        places = [*st.columns(2, wrap=False), *st.columns(2, wrap=False)]
    else:
        heading, *places = st.columns([0.35, 1, 1, 1, 1], vertical_alignment="center", gap="small")
        heading.markdown(say("What to  \ntry first"))
    for place, (page, label, words, icon) in zip(places, doors, strict=True):
        text = f"**{label}**  \n:small[{words}]"
        sign = None if charts.on_phone() else f":material/{icon}:"
        values = selected_atoms.reader_of(view) if page == "draw" else {}
        frame.door(text, page, key=f"to_{page}", values=values, place=place, icon=sign, width="stretch")

# Beside a wall of many rows, the middle is below the first screen.
middle = "center" if len(view.classes) <= FEW_ROWS else "top"
left, right = frame.beside(1.45, 1, key="atoms_and_numbers", vertical_alignment=middle)
with right:
    signed = view.colors is figures.SIGNED
    colours = say("Blue-green is positive, orange negative.") if signed else say("White is positive, black negative.")
    changed = int(np.sum(view.selection.index != view.papers_selection.index))
    with st.container(horizontal=True, gap="small"):
        for label, value, meaning in (
            (say("Atoms selected"), view.selection.index.size, None),
            (say("To choose from"), view.I * view.description.n_atoms, None),
            (say("Differ from α = β = 0"), changed, say("The paper ranks by m, and its best weights are α = β = 0.")),
        ):
            st.metric(label, f"{value:,}", help=meaning, width="content")
    st.markdown(
        say(
            "An **atom** is a small picture. A {word} is written as a sum of a few of them. Each **row** has the "
            "atoms of one class, each **column** those of one iteration. {colours} Point at an atom to see how "
            "clearly it belongs to its class; click it for its details.",
            word=say(view.word),
            colours=colours,
        )
    )
    iteration = method.pick(view)
with left:
    selected_atoms.show(view, iteration, ABOVE if charts.on_phone() else AROUND)
method.show(view, iteration)

settings = view.description.settings
this_run = say(
    "This run: q = {q:g}, t = {t}, τ1 = {tau1:g}, τ2 = {tau2:g}, I = {I}, {ksvd_iter} K-SVD iterations, seed {seed}.",
    q=settings.q,
    t=settings.t,
    tau1=settings.tau1,
    tau2=settings.tau2,
    I=settings.I,
    ksvd_iter=settings.ksvd_iter,
    seed=settings.seed,
)
frame.about(f"{texts.whole('overview')}\n{this_run}")
