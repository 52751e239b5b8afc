"""How strongly atoms belong to a class, and what the weights change."""

import numpy as np
import streamlit as st

from ui import figures, sidebar
from ui.components import charts, plots
from ui.panels import measures_panel

view = sidebar.begin(
    "When does an atom belong to a class?",
    "**When one class uses it often, strongly, or cannot do without it.** Click an atom to see the numbers.",
)
AXES = {
    "af": ("activation frequency m_af", lambda m: m.af),
    "cm": ("coefficient magnitude m_cm", lambda m: m.cm),
    "re": ("representation error m_re", lambda m: m.re),
}

first, second, third = st.columns(3)
iteration = measures_panel.pick_iteration(view, first)
(x_name, across), (y_name, up) = measures_panel.pick_axes(AXES, second, third)
record = view.trajectory.records[iteration - 1]
measures, chosen = record.measures, view.selection.index[iteration - 1]
picked = plots.picked_in("scatter", len(measures.af), link="spot")
atom = int(chosen[0]) if picked is None else picked
plots.show(
    figures.measure_dots(across(measures), up(measures), measures.top, chosen, view.classes, (x_name, y_name)),
    f"Scatter of {x_name} against {y_name} of all atoms of iteration {iteration}, coloured by class.",
    "scatter",
    picked=atom,
)
measures_panel.download_measures(view, iteration)
measures_panel.show_atom(view, iteration, atom)
measures_panel.show_changes(view)

st.header("Two digits, two sparse codes")
measures_panel.show_two_codes(view)
st.header("Which signals are drawn next?")
shown = [l for l in (1, 5, 10, 15, 20) if l <= len(view.trajectory.records)]
charts.show(
    figures.odds_curves({l: view.trajectory.records[l - 1].odds for l in shown}),
    f"Sampling odds of all training signals after iterations {', '.join(map(str, shown))}.",
    "odds",
)
with st.expander("What am I looking at?"):
    st.markdown(
        r"""
For atom $j$ and class $\ell$: $p_\ell$ is the share of signals that use it, $q_\ell$ the mean $|a_j|$, $r_\ell$ the
squared error per signal when it is taken out. $\ell^+$ and $\ell^*$ have the largest and second largest $p$; each
measure is the lead $(\cdot^+ - \cdot^*)/\cdot^+$, cut at 0 (for $r$ with the sign
that the run was started with). After a signal was drawn, its odds are multiplied by
$\tau_1$, so that later iterations draw others. The weights only choose among atoms that are already learned, which is
why moving $\alpha$ or $\beta$ takes effect at once.
"""
    )
    st.caption(f"{np.count_nonzero(measures.re > 0)} of {len(measures.re)} atoms of this iteration have m_re > 0.")
