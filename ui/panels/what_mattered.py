"""What mattered among some scores: the importance of each parameter, curves over one and measured cells over two."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dasksvd.common.language import say
from dasksvd.reports.scores import search_rows
from dasksvd.search import importance, space
from dasksvd.search.importance import Answer, Importance
from dasksvd.search.plans import SweepPlan
from dasksvd.search.study_plan import StudyPlan
from dasksvd.statistics import Summary, plus_minus
from ui import cache, figures, frame, links, texts
from ui.components import forest, maps, series
from ui.figures.forests import Dot, Forest, Line
from ui.figures.series import INK, Point, Series, line_chart
from ui.panels import run_rows
from ui.panels.run_rows import READING, SHOWN, Rows
from ui.state import View

#: Settings that are repeated on purpose: they are the noise that others are measured against.
_REPEATED = ("seed", "streams")
#: Pixels of the drawings, and of the window that the rest of the page takes.
HEIGHT, AROUND = 250, 420
CURVE, PAIR = "curve", "pair"

Settings = tuple[tuple[tuple[str, Any], ...], ...]


def of_runs(rows: Rows) -> None:
    """Ask the accuracies of runs on one data set."""
    scored = {run_id: row for run_id, row in rows.items() if row.get("accuracy") is not None}
    counts: dict[str, int] = {}
    for row in scored.values():
        counts[row["data"]] = counts.get(row["data"], 0) + 1
    if not counts:
        st.info(say("None of these runs has an accuracy yet: evaluate one on the Train page."))
        return
    several = [name for name in counts if counts[name] > 1]
    ordered = sorted(several or counts, key=lambda name: -counts[name])
    data = ordered[0]
    if len(ordered) > 1:
        titles = {name: say("{name}: {count} runs", name=texts.plain(name), count=counts[name]) for name in ordered}
        data = links.choose(
            st.segmented_control,
            say("Data"),
            titles,
            key="matter_data",
            default=ordered[0],
            required=True,
            label_visibility="collapsed",
        )
    units = {row.name: row for row in SHOWN}
    mine = [
        row | {name: run_rows.shown(unit, row[name]) for name, unit in units.items()}
        for row in scored.values()
        if row["data"] == data
    ]
    names = [row.name for row in SHOWN if row.name not in _REPEATED] + list(READING)
    show(mine, [row["accuracy"] / 100 for row in mine], names, {name: run_rows.said(name) for name in names})


def of_search(view: View, plan: SweepPlan | StudyPlan) -> None:
    """Ask the scores of a sweep or a study, one for each network, when somebody opens it."""
    place = st.expander(say("What mattered?"), icon=":material/bar_chart:", key="what_mattered", on_change="rerun")
    if not place.open:
        return
    rows = [row for row in search_rows(cache.base_run(view.run_id), plan) if row.get("accuracy") is not None]
    names = list(plan.axes)
    titles = {name: say(space.title(name)) for name in names}
    with place:
        if rows:
            show(rows, [row["accuracy"] for row in rows], names, titles)
        else:
            st.info(say("There is no score yet."))


def show(
    rows: Sequence[Mapping[str, Any]], scores: Sequence[float], names: Sequence[str], titles: Mapping[str, str]
) -> None:
    """The answer in a sentence, the importances, and what was measured along one parameter or two.

    Parameters
    ----------
    rows : sequence of mapping
        Of each score, the values of its parameters.
    scores : sequence of float
        0 … 1.
    names : sequence of str
        The parameters.
    titles : mapping of str to str
        What people call them.
    """
    settings = tuple(tuple((name, row.get(name)) for name in names) for row in rows)
    with st.spinner(say("Asking small random forests …"), show_time=True):
        answer = _answer(settings, tuple(scores), tuple(names))
    st.markdown(f"**{texts.plain(importance.sentence(answer, titles))}**")
    changed = [name for name in names if name not in answer.never]
    if not changed:
        return
    left, right = frame.beside(key="mattered")
    with left:
        if answer.importances:
            _importances(answer, titles)
        else:
            st.caption(say("What was measured stands beside this."))
    with right:
        _measured(rows, scores, changed, answer, titles)
    _tell_limits(answer, titles)


@st.cache_resource(max_entries=32, show_spinner=False)
def _answer(settings: Settings, scores: tuple[float, ...], names: tuple[str, ...]) -> Answer:
    return importance.what_mattered([dict(one) for one in settings], scores, names)


def _tell_limits(answer: Answer, titles: Mapping[str, str]) -> None:
    """What nobody can know from these scores."""
    parts = [
        say(
            "{n_scores} scores of {n_settings} different settings.",
            n_scores=answer.n_scores,
            n_settings=answer.n_settings,
        )
    ]
    if answer.importances:
        parts.append(
            say(
                "Forests explain {explained:.0%} of the differences between scores that they have not seen.",
                explained=answer.explained,
            )
        )
    for group in answer.together:
        named = [titles.get(name, name) for name in group]
        parts.append(
            say("{named} always changed together: nobody can tell them apart.", named=say(" and ").join(named))
        )
    if answer.never:
        named = [titles.get(name, name) for name in answer.never]
        parts.append(say("Never changed: {named}.", named=", ".join(named)))
    st.caption(texts.plain(" ".join(parts)))


def _importances(answer: Answer, titles: Mapping[str, str]) -> None:
    lines = tuple(Line(_named(one.name, titles), (_dot(one),)) for one in answer.importances)
    figure = Forest(
        say("What each parameter explains"),
        say("% of the variance of unseen scores, found by shuffling its values"),
        (say("nothing"), say("more")),
        ("importance",),
        lines,
    )
    told = "; ".join(f"{line.label} {line.dots[0].text}" for line in lines)
    forest.show(figure, say("Importance of each parameter with its interval: {told}.", told=told), "importances")
    st.caption(
        say(
            "Intervals: 95 % over forests with other seeds, each without another quarter of the settings. Solid: above "
            "0, or told from nothing by an analysis of variance (F test, Holm)."
        )
    )


def _named(name: str, titles: Mapping[str, str]) -> str:
    return say(" with ").join(titles.get(one, one) for one in name.split(" with "))


def _dot(one: Importance) -> Dot:
    half = 100 * (one.high - one.mean)
    text = plus_minus(100 * one.mean, half, digits=0)
    return Dot(0, 100 * one.mean, half, one.is_clear, text, f"{text} %")


def _measured(
    rows: Sequence[Mapping[str, Any]],
    scores: Sequence[float],
    changed: Sequence[str],
    answer: Answer,
    titles: Mapping[str, str],
) -> None:
    """A curve over one parameter, or measured cells over two; the most important ones first."""
    ranked = [name for one in answer.importances for name in one.name.split(" with ")]
    order = [*ranked, *(name for name in changed if name not in ranked)]
    words = {name: titles.get(name, name) for name in order}
    first, second = st.columns(2)
    one = links.choose(first.selectbox, say("Along"), words, key="matter_x", default=order[0])
    others = {"": say("nothing else")} | {name: text for name, text in words.items() if name != one}
    other = links.choose(second.selectbox, say("and"), others, key="matter_y", default="")
    if other:
        _cells(importance.cells(rows, scores, (one, other)), (words[one], words[other]))
    else:
        _curve(importance.curve(rows, scores, one), words[one])


def _curve(found: Mapping[Any, Summary], title: str) -> None:
    values = _sorted(found)
    points, ticks = [], []
    for place, value in enumerate(values):
        summary = found[value]
        half, mean = importance.half_width(summary), 100 * summary.mean
        at = float(value) if isinstance(value, int | float) else float(place)
        low, high = (mean, mean) if half is None else (mean - 100 * half, mean + 100 * half)
        told = plus_minus(mean, None if half is None else 100 * half, digits=1)
        points.append(
            Point(
                at,
                mean,
                low,
                high,
                say(
                    "{title} = {value}\n{told} %, {rounds} scores",
                    title=title,
                    value=_text(value),
                    told=told,
                    rounds=summary.rounds,
                ),
            )
        )
        ticks.append((at, _text(value)))
    chart = line_chart(
        [Series(say("mean"), INK, tuple(points), strong=True)],
        say("Accuracy along {title}", title=title),
        (title, say("accuracy (%)")),
        ticks=ticks,
        height=HEIGHT,
    )
    series.show(
        chart,
        say("Mean accuracy at each of {count} values of {title}.", count=len(values), title=title),
        "matter_curve",
        pickable=False,
    )
    st.caption(say("Mean of all scores at a value, whatever the other parameters were, with the mean's 95 % interval."))


def _cells(found: Mapping[Any, Summary], words: tuple[str, str]) -> None:
    places = [{value: place for place, value in enumerate(_sorted({pair[axis] for pair in found}))} for axis in (0, 1)]
    cells = [
        figures.Cell(
            places[0][one],
            places[1][other],
            100 * summary.mean,
            f"{100 * summary.mean:.1f}",
            say(
                "{word} = {one}, {word2} = {other}\n{mean:.1f} %, {rounds} scores",
                word=words[0],
                one=_text(one),
                word2=words[1],
                other=_text(other),
                mean=100 * summary.mean,
                rounds=summary.rounds,
            ),
        )
        for (one, other), summary in found.items()
    ]
    chart = figures.score_map(
        cells,
        figures.score_limits(cell.value for cell in cells),
        say("Mean accuracy of what was measured (%)"),
        words,
        (
            {place: _text(value) for value, place in places[0].items()},
            {place: _text(value) for value, place in places[1].items()},
        ),
        around=AROUND,
    )
    maps.show(
        chart,
        say(
            "Mean accuracies at {count} measured pairs of {word} and {word2}.",
            count=len(cells),
            word=words[0],
            word2=words[1],
        ),
        "matter_cells",
    )
    st.caption(say("Only what was measured has a square; nothing is filled in between."))


def _sorted(values: Any) -> list[Any]:
    """Numbers by size, names by their letters, nothing at the end."""
    return sorted(values, key=lambda value: (value is None, isinstance(value, str), value if value is not None else 0))


def _text(value: Any) -> str:
    return "–" if value is None else value if isinstance(value, str) else f"{value:g}"
