"""How the steps of an iteration are shown: they play once, can be stepped, and each one opens a page."""

import base64

from ui import components
from ui.figures import Flow

PICTURES = ("drawn", "noisy", "learned", "kept")

_component = components.declare("method_flow", "flow_files", "flow")


def show(flow: Flow, alt: str, key: str) -> None:
    """Show the steps.

    Parameters
    ----------
    flow : Flow
    alt : str
        What a person who cannot see the pictures should know.
    key : str
    """
    pictures = {name: base64.b64encode(getattr(flow, name)).decode("ascii") for name in PICTURES}
    components.show_figure(_component, key, vars(flow) | pictures | {"alt": alt}, None)


def opened_in(key: str, count: int) -> int | None:
    """The step that was opened since the last call, of ``count`` ones; None if there is none."""
    picked = components.newly_picked(key, 1)
    return picked[0] if picked and picked[0] < count else None
