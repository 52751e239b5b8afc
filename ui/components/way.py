"""The way from a drawing or a picture to the rebuilt one, as a strip of pictures.

The sheet tells the strip in the browser what was read, so that both change at once; only what seldom changes is
sent to the strip itself. What was read of a picture is sent with it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dasksvd.digit.atom_reader import AtomReader, Explanation
from dasksvd.figures import class_color
from ui import components
from ui.components import pictures

KEY, PICTURE_KEY = "way", "picture_way"
#: Atoms of a code that are shown.
N_ATOMS = 8

_component = components.declare("digit_way", "canvas_files", "way", shared_js="pictures.js")


def show(
    colors: list, reader: str, labels: Sequence[str], opens: bool, read: dict[str, Any] | None = None, photo: str = ""
) -> None:
    """Put the strip on the page.

    Parameters
    ----------
    colors : list
        The colour scale for atoms.
    reader : str
        The name of what reads the drawing.
    labels : sequence of str
        What its classes are called.
    opens : bool
        Whether a click on an atom opens it; see :func:`opened`.
    read : dict, optional
        What :func:`steps` says of a picture; without it, the strip shows what the sheet tells it.
    photo : str
        That picture as it came, as a data URL.
    """
    data = {
        "palette": pictures.palette(colors),
        "colors": [class_color(number) for number in range(len(labels))],
        "labels": list(labels),
        "count": N_ATOMS,
        "reader": reader,
        "opens": opens,
    }
    told = {} if read is None else {"read": {"answer": read, "photo": photo}}
    _component(key=KEY if read is None else PICTURE_KEY, data=data | told, on_picked_change=lambda: None)


def steps(explanation: Explanation, model: AtomReader) -> dict[str, Any]:
    """The reduced picture, its first atoms and what all of them rebuild."""
    rebuilt = explanation.steps[-1] if len(explanation.steps) else np.zeros_like(explanation.signal)
    first = explanation.atoms[:N_ATOMS]
    return {
        "image16": pictures.grey_levels(255 * explanation.signal),
        "atoms": first.tolist(),
        "pictures": pictures.signed_levels(model.atoms[first]),
        "coefficients": [round(float(value), 3) for value in explanation.coefficients[:N_ATOMS]],
        "classes": model.atom_classes[first].tolist(),
        "n_atoms": len(explanation.atoms),
        "rebuilt": pictures.grey_levels(255 * rebuilt),
        "left": round(float(explanation.residuals[-1] / max(explanation.residuals[0], 1e-9)), 4),
    }


def opened() -> int | None:
    """The atom that was clicked since the last call, None if none was."""
    picked = components.newly_picked(KEY, 1) or components.newly_picked(PICTURE_KEY, 1)
    return picked[0] if picked else None
