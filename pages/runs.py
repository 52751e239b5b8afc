"""All saved runs: compare, rename, pin, download, import, delete."""

import streamlit as st

from dasksvd.errors import StoreError
from dasksvd.runs.archive import MAX_ZIP_MB
from ui import cache, sidebar, texts
from ui.controls import run_actions
from ui.panels import compare, run_table

view = sidebar.begin(
    "Runs you can come back to", "**Every run is kept, with everything needed to continue or repeat it.**"
)
lines = cache.store().listing()
run_table.show(lines)
if lines:
    run_actions.show(lines)
else:
    st.info("No run of your own yet: start one on the Train page, or import one below.")
run_actions.show_bin()

st.header("Compare two runs")
compare.show(view)
st.header("Import")
file = st.file_uploader(
    "A run's zip file", type="zip", max_upload_size=MAX_ZIP_MB, key=f"upload_{st.session_state.get('n_imports', 0)}"
)
if file is not None and st.button("Import it"):
    try:
        st.session_state["imported"] = cache.jobs().import_zip(file).id
    except StoreError as error:
        st.error(texts.sentence(error))
    else:
        st.session_state["n_imports"] = st.session_state.get("n_imports", 0) + 1
        st.rerun()  # the table above has one run more, and the file is not offered twice
if "imported" in st.session_state:
    st.success(f"Imported as {st.session_state.pop('imported')}.")
with st.expander("What am I looking at?"):
    st.markdown(
        r"""
A run is a folder of JSON and npz files: its settings, one file per iteration, its status, and its metrics. An imported
file is checked name by name and array by array before it is accepted, and numbers that follow from others are
computed again. The randomness of iteration $l$ comes from
$(\text{seed}, l)$ alone, so the same settings give the same bits on the same kind of machine. Accuracies of runs on
MNIST are measured on validation images, never on the test set: $\mathrm{Acc} = \text{read right} / \text{all}$. The
same images are used for early stopping, so these accuracies are slightly too high. With the small digits and with your
own pictures, a fifth of each class is held out: neither the atoms nor the network learn from it. In older runs the
atoms were learned on these images too; the accuracy of such a run says so.
"""
    )
