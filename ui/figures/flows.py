"""One iteration of the method as five pictures in a row, each made from the one before it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dasksvd.figures import GREY, SIGNED, class_color, mosaic
from ui.figures.plots import class_glyphs

#: Bars that fit beside each other, with names of one letter and of two; of more classes the highest ones are shown.
MOST_BARS = (12, 8)


@dataclass(frozen=True)
class Stage:
    """What happens in one step.

    Attributes
    ----------
    title, caption : str
    opens : str
        The name of the page behind it.
    """

    title: str
    caption: str
    opens: str


@dataclass(frozen=True)
class Flow:
    """The pictures of one iteration, one below the other in each PNG, and the words around them.

    Attributes
    ----------
    title : str
    side : int
        Pixels along an image's side; a clear line stands between two images.
    drawn, noisy, learned, kept : bytes
        The drawn signals, the same with noise, atoms learned from them, those that stay.
    counts : (int, int, int)
        How many images there are in ``drawn`` and ``noisy``, in ``learned``, and in ``kept``.
    judged : int
        The place in ``learned`` of the atom that the bars belong to.
    origins : list of int
        The place in ``learned`` of each atom of ``kept``.
    names : list of (name, color)
        The classes of ``kept``.
    bars : list of (name, share, color, mark)
        Which classes use the judged atom; a mark for the first and the second.
    stages : list of (title, caption, opens)
    """

    title: str
    side: int
    drawn: bytes
    noisy: bytes
    learned: bytes
    kept: bytes
    counts: tuple[int, int, int]
    judged: int
    origins: list[int]
    names: list[tuple[str, str]]
    bars: list[tuple[str, float, str, str]]
    stages: list[tuple[str, str, str]]


def column(images: np.ndarray, colors: list = SIGNED) -> bytes:
    """Images of shape (n, side * side) as a PNG, one below the other."""
    return mosaic(images[:, None], colors=colors)


def flow(
    title: str,
    drawn: np.ndarray,
    noisy: np.ndarray,
    learned: np.ndarray,
    *,
    judged: int,
    origins: Sequence[int],
    classes: Sequence[str],
    shares: np.ndarray,
    top: int,
    second: int,
    stages: Sequence[Stage],
    colors: list = SIGNED,
) -> Flow:
    """The pictures of one iteration.

    Parameters
    ----------
    drawn, noisy : ndarray of shape (n, side * side)
    learned : ndarray of shape (n_learned, side * side)
        Atoms, those that are kept among them.
    judged : int
        The place in ``learned`` of the atom whose users are shown.
    origins : sequence of int
        The place in ``learned`` of the atom that each of the first classes keeps.
    classes : sequence of str
    shares : ndarray of shape (n_classes,)
        The share of each class's signals that use the judged atom.
    top, second : int
        The classes with the largest and the second largest share.
    stages : sequence of Stage
    colors : list
        A colour scale of the palette.
    """
    signs = class_glyphs(classes)
    most = MOST_BARS[max(map(len, signs)) > 1]
    marks = {second: "ℓ*", top: "ℓ⁺"}
    shown = sorted(np.argsort(-shares, kind="stable")[:most].tolist())
    kept = learned[list(origins)]
    return Flow(
        title=title,
        side=int(np.sqrt(drawn.shape[1])),
        drawn=column(drawn, GREY),
        noisy=column(noisy, GREY),
        learned=column(learned, colors),
        kept=column(kept, colors),
        counts=(len(drawn), len(learned), len(kept)),
        judged=judged,
        origins=list(origins),
        names=[(name, class_color(c)) for c, name in enumerate(signs[: len(kept)])],
        bars=[(signs[c], round(float(shares[c]), 4), class_color(c), marks.get(c, "")) for c in shown],
        stages=[(stage.title, stage.caption, stage.opens) for stage in stages],
    )
