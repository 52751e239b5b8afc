"""What runs differ in, in one sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from dasksvd.common.language import phrase, say
from dasksvd.datasets.description import Description
from dasksvd.parameters import TABLE

#: Settings and values that are named one by one.
MOST_NAMED, MOST_VALUES = 4, 5
#: What stands beside the settings.
DATA, CLASSES = phrase("data"), phrase("classes")


def contrast(runs: Sequence[Description]) -> dict[str, list[Any]]:
    """The settings in which some runs differ, and the values that each has among them, in the order of the runs."""
    sides = [{DATA: what.data, CLASSES: len(what.classes)} | asdict(what.settings) for what in runs]
    values = {name: list(dict.fromkeys(side.get(name) for side in sides)) for name in _names(sides)}
    return {name: found for name, found in values.items() if len(found) > 1}


def _names(sides: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for side in sides for name in side))


def sentence(runs: Sequence[Description]) -> str:
    """The same for people."""
    found = contrast(runs)
    if not found:
        return say("Their settings are the same.")
    parts = [f"{_title(name)} ({_values(values)})" for name, values in list(found.items())[:MOST_NAMED]]
    if len(found) > MOST_NAMED:
        parts.append(say("{count} more", count=len(found) - MOST_NAMED))
    told = parts[0] if len(parts) == 1 else say(" and ").join([", ".join(parts[:-1]), parts[-1]])
    return say("They differ in {told}; all other settings are the same.", told=told)


def _title(name: str) -> str:
    row = TABLE.get(name)
    return say(name) if row is None else row.symbol or say(row.title)


def _values(values: Sequence[Any]) -> str:
    """Two values as a pair, more of them in order; of many, the ends."""
    numbers = [value for value in values if isinstance(value, int | float)]
    if len(numbers) == len(values) > 2:
        values = sorted(numbers)
    texts = [f"{value:g}" if isinstance(value, float) else str(value) for value in values]
    if len(texts) > MOST_VALUES:
        if not numbers:
            return say("{count} values", count=len(texts))
        return say("{count} values, {first} … {last}", count=len(texts), first=texts[0], last=texts[-1])
    return say(" or ").join(texts) if len(texts) == 2 else ", ".join(texts)
