"""The measured results: read once, and shown as tables with their command and their file."""

import copy
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from dasksvd.common.language import say
from reproduce import report
from ui import links

_GLUE = str.maketrans({" ": "\N{NO-BREAK SPACE}", "-": "\N{NON-BREAKING HYPHEN}"})


class Tab(NamedTuple):
    """What a tab shows, what it does while another is open, so that links keep its controls, and its name there."""

    show: Callable[[], None]
    keep: Callable[[], None] = lambda: None
    link: str = ""


class Cell(NamedTuple):
    """A number of a table, and how it is written."""

    value: float
    text: str


def _find_open_tab(tabs: Mapping[str, Tab]) -> str:
    names = [say(name) for name in tabs]
    kind = links.named({say(name): tab.link or name.lower() for name, tab in tabs.items()})
    links.prepare("tab", kind, names[0], names.__contains__)
    links.note("tab", kind, st.session_state["tab"], names[0])
    return st.session_state["tab"]


def show_open_tab(above: Callable[[], None], tabs: Mapping[str, Tab]) -> None:
    """Tabs of which only the open one is drawn; its name stands in links, in small letters or as it says.

    Parameters
    ----------
    above : callable
        Draws what stands above the tabs; which of them is open is known by then, to links and lessons too.
    tabs : mapping
    """
    said = {say(name): tab for name, tab in tabs.items()}
    chosen = _find_open_tab(tabs)
    above()
    places = st.tabs(list(said), key="tab", on_change="rerun")
    for (name, tab), place in zip(said.items(), places, strict=True):
        if name == chosen:
            with place:
                tab.show()
        else:
            tab.keep()


def spread(row: report.Row | None) -> Cell:
    """Mean and standard deviation in percent."""
    return Cell(math.nan if row is None else 100 * row.ours.mean, report.spread(row))


def table(lines: Sequence[Mapping], key: str) -> None:
    """A table whose numbers stand at the right, and in which no cell is broken into lines.

    Parameters
    ----------
    lines : sequence of mapping
        Column -> text, number or :class:`Cell`.
    key : str
    """
    # A copy: what Streamlit computes in it while it is shown must not meet another visitor's.
    lines = [{say(name): cell for name, cell in line.items()} for line in lines]
    written = copy.deepcopy(_styled(repr(lines), lines))
    with st.container(key=f"table_{key}"):
        st.table(written, border="horizontal", hide_index=True, width="content")


@st.cache_resource(max_entries=64, show_spinner=False)
def _styled(content: str, _lines: Sequence[Mapping]) -> Styler:
    """Lines as a table; each cell's text is set by itself, which takes pandas long."""
    names = [name.translate(_GLUE) for name in _lines[0]]
    cells = [[cell if isinstance(cell, Cell) else Cell(cell, str(cell)) for cell in line.values()] for line in _lines]
    frame = pd.DataFrame([[cell.value for cell in line] for line in cells], columns=names)
    written = frame.style
    for number, line in enumerate(cells):
        for name, cell in zip(names, line, strict=True):
            written = written.format(
                _written(cell.text), subset=pd.IndexSlice[[number], [name]], na_rep=cell.text.translate(_GLUE)
            )
    return written


def _written(text: str) -> Callable[[object], str]:
    return lambda value: text.translate(_GLUE)


def origin(lines: Sequence[Mapping], key: str, command: str) -> None:
    """The command that measured something, and all its numbers as a file."""
    left, right = st.columns([3, 1], vertical_alignment="center")
    left.code(command, language=None)  # the colours of a shell's words are too pale
    right.download_button(
        say("All numbers · CSV"),
        lambda: pd.DataFrame(lines).to_csv(index=False),
        f"das-ksvd-{key}.csv",
        "text/csv",
        key=f"csv_{key}",
        on_click="ignore",
        width="stretch",
    )
