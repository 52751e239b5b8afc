"""K-SVD and the pursuit taken apart: one button is one half-step."""

import streamlit as st

from dasksvd.common.language import say
from ui import frame, links, sidebar, texts
from ui.components import half_steps
from ui.panels import sample_choice

view = frame.begin(
    say("Step by step"),
    say("**How K-SVD learns atoms**, one half-step at a time."),
    controls=(sidebar.LOOK,),
)
sample = sample_choice.show()


@st.fragment
def show() -> None:
    """The half-steps, and the address: a step is no reason to run the rest of the page."""
    step = half_steps.step_of(sample.film, sample.choice.name)
    half_steps.show(sample.film, sample.choice.name, sample.classes, view.colors, step)
    links.write("steps")


if sample:
    show()
frame.about(texts.whole("steps"))
