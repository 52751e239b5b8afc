"""How every map of scores is shown: squares that can be read and picked by pointer and by keyboard."""

from collections.abc import Callable
from typing import Any

from ui import components
from ui.figures import ScoreMap, score_maps

_component = components.declare("score_map", "figure_files", "map", "figure.css", "figure.js")
COLORS = {score_maps.OUR_BEST: score_maps.OURS, score_maps.PAPERS_BEST: score_maps.PAPERS}


def show(
    chart: ScoreMap,
    alt: str,
    key: str,
    *,
    place: Any = None,
    corner: bool = False,
    on_pick: Callable[..., None] | None = None,
) -> None:
    """Show a map.

    Parameters
    ----------
    chart : ScoreMap
    alt : str
        What a person who cannot see the map should know.
    key : str
    place : container, optional
    corner : bool
        Whether the upper right corner is empty, as that of a triangle, and holds the legend.
    on_pick : callable, optional
        Called with the ``data`` of the cell that was clicked, or on which Enter was pressed.
    """
    cells = chart.cells

    def picked() -> None:
        place = picked_in(key, len(cells))
        if on_pick is not None and place is not None:
            on_pick(*cells[place].data)

    data = _data(chart, alt) | {"pickable": on_pick is not None, "corner": corner}
    components.show_figure(_component, key, data, place, picked)


def show_small(
    chart: ScoreMap, alt: str, key: str, *, chosen: bool, on_pick: Callable[[], None], place: Any = None
) -> None:
    """Show a map without numbers, small, as one button.

    Parameters
    ----------
    alt : str
        What the button does, and what can be seen on it.
    chosen : bool
        Whether it stands for what is shown large.
    on_pick : callable
        Called when it was pressed.
    """

    def picked() -> None:
        if picked_in(key, 1) is not None:
            on_pick()

    data = _data(chart, alt) | {"pickable": True, "corner": False, "mini": True, "chosen": chosen}
    components.show_figure(_component, key, data, place, picked)


def picked_in(key: str, count: int) -> int | None:
    """The cell that was picked just now, None if there is none."""
    sent = components.sent_by(key, "picked")
    return sent if components.is_count(sent, count) else None


def _data(chart: ScoreMap, alt: str) -> dict[str, Any]:
    """What the browser needs of a map; its cells as short lists."""
    squares = [
        (cell.x, cell.y, *fill, cell.text, cell.hover, cell.alike)
        for cell, fill in zip(chart.cells, chart.fills, strict=True)
    ]
    data = vars(chart) | {"cells": squares, "alt": alt, "mini": False, "colors": COLORS}
    del data["fills"]
    return data
