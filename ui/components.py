"""Components from files that lie side by side."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import streamlit as st


def declare(name: str, folder: str, stem: str, shared_css: str = "") -> Callable:
    """A component whose HTML, CSS and JavaScript are ``ui/folder/stem.*``.

    Parameters
    ----------
    shared_css : str
        A file of the same folder with rules for several components.
    """
    files = Path(__file__).parent / folder
    parts = {kind: (files / f"{stem}.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")}
    if shared_css:
        parts["css"] = (files / shared_css).read_text(encoding="utf-8") + parts["css"]
    return st.components.v2.component(name, **parts)


def show_figure(
    component: Callable, key: str, data: dict[str, Any], place: Any, on_pick: Callable[[], None] = lambda: None
) -> None:
    """Put a figure on the page; ``on_pick`` is called when something in it was picked.

    Streamlit looks for tables in lists, and loads pandas to know one; in tuples it does not.
    The first page would come half a second later.
    """
    plain = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    with nullcontext() if place is None else place:
        component(key=key, data=plain, on_picked_change=on_pick)
