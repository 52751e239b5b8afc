"""Orthogonal matching pursuit step by step, played in the browser: all steps are sent at once."""

from collections.abc import Sequence

import numpy as np

from dasksvd.digit.atom_reader import AtomReader
from dasksvd.figures import class_color
from dasksvd.method.trace import Trace
from ui import components, links
from ui.components import pictures

KEY = "pursuit"
#: Atoms that are shown as those a step could have taken.
N_CANDIDATES = 5
#: Coefficients are sent in thousandths, as whole numbers of two bytes.
FINEST, LARGEST = 1000, 32_767

_component = components.declare("pursuit", "canvas_files", "pursuit", shared_js="pictures.js")


def show(
    trace: Trace,
    model: AtomReader,
    signal: np.ndarray,
    colors: list,
    labels: Sequence[str],
    step: int,
    opens: bool,
) -> None:
    """Put the steps on the page.

    Parameters
    ----------
    signal : ndarray of shape (N,)
        What is coded, in 0 … 1.
    colors : list
        The colour scale for atoms.
    labels : sequence of str
        What the classes are called.
    step : int
        The step to show, from 1; see :func:`step_of`.
    opens : bool
        Whether a click on an atom opens it; see :func:`opened`.
    """
    five = trace.candidates(N_CANDIDATES)
    used, places = np.unique(np.concatenate([trace.atoms, five.ravel()]), return_inverse=True)
    similar = np.take_along_axis(trace.correlations, five, axis=1).ravel()
    data = {
        "palette": pictures.palette(colors),
        "colors": tuple(class_color(number) for number in range(len(labels))),
        "labels": tuple(labels),
        "pictures": pictures.signed_levels(model.atoms[used]),
        "peaks": _rounded(np.abs(model.atoms[used]).max(axis=1), 5),
        "atoms": tuple(used.tolist()),
        "classes": tuple(model.atom_classes[used].tolist()),
        "taken": tuple(places[: len(trace.atoms)].tolist()),
        "candidates": tuple(places[len(trace.atoms) :].tolist()),
        "similar": _rounded(similar, 4),
        "coefficients": _triangle(trace.coefficients),
        "residuals": _rounded(trace.residuals, 4),
        "signal": pictures.grey_levels(255 * signal),
        "step": step,
        "opens": opens,
    }
    _component(key=KEY, data=data, on_picked_change=lambda: None, on_opened_change=lambda: None)


def step_of(limit: int) -> int:
    """The step that is shown, from 1 to ``limit``: the one chosen last, or a link's."""
    key, default = f"step_{limit}", min(8, limit)

    def inside(step: int) -> bool:
        return 1 <= step <= limit

    picked = components.newly_picked(KEY, 1)
    step = picked[0] if picked and inside(picked[0]) else links.look_up(key, links.WHOLE, default, inside)
    links.note(key, links.WHOLE, step, default)
    return step


def opened() -> int | None:
    """The atom that was clicked since the last call, None if none was."""
    clicked = components.newly_picked(KEY, 1, "opened")
    return clicked[0] if clicked else None


def _triangle(coefficients: np.ndarray) -> str:
    """Rows 1, 2, … of a lower triangle, one after the other, as base64 of little-endian int16."""
    rows = np.clip(np.rint(FINEST * coefficients), -LARGEST, LARGEST)
    return pictures.encoded(rows[np.tril_indices(len(rows))].astype("<i2"))


def _rounded(values: np.ndarray, digits: int) -> tuple[float, ...]:
    return tuple(np.round(values.astype(np.float64), digits).tolist())
