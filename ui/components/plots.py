"""How light charts are shown: a component that changes in place, faster than a plotly chart is redrawn."""

from typing import Any

from ui import components, links
from ui.figures import Plot

_component = components.declare("light_plot", "figure_files", "plot", "figure.css", "figure.js")


def show(plot: Plot, alt: str, key: str, *, place: Any = None, picked: int | None = None) -> None:
    """Show a plot; its own button downloads it as SVG.

    Parameters
    ----------
    plot : Plot
    alt : str
        What a person who cannot see the chart should know.
    key : str
        Also the name of the downloaded file.
    place : container, optional
    picked : int, optional
        The spot to mark; with it the spots can be picked, see :func:`picked_in`.
    """
    data = vars(plot) | {"alt": alt, "name": f"das-ksvd-{key}", "picked": picked}
    components.show_figure(_component, key, data, place)


def picked_in(key: str, count: int, link: str = "") -> int | None:
    """The spot of a plot that was picked last, None before; ``link`` is its name in links, by default the key."""
    link = link or key

    def inside(spot: int | None) -> bool:
        return spot is None or 0 <= spot < count

    clicked = components.newly_picked(key, 1)
    spot = clicked[0] if clicked and inside(clicked[0]) else links.look_up(link, links.WHOLE, None, inside)
    links.note(link, links.WHOLE, spot, None)
    return spot
