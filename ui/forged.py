"""Widget values that no page of ours has sent: the default takes their place.

Streamlit turns what a browser sends into values before any page runs.  A choice of a wrong type, an
index out of range, a number of a million digits or lists nested a thousand deep raise there, and the
visitor gets the error page until the tab is closed.
"""

import logging
from typing import Any

from streamlit.runtime.state.session_state import Serialized, Value, WStates

log = logging.getLogger(__name__)

#: Lists, objects and commas in a component's state; a drawing of as many points as are read has fewer.
MAX_PARTS = 20_000


def replace_by_default() -> None:
    """Let every widget whose value cannot be read have its default; once for the whole server."""
    if getattr(WStates.__getitem__, "forgives", False):
        return
    read = WStates.__getitem__

    def forgiving(self: WStates, key: str) -> Any:
        if key not in self.states or key not in self.widget_metadata:
            return read(self, key)  # no value, or no widget for it yet: Streamlit knows what to do
        try:
            _check_size(self.states[key])
            return read(self, key)
        except Exception as error:
            log.warning("A browser sent a value that cannot be read (%s).", type(error).__name__)
            # None is what a widget gets that has not been touched.
            default = self.widget_metadata[key].deserializer(None)
            self.states[key] = Value(default)
            return default

    forgiving.forgives = True
    WStates.__getitem__ = forgiving


def _check_size(state: Value | Serialized) -> None:
    """Refuse text of a component that would take long to take apart."""
    if not isinstance(state, Serialized):
        return
    kind = state.value.WhichOneof("value")
    if kind in ("json_value", "json_trigger_value"):
        text = getattr(state.value, kind)
        if sum(map(text.count, "[{,")) > MAX_PARTS:
            raise ValueError("too many parts")
