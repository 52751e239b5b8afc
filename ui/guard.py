"""Checks what a browser sends for a control before Streamlit uses it as the control's value.

Streamlit reads a message's values before the first line of a page runs. A value of another type than the
control's, an index out of range, a number of a million digits or lists nested a thousand deep, which only a
forged message has, would end in its error page; here they are ignored.
"""

from typing import Any

from streamlit.runtime.state.session_state import Serialized, WStates, unpack_widget_state_value

#: Files and chats: reading them has effects, and nothing of them is computed with here.
_LEFT_ALONE = ("file_uploader_state_value", "chat_input_value")
_OF_COMPONENTS = ("json_value", "json_trigger_value")
#: Lists, objects and commas in a component's state; a drawing of as many points as are read has fewer.
MAX_PARTS = 20_000


def install() -> None:
    """Check what browsers send from now on; further calls change nothing."""
    if not hasattr(WStates.set_widget_from_proto, "guarded"):
        WStates.set_widget_from_proto = _guarded(WStates.set_widget_from_proto, lambda state: state.id)
        # A control may be new to the server when its value is already there.
        WStates.set_widget_metadata = _guarded(WStates.set_widget_metadata, lambda metadata: metadata.id)


def _guarded(method: Any, id_of: Any) -> Any:
    def wrapped(states: WStates, sent: Any) -> None:
        method(states, sent)
        if not _is_readable(states, id_of(sent)):
            del states.states[id_of(sent)]

    wrapped.guarded = True
    return wrapped


def _is_readable(states: WStates, widget_id: str) -> bool:
    state, metadata = states.states.get(widget_id), states.widget_metadata.get(widget_id)
    if not isinstance(state, Serialized):
        return True
    kind = state.value.WhichOneof("value")
    if kind in _OF_COMPONENTS and sum(map(getattr(state.value, kind).count, "[{,")) > MAX_PARTS:
        return False  # it would take long to take apart
    if metadata is None or kind is None or kind in _LEFT_ALONE:
        return True
    if kind != metadata.value_type:
        return False
    try:
        metadata.deserializer(unpack_widget_state_value(state.value))
    except Exception:  # whatever a control of Streamlit's does with what it cannot read
        return False
    return True
