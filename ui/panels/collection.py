"""Drawings a visitor chose to keep, with what they were meant to be; only for this visit.

The reader learns from those that it read wrong, until the visitor takes that back.
"""

import io
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dasksvd.common.language import say, say_count
from dasksvd.digit.reader import DigitModel, Explanation
from ui.components import canvas

KEY = "collected"
LAST = "last_answer"
#: The drawing that was judged last.
JUDGED = "judged_drawing"
#: The answer where the drawing was taken for no digit.
NONE = -1
#: Drawings that are kept in one visit, and those of them that a reader learns from.
MOST, MOST_LEARNED = 1000, 60
#: Where the drawings are that the reader learns from, and the reader that has learned last.
LEARNED, TAUGHT = "learned", "taught"


@dataclass(frozen=True)
class Sample:
    """One drawing: its image (28, 28), what it was, and what was answered, ``NONE`` if nothing was."""

    image: np.ndarray
    label: int
    answer: int


def remember(drawing: int, image: np.ndarray | None, explanation: Explanation | None) -> None:
    """Note what is shown, for the buttons' next click; ``drawing`` is its id."""
    if image is None or explanation is None:
        st.session_state[LAST] = None
        return
    answer = NONE if explanation.doubt else int(explanation.probabilities.argmax())
    st.session_state[LAST] = (drawing, image, answer)


def samples() -> list[Sample]:
    """The drawings kept so far."""
    return st.session_state.setdefault(KEY, [])


def learned() -> list[tuple[int, np.ndarray, int]]:
    """The corrected drawings: the id of each, its image and its label."""
    return st.session_state.setdefault(LEARNED, [])


def taught(model: DigitModel, name: object) -> DigitModel:
    """A reader that has learned from the visitor's corrections; ``name`` tells readers apart."""
    corrections = learned()
    if not corrections:
        return model
    key = (name, [(drawing, label) for drawing, _, label in corrections])
    before, found = st.session_state.get(TAUGHT, (None, None))
    if before != key:
        found = model.corrected(np.stack([image for _, image, _ in corrections]), [label for *_, label in corrections])
        st.session_state[TAUGHT] = key, found
    return found


def show() -> None:
    """The question, the score so far and the download, in one row."""
    shown, kept = st.session_state.get(LAST), samples()
    judged = shown is not None and st.session_state.get(JUDGED) == shown[0]
    with st.container(key="collection", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(say("**Thanks!**") if judged else say("**Was I right?**"), width="content")
        if judged:
            st.button(say("New drawing"), key="next_sheet", on_click=canvas.clear)
        else:
            st.button(
                say("Yes"),
                key="right",
                on_click=_keep,
                disabled=shown is None or shown[2] == NONE,
                help=say(
                    "Keeps this drawing with its label, for this visit. Nothing is kept unless you press this or a "
                    "digit."
                ),
            )
        st.markdown(say("No, it was"), width="content")
        st.pills(
            say("No, it was"),
            list(range(10)),
            key="really",
            on_change=_correct,
            disabled=shown is None,
            wrap=True,
            label_visibility="collapsed",
            width="content",
        )
        if learned():
            _offer_undo(len(learned()))
        if kept:
            _offer(kept)


def _offer_undo(count: int) -> None:
    """Take the last correction back: what the reader learned, not the drawing that was kept."""
    st.button(
        say("Unlearn ({count})", count=count),
        key="unlearn",
        icon=":material/undo:",
        type="tertiary",
        on_click=lambda: learned().pop(),
        help=say(
            "The reader has learned from your corrections: it reads drawings much like them as you meant them. This "
            "takes the last one back. All of it ends with your visit."
        ),
    )


def _offer(kept: list[Sample]) -> None:
    """How many were right, and all of them as a file."""
    right = sum(sample.label == sample.answer for sample in kept)
    st.caption(say("**{right} of {count}** right", right=right, count=len(kept)), width="content")
    st.download_button(
        say_count(len(kept), "Download {count} drawing", "Download {count} drawings"),
        lambda: as_npz(kept),
        "drawings.npz",
        "application/octet-stream",
        on_click="ignore",
        help=say(
            "npz with images (n, 28, 28), labels and answers (-1: no digit); dasksvd.load_pair reads it. Kept in this "
            "visit only; nothing is stored."
        ),
    )


def as_npz(kept: list[Sample]) -> bytes:
    """Images (n, 28, 28) uint8, labels and answers (n,) int64 as an npz file; an answer of -1 is none."""
    file = io.BytesIO()
    np.savez_compressed(
        file,
        images=np.stack([sample.image for sample in kept]),
        labels=np.array([sample.label for sample in kept], np.int64),
        answers=np.array([sample.answer for sample in kept], np.int64),
    )
    return file.getvalue()


def _keep(label: int | None = None) -> None:
    """Keep what is shown; a second judgement of the same drawing takes the place of the first."""
    shown, kept = st.session_state.get(LAST), samples()
    if shown is None:
        return
    drawing, image, answer = shown
    if kept and st.session_state.get(JUDGED) == drawing:
        answer = kept.pop().answer  # the first one: what it has learned since is no merit
    kept.append(Sample(image, answer if label is None else label, answer))
    del kept[:-MOST]
    _learn(drawing, image, answer if label is None else label, answer)
    st.session_state[JUDGED] = drawing


def _learn(drawing: int, image: np.ndarray, label: int, answer: int) -> None:
    """Let the reader learn a correction; a second one of the same drawing takes the place of the first."""
    corrections = learned()
    before = [one for one in corrections if one[0] == drawing]
    if label != answer or before:
        corrections[:] = [one for one in corrections if one[0] != drawing]
        corrections.append((drawing, image, label))
        del corrections[:-MOST_LEARNED]


def _correct() -> None:
    label = st.session_state.get("really")
    st.session_state["really"] = None
    if label is not None:
        _keep(int(label))
