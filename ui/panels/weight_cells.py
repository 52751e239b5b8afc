"""Points of a search over the weights as squares of a map: what they say, and what a click on one does."""

from collections.abc import Iterable

import streamlit as st

from dasksvd.common.language import say
from dasksvd.search.lattice import Point, as_text
from dasksvd.search.weights import Row
from dasksvd.statistics import Noise
from ui import figures, state
from ui.panels import score_table

#: The point that was picked last: α, β and atoms per class.
PICKED = "picked_point"


def pick(alpha: float, beta: float, size: int, ranking: str) -> None:
    """Make a point of a map current in the whole app, and remember to say so."""
    state.choose(alpha, beta, size, ranking)
    st.session_state[PICKED] = (round(alpha, 4), round(beta, 4), size)


def place_of(point: Point) -> tuple[int, int]:
    """Where a point stands on its map."""
    return point.i, point.j


def limits_of(rows: Iterable[Row]) -> tuple[float, float]:
    """The ends of the colour scale for some rows, in percent."""
    return figures.score_limits(100 * row.summary.mean for row in rows if row.summary)


def cell(
    row: Row,
    k: int = 0,
    part: str = "",
    noise: Noise | None = None,
    alike: bool = False,
    *,
    digits: int = 1,
    papers: float | None = None,
) -> figures.Cell:
    """A point as a square; without classes one of a small map, which says nothing.

    Parameters
    ----------
    k : int
        Classes of the data.
    part : str
        What the networks were scored on.
    alike : bool
        Whether it cannot be told from the best.
    digits : int
        Decimals of the number in it.
    papers : float, optional
        The paper's number, put in brackets below ours.
    """
    point, value = row.point, None if row.summary is None else 100 * row.summary.mean
    if not k:
        return figures.Cell(*place_of(point), value, "", "")
    lines = [f"α = {as_text(point.i, point.n)}, β = {as_text(point.j, point.n)}"]
    lines.append(say("not scored yet") if row.summary is None else score_table.in_words(row.summary, noise, part))
    if alike:
        lines[1] += say("; cannot be told from the best")
    lines.append(say("{size} atoms, {changed} differ from α = β = 0", size=row.size * k, changed=row.changed))
    if row.shared > 1:
        lines.append(say("{shared} points select the same atoms", shared=row.shared))
    text = "" if value is None else f"{value:.{digits}f}" + (f"\n({papers:.2f})" if papers else "")
    return figures.Cell(*place_of(point), value, text, "\n".join(lines), (point.alpha, point.beta), alike)
