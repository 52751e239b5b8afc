"""All saved runs: find, pick, compare, rename, pin, download, import, delete."""

import streamlit as st

from ui import cache, frame, sidebar
from ui.controls import run_actions, run_names, run_picks
from ui.panels import compare, one_run, run_table, take_home

lines = cache.store().listing()
labels = cache.among_shipped(run_names.labels(lines, run_names.data), cache.SHIPPED_NAMES.__getitem__)
picked = run_picks.prepare(labels)
view = frame.begin(
    "Runs you can come back to",
    "**Every run is kept. Pick one to act on it, or more to compare them.**",
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
            st.caption("No run of your own yet: start one on the Train page, or import one. This is a shipped one:")
        if shown in cache.SHIPPED_NAMES:
            with st.container(horizontal=True, gap="small"):
                run_actions.show_doors(shown)
        else:
            run_actions.show(next(line for line in lines if line.run.id == shown), labels[shown])
        one_run.show(view, shown, labels[shown])
take_home.report(picked or [cache.REFERENCE])
frame.about(
    r"""
One picked run can be renamed, pinned, copied, downloaded or deleted; two to four are compared. Of the settings, the
table has those in which its runs differ; a picked run has all of them beside its atoms.

A run is a folder of JSON and npz files: its settings, one file per iteration, its status, and its metrics. An imported
file is checked name by name and array by array before it is accepted, and numbers that follow from others are
computed again. The randomness of iteration $l$ comes from
$(\text{seed}, l)$ alone, so the same settings give the same bits on the same kind of machine. Accuracies of runs on
MNIST are measured on validation images, never on the test set: $\mathrm{Acc} = \text{read right} / \text{all}$. The
same images are used for early stopping, so these accuracies are slightly too high. Behind ± is the 95 % interval for
so many images (Wilson's); where two runs have read the same images, their difference is taken image by image, so that
those which both read wrong do not count. With the small digits and with your
own pictures, a fifth of each class is held out: neither the atoms nor the network learn from it. In older runs the
atoms were learned on these images too; the accuracy of such a run says so. The weights of the sidebar choose the atoms
of all shown runs anew.
"""
)
