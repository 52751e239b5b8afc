"""What the browser remembers of lessons: how far one is, kept on the visitor's own machine only."""

from collections.abc import Callable
from typing import Any

from ui import components

KEY = "lesson_memory"
#: Letters that are looked at; a browser may send anything.
MOST = 5000
_component = components.declare("lesson_memory", "lesson_files", "memory", shared_js="kept.js")


def show(known: dict[str, Any], on_found: Callable[[str], None]) -> None:
    """Tell the browser what is known, and take over what it knows from earlier visits."""

    def take() -> None:
        sent = components.sent_by(KEY, "found")
        if isinstance(sent, str) and len(sent) <= MOST:
            on_found(sent)

    _component(key=KEY, data=known, on_found_change=take)
