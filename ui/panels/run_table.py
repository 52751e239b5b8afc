"""All runs as a table, numbers as numbers, whose rows can be picked."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dasksvd.datasets.description import Description
from dasksvd.parameters import TABLE
from dasksvd.runs.store import Listed
from dasksvd.statistics import share_half_width
from ui import cache, links
from ui.components import charts
from ui.controls import run_names, run_picks
from ui.panels import compare

#: Parameters in the table.
SHOWN = [row for row in TABLE.values() if row.place != "none"]
#: Pixels of a row, and rows shown without scrolling: what is picked is seen below them.
ROW, ROWS = 35, 5
#: Pixels of the column with a setting, of that with the marks, and of all columns on a lecture's screen.
SETTING, MARKS, ROOM = 60, 33, 950
#: The columns in their order, and how they are shown.
#: Their widths are set, so that it is known which of them are seen.
COLUMNS: dict[str, Any] = {
    "name": st.column_config.TextColumn(width=160, pinned=True),
    "state": st.column_config.TextColumn(width=70),
    "accuracy": st.column_config.NumberColumn("accuracy (%)", format="%.1f", width=94),
    "±": st.column_config.NumberColumn(
        format="%.1f",
        help="Half of the accuracy's 95 % interval, for so many images. Another seed moves it, too.",
        width=44,
    ),
    "measured on": st.column_config.TextColumn(
        help="What the accuracy was measured on: never the test images.", width=118
    ),
    "done": st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1, width=72),
    "created": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm", width=122),
    "data": st.column_config.TextColumn(help="What it learns from.", width=64),
}
SETTINGS = {compare.title(row.name): st.column_config.Column(help=row.meaning, width=SETTING) for row in SHOWN}
PINNED = {"pinned": st.column_config.CheckboxColumn(help="A pinned run cannot be deleted.", width=SETTING)}
#: What stands where there is nothing to tell.
NOTHING = "–"


def show(lines: Sequence[Listed], find: str) -> None:
    """The runs of the store among the shipped ones, as far as they have the words that are looked for."""
    rows = cache.among_shipped({line.run.id: _row(line) for line in lines}, _shipped)
    found = {run_id: row for run_id, row in rows.items() if matches(find, run_id, row)}
    if not found:
        st.info("No run has all of these words.")
        return
    columns = COLUMNS | SETTINGS | PINNED
    frame = pd.DataFrame(list(found.values()), columns=list(columns))
    order = seen_columns(frame)
    with st.container(key="table", gap=None):
        draw = partial(
            st.dataframe,
            frame,
            hide_index=True,
            column_config=columns,
            column_order=order,
            height=ROW * (1 + min(len(frame), ROWS)) + 3,
            placeholder=NOTHING,
            alt="All runs, one in a row",
        )
        run_picks.table(draw, list(found), key="table_rows")
    if charts.on_phone() or MARKS + sum(columns[name]["width"] for name in order) > ROOM:
        st.caption("On a small screen not all columns fit: scroll the table sideways.")


def seen_columns(frame: pd.DataFrame) -> list[str]:
    """The columns to be shown: of the settings only those in which the runs differ."""
    differ = [name for name in SETTINGS if frame[name].nunique(dropna=False) > 1]
    return [*COLUMNS, *differ, *PINNED]


def find_words() -> str:
    """A box for words that runs are looked up by."""
    return links.draw(
        st.text_input,
        "Find runs",
        key="find",
        kind=links.WORD,
        default="",
        max_chars=80,
        placeholder="Find by name, data, state or id",
        label_visibility="collapsed",
        width=250,
    )


def matches(find: str, run_id: str, row: Mapping[str, Any]) -> bool:
    """Whether a row has all the words that are looked for, in whatever case."""
    text = " ".join([run_id, *(cell for cell in row.values() if isinstance(cell, str))]).casefold()
    return all(word in text for word in find.casefold().split())


def _shipped(run_id: str) -> dict[str, Any]:
    what = cache.description(run_id)
    fixed = {"name": cache.SHIPPED_NAMES[run_id], "state": "shipped", "pinned": True}
    return fixed | _described(run_id, what, what.settings.I)


def _row(line: Listed) -> dict[str, Any]:
    """Cells of a run of the store."""
    row = {"name": run_names.name(line), "pinned": line.about.pinned}
    if line.about.created:
        row["created"] = datetime.fromtimestamp(line.about.created)
    if line.description is None:
        return row | {"state": f"damaged: {line.problem}"}
    return row | {"state": cache.state(line)} | _described(line.run.id, line.description, line.run.n_finished())


def _described(run_id: str, what: Description, done: int) -> dict[str, Any]:
    """Cells of a run that can be read."""
    found = compare.accuracy(run_id)
    row: dict[str, Any] = {"done": done / what.settings.I, "data": what.data}
    if found is not None:
        row |= {"accuracy": 100 * found[0], "±": _half_width(found[0], found[2]), "measured on": found[1]}
    return row | {compare.title(row.name): compare.shown(row, what) for row in SHOWN}


def _half_width(accuracy: float, n: int) -> float | None:
    """In percent; none for numbers that cannot be, in a file that someone has changed."""
    return 100 * share_half_width(accuracy, n) if 0 <= accuracy <= 1 <= n else None
