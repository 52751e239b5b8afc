"""The atoms that speak for an answer and against it, as bars with the atoms' pictures."""

from collections.abc import Sequence
from dataclasses import dataclass

from dasksvd.figures import class_color
from ui import components
from ui.components import pictures

KEY = "votes"

_component = components.declare("atom_votes", "canvas_files", "votes", shared_js="pictures.js")


@dataclass(frozen=True)
class Side:
    """Atoms on one side, the strongest first.

    Attributes
    ----------
    title : str
    atoms, classes, places : tuple of int
        Which atoms, their classes, and their places in the order of the pursuit, from 1; 0 if it did not take them.
    parts : tuple of float
        What each adds to the lead.
    pictures : str
        See :func:`ui.components.pictures.signed_levels`.
    """

    title: str
    atoms: tuple[int, ...]
    classes: tuple[int, ...]
    places: tuple[int, ...]
    parts: tuple[float, ...]
    pictures: str


def show(sides: Sequence[Side], alt: str, colors: list, labels: Sequence[str], opens: bool) -> None:
    """Show both sides, for and against.

    Parameters
    ----------
    alt : str
        What a person who cannot see the bars should know.
    colors : list
        The colour scale for atoms.
    labels : sequence of str
        What the classes are called.
    opens : bool
        Whether a click on an atom opens it; see :func:`opened`.
    """
    data = {
        "sides": tuple(components.as_data(side) for side in sides),
        "alt": alt,
        "palette": pictures.palette(colors),
        "colors": tuple(class_color(number) for number in range(len(labels))),
        "labels": tuple(labels),
        "opens": opens,
    }
    _component(key=KEY, data=data, on_opened_change=lambda: None)


def opened() -> int | None:
    """The atom that was clicked since the last call, None if none was."""
    clicked = components.newly_picked(KEY, 1, "opened")
    return clicked[0] if clicked else None
