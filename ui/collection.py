"""Drawings a visitor chose to keep, with what they were meant to be; only for this visit."""

import io
from dataclasses import dataclass

import numpy as np
import streamlit as st

from ui import canvas

KEY = "collected"
LAST = "last_answer"


@dataclass(frozen=True)
class Sample:
    """One drawing: its image (28, 28), what it was, and what was answered."""

    image: np.ndarray
    label: int
    answer: int


def remember(image: np.ndarray | None, answer: int | None) -> None:
    """Note what is shown, for the buttons' next click."""
    st.session_state[LAST] = None if image is None else (image, answer)


def samples() -> list[Sample]:
    """The drawings kept so far."""
    return st.session_state.setdefault(KEY, [])


def show() -> None:
    """The question, the score so far and the download."""
    shown, kept = st.session_state.get(LAST), samples()
    st.markdown("**Was I right?**")
    yes, no, download = st.columns([2, 5, 3], vertical_alignment="bottom")
    yes.button(
        "Yes",
        key="right",
        on_click=_keep,
        disabled=shown is None,
        width="stretch",
        help="Keeps this drawing with its label and takes a new sheet.",
    )
    no.pills("No, it was", list(range(10)), key="really", on_change=_correct, disabled=shown is None, wrap=True)
    if kept:
        right = sum(sample.label == sample.answer for sample in kept)
        download.download_button(
            f"Download {len(kept)} drawing{'s' * (len(kept) > 1)}",
            lambda: as_npz(kept),
            "drawings.npz",
            "application/octet-stream",
            on_click="ignore",
            width="stretch",
            help="npz with images (n, 28, 28), labels and answers; the dasksvd package reads it with load_pair.",
        )
        st.caption(f"**{right} of {len(kept)}** right so far. Kept in this visit only; nothing is stored.")
    else:
        st.caption("Nothing is kept unless you press one of these, and then for this visit only.")


def as_npz(kept: list[Sample]) -> bytes:
    """Images (n, 28, 28) uint8, labels and answers (n,) int64 as an npz file."""
    file = io.BytesIO()
    np.savez_compressed(
        file,
        images=np.stack([sample.image for sample in kept]),
        labels=np.array([sample.label for sample in kept], np.int64),
        answers=np.array([sample.answer for sample in kept], np.int64),
    )
    return file.getvalue()


def _keep(label: int | None = None) -> None:
    shown = st.session_state.get(LAST)
    if shown is not None:
        image, answer = shown
        samples().append(Sample(image, answer if label is None else label, answer))
        canvas.clear()


def _correct() -> None:
    label = st.session_state.get("really")
    st.session_state["really"] = None
    if label is not None:
        _keep(int(label))
