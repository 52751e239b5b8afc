"""Digits, and the atoms a run chose for them."""

import numpy as np
import streamlit as st

from ui import figures, sidebar
from ui.components import walls
from ui.panels import method

view = sidebar.begin(
    "Atoms that tell digits apart",
    "DAS-KSVD learns a dictionary again and again on noisier and noisier samples, and each time keeps, for every "
    "class, **the one atom that belongs to it most clearly**.",
)
selection, k = view.selection, len(view.classes)
walls.show(
    figures.wall(
        selection.atoms.reshape(view.I, k, -1).transpose(1, 0, 2),
        f"The {view.I * k} selected atoms, by class",
        view.colors,
        rows=view.classes,
        x_title="iteration (the sample's noise grows to the right)",
    ),
    f"Mosaic of {view.I * k} selected atoms: one row per class, one column per iteration 1 to {view.I}.",
    "dictionary",
)
changed = int(np.sum(selection.index != view.papers_selection.index))
with st.container(horizontal=True, gap="medium"):
    for label, value, meaning in (
        ("Atoms selected", f"{view.I * k}", "I atoms for each class."),
        ("Atoms to choose from", f"{view.I * view.description.n_atoms:,}", "All atoms of all iterations."),
        ("Differ from α = β = 0", f"{changed}", "The paper ranks by m, and its best weights are α = β = 0."),
    ):
        st.metric(label, value, help=meaning, width="content")
st.header("How one iteration finds them")
method.show(view)
st.header("What to try first")
for place, (page, label, text, icon) in zip(
    st.columns(4),
    (
        ("draw", "Draw a digit", "and see which atoms explain it", "draw"),
        ("train", "Learn your own atoms", "in about ten seconds", "model_training"),
        ("measures", "Move α and β", "and see other atoms chosen at once", "tune"),
        ("accuracy", "Does the paper hold?", "its tables beside ours", "fact_check"),
    ),
    strict=True,
):
    place.page_link(f"pages/{page}.py", label=f"**{label}**", icon=f":material/{icon}:")
    place.caption(text)
with st.expander("What am I looking at?"):
    st.markdown(
        r"""
An **atom** is a small picture of length one; a digit is written as a sum of a few atoms, its *sparse code*.
Orange is negative, blue-green positive, the background zero (in grey: black, white, mid-grey).

In each of the $I$ iterations, K-SVD learns a dictionary from $t$ digits per class. For atom $j$ and class $\ell$,
$p_\ell$ is the share of that class's images whose code uses the atom; $\ell^+$ and $\ell^*$ are the classes with the
largest and second largest $p_\ell$. An atom for which $p_{\ell^+}$ is far above $p_{\ell^*}$ tells $\ell^+$ from the
rest. The same is done for the mean coefficient $q_\ell$ and for the error $r_\ell$ when the atom is taken out:
$$m = \alpha\,\frac{p^+-p^*}{p^+} + \beta\,\frac{q^+-q^*}{q^+} + (1-\alpha-\beta)\,\frac{r^+-r^*}{r^+}$$
"""
    )
    settings = view.description.settings
    st.caption(
        f"This run: q = {settings.q:g}, t = {settings.t}, τ1 = {settings.tau1:g}, τ2 = {settings.tau2:g}, "
        f"I = {settings.I}, {settings.ksvd_iter} K-SVD iterations, seed {settings.seed}."
    )
