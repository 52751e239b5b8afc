"""Everything about one atom of a structured dictionary."""

import io

import numpy as np
import pandas as pd
import streamlit as st

from dasksvd.method.selection import owned
from ui import cache, figures, texts
from ui.components import charts, plots, walls
from ui.sidebar import View

#: Digits shown that use the atom most.
N_USERS = 12


def show(view: View, row: int, column: int, atom: int) -> None:
    """Picture, bars, measures, rank, and the signals that use it most; row is its class, column its iteration."""
    record = view.trajectory.records[column]
    measures = record.measures
    top, second = int(measures.top[atom]), int(measures.second[atom])
    st.header(f"Atom {atom} of iteration {column + 1}: chosen for class {view.classes[row]}")
    left, right = st.columns([1, 3])
    walls.show_one(record.atoms[atom], "The atom", f"Atom {atom} enlarged.", "atom", view.colors, place=left)
    plots.show(
        figures.class_bars(
            record.tables.p[:, atom],
            view.classes,
            top,
            second,
            "Who uses it: activation probability p by class",
            "share of the class's signals",
        ),
        f"Bars of the activation probability of atom {atom} for each class; "
        f"class {view.classes[top]} uses it most, class {view.classes[second]} comes second.",
        "bars",
        place=right,
    )
    values = {
        "$m$": measures.combined(view.alpha, view.beta)[atom],
        "$m_{af}$": measures.af[atom],
        "$m_{cm}$": measures.cm[atom],
        "$m_{re}$": measures.re[atom],
    }
    rank, count = _rank(view, column, atom)
    with st.container(horizontal=True, gap="medium"):
        for label, value in values.items():
            st.metric(label, f"{value:.3f}", width="content")
        st.metric(
            "Rank in its class",
            f"{rank} of {count}",
            help="Among the atoms that this class uses more often than any other class does.",
            width="content",
        )
        st.metric("ℓ⁺ against ℓ*", f"{view.classes[top]} : {view.classes[second]}", width="content")
    _users(view, column, atom)


def _rank(view: View, column: int, atom: int) -> tuple[int, int]:
    """Place of an atom among those of its class, from 1, and how many these are."""
    measures = view.trajectory.records[column].measures
    mine = owned(measures, len(view.classes))[measures.top[atom]]
    scores = view.trajectory.scores(column, view.alpha, view.beta, view.ranking)
    return 1 + int(np.sum(scores[mine] > scores[atom])), int(mine.sum())


def _users(view: View, column: int, atom: int) -> None:
    signals, labels, codes = cache.sample(view.run_id, column)
    strength = np.abs(codes[:, atom])
    order = np.argsort(-strength, kind="stable")[: N_USERS // 2 if charts.on_phone() else N_USERS]
    order = order[strength[order] > 0]
    if not len(order):
        st.info("None of the sampled training signals uses this atom once their noise is removed.")
        return
    names = [view.classes[labels[i]] for i in order]
    captions = [f"{name} : {texts.signed(codes[i, atom])}" for name, i in zip(names, order, strict=True)]
    walls.show(
        figures.wall(
            signals[order][None],
            "Training digits that use it most, by coefficient a",
            figures.GREY,
            columns=captions,
            x_title="class : coefficient",
            cell=100,
        ),
        f"The {len(order)} sampled signals with the largest coefficient: {', '.join(captions)}.",
        "users",
    )


def downloads(view: View, wall: np.ndarray) -> None:
    """The structured dictionary as npz and PNG, its measures as CSV."""
    selection = view.selection
    classes = np.tile(np.arange(len(view.classes)), view.I)
    rows = []
    for l, record in enumerate(view.trajectory.records[: view.I]):
        for c, atom in enumerate(selection.index[l]):
            rows.append(
                {
                    "iteration": l + 1,
                    "class": view.classes[c],
                    "atom": int(atom),
                    view.score_name: selection.scores[l, c],
                    "m_af": record.measures.af[atom],
                    "m_cm": record.measures.cm[atom],
                    "m_re": record.measures.re[atom],
                    "second_class": view.classes[record.measures.second[atom]],
                }
            )

    def npz() -> bytes:
        buffer = io.BytesIO()
        np.savez_compressed(buffer, atoms=selection.atoms, atom_classes=classes, index=selection.index)
        return buffer.getvalue()

    name = f"das-ksvd-{view.run_id}-a{view.alpha:.2f}-b{view.beta:.2f}-I{view.I}"
    left, middle, right, _ = st.columns([1, 1, 1, 3])
    left.download_button("Atoms · npz", npz, f"{name}.npz", on_click="ignore", width="stretch")
    middle.download_button(
        "Measures · CSV",
        lambda: pd.DataFrame(rows).to_csv(index=False),
        f"{name}.csv",
        "text/csv",
        on_click="ignore",
        width="stretch",
    )
    right.download_button(
        "Picture · PNG",
        lambda: figures.mosaic(wall, colors=view.colors, zoom=4),
        f"{name}.png",
        "image/png",
        on_click="ignore",
        width="stretch",
    )
