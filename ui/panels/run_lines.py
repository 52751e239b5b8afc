"""Runs as lines through their settings and results; ranges on the axes filter table, charts and atoms alike."""

from collections.abc import Sequence

import streamlit as st

from dasksvd.common.language import say
from dasksvd.statistics import plus_minus
from ui import components, links
from ui.components import parallel
from ui.components.parallel import Axis, Brush
from ui.controls import run_picks
from ui.panels import run_rows
from ui.panels.run_rows import READING, RESULTS, SHOWN, Row, Rows

KEY, LINK = "run_lines", "brush"
#: Axes in a chart; more of them would stand too close.
MOST = 10
_SETTINGS = {row.name: row for row in SHOWN}


def axes_of(rows: Rows) -> list[Axis]:
    """Axes of the settings in which runs differ, then of what came out."""
    names = ("data", "group", *(row.name for row in SHOWN), *READING)
    settings = [axis for name in names if (axis := _axis(name, rows))]
    results = [axis for name in RESULTS if (axis := _axis(name, rows))]
    return [*settings[: MOST - len(results)], *results]


def _axis(name: str, rows: Rows) -> Axis | None:
    return parallel.axis_of(name, run_rows.said(name), [_value(name, row) for row in rows.values()])


def _value(name: str, row: Row) -> parallel.Value:
    """In the unit that the title of the axis tells."""
    value = row.get(name)
    return run_rows.shown(_SETTINGS[name], value) if name in _SETTINGS else value


def inside(rows: Rows) -> tuple[dict[str, Row], Brush]:
    """The runs within the ranges, and the ranges."""
    brush = parallel.brushed(KEY, axes_of(rows), LINK)
    if not brush:
        return dict(rows), brush
    return {i: row for i, row in rows.items() if parallel.keeps(brush, {n: _value(n, row) for n in brush})}, brush


def clear() -> None:
    """Take away all ranges."""
    links.put(LINK, "")


def words(brush: Brush) -> str:
    """The ranges for people."""
    parts = []
    for name, (low, high) in brush.items():
        ends = (parallel.short_text(low), parallel.short_text(high)) if isinstance(low, float | int) else (low, high)
        parts.append(f"{run_rows.said(name)} {ends[0]}" + (f" … {ends[1]}" if ends[0] != ends[1] else ""))
    return ", ".join(parts)


def show(rows: Rows, brush: Brush, picked: Sequence[str]) -> None:
    """The chart of the runs that were found."""
    axes, ids = axes_of(rows), list(rows)
    if len(axes) < 2:
        st.info(say("These runs differ in too little for this chart: it needs two settings or results that differ."))
        return
    lines = [
        ([axis.share(_value(axis.name, row)) for axis in axes], _hover(row), run_id in picked)
        for run_id, row in rows.items()
    ]

    def pick() -> None:
        clicked = components.newly_picked(KEY, 1)
        if clicked and clicked[0] < len(ids):
            run_picks.toggle(ids[clicked[0]])

    title = say("{count} runs, each a line through its settings and results", count=len(ids))
    alt = say("{title}; the axes are {value}.", title=title, value=", ".join(axis.title for axis in axes))
    parallel.show(axes, lines, brush, (title, alt), KEY, on_pick=pick)
    st.caption(
        say(
            "Drag along an axis to keep a range, or move its two ends, also by arrow keys; Escape or a click clears "
            "it. Click a line to pick its run. A run without a value has a gap there."
        )
    )


def _hover(row: Row) -> str:
    if row.get("accuracy") is None:
        return f"{row['name']}\n{say('not evaluated')}"
    return f"{row['name']}\n{plus_minus(row['accuracy'], row['±'], digits=1)} %"
