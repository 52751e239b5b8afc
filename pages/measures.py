"""How strongly atoms belong to a class, and what the weights change."""

import numpy as np
import streamlit as st

from dasksvd import figures
from ui import sidebar

view = sidebar.begin(
    "When does an atom belong to a class?",
    "**When one class uses it often, strongly, or cannot do without it.** Click an atom to see the numbers.",
)
AXES = {
    "activation frequency m_af": lambda m: m.af,
    "coefficient magnitude m_cm": lambda m: m.cm,
    "representation error m_re": lambda m: m.re,
}

first, second, third = st.columns(3)
iteration = first.slider("Iteration l", 1, view.I, 1, key="measured") if view.I > 1 else 1
x_name = second.selectbox("Across", list(AXES), 0, key="x", bind="query-params")
y_name = third.selectbox("Up", list(AXES), 2, key="y", bind="query-params")
record = view.trajectory.records[iteration - 1]
measures, chosen = record.measures, view.selection.index[iteration - 1]
event = st.plotly_chart(
    figures.measure_scatter(
        AXES[x_name](measures), AXES[y_name](measures), measures.top, chosen, view.classes, (x_name, y_name)
    ),
    alt=f"Scatter of {x_name} against {y_name} of all atoms of iteration {iteration}, coloured by class.",
    key="scatter",
    on_select="rerun",
    selection_mode="points",
)
points = event.selection.points if event else []
atom = int(points[0]["customdata"]) if points else int(chosen[0])
top, rival = int(measures.top[atom]), int(measures.second[atom])
st.subheader(f"Atom {atom}: class {view.classes[top]} against {view.classes[rival]}")
tables = record.tables
for place, (name, symbol, table, measured) in zip(
    st.columns(3),
    (
        ("Activation probability p", "p", tables.p, measures.af),
        ("Mean coefficient q", "q", tables.q, measures.cm),
        ("Error without the atom r", "r", tables.r, measures.re),
    ),
    strict=True,
):
    place.plotly_chart(
        figures.class_bars(table[:, atom], view.classes, top, rival, name, symbol),
        alt=f"Bars of {name} of atom {atom} for each class.",
        key=f"bars_{symbol}",
    )
    plus, star = table[top, atom], table[rival, atom]
    place.latex(rf"\frac{{{plus:.3f} - {star:.3f}}}{{{plus:.3f}}} \;\to\; {measured[atom]:.3f}")

reference = view.trajectory.reselect(0, 0, view.I).index
changed = view.selection.index != reference
st.subheader("What the weights change")
st.markdown(
    f"At α = {view.alpha:.2f}, β = {view.beta:.2f}, **{int(changed.sum())} of {changed.size}** selected atoms "
    "differ from those at α = β = 0."
    + "".join(f" Class {view.classes[c]}: {count}." for c, count in enumerate(changed.sum(axis=0)) if count)
)
shown = [l for l in (1, 5, 10, 15, 20) if l <= len(view.trajectory.records)]
st.plotly_chart(
    figures.odds_curves({l: view.trajectory.records[l - 1].odds for l in shown}),
    alt=f"Sampling odds of all training signals after iterations {', '.join(map(str, shown))}.",
    key="odds",
)
with st.expander("What am I looking at?"):
    st.markdown(
        r"""
For atom $j$ and class $\ell$: $p_\ell$ is the share of signals that use it, $q_\ell$ the mean $|a_j|$, $r_\ell$ the
squared error per signal when it is taken out. $\ell^+$ and $\ell^*$ have the largest and second largest $p$; each
measure is the lead $(\cdot^+ - \cdot^*)/\cdot^+$, cut at 0. The odds of a drawn signal are multiplied by $\tau_1$, so
that later iterations see others.
"""
    )
    st.caption(f"{np.count_nonzero(measures.re > 0)} of {len(measures.re)} atoms of this iteration have m_re > 0.")
