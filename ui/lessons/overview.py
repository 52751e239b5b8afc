"""The list of lessons: what each teaches, how long it takes, how far one is."""

from typing import Any

import streamlit as st

from dasksvd.common.language import say
from ui import links
from ui.components import lesson_memory
from ui.lessons import course, handout
from ui.lessons.reading import Lesson, lessons


def show() -> None:
    """All lessons, three in a row."""
    lesson_memory.show(course.known(), course.remember)
    found = list(lessons().values())
    for first in range(0, len(found), 3):
        for place, number in zip(st.columns(3, gap="small"), range(first, first + 3), strict=True):
            if number < len(found):
                _show_one(found[number], number + 1, place)


def _done(done: int, total: int) -> str:
    return say("{done} of {total} steps done", done=done, total=total)


def _show_one(lesson: Lesson, number: int, place: Any) -> None:
    reached, done = course.progress(lesson)
    total = len(lesson.steps)
    with place.container(border=True, key=f"about_{lesson.name}", height="stretch", gap="xsmall"):
        st.markdown(f"**{number} · {lesson.title}**  \n{lesson.teaches}")
        words = say("{total} steps, about {minutes} minutes", total=total, minutes=lesson.minutes)
        st.progress(done / total, text=_done(done, total) if reached else words)
        with st.container(horizontal=True, gap="small"):
            goes_on = 1 < reached < total or (reached == total and done < total)
            st.button(
                say("Go on at step {number}", number=reached)
                if goes_on
                else say("Again")
                if done == total
                else say("Start"),
                key=f"start_{lesson.name}",
                type="primary" if number == 1 and not reached else "secondary",
                icon=":material/play_arrow:",
                on_click=course.start if goes_on else course.start_afresh,
                args=(lesson.name, reached) if goes_on else (lesson.name,),
            )
            st.button(
                say("Handout"),
                key=f"handout_{lesson.name}",
                type="tertiary",
                icon=":material/print:",
                on_click=links.put,
                args=(handout.KEY, lesson.name),
            )
