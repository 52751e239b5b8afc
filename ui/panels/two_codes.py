"""The sparse codes of two pictures, as in the paper's first figure."""

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from dasksvd.method.omp import encode
from dasksvd.parameters import n_nonzero
from ui import cache, figures, links, texts
from ui.components import plots, walls
from ui.state import View


def show(view: View) -> None:
    """Two training pictures and their codes on the structured dictionary."""
    for number, usual in enumerate((0, min(4, len(view.classes) - 1))):
        left, right = st.columns([1, 5], vertical_alignment="center")
        label = links.draw(
            left.selectbox,
            say(view.word).capitalize() if number == 0 else say("Other {word}", word=say(view.word)),
            range(len(view.classes)),
            key=f"code_{number}",
            kind=links.WHOLE,
            default=usual,
            check=range(len(view.classes)).__contains__,
            format_func=view.classes.__getitem__,
        )
        _show_code(view, label, number, left, right)


def _show_code(view: View, label: int, number: int, left, right) -> None:
    signals, labels = cache.signals(view.run_id, 0)
    atoms, atom_classes = view.selection.atoms, np.tile(np.arange(len(view.classes)), view.I)
    signal = signals[np.flatnonzero(labels == label)[:1]]
    code = encode(signal, atoms, n_nonzero(view.description.settings.q, len(atoms)))[0]
    name = view.classes[label]
    alt = say("A training {word} of class {name}.", word=say(view.word), name=name)
    walls.show_one(signal[0], "", alt, f"digit_{number}", figures.GREY, place=left, cell=150)
    energy = np.bincount(atom_classes, weights=code.astype(float) ** 2, minlength=len(view.classes))
    share = energy[label] / energy.sum() if energy.sum() else 0.0
    plots.show(
        figures.code_stems(
            code,
            atom_classes,
            view.classes,
            say(
                "Code of a {name}: {code} of {count} atoms, {share} of its energy on atoms of class {name}",
                name=name,
                code=np.count_nonzero(code),
                count=len(code),
                share=texts.percent(share, 0),
            ),
        ),
        say(
            "Stem plot of the sparse code of a {word} of class {name} over the {count} atoms, by class.",
            word=say(view.word),
            name=name,
            count=len(code),
        ),
        f"code_chart_{number}",
        place=right,
    )
