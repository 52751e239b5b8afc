"""What a study has found: the best so far, what accuracy costs, how it came, and the point that was picked."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dasksvd.common.language import phrase, say, say_count
from dasksvd.datasets.registry import OWN
from dasksvd.parameters import TABLE
from dasksvd.search.outcomes import PRICES, Outcome, best_of, front, history, outcomes, point_text
from dasksvd.search.study_plan import StudyPlan
from dasksvd.statistics import Noise, pooled_noise
from ui import cache, frame, links
from ui.components import series
from ui.controls import sources
from ui.figures.series import COLORS, INK, Chart, Point, Series, dot_chart, line_chart
from ui.panels import score_table, search_verdict, what_mattered
from ui.state import View

KEY = "study_chart"
HISTORY = "history"
#: What the chart can show.
VIEWS = {name: price.title for name, price in PRICES.items()} | {HISTORY: phrase("best so far")}
#: The preset whose controls a point's settings are given to on Train.
PRESET = "paper"
#: Pixels of the chart's drawing.
HEIGHT = 320
UNKNOWN = phrase("One seed per point cannot tell how large the noise is: take three or more.")


def scored(view: View, plan: StudyPlan) -> tuple[int, int]:
    """How many points have all their scores, or a reason to have none, and how many there are."""
    found = _found(view, plan)
    done = sum(bool(one.problem) or bool(one.summary and one.summary.rounds >= plan.seeds) for one in found)
    return done, max(len(found), plan.points if plan.design == "optuna" else 1)


def _found(view: View, plan: StudyPlan) -> list[Outcome]:
    return outcomes(cache.base_run(view.run_id), plan)


def show(view: View, plan: StudyPlan) -> None:
    """The verdict, the chart with the picked point beside it, and the table."""
    found = _found(view, plan)
    known = [one for one in found if one.summary]
    best = best_of(found)
    if best is None:
        st.info(say("No point has a score yet.") if not any(one.problem for one in found) else f"{found[0].problem}.")
        return
    noise = pooled_noise(one.summary for one in known)
    _verdict(plan, found, best, noise)
    with st.container(key="study"):
        chart, details = frame.beside(2.4, 1, key="study_beside")
        with chart:
            shown = links.choose(
                st.segmented_control,
                say("Accuracy against"),
                VIEWS,
                key="study_view",
                required=True,
                label_visibility="collapsed",
            )
            order = _order(known, shown)  # the browser tells a point by its number in the chart
            names = [_name(plan, one) for one in order]
            picked = series.picked_in(KEY, names, "study_point", _name(plan, best)) or _name(plan, best)
            place = names.index(picked)
            drawn = _history(plan, known, noise) if shown == HISTORY else _prices(plan, known, order, shown, noise)
            alt = say(
                "{view}: {count} of {count2} points; the best is {plan}.",
                view=say(VIEWS[shown]),
                count=len(known),
                count2=len(found),
                plan=_name(plan, best),
            )
            series.show(drawn, alt, KEY, picked=place, pickable=shown != HISTORY)
        with details:
            _details(view, plan, next(one for one in known if _name(plan, one) == picked), noise)
    score_table.show([_row(plan, one, noise) for one in known], "study.csv")
    what_mattered.of_search(view, plan)


def _verdict(plan: StudyPlan, found: Sequence[Outcome], best: Outcome, noise: Noise | None) -> None:
    known = [one for one in found if one.summary]
    facts = [
        search_verdict.Fact(
            say("Best of {count}: {plan}", count=len(known), plan=_name(plan, best)),
            search_verdict.in_percent(best.summary, noise),
        ),
        search_verdict.Fact(
            say("Points with scores"), say("{count} of {count2}", count=len(known), count2=max(len(found), 1))
        ),
        search_verdict.Fact(
            say("Noise floor"), _floor(noise, best.summary.rounds), say("Two points must differ by this much.")
        ),
    ]
    if noise is None:
        search_verdict.tell(facts, say(UNKNOWN))
        return
    leads = noise.leads(best.summary, {one.point: one.summary for one in known if one is not best})
    alike = sum(lead.verdict == "cannot be told apart" for lead in leads.values())
    search_verdict.tell(
        facts,
        say("**{alike} of the {count} other points cannot be told from the best.**", alike=alike, count=len(leads)),
    )


def _floor(noise: Noise | None, rounds: int) -> str:
    return say("not known") if noise is None else say("{rounds:.2f} points", rounds=100 * noise.floor(rounds))


def _order(known: Sequence[Outcome], shown: str) -> list[Outcome]:
    """The points in the order in which the chart has them: those that are worth their price first."""
    if shown == HISTORY:
        return [one for one, _ in history(known)]
    worth = front(known, PRICES[shown])
    return [*worth, *(one for one in known if one not in worth)]


def _prices(plan: StudyPlan, known: Sequence[Outcome], order: list[Outcome], shown: str, noise: Noise | None) -> Chart:
    price = PRICES[shown]
    worth = front(known, price)
    points = [
        _point(plan, one, price.of(one), noise, f"{price.of(one):,.4g} {say(price.title)}", one in worth)
        for one in order
    ]
    lines = (
        Series(say("worth their price"), INK, tuple(points[: len(worth)]), 3, strong=True),
        Series(say("others"), COLORS[0], tuple(points[len(worth) :])),
    )
    words = say("What accuracy costs: {title}", title=say(price.title)), (say(price.title), say("accuracy (%)"))
    return replace(dot_chart([one for one in lines if one.points], *words), height=HEIGHT)


def _history(plan: StudyPlan, known: Sequence[Outcome], noise: Noise | None) -> Chart:
    steps = history(known)
    found = [_point(plan, one, at, None, say("point {at}", at=at)) for at, (one, _) in enumerate(steps, 1)]
    best = [
        Point(at, 100 * value, 100 * value, 100 * value, say("best of {at}", at=at))
        for at, (_, value) in enumerate(steps, 1)
    ]
    lines = (
        Series(say("each point"), COLORS[0], tuple(found), dash="2 4"),
        Series(say("best so far"), INK, tuple(best), strong=True),
    )
    return line_chart(
        lines,
        say("Points as they came, and the best so far"),
        (say("points found"), say("accuracy (%)")),
        height=HEIGHT,
    )


def _point(plan: StudyPlan, one: Outcome, at: float, noise: Noise | None, words: str, strong: bool = False) -> Point:
    mean, half = 100 * one.summary.mean, 100 * noise.half_width(one.summary.rounds) if noise else 0.0
    hover = f"{_name(plan, one)}\n{search_verdict.in_percent(one.summary, noise)}\n{words}"
    return Point(at, mean, mean - half, mean + half, hover, strong=strong)


def _details(view: View, plan: StudyPlan, one: Outcome, noise: Noise | None) -> None:
    """The picked point: its values, its price, and a door to Train."""
    st.markdown(f"**{_name(plan, one)}**")
    seeds = say_count(one.summary.rounds, "{count} seed", "{count} seeds")
    st.markdown(
        say(
            "{summary} of the held-out images, {seeds}",
            summary=search_verdict.in_percent(one.summary, noise),
            seeds=seeds,
        )
    )
    st.markdown("  \n".join(f":small[{say(price.title)}:] {price.of(one):,.4g}" for price in PRICES.values()))
    if one.problem:
        st.caption(say("Some seeds have no score: a class had no atom there."))
    data = _name_of_data(view)
    if data:
        frame.door(
            say("Train it"),
            "train",
            key="study_to_train",
            values=_as_controls(view, sources.source(data), data, one),
            icon=":material/model_training:",
            help=say("Open Train with the settings, the network and the encoder of this point."),
        )
    st.caption(say("Click a dot. Whiskers: 95 % intervals from the spread between seeds. Large: worth its price."))


def _name_of_data(view: View) -> str:
    """What the controls of Train call the run's data; empty if they do not have them."""
    what = view.description
    if what.data != OWN:
        return what.data
    return what.pictures if what.pictures in cache.store().library else ""


