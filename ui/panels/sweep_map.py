"""What a sweep over other parameters has found: over one a curve with intervals, over two a map."""

from dataclasses import dataclass

import streamlit as st

from dasksvd.common.language import say
from dasksvd.datasets.parts import part_name
from dasksvd.parameters import TABLE, Settings
from dasksvd.search.plans import SweepPlan
from dasksvd.search.sweep import sweep_key, sweep_scores
from dasksvd.statistics import Corrected, Noise, Summary, pooled_noise, summarise
from ui import cache, figures, texts
from ui.components import curves, maps
from ui.figures import score_maps
from ui.panels import score_table, search_verdict, what_mattered
from ui.state import View

#: Pixels of the window's height that the rest of the first screen takes.
AROUND = 345


@dataclass(frozen=True)
class Point:
    """A point of a sweep: its values of the swept parameters and what is known of it."""

    values: tuple[float, ...]
    summary: Summary | None
    problem: str


def points_of(view: View, plan: SweepPlan) -> list[Point]:
    """All points of a sweep."""
    scores, found = sweep_scores(cache.base_run(view.run_id)), []
    for settings in plan.points(view.description.settings):
        entry = scores.entries.get(sweep_key(settings, plan))
        summary = summarise(list(entry.accuracies.values())) if entry and entry.accuracies else None
        found.append(Point(_values(settings, plan), summary, entry.problem if entry else ""))
    return found


def scored(view: View, plan: SweepPlan) -> tuple[int, int]:
    """How many points have scores, or a reason why they can have none, and how many there are."""
    points = points_of(view, plan)
    return sum(bool(point.summary or point.problem) for point in points), len(points)


def show(view: View, plan: SweepPlan) -> None:
    """The verdict, the curve or the map, and the table."""
    points = points_of(view, plan)
    noise = pooled_noise(point.summary for point in points if point.summary)
    known = [point for point in points if point.summary]
    best = max(known, key=lambda point: point.summary.mean, default=None)
    if best is not None and len(known) > 1:
        _verdict(view, plan, known, best, noise)
    part, names = say(part_name(view.description)), list(plan.axes)
    title = say(
        "Accuracy on {part} (%), {ranking}", part=part, ranking=texts.ranked_by(plan.ranking, plan.alpha, plan.beta)
    )
    alt = say(
        "Sweep over {names}: {count} of {count2} points scored.",
        names=" and ".join(names),
        count=len(known),
        count2=len(points),
    )
    with st.container(key="sweep"):
        if len(names) == 1:
            _curve(view, plan, points, best, noise, title, alt)
        else:
            _map(view, plan, points, best, noise, title, alt)
    records = [
        dict(zip(names, point.values, strict=True)) | score_table.columns(point.summary, noise) for point in known
    ]
    score_table.show(records, "sweep.csv")
    what_mattered.of_search(view, plan)


def _verdict(view: View, plan: SweepPlan, known: list[Point], best: Point, noise: Noise | None) -> None:
    """The best point against the run's own, and against the noise between networks."""
    own = next((point for point in known if point.values == _values(view.description.settings, plan)), None)
    facts = [
        search_verdict.Fact(
            say("Best of {count}: {plan}", count=len(known), plan=_label(plan, best)), _score(best, noise)
        ),
        search_verdict.noise_floor(noise, best.summary.rounds),
    ]
    leads = _leads(best, known, noise)
    words = say(
        "{count} of the {count2} other points cannot be told from the best.",
        count=len(_alike(leads)),
        count2=len(known) - 1,
    )
    if noise is None:
        words = search_verdict.UNKNOWN
    elif own is not None and own is not best:
        gap = leads[own.values]
        facts[1:1] = [
            search_verdict.Fact(say("This run: {plan}", plan=_label(plan, own)), _score(own, noise)),
            search_verdict.Fact(say("Gap"), say("{text} points", text=gap.text)),
        ]
        words = say(
            "**The gap to this run's own values {gap}.** {words}", gap=search_verdict.of_a_gap(gap), words=words
        )
    search_verdict.tell(facts, words)


