"""Why a drawn digit was read as it was: small pictures with their classes."""

from collections.abc import Sequence

import numpy as np

from dasksvd.figures import SIGNED
from ui.figures.walls import Wall, wall


def labelled_row(
    pictures: np.ndarray,
    labels: Sequence[int],
    called: Sequence[str],
    texts: Sequence[str],
    title: str,
    colors: list = SIGNED,
) -> Wall:
    """Small pictures in a row, each with its class in colour and a text below it.

    Parameters
    ----------
    pictures : ndarray of shape (n, side * side)
    labels : sequence of int
        Classes of the pictures.
    called : sequence of str
        Their names.
    """
    names = [f"{name}\n{text}" for name, text in zip(called, texts, strict=True)]
    return wall(pictures[None], title, colors, columns=names, column_classes=labels, cell=100)
