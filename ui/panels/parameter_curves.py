"""What one parameter changes, encoders at equal sparsity, and codes or pixels at equal weights."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from dasksvd.common.language import phrase, say
from reproduce import lines
from reproduce.lines import Point
from reproduce.report import ENCODER_NAMES
from ui import figures, frame, links, stored
from ui.components import series
from ui.figures.series import COLORS, INK
from ui.panels import results, studies

STUDY = "curves"
VIEWS = {
    "parameter": phrase("One parameter"),
    "encoders": phrase("Encoders at equal sparsity"),
    "weights": phrase("Codes or pixels"),
}
#: Colours, shapes and dashes of the lines of a chart.
LOOKS = ((COLORS[0], 0, ""), (COLORS[1], 1, "7 4"), (COLORS[2], 2, "2 4"))
#: A parameter whose values grow by factors is drawn over their logarithms.
BY_FACTORS = 4


def show() -> None:
    """One of the three views."""
    measured = stored.computed(STUDY, lines.measured)
    if not measured:
        keep()
        studies.say_missing(STUDY)
        return
    view = _pick_view(st)
    {"parameter": _show_parameter, "encoders": _show_encoders, "weights": _show_weights}[view](measured)


def keep() -> None:
    """Keep what is chosen in links."""
    _pick_view(None)
    _pick_parameter(None, [*lines.PARAMETERS, *lines.OTHERS])


def _pick_view(place: Any) -> str:
    return links.choose(place and place.segmented_control, say("Show"), VIEWS, key="curves", required=True)


def _pick_parameter(place: Any, names: Sequence[str]) -> str:
    titles = {name: lines.title(name) for name in names}
    return links.choose(place and place.selectbox, say("What changes"), titles, key="curve_of")


# One parameter


def _show_parameter(measured: Sequence[str]) -> None:
    left, right = frame.beside(2.1, 1, key="curve_beside")
    parameter = _pick_parameter(left, measured)
    points = stored.computed(STUDY, lines.curve, parameter)
    left.markdown(lines.curve_words(points) or say("The paper has no value of its own."))
    chart = _curve(
        points,
        "accuracy",
        say("Test accuracy against {parameter}", parameter=lines.title(parameter)),
        say("test accuracy, %"),
        300,
    )
    picked = _pick_point(f"curve_{parameter}", chart, _alt(points), {f"{one.value:g}": one for one in points}, left)
    with right:
        _show_rounds(picked, lines.title(parameter))
    known = [field for field in lines.FIELDS if any(field in one.more for one in points)]
    for place, field in zip(st.columns(len(known)) if known else [], known, strict=True):
        name = say(lines.FIELDS[field])
        series.show(
            _curve([one for one in points if field in one.more], field, "", name, 220),
            f"{name}: "
            + ", ".join(f"{one.more[field].value:.3g} at {one.value:g}" for one in points if field in one.more),
            f"curve_{parameter}_{field}",
            place=place,
            pickable=False,
        )
    _end(points)


def _curve(points: Sequence[Point], field: str, title: str, y_title: str, height: int) -> figures.Chart:
    parameter, paper = points[0].parameter, lines.papers_value(points[0].parameter)
    accuracy = field == "accuracy"
    drawn = [
        studies.point(one.value, mean, _told(one, mean, y_title, accuracy), 100 if accuracy else 1)
        for one in points
        for mean in [one.accuracy if accuracy else one.more[field]]
    ]
    values = [one.value for one in points]
    return figures.line_chart(
        [figures.Series(lines.title(parameter), COLORS[0], tuple(drawn))],
        title,
        (lines.title(parameter), y_title),
        ticks=[(value, f"{value:g}") for value in values],
        log=min(values) > 0 and max(values) / min(values) > BY_FACTORS,
        current=None if paper is None else (float(paper), say("the paper's")),
        height=height,
    )


def _told(one: Point, mean: Any, name: str, accuracy: bool) -> str:
    where = f"{lines.title(one.parameter)} = {one.value:g}"
    if not accuracy:
        return f"{where}\n{name} {mean.value:.3g} ({studies.rounds(len(mean.rounds))})"
    gap = say("\nminus the paper's value {text}", text=one.to_paper.text) if one.to_paper else ""
    return f"{where}\n{studies.percent(mean)}{gap}"


# Several lines in one chart


def _show_encoders(measured: Sequence[str]) -> None:
    found = {name: stored.computed(STUDY, lines.curve, name) for name in ENCODER_NAMES if name in measured}
    found = {name: [one for one in points if "nonzeros" in one.more] for name, points in found.items()}
    found = {name: points for name, points in found.items() if points}
    if not found:
        studies.say_missing(STUDY, say("No encoder is measured yet"))
        return
    st.markdown(
        say(
            "The same 200 atoms, coded in three ways: **only codes with equally many non-zeros can be compared.** "
            "A code with more of them carries more of the image."
        )
    )
    _show_together(
        "encoders",
        {say(ENCODER_NAMES[name]): points for name, points in found.items()},
        lambda one: 100 * one.more["nonzeros"].value,
        (
            say("Test accuracy against the share of non-zeros"),
            say("non-zeros of a code, % of 200 atoms"),
            say("% non-zeros"),
        ),
        (100 * float(lines.papers_value("q") or 0), say("the paper's q")),
    )


def _show_weights(measured: Sequence[str]) -> None:
    keys = {say("codes of DAS-KSVD"): "hidden", say("raw pixels, 16 × 16"): lines.PIXELS}
    found = {name: stored.computed(STUDY, lines.curve, key) for name, key in keys.items()}
    found = {name: points for name, points in found.items() if points}
    if not found:
        studies.say_missing(STUDY, say("No network is measured yet"))
        return
    st.markdown(_equal_words([stored.computed(STUDY, lines.curve, key) for key in keys.values()]))
    _show_together(
        "weights",
        found,
        lambda one: float(one.weights),
        (say("Test accuracy against the size of the network"), say("weights of the network"), "weights"),
        None,
    )


def _equal_words(curves: Sequence[Sequence[Point]]) -> str:
    """Codes and pixels where their networks are equally large."""
    pairs = lines.equal_weights(*curves)
    if not pairs:
        return say("Codes and pixels were not measured in the same rounds with equally many weights yet.")
    told = [
        say(
            "with {weights:,} weights (MLP-200-{value:g}-10) codes minus pixels (MLP-256-{value2:g}-10, "
            "{weights2:,}) is **{text}** points over {rounds}: codes are {verdict}",
            weights=ours.weights,
            value=ours.value,
            value2=theirs.value,
            weights2=theirs.weights,
            text=gap.text,
            rounds=studies.rounds(gap.rounds),
            verdict=_verdict(gap.verdict),
        )
        for ours, theirs, gap in pairs
    ]
    return say("At equal size, {told}.", told="; ".join(told))


def _verdict(word: str) -> str:
    return {"better": say("clearly better"), "worse": say("clearly worse")}.get(
        word, say("neither better nor worse ({word})", word=word)
    )


def _show_together(
    key: str,
    found: Mapping[str, Sequence[Point]],
    at: Callable[[Point], float],
    words: tuple[str, str, str],
    current: tuple[float, str] | None,
) -> None:
    """Several lines over one axis, and the rounds of the picked point."""
    title, axis, unit = words
    drawn = [_line(name, points, at, unit, look) for (name, points), look in zip(found.items(), LOOKS, strict=False)]
    chart = figures.line_chart(
        drawn, title, (axis, say("test accuracy, %")), ticks=_log_ticks(drawn), log=True, current=current, height=360
    )
    names = {f"{one.parameter} {one.value:g}": one for points in found.values() for one in points}
    everything = [one for points in found.values() for one in points]
    left, right = frame.beside(2.1, 1, key=f"{key}_beside")
    alt = " ".join(f"{name}: {_alt(points, at)}" for name, points in found.items())
    picked = _pick_point(f"curve_{key}", chart, f"{title}. {alt}", names, left)
    with right:
        _show_rounds(picked, next(name for name, points in found.items() if picked in points))
    _end(everything)


def _line(
    name: str, points: Sequence[Point], at: Callable[[Point], float], unit: str, look: tuple[str, int, str]
) -> figures.Series:
    color, mark, dash = look
    hover = "{}, {:g}\n{:,.4g} {}\n{}"
    drawn = [
        studies.point(
            at(one), one.accuracy, hover.format(name, one.value, at(one), unit, studies.percent(one.accuracy))
        )
        for one in points
    ]
    raw = points[0].parameter == lines.PIXELS
    return figures.Series(name, INK if raw else color, tuple(drawn), 3 if raw else mark, dash, raw)


def _log_ticks(drawn: Sequence[figures.Series]) -> list[tuple[float, str]]:
    """Powers of ten with their double and fivefold, from the smallest place to the largest."""
    places = [point.at for one in drawn for point in one.points]
    ticks = [factor * 10.0**power for power in range(-3, 8) for factor in (1, 2, 5)]
    return [
        (tick, f"{tick:,g}" if tick < 1000 else f"{tick:,.0f}")
        for tick in ticks
        if min(places) / 1.15 <= tick <= 1.15 * max(places)
    ]


# A point


def _pick_point(key: str, chart: figures.Chart, alt: str, names: Mapping[str, Point], place: Any) -> Point:
    """Show a chart in which a point can be picked; the paper's value, or the last one, is picked before."""
    known = list(names)
    default = next((name for name, one in names.items() if one.value == lines.papers_value(one.parameter)), known[-1])
    picked = series.picked_in(key, known, "point", default) or default
    series.show(chart, alt, key, place=place, picked=known.index(picked))
    return names[picked]


