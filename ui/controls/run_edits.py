"""What people say of runs, typed into the table of runs itself: name, group, tags and note."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from dasksvd.common.language import say
from dasksvd.errors import ParameterError, StoreError
from dasksvd.runs.store import Store
from ui import cache, texts

KEY = "editing"
#: The columns that can be typed into.
EDITED = ("name", "group", "tags", "note")
_PROBLEM = "edit_problem"


def is_on() -> bool:
    """Whether the table is being edited; then its rows cannot be picked."""
    return bool(st.session_state.get(KEY, False))


def switch() -> None:
    """The control that begins and ends it."""
    st.toggle(say("Edit in the table"), key=KEY, help=say("Type names, groups, tags and notes into the table's cells."))


def table(
    frame: pd.DataFrame, order: Sequence[str], ids: Sequence[str], columns: Mapping[str, Any], height: int
) -> None:
    """The table whose cells can be typed into.

    Parameters
    ----------
    frame : DataFrame
    order : sequence of str
        Its columns that are shown.
    ids : sequence of str
        The runs of its rows.
    columns : mapping
        How they are shown.
    height : int
    """
    # A table of other runs is another one: what was typed belongs to its row.
    key = f"edit_{abs(hash(tuple(ids)))}"
    st.data_editor(
        frame,
        key=key,
        hide_index=True,
        column_config=dict(columns),
        column_order=list(order),
        disabled=[name for name in order if name not in EDITED],
        height=height,
        num_rows="fixed",
        on_change=lambda: _take(key, ids),
    )
    if _PROBLEM in st.session_state:
        st.error(texts.sentence(st.session_state.pop(_PROBLEM)))


def _take(key: str, ids: Sequence[str]) -> None:
    edits = st.session_state[key].get("edited_rows", {})
    try:
        write(cache.store(), ids, edits)
    except (ParameterError, StoreError) as error:
        st.session_state[_PROBLEM] = str(error)


def write(store: Store, ids: Sequence[str], edits: Mapping[Any, Mapping[str, Any]]) -> None:
    """Keep what was typed, row by row; what the store has already is left alone, as the browser sends all of it again.

    Parameters
    ----------
    edits : mapping of int to mapping of str to str
        From places of rows to columns and what stands in them now.
    """
    for place, cells in edits.items():
        if not 0 <= int(place) < len(ids):
            continue
        run_id, said = ids[int(place)], {name: str(cells[name] or "") for name in EDITED if name in cells}
        if run_id in cache.SHIPPED_NAMES:
            raise StoreError(say("a shipped run cannot be changed; copy its settings on the Train page"))
        if not said:
            continue
        about = store.run(run_id).about
        if said.get("name", about.name) != about.name:
            store.rename(run_id, said["name"])
        now = {"group": about.group, "tags": ", ".join(about.tags), "note": about.note}
        new = {name: text for name, text in said.items() if name in now and text != now[name]}
        if new:
            store.annotate(
                run_id,
                group=new.get("group"),
                tags=new["tags"].split(",") if "tags" in new else None,
                note=new.get("note"),
            )
