"""Components from files that lie side by side."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
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


def inside(place: Any) -> AbstractContextManager:
    """What puts elements into a container, or where the page stands if there is none."""
    return place if place is not None else nullcontext()