def _show_rounds(one: Point, name: str) -> None:
    st.markdown(
        say(
            "**{name}: {value:g}**  \n{accuracy} of the test images, {weights:,} weights",
            name=name,
            value=one.value,
            accuracy=studies.percent(one.accuracy),
            weights=one.weights,
        )
    )
    rows = [
        {"round": number, phrase("test accuracy, %"): results.Cell(100 * value, f"{100 * value:.2f}")}
        | {
            short: results.Cell(one.more[field].rounds[number], f"{one.more[field].rounds[number]:.3g}")
            for field, short in (("nonzeros", "non-zeros"), ("psnr", "PSNR"))
            if field in one.more and number in one.more[field].rounds
        }
        for number, value in one.accuracy.rounds.items()
    ]
    results.table(rows, "rounds")


def _alt(points: Sequence[Point], at: Callable[[Point], float] = lambda one: one.value) -> str:
    told = "; ".join(f"{at(one):g}: {one.accuracy.text} %" for one in points)
    return say("Test accuracy with 95 % intervals. {told}.", told=told)


def _end(points: Sequence[Point]) -> None:
    st.caption(
        say(
            "DAS-KSVD with the paper's settings but for what changes, ReLU network; {value}, bands are Student's 95 "
            "% intervals. A click on a point shows its rounds.",
            value=studies.fewest([one.accuracy for one in points]),
        )
    )
    results.origin([_numbers(one) for one in points], STUDY, stored.command(STUDY))


def _numbers(one: Point) -> dict:
    """A point for the file."""
    return {
        "parameter": one.parameter,
        "value": one.value,
        "test accuracy, mean": 100 * one.accuracy.value,
        "half width of the 95 % interval": None if one.accuracy.half is None else 100 * one.accuracy.half,
        "rounds": len(one.accuracy.rounds),
        "weights": one.weights,
    } | {field: mean.value for field, mean in one.more.items()}
