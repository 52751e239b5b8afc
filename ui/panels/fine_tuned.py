"""The fine-tuned atoms of a run that has them: what its classifier reads in place of the selected ones."""

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from ui import cache, figures, texts
from ui.panels import atom_picks
from ui.panels.atom_picks import Pick
from ui.state import View

KEY = "fine_tuned"


def show(view: View, pick: Pick, around: int) -> None:
    """The wall of the fine-tuned atoms, laid out as that of the selected ones; nothing for other runs.

    Parameters
    ----------
    pick : Pick
        The atom that is looked at; a click on a fine-tuned one picks that which it comes from.
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
        say("Fine-tuned: the atoms that this run's classifier reads"),
        view.colors,
        rows=view.classes,
        x_title=say("iteration (order of selection)"),
        hover=[[_told(view, row, column, cosines) for column in range(len(cosines))] for row in range(k)],
        around=around,
    )
    alt = say(
        "Mosaic of the {count} fine-tuned atoms, in the places of the selected atoms that they come from.",
        count=len(atoms),
    )
    index = _origins(view)[: view.I]  # beyond I, the page has no iterations to look at
    columns = [atom_picks.of_dictionary(view, column, atoms) for column, atoms in enumerate(index.tolist())]
    atom_picks.show(view, wall, alt, KEY, list(zip(*columns, strict=True)), pick)
    ranked_by = texts.ranked_by(settings.ranking, settings.alpha, settings.beta)
    st.caption(
        say(
            "A small network has moved the atoms that the run itself selected ({ranked_by}) in {fine_tune} epochs. "
            "Random images as a start do just as well: the gain is the fine-tuning's. Other weights or sizes change "
            "the selected atoms above, not these.",
            ranked_by=ranked_by,
            fine_tune=settings.fine_tune,
        )
    )


def of(view: View, column: int, atom: int) -> tuple[np.ndarray, float] | None:
    """The fine-tuned atom that comes from an atom of an iteration (from 0), and their cosine; None if there is none."""
    found = cache.fine_tuned(view.run_id)
    rows = [] if found is None else np.flatnonzero(_origins(view)[column] == atom)
    if found is None or not len(rows):
        return None
    place = column * len(view.classes) + int(rows[0])
    atoms, selected = found
    return atoms[place], float(atoms[place] @ selected[place])


def _origins(view: View) -> np.ndarray:
    """The atoms that the fine-tuned ones come from, by their numbers in Φ; shape (n_iterations, n_classes)."""
    settings = view.description.settings
    return view.trajectory.reselect(settings.alpha, settings.beta).index


def _told(view: View, row: int, column: int, cosines: np.ndarray) -> str:
    """Whose atom it is, and how far it has moved."""
    cosine = cosines[column, row]
    return say(
        "class {classe}, iteration {column}\ncosine with the selected atom {cosine:.2f}",
        classe=view.classes[row],
        column=column + 1,
        cosine=cosine,
    )
