"""The drawing area as a component; it also has the answer and its way, so that all of it changes at once."""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from dasksvd import digit
from dasksvd.common.language import say
from dasksvd.digit.reader import DigitModel, Explanation
from dasksvd.errors import DigitError
from dasksvd.figures import CLASS_COLORS
from ui import components, links
from ui.components import ink, pictures, way

SIZE = 280
KEY = "canvas"
#: Where the drawing is kept while its page is not shown; a component's own state ends with its page.
KEPT = "kept_drawing"
MAX_STROKES = 200
#: Points of a drawing; the sheet thins a longer one while it is drawn.
MAX_POINTS = 5000
#: Letters of a picture's URL and pixels of the picture; the sheet sends at most 640 × 640 of them.
MAX_PHOTO = 600_000
MAX_PHOTO_PIXELS = 1_000_000
BRUSH, BRUSHES = 20.0, (1, 60)
#: Versions of a drawing are counted exactly by the browser up to here.
MAX_ID = 2**53
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
    brush: float = BRUSH
    live: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing is on the sheet."""
        return not self.strokes and not self.photo

    def image(self) -> np.ndarray:
        """The MNIST-like image of shape (28, 28), uint8, or DigitError."""
        if self.photo:
            return digit.from_image(_decoded(self.photo), MAX_PHOTO_PIXELS)
        return digit.from_strokes(self.strokes, SIZE)


def current() -> Drawing:
    """The current drawing: from the browser, from before the page was left, or from a link."""
    if links.is_due(LINK) or links.is_new(LINK):
        _replace(links.take(LINK, INK, ()))
    sent = components.sent_by(KEY, "drawing")
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
    """Remove the drawing."""
    current()
    _replace(())


def _replace(strokes: Sequence) -> None:
    """Put another drawing on the sheet."""
    kept = st.session_state.get(KEPT, Drawing())
    st.session_state[KEPT] = Drawing(id=kept.id, strokes=tuple(strokes), brush=kept.brush)
    st.session_state["canvas_token"] = st.session_state.get("canvas_token", 0) + 1
    links.note(LINK, INK, tuple(strokes), ())


def show(
    drawing: Drawing, image: np.ndarray | None, explanation: Explanation | None, words: str, model: DigitModel
) -> None:
    """Put the sheet on the page, with the answer beside it; :mod:`ui.components.way` shows the rest of what is sent.

    Parameters
    ----------
    image : ndarray of shape (28, 28), uint8, or None
        None while there is nothing to read.
    words : str
        A sentence beside the answer.
    """
    data = {
        "seen": drawing.id,
        "token": st.session_state.get("canvas_token", 0),
        "colors": list(CLASS_COLORS),
        "examples": examples(),
        "answer": None if explanation is None else _answer(image, explanation, model),
        "words": words,
    }
    if not _drawn_on_this_sheet(drawing):
        data |= {"strokes": list(drawing.strokes), "photo": drawing.photo, "brush": drawing.brush}
    _component(key=KEY, data=data, on_drawing_change=lambda: None)


def _drawn_on_this_sheet(drawing: Drawing) -> bool:
    """Whether the browser has sent exactly this drawing, so that it need not be sent back."""
    sent = components.sent_by(KEY, "drawing")
    return bool(sent) and _checked(sent) == drawing


@cache
def examples() -> list[list[list[list[float]]]]:
    """One drawing of each digit, as strokes."""
    return json.loads((FILES / "examples.json").read_text(encoding="utf-8"))


def _answer(image: np.ndarray, explanation: Explanation, model: DigitModel) -> dict[str, Any]:
    return way.steps(explanation, model) | {
        "digit": None if explanation.doubt else int(explanation.probabilities.argmax()),
        "probabilities": [round(float(share), 4) for share in explanation.probabilities],
        "image28": pictures.grey_levels(image),
    }


def _checked(sent: Any) -> Drawing:
    """What the browser sent, if it is valid; otherwise an empty drawing."""
    if not isinstance(sent, Mapping) or not components.is_count(sent.get("id"), MAX_ID):
        return Drawing()
    strokes, photo, brush = sent.get("strokes") or (), sent.get("photo"), sent.get("brush")
    if not _are_strokes(strokes):
        return Drawing()
    return Drawing(
        sent["id"],
        tuple(strokes),
        photo if isinstance(photo, str) and len(photo) <= MAX_PHOTO else None,
        float(np.clip(brush, *BRUSHES)) if components.is_number(brush, 1000) else BRUSH,
        sent.get("live") is True,
    )


def _are_strokes(sent: Any) -> bool:
    """Whether something is a list of lists of points [x, y], not too many and near the sheet."""
    if not isinstance(sent, list | tuple) or len(sent) > MAX_STROKES:
        return False
    if not all(isinstance(stroke, list | tuple) for stroke in sent) or sum(map(len, sent)) > MAX_POINTS:
        return False
    return all(
        isinstance(point, list | tuple)
        and len(point) == 2
        and all(components.is_number(value, 100 * SIZE) for value in point)
        for stroke in sent
        for point in stroke
    )


def _decoded(url: str) -> bytes:
    """The bytes of a data URL."""
    try:
        return base64.b64decode(url.partition(",")[2], validate=True)
    except (binascii.Error, ValueError) as error:
        raise DigitError(say("The picture did not arrive completely. Try again.")) from error
