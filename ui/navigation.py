"""The list of pages: one line each, in the order of the sidebar; the first one opens."""

from collections.abc import Callable

import streamlit as st

from dasksvd.common.registry import Registry

#: Each page is a file or a function; its name stands in links.
PAGES: Registry[str | Callable[[], None]] = Registry("page")
#: Decorates a page that is a function.
register = PAGES.register


def register_file(name: str, *, title: str) -> None:
    """Register the page of the file ``pages/NAME.py``."""
    register(name, title=title)(f"pages/{name}.py")


register_file("overview", title="Overview")
register_file("train", title="Train")
register_file("atoms", title="Atoms")
register_file("measures", title="Measures")
register_file("grid_search", title="Grid search")
register_file("accuracy", title="Accuracy")
register_file("draw", title="Draw")
register_file("runs", title="Runs")


def build():
    """Declare the pages; return the one to run."""
    # Off in the configuration: until now there was only Streamlit's own list, of file names.
    st.set_option("client.showSidebarNavigation", True)
    return st.navigation(
        [
            st.Page(page.value, title=page.title, url_path=page.name, default=page.name == first())
            for page in PAGES.entries()
        ]
    )


def first() -> str:
    """The name of the page that opens at the server's address."""
    return next(iter(PAGES))


def path(name: str) -> str:
    """Where a page is found behind the server's address."""
    return "" if name == first() else name


def name(page) -> str:
    """What a page is called in links."""
    return page.url_path or first()
