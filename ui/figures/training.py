"""What a run at work shows: the wall that fills up, and the error of K-SVD."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dasksvd.common.language import say
from dasksvd.figures import SIGNED
from ui.figures.plots import Plot, Spot
from ui.figures.walls import Wall, wall

#: Strength of the frames of atoms that are not learned yet.
_PALE = 0.35
#: One step below the scale's lowest level stands the clear gap.
_CLEAR = 128 / 127


def growing_wall(atoms: np.ndarray, n_columns: int, title: str, colors: list = SIGNED, **options: Any) -> Wall:
    """The atoms learned so far in a wall that has its final size: those to come are empty frames.

    Parameters
    ----------
    atoms : ndarray of shape (n_classes, n_done, side * side)
    n_columns : int
        Iterations of the whole run.
    options
        For :func:`ui.figures.wall`.
    """
    n_classes, done, size = atoms.shape
    images = np.broadcast_to(_frame(size), (n_classes, n_columns, size)).copy()
    images[:, :done] = atoms
    strength = np.full((n_classes, n_columns), _CLEAR)
    strength[:, :done] = 1
    return wall(images, title, colors, strength=strength, **options)


def _frame(size: int) -> np.ndarray:
    """A square frame that is clear inside, shape (size,), for a strength of ``_CLEAR``."""
    side = round(size**0.5)
    frame = np.full((side, side), _PALE, np.float32)
    frame[1:-1, 1:-1] = -1
    return frame.ravel()


def _palest_first(count: int) -> list[int]:
    return np.linspace(0, 120, count).round().astype(int)[::-1].tolist()


def error_lines(curves: Mapping[str, Sequence[float]], title: str, steps: int, height: int = 280) -> Plot:
    """The error of K-SVD after each of its iterations, one line per name, the last one darkest.

    Parameters
    ----------
    curves : mapping of str to sequence of float
        Errors of each run of K-SVD.
    steps : int
        K-SVD iterations of a whole line: the axis does not grow with it.
    """
    shades = [f"rgb({20 + pale}, {140 + pale // 2}, {157 + pale // 2})" for pale in _palest_first(len(curves))]
    spots = [
        Spot(
            step,
            float(error),
            shade,
            say("{name}, K-SVD iteration {step}: {error:.4f}", name=name, step=step, error=error),
        )
        for shade, (name, errors) in zip(shades, curves.items(), strict=True)
        for step, error in enumerate(errors, 1)
    ]
    legend = list(zip(curves, shades, strict=True)) if len(curves) > 1 else []
    return Plot(
        "line",
        title,
        say("K-SVD iteration"),
        say("RMS error"),
        spots,
        [],
        (0, max(2, steps)),
        height=height,
        legend=legend,
    )
