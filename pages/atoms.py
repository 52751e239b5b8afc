"""The structured dictionary, and the auxiliary dictionaries it was taken from."""

import streamlit as st

from dasksvd import figures
from ui import sidebar

view = sidebar.begin(
    "One atom per class and iteration",
    "**Each atom was chosen because it belongs to one class more clearly than the others.** Click one for its details.",
)
selection, k = view.selection, len(view.classes)


def hover(row: int, column: int) -> str:
    return f"class {view.classes[row]}, iteration {column + 1}<br>m = {selection.scores[column, row]:.3f}"


event = st.plotly_chart(
    figures.mosaic(
        selection.atoms.reshape(view.I, k, -1).transpose(1, 0, 2),
        view.classes,
        "Structured dictionary, by class",
        "iteration (order of selection)",
        hover=[[hover(row, column) for column in range(view.I)] for row in range(k)],
    ),
    alt=f"Mosaic of the {view.I * k} atoms of the structured dictionary, one row per class.",
    key="structured",
    on_select="rerun",
    selection_mode="points",
)
points = event.selection.points if event else []
row, column = points[0]["customdata"] if points else (0, 0)
record, atom = view.trajectory.records[column], int(selection.index[column, row])
measures = record.measures
st.subheader(f"Atom {atom} of iteration {column + 1}: chosen for class {view.classes[row]}")
left, right = st.columns([1, 3])
left.plotly_chart(
    figures.mosaic(record.atoms[atom][None, None], [""], "The atom", "").update_layout(height=260),
    alt=f"Atom {atom} enlarged.",
    key="atom",
)
right.plotly_chart(
    figures.class_bars(
        record.tables.p[:, atom],
        view.classes,
        int(measures.top[atom]),
        int(measures.second[atom]),
        "Who uses it: activation probability p by class",
        "share of the class's signals",
    ),
    alt=f"Bars of the activation probability of atom {atom} for each class.",
    key="bars",
)
for place, (label, values) in zip(
    st.columns(4),
    {
        "m": measures.combined(view.alpha, view.beta),
        "m_af": measures.af,
        "m_cm": measures.cm,
        "m_re": measures.re,
    }.items(),
    strict=True,
):
    place.metric(label, f"{values[atom]:.3f}")

st.subheader("Where the atoms come from")
iteration = st.slider("Iteration l", 1, view.I, 1, key="iteration") if view.I > 1 else 1
phi = view.trajectory.records[iteration - 1]
st.plotly_chart(
    figures.dictionary_wall(
        phi.atoms,
        selection.index[iteration - 1],
        view.classes,
        f"Auxiliary dictionary Φ of iteration {iteration}: {len(phi.atoms)} atoms, selected ones framed",
    ),
    alt=f"All {len(phi.atoms)} atoms of iteration {iteration}; the selected atom of each class is framed.",
    key="auxiliary",
)
with st.expander("What am I looking at?"):
    st.markdown(
        r"""
Each iteration draws $t$ signals per class, adds noise of size $l\,\tau_2\,\sigma_i$, and lets K-SVD learn a dictionary
$\Phi$ on them. Of every $\Phi$ each class gets, among the atoms it uses most often, the one with the largest $m$.
The atoms of late iterations look noisy because their samples were.
"""
    )
