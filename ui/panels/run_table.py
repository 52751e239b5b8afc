"""All runs as a table, numbers as numbers: found by words and comparisons, picked by rows, edited in place."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dasksvd.common.language import phrase, say
from ui import links
from ui.components import charts
from ui.controls import run_edits, run_picks
from ui.panels import run_rows
from ui.panels.run_rows import READING, SHOWN, Rows

#: Pixels of a row, and rows shown without scrolling: what is picked is seen below them.
ROW, ROWS = 35, 4
#: Pixels of the column with a setting, of that with the marks, and of all columns on a lecture's screen.
SETTING, MARKS, ROOM = 60, 33, 950
#: The columns that every table has, in their order, and how they are shown.
#: Their widths are set, so that it is known which of them are seen.
COLUMNS: dict[str, Any] = {
    "name": st.column_config.TextColumn(width=160, pinned=True),
    "best": st.column_config.TextColumn(
        "★",
        width=34,
        help=phrase("The highest accuracy among these runs on the same data. Others may be as good: look at ±."),
    ),
    "state": st.column_config.TextColumn(width=70),
    "accuracy": st.column_config.NumberColumn("accuracy (%)", format="%.1f", width=94),
    "±": st.column_config.NumberColumn(
        format="%.1f",
        help=phrase("Half of the accuracy's 95 % interval, for so many images. Another seed moves it, too."),
        width=44,
    ),
    "measured on": st.column_config.TextColumn(
        help=phrase("What the accuracy was measured on: never the test images."), width=118
    ),
    "done": st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1, width=72),
    "created": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm", width=122),
    "data": st.column_config.TextColumn(help=phrase("What it learns from."), width=64),
}
#: What people say of a run: in the table as soon as somebody has said it.
SAID: dict[str, Any] = {
    "group": st.column_config.TextColumn(width=90),
    "tags": st.column_config.TextColumn(width=110, help=phrase("Words with commas between them.")),
    "note": st.column_config.TextColumn(width=160),
}
SETTINGS = {run_rows.title(row.name): st.column_config.Column(help=row.meaning, width=SETTING) for row in SHOWN}
READ = {words: st.column_config.Column(width=84) for words in READING.values()} | {
    "weights": st.column_config.NumberColumn(width=74, help=phrase("Weights of the network.")),
    "seconds to read": st.column_config.NumberColumn(
        width=84, format="%.1f", help=phrase("To code the images and train the network.")
    ),
}
PINNED = {"pinned": st.column_config.CheckboxColumn(help=phrase("A pinned run cannot be deleted."), width=SETTING)}
ALL = COLUMNS | SAID | SETTINGS | READ | PINNED
#: What stands where there is nothing to tell.
NOTHING = "–"
#: Columns that can be chosen: all but the name.
CHOICE = [name for name in ALL if name != "name"]
USUAL = [name for name in (*COLUMNS, *SETTINGS, *PINNED) if name != "name"]


def show(rows: Rows) -> None:
    """The table of some runs; rows are picked, or edited where they stand."""
    frame = as_frame(rows)
    order = chosen_columns(frame)
    if run_edits.is_on():
        _edit(frame, order, list(rows))
        return
    with st.container(key="table", gap=None):
        draw = partial(
            st.dataframe,
            frame,
            hide_index=True,
            column_config=columns(),
            column_order=order,
            height=_height(frame),
            placeholder=NOTHING,
            alt=say("All runs, one in a row"),
        )
        run_picks.table(draw, list(rows), key="table_rows")


def columns() -> dict[str, Any]:
    """All columns with their headings and helps in the visitor's language."""
    return {name: _said(name, config) for name, config in ALL.items()}


def _said(name: str, config: Any) -> Any:
    return config | {"label": say(config.get("label") or name), "help": config.get("help") and say(config["help"])}


def is_wide(rows: Rows) -> bool:
    """Whether a lecture's screen cannot show all columns at once."""
    return charts.on_phone() or MARKS + sum(ALL[name]["width"] for name in chosen_columns(as_frame(rows))) > ROOM


