"""The weights α and β as a point in a triangle, which can be dragged or moved by arrow keys."""

from typing import Any

import streamlit as st

from dasksvd import rankings
from dasksvd.common.language import say
from ui import components, links
from ui.state import View

KEY = "weight_triangle"
#: The browser counts weights in hundredths, as the sliders do.
WHOLE = 100
_component = components.declare("weight_triangle", "triangle_files", "triangle")


def show(view: View, place: Any = None) -> None:
    """Show the weights; who moves the point moves the sliders, and the other way round."""
    sent = components.sent_by(KEY, "weights")
    data = {
        "alpha": view.alpha,
        "beta": view.beta,
        "seen": sent[2] if _checked(sent) else 0,
        "unused": not rankings.uses_weights(view.ranking),
        "label": say("Weights of the three measures: arrow keys move the point, with Shift farther"),
    }
    with place or st.container():
        _component(key=KEY, data=data, on_weights_change=_take)


def _take() -> None:
    """The point was moved: the whole app gets its weights before the page is drawn."""
    weights = _checked(components.sent_by(KEY, "weights"))
    if weights is not None:
        for key, hundredths in zip(("alpha", "beta"), weights, strict=True):
            links.put(key, links.short(hundredths / WHOLE))


def _checked(sent: Any) -> tuple[int, int] | None:
    """Two weights from the browser in hundredths, None if they are not inside the triangle."""
    if not isinstance(sent, list | tuple) or len(sent) != 3 or not components.is_number(sent[2], components.MAX_TIME):
        return None
    if not all(components.is_count(weight, WHOLE + 1) for weight in sent[:2]) or sum(sent[:2]) > WHOLE:
        return None
    return sent[0], sent[1]
