"""What a learner can be seen to have done: named checks over what the pages show.

A lesson's file names them in its lines ``done:``, such as ``done: value alpha > 0.5``.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dasksvd.common.registry import Registry
from ui import kinds, navigation


@dataclass(frozen=True)
class Seen:
    """What is seen of a visitor.

    Attributes
    ----------
    page : str
        The page's name.
    shown : mapping
        What it shows: values of controls, and what else its panels have told.
    before : mapping
        The same when the step began.
    texts : mapping
        Values as links write them, without those that are as usual.
    """

    page: str
    shown: Mapping[str, Any]
    before: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)


Test = Callable[[Seen], bool]
#: Each makes a test of the words behind its name; ValueError if they make no sense.
CHECKS: Registry[Callable[..., Test]] = Registry("check")
OPERATORS = {"<": operator.lt, "<=": operator.le, "=": operator.eq, ">=": operator.ge, ">": operator.gt}


def parse(line: str) -> Test:
    """A line such as ``value alpha > 0.5`` as a test; ValueError says what is wrong with it."""
    name, *words = line.split()
    if name not in CHECKS:
        raise ValueError(f"unknown check {name!r}; known are {', '.join(CHECKS)}")
    try:
        return CHECKS[name].value(*words)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{line!r}: {error}") from error


@CHECKS.register("value", title="A number is on one side of a limit: value KEY < 2")
def value(key: str, comparison: str, limit: str) -> Test:
    """A control, or something told by a panel, has a number."""
    if comparison not in OPERATORS:
        raise ValueError(f"{comparison!r} is none of {' '.join(OPERATORS)}")
    compare, bound = OPERATORS[comparison], kinds.number(limit)

    def test(seen: Seen) -> bool:
        shown = seen.shown.get(key)
        return isinstance(shown, int | float) and bool(compare(shown, bound))

    return test


@CHECKS.register("is", title="A choice is made: is KEY TEXT")
def chosen(key: str, text: str) -> Test:
    """A control shows a choice, as links write it."""
    return lambda seen: seen.texts.get(key, str(seen.shown.get(key))) == text


@CHECKS.register("changed", title="One of some controls was moved: changed KEY …")
def changed(*keys: str) -> Test:
    """Something is not as it was when the step began."""
    if not keys:
        raise ValueError("which control?")
    return lambda seen: any(_differs(seen, key) for key in keys)


@CHECKS.register("page", title="Another page was opened: page NAME")
def page(name: str) -> Test:
    """The learner has gone to a page."""
    navigation.PAGES.check(name)
    return lambda seen: seen.page == name


def holds(tests: Sequence[Test], seen: Seen) -> bool:
    """Whether a step is done: all of its tests hold; one without any is for reading."""
    return all(test(seen) for test in tests)


def _differs(seen: Seen, key: str) -> bool:
    return key in seen.before and key in seen.shown and bool(seen.shown[key] != seen.before[key])
