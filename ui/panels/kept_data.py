"""The data sets of visitors' own that the store keeps, and the way to be rid of one."""

import streamlit as st

from dasksvd.common.language import say
from dasksvd.datasets.names import MAX_NAME
from dasksvd.errors import ParameterError, StoreError
from ui import cache, texts


def show() -> None:
    """One of them to choose, to rename and to delete; nothing where there is none."""
    known = {kept.key: kept for kept in cache.store().library.listing()}
    if not known:
        return
    pick_place, rename_place, delete_place = st.columns([5, 3, 3], gap="small", vertical_alignment="bottom")
    key = pick_place.selectbox(
        say("Kept data sets"),
        list(known),
        format_func=lambda key: f"{known[key].name} · {sum(known[key].sizes):,}" if key in known else "",
        key="own_listed",
    )
    if key not in known:
        return
    kept = known[key]
    with rename_place.popover(say("Rename"), key="own_rename", width="stretch"):
        name = st.text_input(say("New name"), kept.name, max_chars=MAX_NAME, key=f"own_new_name_{kept.key[:8]}")
        if st.button(say("Rename it"), type="primary", key="own_rename_it"):
            try:
                cache.jobs().rename_data(kept.key, name)
            except (ParameterError, StoreError) as error:
                st.error(texts.plain_sentence(error))
            else:
                st.rerun()
    with delete_place.popover(say("Delete"), key="own_delete", width="stretch"):
        st.markdown(
            say(
                "Delete **{name}** for good? Runs that need it keep it from being deleted.", name=texts.plain(kept.name)
            )
        )
        if st.button(say("Delete it"), type="primary", key="own_delete_it"):
            try:
                cache.jobs().remove_data(kept.key)
            except StoreError as error:
                st.error(texts.plain_sentence(error))
            else:
                st.rerun()
    st.caption(
        say("{count} classes, {counted}, {side}×{side}", count=len(kept.classes), counted=kept.counted, side=kept.side)
    )
