"""The fine-tuned atoms of a run that has them: what its classifier reads in place of the selected ones."""

import numpy as np
import streamlit as st

from ui import cache, figures, texts
from ui.components import walls
from ui.state import View

KEY = "fine_tuned"


def show(view: View, around: int) -> None:
    """The wall of the fine-tuned atoms, laid out as that of the selected ones; nothing for other runs.

    Parameters
    ----------
    around : int
        Pixels of the window's height that other things need.
    """
    found = cache.fine_tuned(view.run_id)
    if found is None:
        return
    atoms, selected = found
    k, settings = len(view.classes), view.description.settings
    cosines = np.einsum("ij,ij->i", atoms, selected).reshape(-1, k)
    wall = figures.wall(
        atoms.reshape(-1, k, atoms.shape[1]).transpose(1, 0, 2),
        "Fine-tuned: the atoms that this run's classifier reads",
        view.colors,
        rows=view.classes,
        x_title="iteration (order of selection)",
        hover=[[_told(view, row, column, cosines) for column in range(len(cosines))] for row in range(k)],
        around=around,
    )
    alt = f"Mosaic of the {len(atoms)} fine-tuned atoms, in the places of the selected atoms that they come from."
    walls.show(wall, alt, KEY)
    ranked_by = texts.ranked_by(settings.ranking, settings.alpha, settings.beta)
    st.caption(
        f"A small network has moved the atoms that the run itself selected ({ranked_by}) in {settings.fine_tune} "
        "epochs. Random images as a start do just as well: the gain is the fine-tuning's. Other weights or sizes "
        "change the selected atoms above, not these."
    )


def _told(view: View, row: int, column: int, cosines: np.ndarray) -> str:
    """Whose atom it is, and how far it has moved."""
    cosine = cosines[column, row]
    return f"class {view.classes[row]}, iteration {column + 1}\ncosine with the selected atom {cosine:.2f}"
