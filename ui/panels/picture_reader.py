"""A picture, its answer and the explanation: for readers whose classes are not drawn digits."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from dasksvd.digit.atom_reader import Explanation
from ui import figures, frame, readers, texts
from ui.components import plots, way
from ui.panels import explanations, picture_choice, reader_choice
from ui.panels.picture_choice import Picture
from ui.panels.reader import how_sure

#: Classes whose bars are shown; of more, those that are most likely.
MOST_BARS = 10


@st.fragment
def panel(offered: Mapping[str, readers.Reader], run_id: str, colors: list) -> None:
    """Pick or drop, read, explain; the parameters are those of :func:`ui.panels.reader.panel`."""
    desk, choosing = frame.beside(3, 1, key="desk")
    strip, explaining = st.container(), st.container()
    with choosing:
        choice = reader_choice.choose(offered, run_id)
    if choice.reader.draws:
        st.rerun()  # the page of drawings
    with desk:
        left, right = st.columns([5, 4], gap="medium")
        with left.container(gap="xsmall"):
            picture = picture_choice.choose(choice.reader)
        explanation = choice.model.explain_signal(picture.signal)
        with right.container(gap="xsmall"):
            _answer(choice.reader, picture, explanation)
    with strip:
        read, labels = way.steps(explanation, choice.model), choice.reader.labels
        way.show(colors, choice.reader.name, labels, choice.opens_atoms, read, picture.photo)
    choice.open_atom(way.opened())
    if len(explanation.atoms):
        with explaining:
            answer = texts.plain(choice.reader.classes[explanation.probabilities.argmax()])
            st.header(say("Why {answer}?", answer=answer))
            choice.open_atom(explanations.show(explanations.Reading(choice, explanation, colors)))


def _answer(reader: readers.Reader, picture: Picture, explanation: Explanation) -> None:
    """The answer in words, whether it is right, and the most likely classes as bars."""
    names, best = reader.class_names, int(explanation.probabilities.argmax())
    if not len(explanation.atoms):
        st.warning(
            say("The picture is all black, so there is nothing to read. Exchange light and dark, or try another.")
        )
        return
    with st.container(key="picture_answer", gap="xsmall"):
        st.header(texts.plain(names[best]), anchor=False)
        st.markdown(f"{texts.plain(how_sure(explanation.probabilities, names))} {_truth(reader, picture, best)}")
    shown = np.sort(np.argsort(-explanation.probabilities, kind="stable")[:MOST_BARS])
    plots.show(
        figures.share_bars(
            explanation.probabilities[shown],
            [reader.classes[c] for c in shown],
            say("Probability of each class"),
            "%",
            numbers=shown,
            top=100,
            height=170,
        ),
        alt=say("Bars of the probabilities of the most likely classes."),
        key="picture_bars",
    )


def _truth(reader: readers.Reader, picture: Picture, best: int) -> str:
    if picture.label is None:
        return say("A picture of something else is read as one of the classes, too.")
    if picture.label == best:
        return say("Right.")
    return say("Wrong: it is {name}.", name=texts.plain(reader.class_names[picture.label]))
