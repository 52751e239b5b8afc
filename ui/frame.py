"""The frame of a page: its one-line header, its doors to other pages, its explanation at the end."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from dasksvd.common.language import say
from ui import links, navigation, sidebar, wishes
from ui.components import charts
from ui.panels import share
from ui.state import View

#: Set by the app before it runs a page.
IN_APP = "in_app"
_TOOLS = "page_tools_place"


def enter() -> None:
    """Tell the page that comes next that the whole app is around it."""
    st.session_state[IN_APP] = True


def begin(title: str | Callable[[View], str], claim: str, controls: Sequence[str] = sidebar.ALL) -> View:
    """Start a page with its title and the sentence it stands for; return what its controls say.

    Parameters
    ----------
    title : str or callable(view)
        A callable if it depends on what the page looks at.
    claim : str
        What the page shows, in one sentence that fits beside the title.
    controls : sequence of str
        Those of :data:`ui.sidebar.ALL` that act on this page; no others are shown.
    """
    if not st.session_state.pop(IN_APP, False):
        # A fresh server answers a link to a page by running the page alone; once it knows of
        # the navigation it runs the whole app.
        navigation.build()
        st.rerun()
    head = st.container(key="page_head", horizontal=True, vertical_alignment="bottom", gap="small")
    view = sidebar.show(controls)
    with head:
        st.title(title if isinstance(title, str) else title(view), anchor=False, width="content")
        st.markdown(claim, width="content")
        share.button()
        st.session_state[_TOOLS] = None if charts.on_phone() else _room_for_tools()
    return view


def tools() -> Any:
    """Room for what can be taken home: at the end of the header's line, on a phone where the page asks for it."""
    if st.session_state[_TOOLS] is None:
        st.session_state[_TOOLS] = _room_for_tools()
    return st.session_state[_TOOLS]


def _room_for_tools() -> Any:
    return st.container(key="page_tools", horizontal=True, gap="small", width="content")


def beside(left: float = 1, right: float = 1, key: str = "", **options: Any) -> Sequence:
    """Two columns: what is set and what it changes, or a figure and its details; one below the other on a phone."""
    with st.container(key=key or None):
        return st.columns([left, right], gap="medium", **options)


def more(label: str = "", *, place: Any = st, key: str | None = None, **options: Any) -> Any:
    """A popover for controls that most visitors do not need."""
    return place.popover(label or say("More"), key=key, **{"icon": ":material/tune:", "type": "tertiary"} | options)


def door(label: str, page: str, *, key: str, values: dict[str, str] | None = None, place: Any = st, **options: Any):
    """A button that opens a page.

    Parameters
    ----------
    page : str
        Its name in :data:`ui.navigation.PAGES`.
    values : dict, optional
        Controls of that page by name, and the texts that a link would give them.
    options
        For ``st.button``, such as ``icon`` or ``help``.
    """
    if wishes.hides_page(page):
        return
    if place.button(label, key=key, **options):
        go(page, values)


def go(page: str, values: dict[str, str] | None = None) -> None:
    """Open a page with some of its controls set, as a link would."""
    for name, text in (values or {}).items():
        links.put(name, text)
    st.switch_page(navigation.PAGES[page].value, query_params=links.leave())


def about(text: str) -> None:
    """What one is looking at, at the end of a page."""
    with st.container(key="about"), st.expander(say("What am I looking at?")):
        st.markdown(text)
