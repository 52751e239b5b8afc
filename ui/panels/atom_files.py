"""The structured dictionary as files to take home."""

import io

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from ui import figures, frame
from ui.state import View


def downloads(view: View) -> None:
    """The atoms as npz and PNG, their measures as CSV."""
    name = f"das-ksvd-{view.run_id}-a{view.alpha:.2f}-b{view.beta:.2f}-I{view.I}"
    files = (
        (say("Atoms · npz"), lambda: _npz(view), "npz", None),
        (say("Measures · CSV"), lambda: _csv(view), "csv", "text/csv"),
        (
            say("Picture · PNG"),
            lambda: figures.mosaic(in_classes(view), colors=view.colors, zoom=4),
            "png",
            "image/png",
        ),
    )
    with frame.more(say("Download"), key="downloads", icon=":material/download:"):
        for label, make, ending, kind in files:
            st.download_button(label, make, f"{name}.{ending}", kind, on_click="ignore", width="stretch")


def in_classes(view: View) -> np.ndarray:
    """The structured dictionary with one row per class; shape (n_classes, I, N)."""
    return view.selection.atoms.reshape(view.I, len(view.classes), -1).transpose(1, 0, 2)


def _npz(view: View) -> bytes:
    buffer = io.BytesIO()
    selection = view.selection
    np.savez_compressed(buffer, atoms=selection.atoms, atom_classes=selection.classes, index=selection.index)
    return buffer.getvalue()


def _csv(view: View) -> str:
    import pandas as pd  # only who downloads it waits for it

    rows = []
    for l, record in enumerate(view.trajectory.records[: view.I]):
        for c, atom in enumerate(view.selection.index[l]):
            rows.append(
                {
                    "iteration": l + 1,
                    "class": view.class_names[c],
                    "atom": int(atom),
                    view.score_name: view.selection.scores[l, c],
                    "m_af": record.measures.af[atom],
                    "m_cm": record.measures.cm[atom],
                    "m_re": record.measures.re[atom],
                    "second_class": view.class_names[record.measures.second[atom]],
                }
            )
    return pd.DataFrame(rows).to_csv(index=False)
