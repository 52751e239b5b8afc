"""How strongly atoms belong to a class, and what the weights change."""

import streamlit as st

from dasksvd.common.language import say
from ui import figures, frame, texts
from ui.components import plots
from ui.panels import error_measure, exchanges, measures_panel, take_home, two_codes

exchanges.follow_click()
view = frame.begin(
    say("When does an atom belong to a class?"),
    say("**If its class uses it often, strongly, or errs without it.**"),
)
left, right = frame.beside(42, 58, key="first_screen")
with left:
    iteration, across, up = measures_panel.pick(view)
    atom = measures_panel.show_scatter(view, iteration, across, up)
with right:
    measures_panel.show_atom(view, iteration, atom)

exchanges.show(view)
error_measure.show(view)
st.header(say("Two {words}, two sparse codes", words=view.words))
two_codes.show(view)
st.header(say("Which signals are drawn next?"))
shown = [l for l in (1, 5, 10, 15, 20) if l <= len(view.trajectory.records)]
plots.show(
    figures.odds_lines(
        {l: view.trajectory.records[l - 1].odds for l in shown}, say("Sampling odds p after iteration l")
    ),
    say("Sampling odds of all training signals after iterations {shown}.", shown=", ".join(map(str, shown))),
    "odds",
)
take_home.code(lambda: take_home.of_measures(view, iteration))
frame.about(texts.whole("measures"))
