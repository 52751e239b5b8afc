"""The runs picked on the Runs page: by rows of its table, in a box, or by a link, which names them by id."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from dasksvd.common.language import say
from ui import frame, links
from ui.controls import run_names

#: Runs that can be picked at once: a link names them all.
MOST = 100
KEY = "picked"
_GONE = "picked_gone"
_WRITTEN = links.many(links.WORD, MOST)


def prepare(names: Mapping[str, str]) -> list[str]:
    """The picked runs of ``names`` (id -> label), told before the box is drawn."""
    if frame.IN_APP not in st.session_state:
        return []  # the page runs alone, and then once more within the app
    if links.is_new(KEY):
        st.session_state[_GONE] = not names.keys() >= set(links.look_up(KEY, _WRITTEN, []))
        links.mark_due(KEY)
    links.prepare(KEY, _WRITTEN, [], lambda value: isinstance(value, list))
    # Always set: it tells the browser the labels that the runs have now.
    st.session_state[KEY] = _known(st.session_state[KEY], names)
    return st.session_state[KEY]


def box(names: Mapping[str, str]) -> None:
    """The box with the picked runs, for who has no pointer."""
    picked = st.multiselect(
        say("Picked runs"),
        list(names),
        # Also of runs that came back since: what was drawn before is asked to write what is picked now.
        format_func=lambda run_id: names.get(run_id, run_id),
        key=KEY,
        max_selections=MOST,
        placeholder=say("Pick rows of the table, or choose runs here"),
        label_visibility="collapsed",
    )
    links.note(KEY, _WRITTEN, picked, [])


def warn() -> None:
    """Say it if a link named a run that is not here."""
    if st.session_state.pop(_GONE, False):
        st.warning(run_names.GONE)


def table(draw: Callable, ids: Sequence[str], key: str) -> None:
    """Draw a table whose rows can be picked.

    Parameters
    ----------
    draw : callable
        Draws it, given the options of ``st.dataframe`` about selections.
    ids : sequence of str
        The runs of its rows.
    """
    rows = [ids.index(run_id) for run_id in st.session_state.get(KEY, []) if run_id in ids]
    st.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}
    draw(key=key, selection_mode="multi-row", on_select=lambda: _take(key, ids))


def choose(*run_ids: str) -> None:
    """Pick runs when the box is drawn next."""
    links.put(KEY, _WRITTEN.format(run_ids))


def toggle(run_id: str) -> None:
    """Pick a run, or no longer; only before the box is drawn, as in a callback."""
    before = st.session_state.get(KEY, [])
    kept = [one for one in before if one != run_id]
    st.session_state[KEY] = kept if run_id in before else [*before, run_id][-MOST:]


def _take(key: str, ids: Sequence[str]) -> None:
    """Rows were clicked: picked is what is selected now, and what a filter hides."""
    rows = [row for row in st.session_state[key]["selection"]["rows"] if row in range(len(ids))]
    chosen, before = [ids[row] for row in rows], st.session_state.get(KEY, [])
    kept = [run_id for run_id in before if run_id in chosen or run_id not in ids]
    st.session_state[KEY] = (kept + [run_id for run_id in chosen if run_id not in kept])[:MOST]


def _known(picked: Sequence[str], names: Mapping[str, str]) -> list[str]:
    return [run_id for run_id in dict.fromkeys(picked) if run_id in names][:MOST]