def as_frame(rows: Rows) -> pd.DataFrame:
    """Rows as the table shows them: settings in the units of their controls, under their symbols."""
    best = run_rows.best_of(rows)
    units = [(run_rows.title(row.name), row) for row in SHOWN]
    names = [(run_rows.title(name), name) for name in (*READING, "weights", "seconds")]
    made = []
    for run_id, row in rows.items():
        cells = {name: row.get(name) for name in ("name", "state", "accuracy", "±", "done", "data", *SAID)}
        cells |= {"best": "★" if run_id in best else "", "measured on": row.get("measured")}
        cells |= {"created": _date(row.get("created")), "pinned": row["pinned"] == "yes"}
        cells |= {name: run_rows.shown(setting, row.get(setting.name)) for name, setting in units}
        made.append(cells | {words: row.get(name) for words, name in names})
    return pd.DataFrame(made, columns=list(ALL))


def _date(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _height(frame: pd.DataFrame) -> int:
    return ROW * (1 + min(len(frame), ROWS)) + 3


def chosen_columns(frame: pd.DataFrame) -> list[str]:
    """The columns to be shown: of the settings only those in which the runs differ, unless all are wanted."""
    wanted = st.session_state.get("columns", USUAL)
    said = [name for name in SAID if frame[name].notna().any() or run_edits.is_on()]
    differ = [name for name in SETTINGS if frame[name].nunique(dropna=False) > 1]
    only = st.session_state.get("differing", True)
    left_out = {name for name in SETTINGS if only and name not in differ}
    return ["name", *(name for name in CHOICE if (name in wanted or name in said) and name not in left_out)]


def find_words() -> str:
    """A box for words and comparisons that runs are looked up by."""
    return links.draw(
        st.text_input,
        say("Find runs"),
        key="find",
        kind=links.WORD,
        default="",
        max_chars=200,
        placeholder=say("Find: digits, or q < 0.3 and accuracy > 95"),
        label_visibility="collapsed",
        width=300,
    )


def choose_columns() -> tuple[str, bool]:
    """Which columns the table has, and whether it is edited; returns what it is sorted by, and whether upwards."""
    with st.popover(say("Columns"), icon=":material/view_column:", key="choose_columns"):
        links.draw(
            st.toggle,
            say("Of the settings, only those that differ"),
            key="differing",
            kind=links.SWITCH,
            default=True,
        )
        links.draw(
            st.multiselect,
            say("Columns"),
            CHOICE,
            format_func=say,
            key="columns",
            kind=links.many(links.one_of(CHOICE), len(CHOICE)),
            default=USUAL,
            check=lambda chosen: set(chosen) <= set(CHOICE),
        )
        order = _choose_order()
        run_edits.switch()
        st.caption(
            say(
                "Words that a run's name, data, state, tags or note has, and comparisons with < <= > >= = != or ~ "
                "(has). Join them by and, or, not and parentheses. Accuracies are percent; q is a share, so q < 0.3 "
                "is q < 30%. Names: {value}.",
                value=", ".join((*run_rows.COLUMNS.numbers, *run_rows.COLUMNS.texts)),
            )
        )
    return order


def _choose_order() -> tuple[str, bool]:
    """Streamlit sorts the table at a click on a heading, but tells nobody: charts and links need to know."""
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    names = {"": say("nothing: the newest first")} | {name: run_rows.said(name) for name in run_rows.SORTED_BY}
    name = links.choose(
        left.selectbox,
        say("Sort by"),
        names,
        key="sort",
        help=say(
            "For table, charts and link. A click on a heading of the table sorts the table alone, for the moment."
        ),
    )
    ascending = links.draw(
        right.toggle, say("smallest first"), key="ascending", kind=links.SWITCH, default=False, disabled=not name
    )
    return name, ascending


def _edit(frame: pd.DataFrame, order: Sequence[str], ids: Sequence[str]) -> None:
    """The table with what people say of runs to be typed into it."""
    with st.container(key="table", gap=None):
        run_edits.table(frame, order, ids, columns(), _height(frame))
    st.caption(
        say("Type into names, groups, tags and notes. To pick rows again, switch off Columns → Edit in the table.")
    )
