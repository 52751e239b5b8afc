"""All saved runs: compare, rename, pin, download, import, delete."""

import streamlit as st

from dasksvd.exchange import export_zip
from dasksvd.settings import ParameterError
from dasksvd.store import StoreError
from ui import compare, run_table, sidebar, sources, texts

store, jobs = sources.store(), sources.jobs()

view = sidebar.begin(
    "Runs you can come back to", "**Every run is kept, with everything needed to go on with it or to repeat it.**"
)
lines = store.listing()
run_table.show(lines)
if not lines:
    st.info("No run of your own yet: start one on the Train page, or import one below.")
else:
    ids = [line.run.id for line in lines]
    names = {line.run.id: line.about.name or line.run.id for line in lines}
    run = store.run(st.selectbox("Run to work on", ids, format_func=names.get))
    left, middle, right = st.columns(3)
    new_name = left.text_input("Name", run.about.name, max_chars=80, key=f"name_{run.id}")
    try:
        if left.button("Rename"):
            store.rename(run.id, new_name)
            st.rerun()
        if middle.button("Unpin" if run.about.pinned else "Pin", help="A pinned run cannot be deleted."):
            store.pin(run.id, not run.about.pinned)
            st.rerun()
        if middle.button("Copy settings", help="A new run with the same settings, ready to start on the Train page."):
            copy = jobs.copy(run, f"Copy of {names[run.id]}"[:80])
            st.session_state["watched"] = copy.id
            st.rerun()
        middle.download_button(
            "Download", lambda: export_zip(run), f"{run.id}.zip", "application/zip", on_click="ignore"
        )
        pinned = run.about.pinned
        sure = right.checkbox(
            "Yes, delete it for good", key=f"sure_{run.id}", disabled=pinned, help="Unpin it first." if pinned else None
        )
        if right.button("Delete", disabled=pinned or not sure):
            jobs.delete(run)
            st.rerun()
    except (ParameterError, StoreError, RuntimeError) as error:
        st.error(texts.sentence(error))

st.subheader("Compare two runs")
compare.show(view)
st.subheader("Import")
file = st.file_uploader(
    "A run's zip file", type="zip", max_upload_size=200, key=f"upload_{st.session_state.get('n_imports', 0)}"
)
if file is not None and st.button("Import it"):
    try:
        st.session_state["imported"] = jobs.import_zip(file).id
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
file is checked name by name and array by array before it counts as a run. The randomness of iteration $l$ comes from
$(\text{seed}, l)$ alone, so the same settings give the same bits on the same kind of machine. Accuracies of runs on
MNIST are measured on validation images, never on the test set: $\mathrm{Acc} = \text{read right} / \text{all}$. The
same images decide when the network's training ends, so they flatter a little. Of small digits and of pictures of your
own, a fifth of each class is held out for that: neither atoms nor network learn from it. In older runs the atoms have
seen it; there the accuracy says so.
"""
    )
