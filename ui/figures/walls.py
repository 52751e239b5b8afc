"""Walls: small square images in rows, with names and marks around them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dasksvd.figures import SIGNED, class_color, in_rows, mosaic
from ui.figures.plots import class_glyphs


@dataclass(frozen=True)
class Mark:
    """An image of a wall that stands out.

    Attributes
    ----------
    row, column : int
    color : str
    label : str
        A short text in the image's corner.
    framed : bool
    """

    row: int
    column: int
    color: str
    label: str = ""
    framed: bool = True


@dataclass(frozen=True)
class Wall:
    """Small square images in rows and columns, as one picture and what stands around it.

    Attributes
    ----------
    picture : bytes
        PNG with one pixel per entry; the gaps between the images are clear.
    n_rows, n_columns, side : int
        The images, and the pixels along an image's side.
    title, x_title : str
    rows : list of (name, color)
        Empty if the rows have no names.
    columns : list of (name, color)
        Empty if the columns have none; an empty name is a column without one, an empty color the text's.
    cell : float
        Largest width of an image on the screen, in pixels.
    around : int
        Pixels of the window's height that other things need: the wall is no higher than the rest; 0 for any height.
    hover : list of list of str or None
        A text for each image; with texts the images can be picked.
    marks : list of Mark
    column : int or None
        A column that stands out.
    notes : list of (text, color)
        Lines beside the images; an empty color is a line without a mark.
    """

    picture: bytes
    n_rows: int
    n_columns: int
    side: int
    title: str
    x_title: str = ""
    rows: list[tuple[str, str]] = field(default_factory=list)
    columns: list[tuple[str, str]] = field(default_factory=list)
    cell: float = 52
    around: int = 0
    hover: list[list[str]] | None = None
    marks: list[Mark] = field(default_factory=list)
    column: int | None = None
    notes: list[tuple[str, str]] = field(default_factory=list)


def wall(
    images: np.ndarray,
    title: str,
    colors: list = SIGNED,
    *,
    rows: Sequence[str] = (),
    columns: Sequence[str] | None = None,
    column_classes: Sequence[int] | None = None,
    x_title: str = "",
    hover: Sequence[Sequence[str]] | None = None,
    marked: Sequence[tuple[int, int]] = (),
    strength: np.ndarray | None = None,
    cell: float = 52,
    around: int = 0,
) -> Wall:
    """A wall with one row of images per name.

    Parameters
    ----------
    images : ndarray of shape (n_rows, n_columns, side * side)
        Each is scaled by its own largest absolute value.
    title : str
    colors : list
        A colour scale of the palette.
    rows : sequence of str
        Names of the rows from the top, shown in the classes' colours.
    columns : sequence of str, optional
        Names of the columns; their numbers from 1 if there is an ``x_title``, otherwise nothing.
    column_classes : sequence of int, optional
        Classes whose colours the columns' names take.
    x_title : str
        What the columns are.
    hover : nested sequence of str, optional
        A text for each image.
    marked : sequence of (row, column)
        Images to frame in the row's class colour.
    strength : ndarray of shape (n_rows, n_columns), optional
        Share of the colour scale that each image uses, 1 by default.
    cell, around
        See :class:`Wall`.
    """
    n_rows, n_columns, size = images.shape
    if columns is None:
        columns = _numbers(n_columns) if x_title else ()
    inks = [""] * len(columns) if column_classes is None else [class_color(int(c)) for c in column_classes]
    return Wall(
        picture=mosaic(images, colors=colors, strength=strength),
        n_rows=n_rows,
        n_columns=n_columns,
        side=math.isqrt(size),
        title=title,
        x_title=x_title,
        rows=[(name, class_color(c)) for c, name in enumerate(rows)],
        columns=list(zip(columns, inks, strict=True)),
        cell=cell,
        around=around,
        hover=None if hover is None else [list(texts) for texts in hover],
        marks=[Mark(row, column, class_color(row)) for row, column in marked],
    )


def dictionary_wall(
    atoms: np.ndarray,
    selected: Sequence[int],
    classes: Sequence[str],
    title: str,
    colors: list = SIGNED,
    columns: int = 32,
    hover: Sequence[str] = (),
) -> Wall:
    """All atoms of one auxiliary dictionary, the selected ones framed in their class's colour.

    Parameters
    ----------
    atoms : ndarray of shape (n_atoms, side * side)
    selected : sequence of int
        The selected atom of each class.
    classes : sequence of str
    colors : list
        A colour scale of the palette.
    columns : int
        Atoms in a row; see :func:`in_a_row`.
    hover : sequence of str
        A text for each atom; with texts the atoms can be picked.
    """
    columns = in_a_row(len(atoms), columns)
    rows = in_rows(atoms, columns)
    return Wall(
        picture=mosaic(rows, colors=colors),
        n_rows=len(rows),
        n_columns=columns,
        side=math.isqrt(atoms.shape[1]),
        title=title,
        hover=[list(hover[start : start + columns]) for start in range(0, len(atoms), columns)] if hover else None,
        marks=[
            Mark(*divmod(int(atom), columns), class_color(c), label)
            for c, (label, atom) in enumerate(zip(class_glyphs(classes), selected, strict=True))
        ],
    )


def in_a_row(n_atoms: int, columns: int = 32) -> int:
    """Atoms in a row of a dictionary's wall: a small dictionary has shorter ones."""
    return columns if n_atoms > 64 else min(columns, 16)


def _numbers(n_columns: int) -> list[str]:
    """Numbers from 1; of many columns every fifth."""
    step = 1 if n_columns <= 20 else 5
    return [str(column + 1) if column % step == 0 else "" for column in range(n_columns)]
