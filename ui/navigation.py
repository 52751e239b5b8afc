"""The list of pages: one line each, in the order of the sidebar; the first one opens."""

import re
from collections.abc import Callable

import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.common.registry import Entry, Registry
from ui import lecturer

#: Each page is a file or a function; its name stands in links.
PAGES: Registry[str | Callable[[], None]] = Registry("page")
#: Decorates a page that is a function; ``group`` and ``icon`` (a name of Material Symbols)
#: say where and how the sidebar shows it.
register = PAGES.register
#: Where a page stands that names no group of its own.
OTHERS = phrase("More")


def register_file(name: str, *, title: str, group: str, icon: str) -> None:
    """Register the page of the file ``pages/NAME.py``."""
    register(name, title=title, group=group, icon=icon)(f"pages/{name}.py")


register_file("overview", title=phrase("Overview"), group=phrase("Learn"), icon="home")
register_file("draw", title=phrase("Draw"), group=phrase("Learn"), icon="draw")
register_file("steps", title=phrase("Step by step"), group=phrase("Learn"), icon="footprint")
register_file("lessons", title=phrase("Lessons"), group=phrase("Learn"), icon="school")
if lecturer.has_wall():
    register_file("wall", title=phrase("Class's wall"), group=phrase("Learn"), icon="present_to_all")
register_file("train", title=phrase("Train"), group=phrase("Experiment"), icon="model_training")
register_file("runs", title=phrase("Runs"), group=phrase("Experiment"), icon="table_rows")
register_file("grid_search", title=phrase("Grid search"), group=phrase("Experiment"), icon="grid_on")
register_file("atoms", title=phrase("Atoms"), group=phrase("Understand"), icon="apps")
register_file("measures", title=phrase("Measures"), group=phrase("Understand"), icon="bar_chart")
register_file("accuracy", title=phrase("Accuracy"), group=phrase("Understand"), icon="fact_check")


def build():
    """Declare the pages, group by group; return the one to run.

    The groups are drawn by :func:`rules`: Streamlit's own are lists that screen readers cannot follow.
    """
    # Off in the configuration: until now there was only Streamlit's own list, of file names.
    st.set_option("client.showSidebarNavigation", True)
    pages = [
        st.Page(page.value, title=say(page.title), url_path=page.name, default=page.name == first())
        for group in groups().values()
        for page in group
    ]
    return st.navigation(pages, expanded=True)


def groups() -> dict[str, list[Entry]]:
    """The pages of each group, in the order of the sidebar."""
    found: dict[str, list[Entry]] = {}
    for page in PAGES.entries():
        found.setdefault(page.facts.get("group", OTHERS), []).append(page)
    return found


def rules() -> str:
    """CSS that puts its icon before each page's name, and its name above each group.

    Given to Streamlit, an icon would also become the tab's, and the browser would ask an outside host for it.
    """
    found = []
    for group, pages in groups().items():
        for number, page in enumerate(pages):
            link = f'a[href$="/{path(page.name)}"]'
            found.append(_before(link, page.facts.get("icon", "extension"), '/ ""'))
            if number == 0:
                found.append(_before(f"li:has({link})", say(group)))
    return "\n".join(found)


def _before(element: str, text: str, spoken: str = "") -> str:
    """A rule for what stands before an element of the navigation; only words, nothing else that CSS could read."""
    words = re.sub(r"[^\w ]", "", text)
    return f'.stApp [data-testid="stSidebarNavItems"] {element}::before {{ content: "{words}" {spoken}; }}'


def first() -> str:
    """The name of the page that opens at the server's address."""
    return next(iter(PAGES))


def path(name: str) -> str:
    """Where a page is found behind the server's address."""
    return "" if name == first() else name


def name(page) -> str:
    """What a page is called in links."""
    return page.url_path or first()
