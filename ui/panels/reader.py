"""Sheet, answer and explanation: one piece of the page that runs again by itself at every change."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.digit import from_strokes
from dasksvd.digit.reader import DigitModel, Explanation
from dasksvd.errors import DigitError
from ui import frame, links, readers, texts
from ui.components import canvas, way
from ui.panels import class_wall, collection, explanations, reader_choice

#: The digit that is explained while the sheet is empty.
EXAMPLE = 3
#: Seconds between answer and charts: what arrives together is painted together, and charts take long.
ANSWER_FIRST = 0.05
#: Seconds between two new sets of charts while the pen moves; they would make the pen stutter.
CHARTS_EVERY = 0.4
SHOWN = "explained"
#: Where the reader in use is found by the rest of the page.
READ_BY = "read_by"
NO_DIGIT = phrase("How the atoms rebuild it")
CERTAIN, SURE, UNSURE = 0.9995, 0.9, 0.6


@st.fragment
def panel(offered: Mapping[str, readers.Reader], run_id: str, colors: list) -> None:
    """Draw, read, explain.

    Parameters
    ----------
    offered : mapping
        The readers to choose from, see :func:`ui.readers.offered`; looked up before, not at every stroke.
    run_id : str
        The run that old links mean by their own reader.
    colors : list
        The colour scale for atoms.
    """
    # Blocks that are always there: what changes from run to run never changes its kind in place,
    # which a browser that is still busy with the run before could not follow.
    sheet, choosing = frame.beside(3, 1, key="desk")
    strip, collecting, heading, explaining = (st.container() for _ in range(4))
    with choosing:
        choice = reader_choice.choose(offered, run_id)
    if not isinstance(choice.model, DigitModel):
        st.rerun()  # the page of pictures
    used = (choice.reader.path, choice.model.n_nonzero, choice.per_class, choice.network)
    choice = st.session_state[READ_BY] = replace(choice, model=collection.taught(choice.model, used))
    drawing = canvas.current()
    image, explanation, words = _read(drawing, choice.model)
    _tell(explanation, drawing.live)
    with sheet:
        canvas.show(drawing, image, explanation, words, choice.model)
    with strip:
        way.show(colors, choice.reader.name, choice.reader.labels, choice.opens_atoms)
    choice.open_atom(way.opened())
    collection.remember(drawing.id, image, explanation)
    with collecting:
        collection.show()
        class_wall.offer()
    if explanation is None or len(explanation.atoms) == 0:
        explanation = choice.model.explain(from_strokes(canvas.examples()[EXAMPLE], canvas.SIZE))
        reading = explanations.Reading(choice, explanation, colors)
        heading.info(say("Draw something above, or load an example, to see how it is read."))
        heading.header(say("Until then: how this {digit} is read", digit=EXAMPLE))
    else:
        reading = _slowed_down(explanations.Reading(choice, explanation, colors), drawing.live)
        time.sleep(ANSWER_FIRST)
        doubt = reading.explanation.doubt
        answer = reading.explanation.probabilities.argmax()
        heading.header(say(NO_DIGIT) if doubt else say("Why {answer}?", answer=answer))
    with explaining:
        choice.open_atom(explanations.show(reading))


def _tell(explanation: Explanation | None, live: bool = False) -> None:
    """Say what was read: a digit, or −1 for what is none, and the share in % that the atoms leave over.

    Under a moving pen any digit begins as something that is none, so −1 waits until the pen is lifted.
    """
    read = None
    if explanation is not None and explanation.doubt is None:
        read = int(explanation.probabilities.argmax())
    elif explanation is not None and not live:
        read = -1
    links.tell("read", read)
    left = None if explanation is None else 100 * explanation.residuals[-1] / max(explanation.residuals[0], 1e-9)
    links.tell("left_over", left)


def _slowed_down(reading: explanations.Reading, live: bool) -> explanations.Reading:
    """The reading to explain: while the pen moves, the charts change less often than the answer."""
    now = time.monotonic()
    shown_at, shown = st.session_state.get(SHOWN, (-CHARTS_EVERY, None))
    if live and shown is not None and now - shown_at < CHARTS_EVERY:
        return shown
    st.session_state[SHOWN] = now, reading
    return reading


def _read(drawing: canvas.Drawing, model: DigitModel) -> tuple[np.ndarray | None, Explanation | None, str]:
    """Image, explanation and a sentence about them."""
    if drawing.is_empty:
        return None, None, say("Draw a digit with mouse, pen or finger. The answer follows while you draw.")
    try:
        image = drawing.image()
    except DigitError as error:
        return None, None, str(error)
    explanation = model.explain(image)
    return image, explanation, _sentence(explanation, drawing.live)


def _sentence(explanation: Explanation, live: bool = False) -> str:
    """How sure the answer is, or why there is none; half a digit under a moving pen is no mistake yet."""
    if explanation.doubt is not None:
        return (
            say("Not a digit yet. Keep drawing.")
            if live and explanation.doubt.reason == "unlike"
            else explanation.doubt.sentence
        )
    return how_sure(explanation.probabilities, [str(number) for number in range(10)])


def how_sure(probabilities: np.ndarray, names: Sequence[str]) -> str:
    """How sure an answer is, in words; the classes are called by the names."""
    second, best = (int(number) for number in np.argsort(probabilities)[-2:])
    share = float(probabilities[best])
    if share >= CERTAIN:
        return say("More than 99.9 % sure.")
    if share >= SURE:
        return say("{share} sure.", share=texts.percent(share))
    if share >= UNSURE:
        return say("{share} sure; the next guess is {name}.", share=texts.percent(share, 0), name=names[second])
    return say("Not sure: {best} or {second}?", best=names[best], second=names[second])
