"""Set the parameters, press Run, watch."""

import streamlit as st

from dasksvd.errors import ParameterError, StoreError
from ui import cache, frame, sidebar, texts, visitor
from ui.controls import settings_form
from ui.panels import jobs_panel, own_pictures, take_home

view = frame.begin(
    "Learn your own atoms",
    "**Set the parameters, press Run, and watch the atoms appear.**",
    controls=(sidebar.LOOK,),
)
left, right = frame.beside(5, 7, key="train")
with left.container(gap="xsmall"):
    form, start, below = (st.container(gap="xsmall") for _ in range(3))
    time_place, seldom = below.columns([3, 2], gap="small", vertical_alignment="center", wrap=False)
    with form:
        choice = settings_form.choose_settings(seldom)
    name_place, run_place = start.columns([3, 2], gap="small", vertical_alignment="bottom", wrap=False)
    name = name_place.text_input(
        "Name",
        max_chars=settings_form.MAX_NAME,
        placeholder=f"Name: {choice.title}" if choice.title else "Name",
        key="name",
        label_visibility="collapsed",
    )
    impossible = choice.description is None
    pressed = run_place.button("Run", type="primary", disabled=impossible, key="run_button", width="stretch")
    if pressed:
        try:
            called = name.strip() or choice.title
            run = cache.jobs().submit(choice.description, called, owner=visitor.name(), plan=choice.plan)
            st.session_state["watched"] = run.id
        except (ParameterError, StoreError) as error:
            start.error(texts.sentence(error))
    with start if impossible else time_place:
        settings_form.tell_time(choice)
with right.container(gap="xsmall"):
    watched = jobs_panel.watch(view.colors)
take_home.code(lambda: take_home.of_settings(choice, name.strip()))
take_home.report([watched])
frame.about(
    r"""
A run repeats, for $l = 1 \dots I$: draw $t$ signals per class by their odds; multiply the odds of the drawn ones by
$\tau_1$; add noise of size $(l-1)\,\tau_2\,\sigma_i$; learn $M = r_f N$ atoms by K-SVD with at most $qM$ non-zeros per
signal; measure every atom; keep the best one of each class by
$m = \alpha\,m_{af} + \beta\,m_{cm} + (1-\alpha-\beta)\,m_{re}$. The weights $\alpha$ and $\beta$ choose among the
learned atoms, so they can still be moved after the run. Then a network is trained on the sparse codes of the training
images and scored on held-out images, which are also used for early stopping. The run is a process of its own: you can
leave the page, come back or close the browser, and nothing is lost.
"""
)
own_pictures.show()
