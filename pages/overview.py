"""Pictures, the atoms a run chose for them, and how one iteration finds its atoms."""

import numpy as np
import streamlit as st

from ui import figures, frame
from ui.components import charts
from ui.panels import method, selected_atoms
from ui.state import View

#: Pixels of the window's height above and below the wall's pictures, on a phone above them only.
AROUND, ABOVE = 470, 540


def _title(view: View) -> str:
    return f"Atoms that tell {'digits' if view.word == 'digit' else 'classes'} apart"


view = frame.begin(_title, "**Learn, add noise, repeat; keep each class's own atom.**")
selected_atoms.open_picked(view)

with st.container(key="doors"):
    doors = (
        ("draw", "Draw a digit" if view.draws else "Read a picture", "and see its atoms", "draw"),
        ("train", "Learn your own atoms", "in ten seconds", "model_training"),
        ("measures", "Move α and β", "to choose others", "tune"),
        ("accuracy", "Does the paper hold?", "its numbers and ours", "fact_check"),
    )
    if charts.on_phone():
        places = [*st.columns(2, wrap=False), *st.columns(2, wrap=False)]
    else:
        heading, *places = st.columns([0.35, 1, 1, 1, 1], vertical_alignment="center", gap="small")
        heading.markdown("What to  \ntry first")
    for place, (page, label, words, icon) in zip(places, doors, strict=True):
        text = f"**{label}**  \n:small[{words}]"
        sign = None if charts.on_phone() else f":material/{icon}:"
        values = selected_atoms.reader_of(view) if page == "draw" else {}
        frame.door(text, page, key=f"to_{page}", values=values, place=place, icon=sign, width="stretch")

left, right = frame.beside(1.45, 1, key="atoms_and_numbers", vertical_alignment="center")
with right:
    signed = view.colors is figures.SIGNED
    colours = "Blue-green is positive, orange negative." if signed else "White is positive, black negative."
    changed = int(np.sum(view.selection.index != view.papers_selection.index))
    with st.container(horizontal=True, gap="small"):
        for label, value, meaning in (
            ("Atoms selected", view.selection.index.size, None),
            ("To choose from", view.I * view.description.n_atoms, None),
            ("Differ from α = β = 0", changed, "The paper ranks by m, and its best weights are α = β = 0."),
        ):
            st.metric(label, f"{value:,}", help=meaning, width="content")
    st.markdown(
        f"An **atom** is a small picture. A {view.word} is written as a sum of a few of them. "
        "Each **row** has the atoms of one class, each **column** those of one iteration. "
        f"{colours} Point at an atom to see how clearly it belongs to its class; click it for its details."
    )
    iteration = method.pick(view)
with left:
    selected_atoms.show(view, iteration, ABOVE if charts.on_phone() else AROUND)
method.show(view, iteration)

settings = view.description.settings
frame.about(
    r"""
An **atom** is a small picture of length one; a picture is written as a sum of a few atoms, its *sparse code*.
Orange is negative, blue-green positive, the background zero (in grey: black, white, mid-grey).

In each of the $I$ iterations, K-SVD learns a dictionary from $t$ pictures per class. For atom $j$ and class $\ell$,
$p_\ell$ is the share of that class's images whose code uses the atom; $\ell^+$ and $\ell^*$ are the classes with the
largest and second largest $p_\ell$. An atom for which $p_{\ell^+}$ is far above $p_{\ell^*}$ tells $\ell^+$ from the
rest. The same is done for the mean coefficient $q_\ell$ and for the error $r_\ell$ when the atom is taken out:
$$m = \alpha\,\frac{p^+-p^*}{p^+} + \beta\,\frac{q^+-q^*}{q^+} + (1-\alpha-\beta)\,\frac{r^+-r^*}{r^+}$$
"""
    f"This run: q = {settings.q:g}, t = {settings.t}, τ1 = {settings.tau1:g}, τ2 = {settings.tau2:g}, "
    f"I = {settings.I}, {settings.ksvd_iter} K-SVD iterations, seed {settings.seed}."
)
