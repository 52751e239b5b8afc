"""Set the parameters, press Run, watch."""

import streamlit as st

from dasksvd.common.language import say
from dasksvd.errors import ParameterError, StoreError
from ui import cache, frame, sidebar, texts, visitor
from ui.controls import settings_form
from ui.panels import jobs_panel, own_pictures, take_home

view = frame.begin(
    say("Learn your own atoms"),
    say("**Set the parameters, press Run, and watch the atoms appear.**"),
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
        say("Name"),
        max_chars=settings_form.MAX_NAME,
        placeholder=say("Name: {title}", title=choice.title) if choice.title else say("Name"),
        key="name",
        label_visibility="collapsed",
    )
    impossible = choice.description is None
    pressed = run_place.button(say("Run||verb"), type="primary", disabled=impossible, key="run_button", width="stretch")
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
frame.about(texts.whole("train"))
own_pictures.show()
