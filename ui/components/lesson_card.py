"""The card of a lesson: what to do now, how far one is, and the frame around what it speaks of.

It lies where the navigation is, or at the bottom of the window where there is no sidebar. So it covers nothing, and
pages without a lesson have none of it, neither rules nor script.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from ui import components
from ui.lessons.reading import Lesson, Step

KEY = "lesson_card"
FILES = Path(__file__).parent / "lesson_files"
_RULES = (FILES / "around.css").read_text(encoding="utf-8")

_component = components.declare("lesson_card", "lesson_files", "card", shared_js="kept.js")


def show(lesson: Lesson, number: int, done: Sequence[bool], here: bool, on_used: Callable[[], None]) -> None:
    """Put the card on the page.

    Parameters
    ----------
    number : int
        The step, from 1.
    done : sequence of bool
        For each step whether it is done.
    here : bool
        Whether its page is shown.
    on_used : callable
        Called when a button was pressed or a question answered; :func:`ui.components.sent_by` has which, as ``used``.
    """
    step = lesson.steps[number - 1]
    st.html(f"<style>{_RULES}{_marks(step, done[number - 1]) if here else ''}</style>")
    data = {
        "place": f"{lesson.name}.{number}",
        "lesson": lesson.title,
        "title": step.title,
        "text": step.text,
        "after": step.after,
        "watched": bool(step.done),
        "done": tuple(done),
        "number": number,
        "here": here,
        "point": step.point,
        "then": step.then,
        "answers": tuple((answer.text, answer.right, answer.why) for answer in step.answers),
        "hint": step.hint,
    }
    _component(key=KEY, data=data, on_used_change=on_used)


def _marks(step: Step, is_done: bool) -> str:
    """Rules that frame what a step speaks of, and hide what is not to be seen or read out yet; its room stays."""
    places = [f".stApp .st-key-{key}" for key in step.point]
    places += [f"[data-lesson-done=yes] .stApp .st-key-{key}" for key in step.then]
    framed = ", ".join(places)
    rules = f"{framed} {{ outline: var(--lesson-mark); outline-offset: 2px; border-radius: 6px; }}" if framed else ""
    if step.hide and not is_done:
        veiled = ", ".join(f".st-key-{key}, .st-key-{key} *" for key in step.hide)
        rules += f"[data-lesson-done=no] :is({veiled}) {{ visibility: hidden !important; }}"
    return rules
