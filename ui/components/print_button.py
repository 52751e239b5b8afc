"""A button that prints the page: the browser's own dialog also saves it as PDF."""

from ui import components

_component = components.declare("print_button", "lesson_files", "print")


def show(label: str) -> None:
    """Put the button on the page."""
    _component(key="print", data={"label": label})
