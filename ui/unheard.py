"""Values that the browser may not have heard of.

Streamlit tells the browser once what the server has set a control to; the next run says nothing of it.
The browser makes the controls of a popover when it is opened, by what the last run said, and a click while
the script runs throws away what has not been sent. In both cases it would show the first option or 0, and
send it back as if somebody had chosen it. So a value of a control that is new to the browser is said in
every run, until the browser speaks of the control.
"""

from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

#: The controls that the browser may not know, each with the ids of earlier ones of that name that it does know.
_STATE = "unheard"


def say(key: str, value: Any, remade: bool) -> None:
    """Set a control's value; again and again if the control, or its shape, is new to the browser."""
    st.session_state[key] = value
    heard = _heard()
    if remade or key not in heard:
        _waiting()[key] = heard.get(key, frozenset())


def say_again(key: str) -> None:
    """Set a control's value once more, if the browser may not have it."""
    waiting = _waiting()
    if key not in waiting:
        return
    heard = _heard()
    for name in [name for name, before in waiting.items() if heard.get(name, before) - before]:
        del waiting[name]
    if key in waiting:
        st.session_state[key] = st.session_state[key]


def _waiting() -> dict[str, frozenset[str]]:
    return st.session_state.setdefault(_STATE, {})


def _heard() -> dict[str, frozenset[str]]:
    """The ids of the controls that the browser's last message speaks of, by their keys."""
    context = get_script_run_ctx()
    ids = [state.id for state in context.session_state.get_widget_states()] if context else []
    found: dict[str, frozenset[str]] = {}
    for name in ids:
        key = name.split("-", maxsplit=2)[-1]  # an id ends with the key
        found[key] = found.get(key, frozenset()) | {name}
    return found
