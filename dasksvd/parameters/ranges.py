"""Kinds of ranges.  Each checks a value, says in words what it allows, and reads the command line.

The words are made from the limits that are checked, so the two cannot disagree.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from dasksvd.common.language import say
from dasksvd.common.registry import Registry
from dasksvd.errors import ParameterError
from dasksvd.parameters.checks import check_count, check_real, check_sparsity, is_between

_SIGNS = {"<=": "≤", ">=": "≥", "2**63": "2⁶³", " * ": " · ", "alpha": "α", "beta": "β"}


class Range(Protocol):
    """What a parameter may be."""

    def check(self, name: str, value: Any) -> Any:
        """The value as a plain Python value, or a ParameterError with its name."""

    def words(self, symbol: str) -> str:
        """What is allowed, in plain letters: ``0 <= tau2 < 1``."""

    def option(self) -> dict[str, Any]:
        """How argparse reads it."""


def count_or_share(text: str) -> int | float:
    """A whole number as an int, any other number as a float.

    Examples
    --------
    >>> count_or_share("7"), count_or_share("0.2"), count_or_share("1.0")
    (7, 0.2, 1.0)
    """
    return int(text) if text.lstrip("+-").isdigit() else float(text)


@dataclass(frozen=True)
class Count:
    """A whole number from ``smallest`` on; below 2 to the power of ``bits`` if that is given."""

    smallest: int = 1
    bits: int | None = None

    def check(self, name: str, value: Any) -> int:
        """The value as an int."""
        number = check_count(name, value, self.smallest)
        if self.bits is not None and number >= 2**self.bits:
            raise ParameterError(
                say("{name} must be below 2**{bits}, got {number}", name=name, bits=self.bits, number=number)
            )
        return number

    def words(self, symbol: str) -> str:
        """Such as ``whole number t >= 1``."""
        if self.bits is None:
            return say("whole number {symbol} >= {smallest}", symbol=symbol, smallest=self.smallest)
        low, bits = self.smallest, self.bits
        return say("whole number {low} <= {symbol} < 2**{bits}", low=low, symbol=symbol, bits=bits)

    def option(self) -> dict[str, Any]:
        """Read as a whole number."""
        return {"type": int}


@dataclass(frozen=True)
class Interval:
    """A number between two ends, which belong to it unless they are ``open``; a high end of None is no end."""

    low: float
    high: float | None = None
    low_open: bool = False
    high_open: bool = False

    def check(self, name: str, value: Any) -> float:
        """The value as a float."""
        return check_real(name, value, self.words(name), self._holds(value))

    def _holds(self, value: Any) -> bool:
        excluded = [self.low] * self.low_open + [self.high] * self.high_open
        high = math.inf if self.high is None else self.high
        return is_between(value, self.low, high) and value not in excluded

    def words(self, symbol: str) -> str:
        """Such as ``0 <= tau2 < 1``."""
        low = "<" if self.low_open else "<="
        if self.high is None:
            return f"{symbol} {low.replace('<', '>')} {self.low:g}"
        return f"{self.low:g} {low} {symbol} {'<' if self.high_open else '<='} {self.high:g}"

    def option(self) -> dict[str, Any]:
        """Read as a number."""
        return {"type": float}


@dataclass(frozen=True)
class CountOrShare:
    """A whole number as a count of atoms, or any other number as a share of them."""

    def check(self, name: str, value: Any) -> int | float:
        """The value as an int or a float."""
        return check_sparsity(value)

    def words(self, symbol: str) -> str:
        """Both ranges."""
        return say("whole number {symbol} >= 1, or share 0 < {symbol} <= 1", symbol=symbol)

    def option(self) -> dict[str, Any]:
        """``1`` is a count, ``1.0`` a share."""
        return {"type": count_or_share}


@dataclass(frozen=True)
class OneOf:
    """One of some values, each with a title that people read."""

    titles: Mapping[Any, str]

    def check(self, name: str, value: Any) -> Any:
        """The value, if it is one of them."""
        for choice in self.titles:
            if isinstance(value, type(choice)) and not isinstance(value, bool) and value == choice:
                return choice
        allowed = " or ".join(repr(choice) for choice in self.titles)
        raise ParameterError(f"{name} must be {allowed}, got {value!r}")

    def words(self, symbol: str) -> str:
        """The values."""
        return say(" or ").join(map(str, self.titles))

    def option(self) -> dict[str, Any]:
        """One of the values."""
        return {"choices": list(self.titles)}


@dataclass(frozen=True)
class Switch:
    """On or off."""

    def check(self, name: str, value: Any) -> bool:
        """The value as a bool."""
        if value not in (False, True):
            raise ParameterError(f"{name} must be False or True, got {value!r}")
        return bool(value)

    def words(self, symbol: str) -> str:
        """Both values."""
        return say("False or True")

    def option(self) -> dict[str, Any]:
        """On if the option is given."""
        return {"action": "store_true", "default": None}


@dataclass(frozen=True)
class Registered:
    """The name of an entry of a registry."""

    registry: Registry[Any]

    def check(self, name: str, value: Any) -> str:
        """The name, if it is known."""
        return self.registry[value].name

    @property
    def titles(self) -> dict[str, str]:
        """The titles of all entries by their names."""
        return {entry.name: entry.title for entry in self.registry.entries()}

    def words(self, symbol: str) -> str:
        """That it is a name; which ones there are can change."""
        return say("name of a {kind}", kind=say(self.registry.kind))

    def option(self) -> dict[str, Any]:
        """A name; one that is not known gets a message with those that are."""
        return {"metavar": "NAME"}


def in_symbols(words: str) -> str:
    """Words of a range with the signs and letters of the paper.

    Examples
    --------
    >>> in_symbols("whole number 0 <= s < 2**63"), in_symbols("alpha + beta <= 1")
    ('whole number 0 ≤ s < 2⁶³', 'α + β ≤ 1')
    """
    for plain, sign in _SIGNS.items():
        words = words.replace(plain, sign)
    return words
