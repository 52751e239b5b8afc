"""How charts of rounds are shown: points can be read and picked, series shown alone, by pointer and by keyboard."""

from collections.abc import Sequence
from typing import Any

from ui import components, links
from ui.figures import Chart

_component = components.declare("series_chart", "figure_files", "series", "figure.css", "figure.js")


def show(
    chart: Chart,
    alt: str,
    key: str,
    *,
    place: Any = None,
    picked: int | None = None,
    alone: int | None = None,
    pickable: bool = True,
) -> None:
    """Show a chart; its own button downloads it as SVG.

    Parameters
    ----------
    chart : Chart
    alt : str
        What a person who cannot see the chart should know.
    key : str
        Also the name of the downloaded file.
    place : container, optional
    picked : int, optional
        The point to mark, counted through all series.
    alone : int, optional
        The series that stands out.
    pickable : bool
        Whether a click picks a point, see :func:`picked_in`; else it shows a series alone, see :func:`alone_in`.
    """
    data = vars(chart) | {"alt": alt, "name": f"das-ksvd-{key}", "picked": picked, "alone": alone}
    components.show_figure(_component, key, data | {"pickable": pickable}, place)


def picked_in(key: str, names: Sequence[str], link: str, default: str | None) -> str | None:
    """The name of the point that was picked last, or that a link names; ``link`` is what it is called there."""
    return _named(components.newly_picked(key, 1), names, link, default)


def alone_in(key: str, names: Sequence[str], link: str) -> str | None:
    """The name of the series that is shown alone, None if all are; a chart sends their number for all."""
    clicked = components.newly_picked(key, 1, "alone")
    if clicked and clicked[0] == len(names):
        links.note(link, links.one_of(names), None, None)
        return None
    return _named(clicked, names, link, None)


def _named(clicked: tuple[int, ...] | None, names: Sequence[str], link: str, default: str | None) -> str | None:
    kind = links.one_of(names)
    if clicked and clicked[0] < len(names):
        chosen = names[clicked[0]]
    else:
        chosen = links.look_up(link, kind, default, names.__contains__)
    links.note(link, kind, chosen, default)
    return chosen
