"""What the panels of measured studies share: how numbers are written, and what is said without a file."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dasksvd.common.language import say
from dasksvd.statistics import Difference
from reproduce.means import Mean
from ui import figures
from ui.panels.results import Cell

#: Rounds that are proposed where nothing is measured.
ROUNDS = 10
EMPTY = Cell(float("nan"), "–")


def say_missing(study: str, what: str = "") -> None:
    """The command that measures a study."""
    st.info(
        say(
            "{what}: run `python -m reproduce {study} --rounds {rounds}`.",
            what=what or say("Not measured yet"),
            study=study,
            rounds=ROUNDS,
        )
    )


def point(at: float, mean: Mean, hover: str, factor: float = 100, **options: Any) -> figures.Point:
    """A mean as a point of a chart, in percent or another unit."""
    return figures.Point(at, factor * mean.value, factor * mean.low, factor * mean.high, hover, **options)


def percent(mean: Mean) -> str:
    """A mean with its interval and how many rounds it has."""
    return f"{mean.text} % ({rounds(len(mean.rounds))})"


def rounds(count: int) -> str:
    """So many rounds."""
    return say("1 round") if count == 1 else say("{count} rounds", count=count)


def cell(one: Difference | None) -> Cell:
    """A difference in a table, bold where it is clear of 0."""
    if one is None:
        return EMPTY
    return Cell(100 * one.mean, f"**{one.text}**" if one.verdict in ("better", "worse") else one.text)


def fewest(means: Sequence[Mean]) -> str:
    """How many rounds the means of a chart have."""
    counts = sorted({len(mean.rounds) for mean in means})
    return (
        rounds(counts[0]) if len(counts) == 1 else say("{count} to {count2} rounds", count=counts[0], count2=counts[-1])
    )
