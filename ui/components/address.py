"""The browser's side of the address, which also learns what has happened on the page."""

from collections.abc import Sequence
from typing import Any

from dasksvd.common import language
from ui import components, navigation

_component = components.declare("address", "address_files", "address")


def show(
    place: str, told: Sequence[dict[str, Any]], *, page: str, search: str = "", entered: str = "", **numbers: Any
) -> None:
    """Give the browser an address, and something to tell the other components.

    Parameters
    ----------
    place : str
        Differs between copies of this component.
    told : sequence of dict
        Each becomes an event ``page-told``.
    page, search, entered : str
        The page, what its address says, and what it said when the page was opened.
    numbers
        ``stamp``: the browser believes the copy with the largest one; without one the address stays as it is.
        ``mended``: whether this address replaces the one that was read.
    """
    data = {"page": page, "search": search, "entered": entered, "stamp": 0, "mended": False} | numbers
    data |= {"language": language.current(), "pages": tuple(map(navigation.path, navigation.PAGES))}
    _component(key=f"address_{place}", data=data | {"told": tuple(told)})
