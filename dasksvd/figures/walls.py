"""Walls of small square images."""

import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from PIL import Image

from dasksvd.figures.palette import GAP, SIGNED, class_color


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
    hover : list of list of str or None
        A text for each image; with texts the images can be picked.
    marks : list of Mark
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
    hover: list[list[str]] | None = None
    marks: list[Mark] = field(default_factory=list)


def mosaic(
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
    cell : float
        Largest width of an image on the screen, in pixels.
    """
    n_rows, n_columns, size = images.shape
    if columns is None:
        columns = _numbers(n_columns) if x_title else ()
    inks = [""] * len(columns) if column_classes is None else [class_color(int(c)) for c in column_classes]
    return Wall(
        picture=wall_png(images, colors, strength=strength),
        n_rows=n_rows,
        n_columns=n_columns,
        side=math.isqrt(size),
        title=title,
        x_title=x_title,
        rows=[(name, class_color(c)) for c, name in enumerate(rows)],
        columns=list(zip(columns, inks, strict=True)),
        cell=cell,
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
        Atoms in a row.
    """
    columns = columns if len(atoms) > 64 else min(columns, 16)
    n_rows = -(-len(atoms) // columns)
    padded = np.zeros((n_rows * columns, atoms.shape[1]), np.float32)
    padded[: len(atoms)] = atoms
    return Wall(
        picture=wall_png(padded.reshape(n_rows, columns, -1), colors),
        n_rows=n_rows,
        n_columns=columns,
        side=math.isqrt(atoms.shape[1]),
        title=title,
        marks=[
            Mark(*divmod(int(atom), columns), class_color(c), label)
            for c, (label, atom) in enumerate(zip(classes, selected, strict=True))
        ],
    )


def tile(images: np.ndarray, strength: np.ndarray | None = None) -> np.ndarray:
    """Images of shape (n_rows, n_columns, side * side) as one wall with gaps of one pixel, int8.

    Each image is scaled by its own largest absolute value to -127 … 127, or to the share of it that
    ``strength`` of shape (n_rows, n_columns) gives; gaps are ``GAP``.
    """
    n_rows, n_columns, size = images.shape
    side = math.isqrt(size)
    peaks = np.abs(images).max(axis=2, keepdims=True)
    scaled = np.divide(images, peaks, out=np.zeros_like(images, np.float32), where=peaks > 0)
    if strength is not None:
        scaled = scaled * strength[:, :, None]
    wall = np.full((n_rows, side + 1, n_columns, side + 1), GAP, np.int8)
    levels = np.rint(127 * scaled).astype(np.int8).reshape(n_rows, n_columns, side, side)
    wall[:, :side, :, :side] = levels.transpose(0, 2, 1, 3)
    return wall.reshape(n_rows * (side + 1), n_columns * (side + 1))[:-1, :-1]


def wall_png(images: np.ndarray, colors: list = SIGNED, zoom: int = 1, strength: np.ndarray | None = None) -> bytes:
    """The wall of :func:`tile` as a PNG in a colour scale of the palette."""
    picture = Image.fromarray((tile(images, strength).astype(np.int16) - GAP).astype(np.uint8))
    palette = _palette(tuple(map(tuple, colors)))
    picture.putpalette(palette[:, :3].tobytes())
    if zoom > 1:
        picture = picture.resize((zoom * picture.width, zoom * picture.height), Image.Resampling.NEAREST)
    buffer = io.BytesIO()
    # Hardly larger than with more effort, and written in a third of the time.
    picture.save(buffer, "PNG", transparency=palette[:, 3].tobytes(), compress_level=2)
    return buffer.getvalue()


@cache
def _palette(colors: tuple) -> np.ndarray:
    """The colours of levels GAP … 127 as (256, 4), uint8: red, green, blue, opacity."""
    at = [place for place, _ in colors]
    parts = [[float(number) for number in re.findall(r"[\d.]+", text)] for _, text in colors]
    values = np.array([part if len(part) == 4 else [*part, 1.0] for part in parts]) * (1, 1, 1, 255)
    levels = np.linspace(0, 1, 256)
    return np.rint(np.stack([np.interp(levels, at, value) for value in values.T], axis=1)).astype(np.uint8)


def _numbers(n_columns: int) -> list[str]:
    """Numbers from 1; of many columns every fifth."""
    step = 1 if n_columns <= 20 else 5
    return [str(column + 1) if column % step == 0 else "" for column in range(n_columns)]
