"""How every wall of pictures is shown: a component that changes in place, faster than a chart is redrawn."""

import base64
from typing import Any

import numpy as np

from ui import components, figures, links
from ui.figures import Wall

_component = components.declare("picture_wall", "figure_files", "wall", "figure.css")


def show(wall: Wall, alt: str, key: str, *, place: Any = None, picked: tuple[int, int] | None = None) -> None:
    """Show a wall; its own buttons download it and fill the screen with it.

    Parameters
    ----------
    wall : Wall
    alt : str
        What a person who cannot see the wall should know.
    key : str
        Also the name of the downloaded file.
    place : container, optional
    picked : (row, column), optional
        The image to mark; see :func:`newly_picked`.
    """
    data = vars(wall) | {
        "picture": "data:image/png;base64," + base64.b64encode(wall.picture).decode("ascii"),
        "alt": alt,
        "name": f"das-ksvd-{key}",
        "picked": picked,
    }
    components.show_figure(_component, key, data, place)


def newly_picked(key: str, n_rows: int, n_columns: int) -> tuple[int, int] | None:
    """The image of a wall that was picked since the last call, None if none was."""
    row, column = components.newly_picked(key, 2) or (n_rows, n_columns)
    return (row, column) if row < n_rows and column < n_columns else None


def show_one(image: np.ndarray, title: str, alt: str, key: str, colors: list, *, place: Any = None, cell: float = 300):
    """Show one image enlarged."""
    show(figures.wall(image[None, None], title, colors, cell=cell), alt, key, place=place)


def _parsed(text: str) -> tuple[int, int]:
    row, _, column = text.partition(".")
    place = links.whole(row), links.whole(column) - 1
    if min(place) < 0:
        raise ValueError(text)
    return place


#: A place in a wall, as links name it.
PLACE = links.Kind(_parsed, lambda place: f"{place[0]}.{place[1] + 1}")