def _as_controls(view: View, source: sources.Source, data: str, one: Outcome) -> dict[str, str]:
    """The settings of a point, and what reads its codes, as the controls of Train have them."""
    found = {"data": data, "preset": PRESET}
    for row in TABLE.values():
        value = getattr(one.trial.settings, row.name)
        if row.place == "sidebar":
            found[row.name] = value if isinstance(value, str) else links.short(value)
        elif row.place == "form":
            own = f"_{source.tag}" if source.tag and row.name in source.fitted else ""
            shown = value if isinstance(value, str) else links.short(_shown(row.name, value, view) * _scale(row.name))
            found[f"{PRESET}_{row.name}{own}"] = shown
    plan = one.trial.plan
    reading = {"classifier": plan.classifier, "encoder": plan.encoder, "hidden": links.short(plan.hidden)}
    return found | {f"{PRESET}_{name}": text for name, text in reading.items()}


def _shown(name: str, value: float, view: View) -> float:
    """A count of non-zeros as the share that the control has."""
    return value / view.description.n_atoms if name == "q" and isinstance(value, int) else value


def _scale(name: str) -> float:
    control = TABLE[name].control
    return control.scale if control else 1


def _name(plan: StudyPlan, one: Outcome) -> str:
    return point_text(plan, one.point)


def _row(plan: StudyPlan, one: Outcome, noise: Noise | None) -> dict:
    values = dict(zip(plan.axes, one.point, strict=True))
    prices = {price.title: price.of(one) for price in PRICES.values()}
    found = score_table.columns(one.summary, noise)
    return values | found | {"seeds": found.pop("networks")} | prices
