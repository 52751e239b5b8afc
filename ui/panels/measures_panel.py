"""The measures of one atom, what the weights change, and the codes of two digits."""

import numpy as np
import pandas as pd
import streamlit as st

from dasksvd.method.omp import encode
from dasksvd.parameters import n_nonzero
from ui import cache, figures, links, texts
from ui.components import plots, walls
from ui.panels import replay
from ui.sidebar import View


def pick_iteration(view: View, place) -> int:
    """A slider over the iterations."""
    return replay.pick_iteration(view, "measured", "The iteration whose auxiliary dictionary is shown.", place)


def pick_axes(axes: dict[str, tuple], *places) -> list[tuple]:
    """What the scatter's two axes show, out of named things."""
    titles = {name: title for name, (title, _) in axes.items()}
    sides = (("Across", "x", "af", "The horizontal axis."), ("Up", "y", "re", "The vertical axis."))
    return [
        axes[links.choose(place.selectbox, label, titles, key=key, default=usual, help=meaning)]
        for place, (label, key, usual, meaning) in zip(places, sides, strict=True)
    ]


def download_measures(view: View, iteration: int) -> None:
    """The measures of every atom of an iteration, and whether it is selected, as a file."""
    record = view.trajectory.records[iteration - 1]
    measures, chosen = record.measures, view.selection.index[iteration - 1]

    def table() -> str:
        numbers = np.arange(len(measures.af))
        columns = {
            "atom": numbers,
            "class": [view.classes[c] for c in measures.top],
            "second_class": [view.classes[c] for c in measures.second],
            "m": measures.combined(view.alpha, view.beta),
            "m_af": measures.af,
            "m_cm": measures.cm,
            "m_re": measures.re,
            "selected": np.isin(numbers, chosen),
        }
        for name, values in (("p", record.tables.p), ("q", record.tables.q), ("r", record.tables.r)):
            columns |= {f"{name}_{label}": values[c] for c, label in enumerate(view.classes)}
        return pd.DataFrame(columns).to_csv(index=False)

    st.download_button(
        "All atoms · CSV",
        table,
        f"das-ksvd-{view.run_id}-iteration{iteration}.csv",
        "text/csv",
        on_click="ignore",
        help="p, q, r, the three measures and m of every atom of this iteration.",
    )


def show_atom(view: View, iteration: int, atom: int) -> None:
    """The three tables of an atom as bars, and each formula with its numbers."""
    record = view.trajectory.records[iteration - 1]
    measures, tables = record.measures, record.tables
    top, rival = int(measures.top[atom]), int(measures.second[atom])
    st.header(f"Atom {atom}: class {view.classes[top]} against {view.classes[rival]}")
    columns = st.columns([2, 3, 3, 3])
    alt = f"Atom {atom} of iteration {iteration} enlarged."
    walls.show_one(record.atoms[atom], "The atom", alt, "measured_atom", view.colors, place=columns[0])
    m = measures.combined(view.alpha, view.beta)[atom]
    columns[0].latex(rf"m = {m:.3f}")
    tables_shown = (
        ("Activation probability p", "p", tables.p, measures.af, "share of signals", "af"),
        ("Mean coefficient q", "q", tables.q, measures.cm, "mean |a|", "cm"),
        ("Error without the atom r", "r", tables.r, measures.re, "squared error per signal", "re"),
    )
    for place, (name, symbol, table, measured, unit, short) in zip(columns[1:], tables_shown, strict=True):
        plots.show(
            figures.class_bars(table[:, atom], view.classes, top, rival, name, unit),
            f"Bars of {name} of atom {atom} for each class.",
            f"bars_{symbol}",
            place=place,
        )
        plus, star = table[top, atom], table[rival, atom]
        if short == "re" and view.description.settings.re_sign == "code":  # D7: a larger error counts against it
            plus, star = star, plus
        lead = (plus - star) / plus if plus > 0 else 0.0
        result = rf"{lead:z.3f} \;\to\; 0" if lead < 0 else f"{measured[atom]:.3f}"
        fraction, left = rf"\frac{{{plus:.3f} - {star:.3f}}}{{{plus:.3f}}}", f"m_{{{short}}}"
        # Two lines: one would be wider than the column on a common screen.
        lines = rf"{left} = \displaystyle{fraction} \\[0.9em] \phantom{{{left}}} = {result}"
        place.latex(rf"\small\begin{{array}}{{l}} {lines} \end{{array}}")


def show_changes(view: View) -> None:
    """The structured dictionary with the atoms framed that the weights have exchanged."""
    k = len(view.classes)
    changed = view.selection.index != view.papers_selection.index
    st.header("What the weights change")
    st.markdown(
        f"At {view.weights_text}, **{int(changed.sum())} of {changed.size}** selected atoms "
        "differ from those that the paper's m selects at α = β = 0."
        + "".join(f" Class {view.classes[c]}: {count}." for c, count in enumerate(changed.sum(axis=0)) if count)
        + ("" if changed.any() else " Move α or β in the sidebar or choose another ranking: changes are framed here.")
    )
    walls.show(
        figures.wall(
            view.selection.atoms.reshape(view.I, k, -1).transpose(1, 0, 2),
            f"Selected atoms at {view.weights_text}; framed: those that differ from α = β = 0",
            view.colors,
            rows=view.classes,
            x_title="iteration",
            marked=[(int(c), int(l)) for l, c in zip(*np.nonzero(changed), strict=True)],
        ),
        f"Mosaic of the selected atoms; {int(changed.sum())} of them are framed because they differ from α = β = 0.",
        "changes",
    )


def show_two_codes(view: View) -> None:
    """Two training digits and their codes on the structured dictionary, as in the paper's first figure."""
    signals, labels = cache.signals(view.run_id, 0)
    atoms = view.selection.atoms
    count = n_nonzero(view.description.settings.q, len(atoms))
    atom_classes = np.tile(np.arange(len(view.classes)), view.I)
    for number, usual in enumerate((0, min(4, len(view.classes) - 1))):
        left, right = st.columns([1, 5], vertical_alignment="center")
        count_of_classes = len(view.classes)
        label = links.draw(
            left.selectbox,
            "Digit" if number == 0 else "Other digit",
            range(count_of_classes),
            key=f"code_{number}",
            kind=links.WHOLE,
            default=usual,
            check=range(count_of_classes).__contains__,
            format_func=view.classes.__getitem__,
        )
        signal = signals[np.flatnonzero(labels == label)[:1]]
        code = encode(signal, atoms, count)[0]
        alt = f"A training digit of class {view.classes[label]}."
        walls.show_one(signal[0], "", alt, f"digit_{number}", figures.GREY, place=left, cell=150)
        energy = np.bincount(atom_classes, weights=code.astype(float) ** 2, minlength=len(view.classes))
        share = energy[label] / energy.sum() if energy.sum() else 0.0
        plots.show(
            figures.code_stems(
                code,
                atom_classes,
                view.classes,
                f"Code of a {view.classes[label]}: {np.count_nonzero(code)} of {len(code)} atoms, "
                f"{texts.percent(share, 0)} of its energy on atoms of class {view.classes[label]}",
            ),
            f"Stem plot of the sparse code of a digit {view.classes[label]} over the {len(code)} atoms, by class.",
            f"code_chart_{number}",
            place=right,
        )
