"""Sheet, answer and explanation: one piece of the page that runs again by itself at every change."""

import time
from pathlib import Path

import numpy as np
import streamlit as st

from dasksvd.digit import DigitError, from_strokes, side_by_side
from dasksvd.model import DigitModel, Explanation
from ui import canvas, collection, explanations, models, texts

#: The digit that is explained while the sheet is empty.
EXAMPLE = 3
#: Seconds between answer and charts: what arrives together is painted together, and charts take long.
ANSWER_FIRST = 0.05
#: Seconds between two new sets of charts while the pen moves; they would make the pen stutter.
CHARTS_EVERY = 0.4
SHOWN = "explained"
CERTAIN, SURE, UNSURE = 0.9995, 0.9, 0.6
#: Pixels of a 28 × 28 image that a pen covers which has not moved.
DOT = 16
#: More pixels than any digit of MNIST covers.
FULL = 330


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
    answer = None if explanation is None else int(explanation.probabilities.argmax())
    collection.remember(image, answer)
    with collecting:
        collection.show()
    if explanation is None or len(explanation.atoms) == 0:
        explanation = model.explain(from_strokes(canvas.examples()[EXAMPLE], canvas.SIZE))
        reading = explanations.Reading(model, explanation, path, per_class, colors)
        heading.info("Draw something above, or load an example, to see how it is read.")
        heading.header(f"Until then: how this {EXAMPLE} is read")
    else:
        reading = _unhurried(explanations.Reading(model, explanation, path, per_class, colors), drawing.live)
        time.sleep(ANSWER_FIRST)
        heading.header(f"Why {reading.explanation.probabilities.argmax()}?")
    with explaining:
        explanations.show(reading)


def _unhurried(reading: explanations.Reading, live: bool) -> explanations.Reading:
    """The reading to explain: while the pen moves, the charts follow less often than the answer."""
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
    found = models.models(run_id)
    path = found[first.selectbox("Model", list(found), key="reader", bind="query-params")]
    if models.is_damaged(path):
        first.error(
            "This model's file is damaged, so the shipped model reads. `python -m dasksvd evaluate RUN` makes it anew."
        )
    elif models.why_no_model(run_id):
        first.caption(models.why_no_model(run_id))
    whole = models.load(path)
    most = models.atoms_per_class(whole)
    q = second.slider(
        "q · non-zeros of the code",
        1,
        whole.n_nonzero,
        whole.n_nonzero,
        key=f"reader_q_{whole.n_nonzero}",
        bind="query-params",
        help=r"$\|a\|_0 \le q$: OMP stops after so many atoms. The network was trained with the largest value; "
        "try 2.",
    )
    per_class = third.slider(
        "Atoms per class",
        1,
        most,
        most,
        key=f"reader_atoms_{most}",
        bind="query-params",
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
    return image, explanation, _sentence(image, explanation.probabilities)


def _sentence(image: np.ndarray, probabilities: np.ndarray) -> str:
    second, best = (int(number) for number in np.argsort(probabilities)[-2:])
    share = float(probabilities[best])
    if np.count_nonzero(image > 128) <= DOT:
        return "So far this is a dot. Draw on."
    if np.count_nonzero(image > 128) > FULL:
        return "That is more ink than a digit has. Draw one digit in a single line."
    if side_by_side(image):
        return "This looks like two digits side by side. One digit at a time can be read."
    if share >= CERTAIN:
        return "More than 99.9 % sure."
    if share >= SURE:
        return f"{texts.percent(share)} sure."
    if share >= UNSURE:
        return f"{texts.percent(share, 0)} sure; the next guess is {second}."
    return f"Not sure: {best} or {second}?"
