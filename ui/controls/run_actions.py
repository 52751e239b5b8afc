"""Actions on runs of the store: rename, pin, copy, download, delete, restore, import; and the doors to other pages."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from dasksvd.common.language import say, say_count
from dasksvd.errors import ParameterError, StoreError
from dasksvd.runs.archive import MAX_ZIP_MB, export_zip
from dasksvd.runs.folder import Run
from dasksvd.runs.store import BIN_DAYS, Listed
from ui import cache, frame, texts
from ui.controls import run_names, run_picks
from ui.panels import compare

#: Runs that were deleted during this visit, and their labels.
_DELETED = "deleted"


def show(line: Listed, label: str) -> None:
    """Act on a run; every button acts on the run it was drawn for."""
    run, pinned = line.run, line.about.pinned
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="actions"):
        name = st.text_input(
            say("Name"),
            line.about.name,
            max_chars=80,
            key=f"name_{run.id}",
            placeholder=say("Name"),
            label_visibility="collapsed",
            width=200,
        )
        if st.button(say("Rename"), key=f"rename_{run.id}"):
            attempt(cache.store().rename, run.id, name)
        if st.button(
            say("Unpin") if pinned else say("Pin"), key=f"pin_{run.id}", help=say("A pinned run cannot be deleted.")
        ):
            attempt(cache.store().pin, run.id, not pinned)
        if st.button(
            say("Copy settings"),
            key=f"copy_{run.id}",
            help=say("A new run with the same settings, ready to start on the Train page."),
        ):
            attempt(_copy, run, f"Copy of {run_names.name(line)}"[:80])
        st.download_button(
            say("Download"),
            lambda: export_zip(run),
            f"{run.id}.zip",
            "application/zip",
            key=f"download_{run.id}",
            on_click="ignore",
        )
        _ask_to_delete(run, label, pinned)
        if line.description is not None and run.n_finished():
            show_doors(run.id)


def _ask_to_delete(run: Run, label: str, pinned: bool) -> None:
    with st.popover(
        say("Delete"), disabled=pinned, help=say("Unpin it first.") if pinned else None, key=f"ask_{run.id}"
    ):
        st.markdown(say("Delete **{label}** · {accuracy}?", label=texts.plain(label), accuracy=_accuracy(run.id)))
        st.caption(
            say(
                "This can be undone. The run stays in the bin for {bin_days} days, or until space is short.",
                bin_days=BIN_DAYS,
            )
        )
        if st.button(say("Delete it"), type="primary", key=f"delete_{run.id}"):
            attempt(_delete, run, label)


def show_doors(run_id: str) -> None:
    """Buttons that open a run on other pages."""
    from ui import readers  # with all that reads digits, which a list of runs does not need

    reader = readers.of_run(run_id)
    problem = "" if reader else readers.why_none(run_id)
    frame.door(
        readers.what_for(run_id),
        "draw",
        key="to_draw",
        values={"reader": reader},
        icon=":material/draw:",
        disabled=not reader,
        help=problem or say("Its network reads what you draw or drop, and says why."),
    )
    frame.door(
        say("Its atoms"),
        "atoms",
        key="to_atoms",
        values={"run": run_id},
        icon=":material/apps:",
        help=say("Every atom, and who uses it."),
    )


def show_undo() -> None:
    """Undo for runs deleted during this visit."""
    ids = {run.id for run in cache.store().binned()}
    mine = {run_id: label for run_id, label in st.session_state.get(_DELETED, {}).items() if run_id in ids}
    if mine:
        last = next(reversed(mine))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(say("Deleted: {mine}", mine=texts.plain(mine[last])), width="content")
            if st.button(say("Undo"), key=f"undo_{last}"):
                attempt(_restore, last)


def show_bin() -> None:
    """The bin, if there is anything in it."""
    store, binned = cache.store(), cache.store().binned()
    if binned:
        count = say_count(len(binned), "{count} run", "{count} runs")
        with st.popover(
            say("Bin · {count} · {bin_size:.1f} MB", count=count, bin_size=store.bin_size() / 2**20), key="bin"
        ):
            names = cache.run_names_of(map(store.line, binned))
            chosen = run_names.pick(say("Deleted run"), names, key="binned")
            if st.button(say("Restore"), key=f"restore_{chosen}"):
                attempt(_restore, chosen)
            st.caption(
                say("Runs leave the bin after {bin_days} days, and before that if space is short.", bin_days=BIN_DAYS)
            )
            if st.button(say("Empty the bin"), key="empty_bin", help=say("Deletes these runs for good.")):
                attempt(cache.jobs().empty_bin)


def show_import() -> None:
    """Take a run from a zip file."""
    number = st.session_state.get("n_imports", 0)  # a new popover after an import, which closes the old one
    with st.popover(say("Import"), icon=":material/upload:", key=f"import_{number}"):
        file = st.file_uploader(say("A run's zip file"), type="zip", max_upload_size=MAX_ZIP_MB, key=f"upload_{number}")
        if file is not None and st.button(say("Import it")):
            try:
                st.session_state["imported"] = cache.jobs().import_zip(file).id
            except StoreError as error:
                st.error(texts.sentence(error))
            else:
                st.session_state["n_imports"] = number + 1
                run_picks.choose(st.session_state["imported"])
                st.rerun()


def tell_imported() -> None:
    """Say once that a run was imported."""
    if "imported" in st.session_state:
        st.success(say("Imported as {name}.", name=st.session_state.pop("imported")))


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
    run_picks.choose(cache.jobs().restore(run_id).id)


def _accuracy(run_id: str) -> str:
    found = compare.accuracy(run_id)
    return (
        say("not evaluated")
        if found is None
        else say("accuracy {found} on {found2}", found=texts.percent(found[0]), found2=found[1])
    )
