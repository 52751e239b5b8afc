"""How forest plots are shown: a light component that pointer and arrow keys ask for numbers."""

from typing import Any

from ui import components
from ui.figures import Forest

_component = components.declare("forest", "figure_files", "forest", "figure.css", "figure.js")


def show(figure: Forest, alt: str, key: str, *, place: Any = None) -> None:
    """Show a forest plot; its own button downloads it as SVG.

    Parameters
    ----------
    figure : Forest
    alt : str
        What a person who cannot see the figure should know.
    key : str
        Also the name of the downloaded file.
    place : container, optional
    """
    components.show_figure(_component, key, vars(figure) | {"alt": alt, "name": f"das-ksvd-{key}"}, place)
