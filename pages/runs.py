"""All saved runs: find, pick, compare, rename, pin, download, import, delete."""

import streamlit as st

from dasksvd.common.language import say
from ui import cache, frame, sidebar, texts
from ui.controls import run_actions, run_names, run_picks
from ui.panels import run_lines, run_rows, run_table, run_views, take_home

lines = cache.store().listing()
rows = run_rows.rows_of(lines)
labels = cache.among_shipped(run_names.labels(lines, cache.data_of), cache.shipped_name)
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
        order = run_table.choose_columns()
        run_actions.show_import()
        run_actions.show_bin()
    found, problem = run_rows.found(run_rows.in_order(rows, *order), find)
    inside, brush = run_lines.inside(found)
    shown = run_views.Shown(view, lines, labels, found, inside, picked, brush)
    if problem:
        st.warning(say("All runs are shown: {problem}", problem=f"{texts.plain(problem)}."))
    if inside:
        run_table.show(inside)
    else:
        st.info(say("No run is like this: change the words or the ranges."))
    run_picks.warn()
    run_actions.show_undo()
    run_actions.tell_imported()
    with st.container(key="views", horizontal=True, vertical_alignment="center", gap="small"):
        which = run_views.choose()
        run_views.tell_filter(shown)
    run_views.show(which, shown)
take_home.report(picked or [cache.REFERENCE])
frame.about(texts.whole("runs"))
