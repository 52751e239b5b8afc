"""One page of paper about a lesson: what it has shown, its formula, its questions."""

import streamlit as st

from dasksvd.common.language import say
from ui import kinds, links
from ui.components import print_button
from ui.lessons import course
from ui.lessons.reading import Lesson, lessons

#: In links.
KEY = "handout"


def chosen() -> Lesson | None:
    """The lesson whose handout is shown, if one is."""
    kind = kinds.one_of(list(lessons()))
    name = links.take(KEY, kind, "")
    links.note(KEY, kinds.WORD, name, "")
    return lessons().get(name)


def show(lesson: Lesson) -> None:
    """The page; printed, it has no sidebar and no buttons."""
    with st.container(horizontal=True, gap="small", key="handout_buttons", vertical_alignment="center"):
        print_button.show(say("Print or save as PDF"))
        st.button(
            say("All lessons"), key="all_lessons", icon=":material/arrow_back:", on_click=links.put, args=(KEY, "")
        )
        afresh = {"on_click": course.start_afresh, "args": (lesson.name,)}
        st.button(say("Again"), key="again", icon=":material/replay:", **afresh)
    with st.container(key="handout", gap="xsmall"):
        st.header(lesson.title, anchor=False)
        st.markdown(lesson.teaches)
        found = [step for step in lesson.steps if step.after]
        lines = [f"{number}. **{_ended(step.title)}** {step.after}" for number, step in enumerate(found, 1)]
        st.markdown("\n".join(lines))
        st.markdown(f"**{say('Formula')}.** {lesson.formula}")
        for number, step in enumerate(lesson.questions, 1):
            answers = " · ".join(f"☐ {answer.text}" for answer in step.answers)
            st.markdown(f"**{say('Question {number}', number=number)}.** {step.text}  \n{answers}")
        right = ", ".join(_right(step.answers) for step in lesson.questions)
        st.caption(
            say(
                "Right: {right}. DAS-KSVD, lesson “{title}”: add ?lesson={name}.1 to the address.",
                right=right,
                title=lesson.title,
                name=lesson.name,
            )
        )


def _ended(title: str) -> str:
    """A title as a sentence; a question has its own mark."""
    return title if title[-1] in "?!." else f"{title}."


def _right(answers: tuple) -> str:
    """Which answer is right, as a letter."""
    return next(letter for letter, answer in zip("abc", answers, strict=False) if answer.right)
