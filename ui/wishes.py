"""What a lecturer's link asks of the pages: things to hide, values to fix, larger type.

``hide`` names controls by their keys, pages with a slash before them, or one of :data:`PARTS`; ``fix`` names controls
whose values cannot be changed. Both stand in the address of every page that is opened from there.
"""

import re
from dataclasses import dataclass

import streamlit as st

from dasksvd.common.language import phrase
from ui import kinds, links, navigation

HIDE, FIX, PRESENT = links.WISHES
#: Names that a link can have.
MOST = 60
#: Larger pieces of every page: what they are called, and how CSS finds them.
PARTS = {
    "pages": (phrase("The list of pages"), '[data-testid="stSidebarNav"]'),
    "sidebar": (phrase("The whole sidebar"), ':is([data-testid="stSidebar"], [data-testid="stExpandSidebarButton"])'),
    "about": (phrase("Explanations at the end"), ".st-key-about"),
    "share": (phrase("The button Share"), ".st-key-share"),
}
PAGE = "/"
_NAME = re.compile(r"/?[A-Za-z_]\w*")
#: Larger type, and no sidebar: its controls stand on the page.
_PRESENTED = """
html { font-size: 20px !important; }
.stApp :is([data-testid="stSidebar"], [data-testid="stExpandSidebarButton"]) { display: none; }
.stApp .st-key-page_head { padding-left: 0 !important; }
"""


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError(text)
    return text


NAMES = kinds.many(kinds.Kind(_name), MOST)


@dataclass(frozen=True)
class Wishes:
    """What a link asks for.

    Attributes
    ----------
    hidden, fixed : tuple of str
        Names, see the module.
    presents : bool
        Whether the page is for a lecture's screen.
    """

    hidden: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    presents: bool = False


def current() -> Wishes:
    """What the address asks for."""
    return Wishes(
        tuple(links.look_up(HIDE, NAMES, [])),
        tuple(links.look_up(FIX, NAMES, [])),
        links.look_up(PRESENT, kinds.SWITCH, False),
    )


def apply() -> None:
    """Keep the wishes in the address, fix what is to be fixed, and hide what is to be hidden."""
    hidden, fixed = (links.take(name, NAMES, []) for name in (HIDE, FIX))
    presents = links.take(PRESENT, kinds.SWITCH, False)
    for name, value in ((HIDE, hidden), (FIX, fixed)):
        links.note(name, NAMES, value, [], everywhere=True)
    links.note(PRESENT, kinds.SWITCH, presents, False, everywhere=True)
    links.fix(fixed)
    rules = rules_for(Wishes(tuple(hidden), tuple(fixed), presents))
    if rules:
        st.html(f"<style>{rules}</style>")


def rules_for(wishes: Wishes) -> str:
    """CSS that makes the wishes come true; a name is letters, digits and _, so nothing else gets into it."""
    found = [f".stApp {_found_by(name)} {{ display: none !important; }}" for name in wishes.hidden]
    return "\n".join([*found, *([_PRESENTED] if wishes.presents else [])])


def _found_by(name: str) -> str:
    if name in PARTS:
        return PARTS[name][1]
    if name.startswith(PAGE):
        return f'[data-testid="stSidebarNavItems"] li:has(a[href$="/{_path(name[1:])}"])'
    return f".st-key-{name}"


def _path(page: str) -> str:
    return navigation.path(page) if page in navigation.PAGES else page


def hides_page(name: str) -> bool:
    """Whether doors to a page are closed."""
    return f"{PAGE}{name}" in current().hidden
