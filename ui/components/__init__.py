"""Components made of HTML, CSS and JavaScript files."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from ui.components import words

#: More pictures in a row, or spots in a plot, than there ever are.
MANY = 10**6
#: Milliseconds since 1970, as browsers count them exactly.
MAX_TIME = 2**53
#: The visitor's language, before each component's own script, whose default export it calls.
_LANGUAGE = (Path(__file__).parent / "words.js").read_text(encoding="utf-8")


def declare(name: str, folder: str, stem: str, shared_css: str = "", shared_js: str | tuple[str, ...] = ()) -> Callable:
    """A component whose HTML, CSS and JavaScript are ``ui/components/folder/stem.*``.

    Parameters
    ----------
    shared_css, shared_js : str
        Files of the same folder with rules and functions for several components.
    """
    files = Path(__file__).parent / folder
    parts = {kind: (files / f"{stem}.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")}
    if shared_css:
        parts["css"] = (files / shared_css).read_text(encoding="utf-8") + parts["css"]
    shared = (shared_js,) if isinstance(shared_js, str) else shared_js
    parts["js"] = "".join((files / name).read_text(encoding="utf-8") for name in shared) + parts["js"]
    keys = words.in_html(parts["html"]) + words.in_script(parts["js"])
    parts["js"] = _LANGUAGE + parts["js"].replace("export default function", "function shown", 1)
    mount = st.components.v2.component(name, **parts)

    def show(*, data: dict[str, Any], **options: Any) -> Any:
        return mount(data=data | words.told(keys), **options)

    return show


def show_figure(
    component: Callable, key: str, data: dict[str, Any], place: Any, on_pick: Callable[[], None] = lambda: None
) -> None:
    """Put a figure on the page; ``on_pick`` is called when something in it was picked."""
    with nullcontext() if place is None else place:
        component(key=key, data=as_data(data), on_picked_change=on_pick)


def as_data(value: Any) -> Any:
    """A figure as mappings and tuples, which share its numbers and texts: much faster than ``asdict``, which copies.

    Streamlit looks for tables in lists, and loads pandas to know one; in tuples it does not.  The first page would come
    half a second later.
    """
    if isinstance(value, str | float | int | None):
        return value
    if is_dataclass(value):
        return {name: as_data(part) for name, part in vars(value).items()}
    if isinstance(value, list | tuple):
        return tuple([as_data(part) for part in value])
    return {name: as_data(part) for name, part in value.items()} if isinstance(value, dict) else value


def newly_picked(key: str, count: int, name: str = "picked") -> tuple[int, ...] | None:
    """The ``count`` numbers picked in a figure since the last call, None if nothing was picked.

    A figure goes on sending what was picked last, also when a link or Back has chosen something else; behind the
    numbers stands the time of the click.  A figure in which more than one thing can be picked sends each by its
    ``name``.
    """
    sent = sent_by(key, name)
    seen = f"{key}_{name}_seen"
    if sent is None or repr(sent) == st.session_state.get(seen):
        return None
    st.session_state[seen] = repr(sent)
    if not isinstance(sent, list | tuple) or len(sent) != count + 1 or not is_number(sent[-1], MAX_TIME):
        return None
    return tuple(sent[:count]) if all(is_count(part, MANY) for part in sent[:count]) else None


def sent_by(key: str, name: str) -> Any:
    """What the browser has sent as a component's state, unchecked; None if there is nothing."""
    state = st.session_state.get(key)
    return state.get(name) if isinstance(state, Mapping) else None


def is_count(value: Any, below: int) -> bool:
    """Whether a value from the browser is a whole number from 0 and below a limit; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below


def is_number(value: Any, most: float) -> bool:
    """Whether a value from the browser is a finite number within ± ``most``."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -most <= value <= most
