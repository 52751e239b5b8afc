"""How the values of controls are written in addresses: a way to read a text, and a way to write a value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Kind:
    """How values are written.

    Attributes
    ----------
    parse : callable
        A text to a value; ValueError if it is none.
    format : callable
        A value to a text.
    """

    parse: Callable[[str], Any]
    format: Callable[[Any], str] = str


def number(text: str) -> float:
    """A finite number."""
    value = float(text)
    if value - value != 0:
        raise ValueError(text)
    return value


def whole(text: str) -> int:
    """A whole number that a control can show."""
    value = number(text)
    if value != int(value) or abs(value) > 2**53:
        raise ValueError(text)
    return int(value)


def switch(text: str) -> bool:
    """On or off."""
    if text not in ("0", "1"):
        raise ValueError(text)
    return text == "1"


def short(value: float) -> str:
    """A number, exact, in as few characters as possible."""
    return next((text for text in (f"{value:.4g}", f"{value:.10g}") if float(text) == value), repr(float(value)))


NUMBER, WHOLE = Kind(number, short), Kind(whole)
WORD, SWITCH = Kind(str), Kind(switch, lambda on: str(int(on)))


def one_of(options: Sequence, names: dict | None = None) -> Kind:
    """One of some values, written as they are; old links name them by their labels."""
    found = {str(option): option for option in options}
    labels = list((names or {}).values())
    called = {str(name): option for option, name in (names or {}).items() if labels.count(name) == 1}

    def parse(text: str) -> Any:
        if text in found:
            return found[text]
        if text in called:
            return called[text]
        raise ValueError(text)

    return Kind(parse)


def named(names: dict[Any, str]) -> Kind:
    """One of some values, each with a name of its own for links."""
    found = {name: value for value, name in names.items()}

    def parse(text: str) -> Any:
        if text not in found:
            raise ValueError(text)
        return found[text]

    return Kind(parse, names.__getitem__)


def many(kind: Kind, most: int) -> Kind:
    """Several values in a row."""

    def parse(text: str) -> list:
        parts = text.split("~") if text else []
        if len(parts) > most:
            raise ValueError(text)
        return [kind.parse(part) for part in parts]

    return Kind(parse, lambda values: "~".join(kind.format(value) for value in values))
