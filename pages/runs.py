"""All saved runs: find, pick, compare, rename, pin, download, import, delete."""

import streamlit as st

from ui import cache, frame, sidebar
from ui.controls import run_actions, run_names, run_picks
from ui.panels import compare, run_table

lines = cache.store().listing()
labels = {cache.REFERENCE: cache.REFERENCE_NAME} | run_names.labels(lines, run_names.data)
picked = run_picks.prepare(labels)
view = frame.begin(
    "Runs you can come back to",
    "**Every run is kept. Pick one to act on it, or more to compare them.**",
    controls=(sidebar.WEIGHTS, sidebar.LOOK),
)
with st.container(gap="xsmall"):
    run_table.show(lines, run_table.find_words(), compared=len(picked) > 1)
    run_picks.warn()
    run_actions.show_undo()
    run_actions.tell_imported()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        run_picks.box(labels)
        run_actions.show_import()
        run_actions.show_bin()
    if len(picked) > 1:
        compare.show(view, picked, compare.headings(picked, labels))
    else:
        shown = picked[0] if picked else cache.REFERENCE
        if not lines:
            st.info("No run of your own yet: start one on the Train page, or import one. Until then:")
        if picked == [cache.REFERENCE]:
            with st.container(horizontal=True, gap="small"):
                run_actions.show_doors(cache.REFERENCE)
        elif picked:
            run_actions.show(next(line for line in lines if line.run.id == shown), labels[shown])
        compare.show_atoms(view, shown, labels[shown])
frame.about(
    r"""
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
