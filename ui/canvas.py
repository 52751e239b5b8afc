"""The sheet to draw on, as a component in the page; it also shows the answer, so that both change at once."""

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from dasksvd import digit
from dasksvd.digit import DigitError
from dasksvd.figures import CLASS_COLORS
from dasksvd.model import Explanation
from ui import components, ink, links

SIZE = 280
KEY = "canvas"
#: Where the drawing is kept while its page is not shown; a component's own state ends with its page.
KEPT = "kept_drawing"
MAX_STROKES = 200
FILES = Path(__file__).parent / "canvas_files"

#: The drawing in links; a picture stays out of them.
LINK, INK = "ink", links.Kind(lambda text: tuple(ink.unpack(text)), ink.pack)

_component = components.declare("digit_canvas", "canvas_files", "canvas")


@dataclass(frozen=True)
class Drawing:
    """What is on the sheet.

    Attributes
    ----------
    id : int
        Grows with every change.
    strokes : list of list of [x, y]
        On a sheet of ``SIZE`` × ``SIZE``.
    photo : str or None
        A picture as data URL, in place of strokes.
    brush : float
    live : bool
        Whether the pen is still on the sheet.
    """

    id: int = 0
    strokes: tuple = ()
    photo: str | None = None
    brush: float = 20.0
    live: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing is on the sheet."""
        return not self.strokes and not self.photo

    def image(self) -> np.ndarray:
        """The MNIST-like image of shape (28, 28), uint8, or DigitError."""
        if self.photo:
            return digit.from_image(_decoded(self.photo))
        return digit.from_strokes(self.strokes, SIZE)


def current() -> Drawing:
    """What is on the sheet now, or was when its page was left, or what a link has brought."""
    if links.is_due(LINK) or links.is_new(LINK):
        _replace(links.look_up(LINK, INK, ()))
    state = st.session_state.get(KEY)
    sent = state.get("drawing") if state else None
    if sent:
        kept = st.session_state.get(KEPT, Drawing())
        drawing = _checked(sent)
        if drawing.id > kept.id:
            st.session_state[KEPT] = drawing
    drawing = st.session_state.setdefault(KEPT, Drawing())
    if not drawing.live:
        links.note(LINK, INK, drawing.strokes, ())
    return drawing


def clear() -> None:
    """Take a new sheet."""
    current()
    _replace(())


def _replace(strokes: Sequence) -> None:
    """Put another drawing on the sheet."""
    kept = st.session_state.get(KEPT, Drawing())
    st.session_state[KEPT] = Drawing(id=kept.id, strokes=tuple(strokes), brush=kept.brush)
    st.session_state["canvas_token"] = st.session_state.get("canvas_token", 0) + 1
    links.note(LINK, INK, tuple(strokes), ())


def show(drawing: Drawing, image: np.ndarray | None, explanation: Explanation | None, words: str) -> None:
    """Put the sheet on the page, with the answer beside it.

    Parameters
    ----------
    image : ndarray of shape (28, 28), uint8, or None
        None while there is nothing to read.
    words : str
        A sentence beside the answer.
    """
    _component(
        key=KEY,
        data={
            "seen": drawing.id,
            "strokes": list(drawing.strokes),
            "photo": drawing.photo,
            "brush": drawing.brush,
            "token": st.session_state.get("canvas_token", 0),
            "colors": list(CLASS_COLORS),
            "examples": examples(),
            "answer": None if explanation is None else _answer(image, explanation),
            "words": words,
        },
        on_drawing_change=lambda: None,
    )


@cache
def examples() -> list[list[list[list[float]]]]:
    """One drawing of each digit, as strokes."""
    return json.loads((FILES / "examples.json").read_text(encoding="utf-8"))


def _answer(image: np.ndarray, explanation: Explanation) -> dict[str, Any]:
    rebuilt = explanation.steps[-1] if len(explanation.steps) else np.zeros_like(explanation.signal)
    return {
        "digit": int(explanation.probabilities.argmax()),
        "probabilities": [round(float(share), 4) for share in explanation.probabilities],
        "n_atoms": len(explanation.atoms),
        "image28": _bytes(image),
        "image16": _bytes(255 * explanation.signal),
        "rebuilt": _bytes(255 * rebuilt),
    }


def _bytes(levels: np.ndarray) -> str:
    return base64.b64encode(np.rint(np.clip(levels, 0, 255)).astype(np.uint8).tobytes()).decode("ascii")


def _checked(sent: Any) -> Drawing:
    """What the browser sent, as far as it makes sense."""
    try:
        strokes = tuple([[float(x), float(y)] for x, y in stroke] for stroke in sent.get("strokes") or ())
        photo = sent.get("photo")
        brush = float(np.clip(float(sent.get("brush") or 20), 1, 60))
        photo = photo if isinstance(photo, str) else None
        return Drawing(int(sent["id"]), strokes[:MAX_STROKES], photo, brush, sent.get("live") is True)
    except (TypeError, ValueError, OverflowError, KeyError, AttributeError):
        return Drawing()


def _decoded(url: str) -> bytes:
    """The bytes of a data URL."""
    try:
        return base64.b64decode(url.partition(",")[2], validate=True)
    except (binascii.Error, ValueError) as error:
        raise DigitError("The picture did not arrive whole. Try again.") from error
