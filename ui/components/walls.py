"""How every wall of pictures is shown: a component that changes in place, faster than a chart is redrawn."""

import base64
from dataclasses import asdict
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
        The image to mark; see :func:`picked_in`.
    """
    data = asdict(wall) | {
        "picture": "data:image/png;base64," + base64.b64encode(wall.picture).decode("ascii"),
        "alt": alt,
        "name": f"das-ksvd-{key}",
        "picked": picked,
    }
    components.show_figure(_component, key, data, place)


def picked_in(key: str, n_rows: int, n_columns: int, link: str = "") -> tuple[int, int]:
    """The image of a wall that was picked last, by default the first one.

    Parameters
    ----------
    link : str
        Its name in links, the wall's own if there is none; there, columns are counted from 1, as iterations are.
    """
    link = link or key
    row, column = components.newly_picked(key, 2) or links.look_up(link, PLACE, (0, 0))
    place = min(row, n_rows - 1), min(column, n_columns - 1)
    links.note(link, PLACE, place, (0, 0))
    return place


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
