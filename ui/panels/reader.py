"""Sheet, answer and explanation: one piece of the page that runs again by itself at every change."""

import time
from pathlib import Path

import numpy as np
import streamlit as st

from dasksvd.digit import from_strokes
from dasksvd.digit.reader import DigitModel, Explanation
from dasksvd.errors import DigitError
from ui import links, readers, texts
from ui.components import canvas
from ui.panels import collection, explanations

#: The digit that is explained while the sheet is empty.
EXAMPLE = 3
#: Seconds between answer and charts: what arrives together is painted together, and charts take long.
ANSWER_FIRST = 0.05
#: Seconds between two new sets of charts while the pen moves; they would make the pen stutter.
CHARTS_EVERY = 0.4
SHOWN = "explained"
NO_DIGIT = "How the atoms rebuild it"
CERTAIN, SURE, UNSURE = 0.9995, 0.9, 0.6


@st.fragment
def panel(run_id: str, colors: list) -> None:
    """Draw, read, explain; the run's own classifier is on offer too."""
    # Blocks that are always there: what changes from run to run never changes its kind in place,
    # which a browser that is still busy with the run before could not follow.
    sheet, collecting, choosing, heading, explaining = (st.container() for _ in range(5))
    with choosing:
        path, model, per_class = _choose_model(run_id)
    drawing = canvas.current()
    image, explanation, words = _read(drawing, model)
    with sheet:
        canvas.show(drawing, image, explanation, words)
    collection.remember(drawing.id, image, explanation)
    with collecting:
        collection.show()
    if explanation is None or len(explanation.atoms) == 0:
        explanation = model.explain(from_strokes(canvas.examples()[EXAMPLE], canvas.SIZE))
        reading = explanations.Reading(model, explanation, path, per_class, colors)
        heading.info("Draw something above, or load an example, to see how it is read.")
        heading.header(f"Until then: how this {EXAMPLE} is read")
    else:
        reading = _slowed_down(explanations.Reading(model, explanation, path, per_class, colors), drawing.live)
        time.sleep(ANSWER_FIRST)
        doubt = reading.explanation.doubt
        heading.header(NO_DIGIT if doubt else f"Why {reading.explanation.probabilities.argmax()}?")
    with explaining:
        explanations.show(reading)


def _slowed_down(reading: explanations.Reading, live: bool) -> explanations.Reading:
    """The reading to explain: while the pen moves, the charts change less often than the answer."""
    now = time.monotonic()
    shown_at, shown = st.session_state.get(SHOWN, (-CHARTS_EVERY, None))
    if live and shown is not None and now - shown_at < CHARTS_EVERY:
        return shown
    st.session_state[SHOWN] = now, reading
    return reading


def _choose_model(run_id: str) -> tuple[Path, DigitModel, int]:
    """The chosen model's file, the model with the chosen length of codes and number of atoms."""
    st.header("Make it harder")
    first, second, third = st.columns(3)
    found = readers.models(run_id)
    path = found[
        links.draw(
            first.selectbox,
            "Model",
            list(found),
            key="reader",
            kind=links.named({name: path.stem for name, path in found.items()}),
            default=next(iter(found)),
            check=found.__contains__,
        )
    ]
    if readers.is_damaged(path):
        first.error(
            "This model's file is damaged, so the shipped model is used. `python -m dasksvd evaluate RUN` renews it."
        )
    elif readers.why_no_model(run_id):
        first.caption(readers.why_no_model(run_id))
    whole = readers.load(path)
    most = readers.atoms_per_class(whole)
    q = links.draw(
        second.slider,
        "q · non-zeros of the code",
        1,
        whole.n_nonzero,
        key=f"reader_q_{whole.n_nonzero}",
        kind=links.WHOLE,
        default=whole.n_nonzero,
        check=range(1, whole.n_nonzero + 1).__contains__,
        help=r"$\|a\|_0 \le q$: OMP stops after this many atoms. The network was trained with the largest value; "
        "try 2.",
    )
    per_class = links.draw(
        third.slider,
        "Atoms per class",
        1,
        most,
        key=f"reader_atoms_{most}",
        kind=links.WHOLE,
        default=most,
        check=range(1, most + 1).__contains__,
        help="Only the first atoms of each class may be used; the network stays as trained.",
    )
    return path, whole.restricted(q, per_class), per_class


def _read(drawing: canvas.Drawing, model: DigitModel) -> tuple[np.ndarray | None, Explanation | None, str]:
    """Image, explanation and a sentence about them."""
    if drawing.is_empty:
        return None, None, "Draw a digit with mouse, pen or finger. The answer follows while you draw."
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
            "Not a digit yet. Keep drawing."
            if live and explanation.doubt.reason == "unlike"
            else explanation.doubt.sentence
        )
    probabilities = explanation.probabilities
    second, best = (int(number) for number in np.argsort(probabilities)[-2:])
    share = float(probabilities[best])
    if share >= CERTAIN:
        return "More than 99.9 % sure."
    if share >= SURE:
        return f"{texts.percent(share)} sure."
    if share >= UNSURE:
        return f"{texts.percent(share, 0)} sure; the next guess is {second}."
    return f"Not sure: {best} or {second}?"
