"""Actions on a run of the store: rename, pin, copy, download, delete and restore."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from dasksvd.errors import ParameterError, StoreError
from dasksvd.runs.archive import export_zip
from dasksvd.runs.folder import Run
from dasksvd.runs.store import BIN_DAYS, Listed
from ui import cache, texts
from ui.controls import run_names
from ui.panels import compare

#: Runs that were deleted during this visit, and their labels.
_DELETED = "deleted"


def show(lines: Sequence[Listed]) -> None:
    """Choose a run and act on it; every button acts on the run it was drawn for."""
    labels = cache.run_names_of(lines)
    chosen = run_names.pick("Run to change", labels, key="edited")
    line = next(line for line in lines if line.run.id == chosen)
    run, pinned = line.run, line.about.pinned
    left, middle, right = st.columns(3)
    new_name = left.text_input("Name", line.about.name, max_chars=80, key=f"name_{run.id}")
    if left.button("Rename", key=f"rename_{run.id}"):
        attempt(cache.store().rename, run.id, new_name)
    with middle:
        if st.button("Unpin" if pinned else "Pin", key=f"pin_{run.id}", help="A pinned run cannot be deleted."):
            attempt(cache.store().pin, run.id, not pinned)
        if st.button(
            "Copy settings",
            key=f"copy_{run.id}",
            help="A new run with the same settings, ready to start on the Train page.",
        ):
            attempt(_copy, run, f"Copy of {run_names.name(line)}"[:80])
        st.download_button(
            "Download",
            lambda: export_zip(run),
            f"{run.id}.zip",
            "application/zip",
            key=f"download_{run.id}",
            on_click="ignore",
        )
    with right.popover("Delete", disabled=pinned, help="Unpin it first." if pinned else None, key=f"ask_{run.id}"):
        st.markdown(f"Delete **{texts.plain(labels[run.id])}** · {_accuracy(run.id)}?")
        st.caption(f"This can be undone. The run stays in the bin for {BIN_DAYS} days, or until space is short.")
        if st.button("Delete it", type="primary", key=f"delete_{run.id}"):
            attempt(_delete, run, labels[run.id])


def show_bin() -> None:
    """Undo for runs deleted during this visit, and the bin."""
    store, binned = cache.store(), cache.store().binned()
    ids = {run.id for run in binned}
    mine = {run_id: label for run_id, label in st.session_state.get(_DELETED, {}).items() if run_id in ids}
    if mine:
        last = next(reversed(mine))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"Deleted: {texts.plain(mine[last])}", width="content")
            if st.button("Undo", key=f"undo_{last}"):
                attempt(_restore, last)
    if binned:
        count = f"{len(binned)} run{'s' if len(binned) > 1 else ''}"
        with st.popover(f"Bin · {count} · {store.bin_size() / 2**20:.1f} MB", key="bin"):
            names = cache.run_names_of(map(store.line, binned))
            chosen = run_names.pick("Deleted run", names, key="binned")
            if st.button("Restore", key=f"restore_{chosen}"):
                attempt(_restore, chosen)
            st.caption(f"Runs leave the bin after {BIN_DAYS} days, and before that if space is short.")
            if st.button("Empty the bin", key="empty_bin", help="Deletes these runs for good."):
                attempt(cache.jobs().empty_bin)


def attempt(action: Callable[..., Any], *arguments: Any, **options: Any) -> None:
    """Do what a button asks for and rerun the page, or say why it cannot be done."""
    try:
        action(*arguments, **options)
    except (ParameterError, StoreError) as error:
        st.error(texts.sentence(error))
    else:
        st.rerun()


def _copy(run: Run, name: str) -> None:
    run_names.choose(cache.jobs().copy(run, name).id, key="watched")


def _delete(run: Run, label: str) -> None:
    cache.jobs().delete(run)
    st.session_state[_DELETED] = st.session_state.get(_DELETED, {}) | {run.id: label}


def _restore(run_id: str) -> None:
    run_names.choose(cache.jobs().restore(run_id).id, key="edited")


def _accuracy(run_id: str) -> str:
    found = compare.accuracy(run_id)
    return "not evaluated" if found is None else f"accuracy {texts.percent(found[0])}"
