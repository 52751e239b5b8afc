"""The way from a drawing to the rebuilt digit, as a strip of pictures under the sheet.

The sheet tells the strip in the browser what was read, so that both change at once; only what seldom changes is
sent to the strip itself.
"""

from dasksvd.figures import CLASS_COLORS
from ui import components
from ui.components import pictures

KEY = "way"
#: Atoms of a code that are shown.
N_ATOMS = 8

_component = components.declare("digit_way", "canvas_files", "way", shared_js="pictures.js")


def show(colors: list, reader: str, opens: bool) -> None:
    """Put the strip on the page.

    Parameters
    ----------
    colors : list
        The colour scale for atoms.
    reader : str
        The name of what reads the drawing.
    opens : bool
        Whether a click on an atom opens it; see :func:`opened`.
    """
    data = {
        "palette": pictures.palette(colors),
        "colors": CLASS_COLORS,
        "count": N_ATOMS,
        "reader": reader,
        "opens": opens,
    }
    _component(key=KEY, data=data, on_picked_change=lambda: None)


def opened() -> int | None:
    """The atom that was clicked since the last call, None if none was."""
    picked = components.newly_picked(KEY, 1)
    return picked[0] if picked else None
