"""Actions on runs of the store: rename, pin, copy, download, delete, restore, import; and the doors to other pages."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from dasksvd.common.language import say, say_count
from dasksvd.errors import ParameterError, StoreError
from dasksvd.runs.archive import MAX_ZIP_MB, export_zip
from dasksvd.runs.folder import Run
from dasksvd.runs.store import BIN_DAYS, MAX_NAME, Listed
from ui import cache, frame, texts, upload_room
from ui.controls import run_names, run_picks
from ui.panels import compare

#: What was deleted during this visit, one deletion after the other: the labels of its runs by their ids.
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
            attempt(_delete, {run.id: label})


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
    deleted = st.session_state.get(_DELETED, [])
    if not deleted:
        return
    ids = {run.id for run in cache.store().binned()}
    mine = [here for one in deleted if (here := {run_id: label for run_id, label in one.items() if run_id in ids})]
    if mine:
        last = mine[-1]
        first, label = next(iter(last.items()))
        with st.container(horizontal=True, vertical_alignment="center"):
            gone = texts.plain(label) if len(last) == 1 else say("{count} runs", count=len(last))
            st.markdown(say("Deleted: {mine}", mine=gone), width="content")
            if st.button(say("Undo"), key=f"undo_{first}"):
                attempt(_restore, *last)


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
                upload_room.forget([file])
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


def _delete(labels: Mapping[str, str]) -> None:
    """Put runs into the bin; one undo brings back all of them that went."""
    gone: dict[str, str] = {}
    st.session_state[_DELETED] = [*st.session_state.get(_DELETED, []), gone]
    for run_id, label in labels.items():
        cache.jobs().delete(cache.store().run(run_id))
        gone[run_id] = label


def _restore(*run_ids: str) -> None:
    run_picks.choose(*(cache.jobs().restore(run_id).id for run_id in run_ids))


def show_many(lines: Sequence[Listed], labels: Mapping[str, str]) -> None:
    """Act on several runs of the store at once: group, tag, delete."""
    ids = [line.run.id for line in lines]
    loose = {line.run.id: labels[line.run.id] for line in lines if not line.about.pinned}
    with st.popover(say("Group or tag {count} runs", count=len(ids)), icon=":material/label:", key="label_many"):
        group = st.text_input(say("Group"), max_chars=MAX_NAME, key="group_many", placeholder=say("leave as it is"))
        tags = st.text_input(
            say("Add tags"), max_chars=200, key="tags_many", placeholder=say("with commas between them")
        )
        if st.button(say("Apply"), key="apply_many"):
            attempt(_label, lines, group, tags)
    with st.popover(say("Delete"), disabled=not loose, key="ask_many"):
        kept = len(ids) - len(loose)
        asked = say("Delete {count} runs?", count=len(loose))
        st.markdown(asked + (say(" {kept} are pinned and stay.", kept=kept) if kept else ""))
        st.caption(
            say(
                "This can be undone. They stay in the bin for {bin_days} days, or until space is short.",
                bin_days=BIN_DAYS,
            )
        )
        if st.button(say("Delete them"), type="primary", key="delete_many"):
            attempt(_delete, loose)


def _label(lines: Sequence[Listed], group: str, tags: str) -> None:
    for line in lines:
        more = [*line.about.tags, *tags.split(",")]
        cache.store().annotate(line.run.id, group=group or None, tags=more if tags.strip() else None)


def _accuracy(run_id: str) -> str:
    found = compare.accuracy(run_id)
    return (
        say("not evaluated")
        if found is None
        else say("accuracy {found} on {found2}", found=texts.percent(found[0]), found2=say(found[1]))
    )
