"""The wall of all selected atoms, each a door to its own details."""

from dataclasses import replace
from typing import Any

from dasksvd.common.language import phrase, say
from dasksvd.figures import ACCENT
from ui import figures
from ui.components import walls
from ui.panels import atom_picks
from ui.state import View

KEY = "dictionary"
#: What few columns have no room for.
WORDS, FEW = phrase(" (the sample's noise grows to the right)"), 10


def open_picked(view: View) -> None:
    """Open the page of the atoms if one was clicked, or Enter was pressed on it."""
    atom_picks.open_picked(KEY, len(view.classes), view.I, view.run_id)


def reader_of(view: View) -> dict[str, str]:
    """What a link to the page of drawings says, so that pictures of other data than digits are read there."""
    if view.draws:
        return {}
    from ui import readers  # with all that reads, which the first page does not need

    name = readers.of_run(view.run_id)
    return {"reader": name} if name else {}


def show(view: View, iteration: int, around: int, place: Any = None) -> None:
    """The selected atoms, one row per class; the number of one iteration stands out below its column.

    Parameters
    ----------
    iteration : int
        From 1.
    around : int
        Pixels of the window's height that other things need.
    """
    count = view.I * len(view.classes)
    wall = figures.wall(
        view.selection.atoms.reshape(view.I, len(view.classes), -1).transpose(1, 0, 2),
        say("The {count} selected atoms, by class", count=count),
        view.colors,
        rows=view.classes,
        x_title=say("iteration") + say(WORDS) * (view.I > FEW),
        hover=[[view.told(row, column) for column in range(view.I)] for row in range(len(view.classes))],
        around=around,
    )
    names = [(str(iteration), ACCENT) if at == iteration else name for at, name in enumerate(wall.columns, 1)]
    alt = say(
        "Mosaic of {count} selected atoms: one row per class, one column per iteration 1 to {I}.", count=count, I=view.I
    )
    walls.show(replace(wall, columns=names), alt, KEY, place=place)
