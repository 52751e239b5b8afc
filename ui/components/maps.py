"""How every map of scores is shown: squares that can be read and picked by pointer and by keyboard."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from ui import components
from ui.figures import ScoreMap

_component = components.declare("score_map", "figure_files", "map", "figure.css")


def show(chart: ScoreMap, alt: str, key: str, *, place: Any = None, on_pick: Callable[..., None] | None = None) -> None:
    """Show a map.

    Parameters
    ----------
    chart : ScoreMap
    alt : str
        What a person who cannot see the map should know.
    key : str
    place : container, optional
    on_pick : callable, optional
        Called with the ``data`` of the cell that was clicked, or on which Enter was pressed.
    """
    cells = chart.cells

    def picked() -> None:
        place = picked_in(key, len(cells))
        if on_pick is not None and place is not None:
            on_pick(*cells[place].data)

    squares = [(cell.x, cell.y, *fill, cell.text, cell.hover) for cell, fill in zip(cells, chart.fills, strict=True)]
    data = asdict(chart) | {"cells": squares, "alt": alt, "pickable": on_pick is not None}
    del data["fills"]
    components.show_figure(_component, key, data, place, picked)


def picked_in(key: str, count: int) -> int | None:
    """The cell that was picked just now, None if there is none."""
    sent = components.sent_by(key, "picked")
    return sent if components.is_count(sent, count) else None