def _curve(
    view: View, plan: SweepPlan, points: list[Point], best: Point | None, noise: Noise | None, title: str, alt: str
) -> None:
    (name,) = plan.axes
    alike = _alike(_leads(best, points, noise))
    measured = [
        figures.Measured(
            point.values[0],
            100 * point.summary.mean if point.summary else None,
            100 * noise.half_width(point.summary.rounds) if noise and point.summary else None,
            _hover(view, plan, point, noise),
            point is best,
            point.values in alike,
        )
        for point in points
    ]
    curve = figures.interval_curve(
        measured, title, _name(name), "%", getattr(view.description.settings, name), around=AROUND
    )
    curves.show(curve, alt, "sweep_curve")
    st.caption(
        say(
            "Whiskers: 95 % intervals from the networks' random starts. ★ the best, ≈ cannot be told from it. "
            "Dotted: the run's own value. Each point is one trajectory; another seed would move it, too."
        )
    )


def _map(
    view: View, plan: SweepPlan, points: list[Point], best: Point | None, noise: Noise | None, title: str, alt: str
) -> None:
    places = [{value: place for place, value in enumerate(values)} for values in plan.axes.values()]

    def spot(values: tuple[float, ...]) -> tuple[int, ...]:
        return tuple(place[value] for place, value in zip(places, values, strict=True))

    alike = _alike(_leads(best, points, noise))
    cells = [
        figures.Cell(
            *spot(point.values),
            100 * point.summary.mean if point.summary else None,
            f"{100 * point.summary.mean:.1f}" if point.summary else "",
            _hover(view, plan, point, noise),
            alike=point.values in alike,
        )
        for point in points
    ]
    own = _values(view.description.settings, plan)
    names = list(plan.axes)
    chart = figures.score_map(
        cells,
        figures.score_limits(cell.value for cell in cells),
        title,
        (_name(names[0]), _name(names[1])),
        tuple({place: f"{value:g}" for value, place in found.items()} for found in places),
        ours={"best": spot(best.values)} if best else {},
        frame=spot(own) if all(value in place for value, place in zip(own, places, strict=True)) else None,
        legend={
            score_maps.OUR_BEST: say("the best"),
            score_maps.CURRENT: say("this run's own values"),
            score_maps.ALIKE: say("cannot be told from the best"),
        },
        around=AROUND,
    )
    maps.show(chart, alt, "sweep_map")


def _values(settings: Settings, plan: SweepPlan) -> tuple[float, ...]:
    return tuple(getattr(settings, name) for name in plan.axes)


def _leads(best: Point | None, points: list[Point], noise: Noise | None) -> dict[tuple[float, ...], Corrected]:
    """How much better the best point is than each other one, by their values; nothing if the noise is not known."""
    if noise is None or best is None:
        return {}
    return noise.leads(best.summary, {one.values: one.summary for one in points if one.summary and one is not best})


def _alike(leads: dict[tuple[float, ...], Corrected]) -> set[tuple[float, ...]]:
    """Values of the points that cannot be told from the best."""
    return {values for values, lead in leads.items() if lead.verdict == "cannot be told apart"}


def _name(parameter: str) -> str:
    return TABLE[parameter].called


def _label(plan: SweepPlan, point: Point) -> str:
    return ", ".join(f"{TABLE[name].symbol} = {value:g}" for name, value in zip(plan.axes, point.values, strict=True))


def _score(point: Point, noise: Noise | None) -> str:
    return search_verdict.in_percent(point.summary, noise)


def _hover(view: View, plan: SweepPlan, point: Point, noise: Noise | None) -> str:
    told = point.problem or say("not scored yet")
    if point.summary:
        told = score_table.in_words(point.summary, noise, say(part_name(view.description)))
    return f"{_label(plan, point)}\n{told}"
