"""How a curve with intervals is shown: its points can be read by pointer and by keyboard."""

from typing import Any

from ui import components
from ui.figures import IntervalCurve

_component = components.declare("interval_curve", "figure_files", "curve", "figure.css", "figure.js")


def show(curve: IntervalCurve, alt: str, key: str, *, place: Any = None) -> None:
    """Show a curve; ``alt`` says what a person who cannot see it should know."""
    components.show_figure(_component, key, vars(curve) | {"alt": alt}, place)
