"""The measured results: read once, and shown as tables with their command and their file."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from reproduce import report
from ui import links


@st.cache_resource
def rows(table: str) -> list[report.Row]:
    """All rows of a measured table."""
    return report.rows(table)


@st.cache_resource
def command(table: str) -> str:
    """The command that measures a table."""
    return report.command(table)


@st.cache_resource
def compare(table: str, method: str, hidden: int, classifier: str) -> report.Comparison | None:
    """DAS-KSVD against another method with the same network in the same rounds; None if either is missing."""
    return report.compare(table, "das-ksvd", method, hidden, classifier)


def percent(row: report.Row) -> str:
    """Mean and standard deviation of a row."""
    return f"{report.spread(row)} %"


def tabs(*names: str) -> Sequence:
    """Tabs of which the open one stands in links, in small letters."""
    kind = links.named({name: name.lower() for name in names})
    links.prepare("tab", kind, names[0], names.__contains__)
    found = st.tabs(names, key="tab", on_change="rerun")
    links.note("tab", kind, st.session_state["tab"], names[0])
    return found


def table(lines: list[dict], key: str, command: str, shorter: pd.DataFrame | None = None) -> None:
    """A table with its command and its file; the file has all lines even where a shorter table is shown."""
    frame = pd.DataFrame(lines)
    # Rounds may differ while a reproduction is on its way: one column for the best.
    best = [name for name in frame.columns if name.startswith("ours, best of ")]
    if len(best) > 1:
        frame["ours, best"] = frame[best].bfill(axis=1).iloc[:, 0]
        frame = frame.drop(columns=best)
    draw_table(frame if shorter is None else shorter)
    left, right = st.columns([3, 1], vertical_alignment="center")
    left.code(command, language=None)  # the colours of a shell's words are too pale
    right.download_button(
        "Table · CSV",
        lambda: frame.to_csv(index=False),
        f"das-ksvd-{key}.csv",
        "text/csv",
        key=f"csv_{key}",
        on_click="ignore",
        width="stretch",
    )


def draw_table(frame: pd.DataFrame) -> None:
    """Show a table."""
    # No line break between a mean and its spread.
    shown = frame.replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}", regex=True)
    st.table(shown.set_index(shown.columns[0]))
