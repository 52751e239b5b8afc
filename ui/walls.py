"""How every wall of pictures is shown: a component that changes in place, faster than a chart is drawn anew."""

import base64
from dataclasses import asdict
from typing import Any

import numpy as np

from dasksvd import figures
from dasksvd.figures import Wall
from ui import components

#: More rows or columns than any wall has.
MANY = 10**6

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


def picked_in(key: str, n_rows: int, n_columns: int) -> tuple[int, int]:
    """The image of a wall that was picked last, the first one before that."""
    row, column = _pair(components.sent_by(key, "picked")) or (0, 0)
    return min(row, n_rows - 1), min(column, n_columns - 1)


def show_one(image: np.ndarray, title: str, alt: str, key: str, colors: list, *, place: Any = None, cell: float = 300):
    """Show one image enlarged."""
    show(figures.mosaic(image[None, None], title, colors, cell=cell), alt, key, place=place)


def _pair(sent: Any) -> tuple[int, int] | None:
    """What the browser sent, if it is a place."""
    if not isinstance(sent, list | tuple) or len(sent) != 2:
        return None
    row, column = sent
    return (row, column) if components.is_count(row, MANY) and components.is_count(column, MANY) else None
