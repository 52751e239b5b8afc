"""How strongly atoms belong to a class, and what the weights change."""

import streamlit as st

from ui import figures, frame
from ui.components import plots
from ui.panels import error_measure, exchanges, measures_panel, take_home, two_codes

exchanges.follow_click()
view = frame.begin(
    "When does an atom belong to a class?",
    "**When its class uses it often, strongly, or errs without it.**",
)
left, right = frame.beside(42, 58, key="first_screen")
with left:
    iteration, across, up = measures_panel.pick(view)
    atom = measures_panel.show_scatter(view, iteration, across, up)
with right:
    measures_panel.show_atom(view, iteration, atom)

exchanges.show(view)
error_measure.show(view)
st.header("Two digits, two sparse codes")
two_codes.show(view)
st.header("Which signals are drawn next?")
shown = [l for l in (1, 5, 10, 15, 20) if l <= len(view.trajectory.records)]
plots.show(
    figures.odds_lines({l: view.trajectory.records[l - 1].odds for l in shown}, "Sampling odds p after iteration l"),
    f"Sampling odds of all training signals after iterations {', '.join(map(str, shown))}.",
    "odds",
)
take_home.code(lambda: take_home.of_measures(view, iteration))
frame.about(
    r"""
For atom $j$ and class $\ell$: $p_\ell$ is the share of signals that use it, $q_\ell$ the mean $|a_j|$, $r_\ell$ the
squared error per signal when it is taken out. $\ell^+$ and $\ell^*$ have the largest and second largest $p$; each
measure is the lead $(\cdot^+ - \cdot^*)/\cdot^+$. As $\ell^+$ is chosen by $p$, the rival can be ahead in $q$ or $r$;
such a lead is below 0 and is cut to 0 (for $r$ with the sign that the run was started with). In the scatter, these
atoms stand side by side in the band below the axis. After a signal was drawn, its odds are multiplied by $\tau_1$, so
that later iterations draw others. The weights only choose among atoms that are already learned, which is why moving
$\alpha$ or $\beta$ takes effect at once.
"""
)
