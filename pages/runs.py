"""All saved runs: find, pick, compare, rename, pin, download, import, delete."""

import streamlit as st

from dasksvd.common.language import say
from ui import cache, frame, sidebar, texts
from ui.controls import run_actions, run_names, run_picks
from ui.panels import compare, one_run, run_table, take_home

lines = cache.store().listing()
labels = cache.among_shipped(run_names.labels(lines, run_names.data), cache.SHIPPED_NAMES.__getitem__)
picked = run_picks.prepare(labels)
view = frame.begin(
    say("Runs you can come back to"),
    say("**Every run is kept. Pick one to act on it, or more to compare them.**"),
    controls=(sidebar.WEIGHTS, sidebar.LOOK),
)
with st.container(gap="xsmall"):
    with st.container(key="choose", horizontal=True, vertical_alignment="bottom", gap="small"):
        find = run_table.find_words()
        run_picks.box(labels)
        run_actions.show_import()
        run_actions.show_bin()
    run_table.show(lines, find)
    run_picks.warn()
    run_actions.show_undo()
    run_actions.tell_imported()
    if len(picked) > 1:
        compare.show(view, picked, compare.headings(picked, labels))
    else:
        shown = picked[0] if picked else cache.REFERENCE
        if not lines:
            st.caption(
                say("No run of your own yet: start one on the Train page, or import one. This is a shipped one:")
            )
        if shown in cache.SHIPPED_NAMES:
            with st.container(horizontal=True, gap="small"):
                run_actions.show_doors(shown)
        else:
            run_actions.show(next(line for line in lines if line.run.id == shown), labels[shown])
        one_run.show(view, shown, labels[shown])
take_home.report(picked or [cache.REFERENCE])
frame.about(texts.whole("runs"))
