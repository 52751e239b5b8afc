"""Many runs in one chart: accuracies with their intervals, and K-SVD's errors over each other."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from dasksvd.errors import DamagedFile, StoreError
from dasksvd.statistics import plus_minus
from ui import cache, frame, links
from ui.components import series
from ui.figures.series import COLORS, Point, Series, dot_chart, line_chart
from ui.panels import compare, run_rows
from ui.panels.run_rows import READING, SHOWN, Row, Rows

#: Runs whose errors are drawn over each other, and shapes and dashes that tell them apart beside their colours.
MOST_CURVES = 12
DASHES = ("", "6 3", "2 3")
HEIGHT = 270
ORDER = "order"
#: Part of the gap between two values over which their runs are spread.
SPREAD = 0.2


def accuracies(rows: Rows, names: Sequence[str]) -> None:
    """Each run's accuracy with its interval, along one of the settings in which they differ."""
    scored = {run_id: row for run_id, row in rows.items() if row.get("accuracy") is not None}
    if not scored:
        st.info(say("None of these runs has an accuracy yet: evaluate one on the Train page."))
        return
    differ = run_rows.differing(scored, [row.name for row in SHOWN] + list(READING))
    numeric = [name for name in differ if all(not isinstance(row.get(name), str) for row in scored.values())]
    along = links.choose(
        st.selectbox,
        say("Along"),
        {ORDER: say("In the table's order")}
        | {name: say("Along {name}", name=run_rows.said(name)) for name in numeric},
        key="along",
        default=ORDER,
        label_visibility="collapsed",
        width=260,
    )
    called = dict(zip(rows, names, strict=True))
    by_data: dict[str, list[Point]] = {}
    for place, (run_id, row) in enumerate(scored.items(), 1):
        at = place if along == ORDER else _number(along, row)
        if at is not None:
            by_data.setdefault(row["data"], []).append(_point(float(at), row, called[run_id], len(scored)))
    lines = [
        Series(data, COLORS[number % len(COLORS)], tuple(points), number % 4)
        for number, (data, points) in enumerate(by_data.items())
    ]
    axis = say("run") if along == ORDER else run_rows.said(along)
    if along != ORDER:
        lines = [replace(line, points=_spread(line.points)) for line in lines]
    chart = dot_chart(lines, say("Accuracy with its 95 % interval"), (axis, say("accuracy (%)")))
    alt = say("Accuracies of {count} runs with their intervals, along {axis}.", count=len(scored), axis=axis)
    series.show(replace(chart, height=HEIGHT), alt, "run_scores", pickable=False)
    st.caption(
        say("Intervals are for so many images only. Another seed moves an accuracy, too: compare several seeds.")
    )


def _spread(points: Sequence[Point]) -> tuple[Point, ...]:
    """Points of one value a little beside each other, so that no interval hides another."""
    values = sorted({point.at for point in points})
    room = min((b - a for a, b in pairwise(values)), default=1.0) * SPREAD
    found = []
    for value in values:
        some = sorted((point for point in points if point.at == value), key=lambda point: point.value)
        step = room / len(some)
        found += [replace(point, at=value + step * (k - (len(some) - 1) / 2)) for k, point in enumerate(some)]
    return tuple(found)


def _number(name: str, row: Row) -> float | None:
    setting = next((one for one in SHOWN if one.name == name), None)
    return run_rows.shown(setting, row.get(name)) if setting else row.get(name)


def _point(at: float, row: Row, name: str, count: int) -> Point:
    value, half = row["accuracy"], row["±"]
    label = name[:18] if count <= 12 else ""
    return Point(
        at,
        value,
        value - half,
        value + half,
        say("{name}\n{found} % of {row}", name=name, found=plus_minus(value, half, digits=1), row=row["measured"]),
        label,
    )


@st.cache_resource(max_entries=256, show_spinner=False)
def _errors(run_id: str, n_finished: int) -> tuple[np.ndarray, ...]:
    return tuple(record.errors for record in cache.trajectory(run_id).records)


def errors(ids: Sequence[str], names: Sequence[str]) -> None:
    """K-SVD's errors of some runs: over the iterations, and within one of them."""
    found = {}
    for run_id, name in zip(ids[:MOST_CURVES], names[:MOST_CURVES], strict=True):
        if compare.has_atoms(run_id):
            try:
                found[name] = _errors(run_id, len(cache.trajectory(run_id).records))
            except (DamagedFile, StoreError):
                continue
    if not found:
        st.info(say("None of these runs has a finished iteration yet."))
        return
    if len(ids) > MOST_CURVES:
        st.caption(
            say(
                "The first {most_curves} of {count} runs. Pick some, or filter, to see others.",
                most_curves=MOST_CURVES,
                count=len(ids),
            )
        )
    left, right = frame.beside(key="error_curves")
    over = [_curve(name, number, [one[-1] for one in its]) for number, (name, its) in enumerate(found.items())]
    within = [_curve(name, number, its[0]) for number, (name, its) in enumerate(found.items())]
    with left:
        _lines(over, say("K-SVD's error at the end of each iteration"), say("iteration l"), "run_errors")
    with right:
        _lines(within, say("K-SVD's error within the first iteration"), say("K-SVD iteration"), "run_first_errors")


def _curve(name: str, number: int, values: Sequence[float]) -> Series:
    points = tuple(Point(at, float(v), float(v), float(v), f"{name}\n{at}: {v:.4f}") for at, v in enumerate(values, 1))
    return Series(name[:24], COLORS[number % len(COLORS)], points, number % 4, DASHES[number // len(COLORS) % 3])


def _lines(curves: Sequence[Series], title: str, x_title: str, key: str) -> None:
    chart = line_chart(curves, title, (x_title, say("mean error")), height=HEIGHT)
    series.show(
        chart,
        say("{title}, of {value}.", title=title, value=", ".join(curve.name for curve in curves)),
        key,
        pickable=False,
    )
