"""The controls that pages share: which run, which weights, how many atoms, which colours; all of it in the URL."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dasksvd import rankings
from dasksvd.common.language import phrase, say
from ui import cache, figures, links, wishes
from ui.components import charts
from ui.controls import run_names, weights
from ui.state import View

RUN, WEIGHTS, SIZE, LOOK = "run", "weights", "size", "look"
ALL = (RUN, WEIGHTS, SIZE, LOOK)
#: A popover for what is set once in a while.
SELDOM = {"type": "tertiary", "icon": ":material/palette:"}
LOOKS = {phrase("colour"): figures.SIGNED, phrase("grey"): figures.SIGNED_GREY}


@dataclass(frozen=True)
class _Places:
    """Where the controls go."""

    run: Any
    alpha: Any
    beta: Any
    size: Any
    formula: Any
    seldom: Any


def show(controls: Sequence[str]) -> View:
    """Draw the controls that act on a page; return what the page looks at.

    What is not shown keeps its value. On a phone, whose sidebar covers the page, the controls stand on the page,
    unless there are only colours to choose: those are not worth a line of so small a screen.
    """

    def at(name: str, place: Any) -> Any:
        """Where a control is drawn; None if it does not act on this page."""
        return place if name in controls else None

    on_the_page = (charts.on_phone() or wishes.current().presents) and bool(set(controls) - {LOOK})
    places = (_on_a_phone if on_the_page else _in_the_sidebar)(controls)
    ranking = weights.pick_ranking("ranking", rankings.DEFAULT, at(WEIGHTS, places.seldom), everywhere=True)
    look = _pick_look(at(LOOK, places.seldom))
    run_id = _pick_run(at(RUN, places.run))
    description, trajectory = cache.description(run_id), cache.trajectory(run_id)
    unused = not rankings.uses_weights(ranking)
    alpha, beta = weights.pick_weights(at(WEIGHTS, places.alpha), at(WEIGHTS, places.beta), disabled=unused)
    I = _pick_size(len(trajectory.records), at(SIZE, places.size))
    if WEIGHTS in controls:
        places.formula.caption(weights.formula(ranking, alpha, beta))
    return View(run_id, description, trajectory, alpha, beta, I, LOOKS[look], ranking)


def _in_the_sidebar(controls: Sequence[str]) -> _Places:
    with st.sidebar:
        column = st.container(gap="small")
        label = _called(controls, {WEIGHTS: say("ranking"), LOOK: say("colours")})
        seldom = st.popover(label, **SELDOM) if label else None
        return _Places(*5 * [column], seldom)


def _on_a_phone(controls: Sequence[str]) -> _Places:
    """Weights side by side, so that the figure they change stays in sight; the rest is a tap away."""
    with st.container(key="controls", gap="small"):
        left, right = st.columns(2, wrap=False) if WEIGHTS in controls else (None, None)
        with st.container(horizontal=True):
            words = {RUN: say("run"), SIZE: say("size"), WEIGHTS: say("ranking"), LOOK: say("colours")}
            seldom = st.popover(_called(controls, words), **SELDOM)
            formula = st.container(width="content")
        return _Places(seldom, left, right, seldom, formula, seldom)


def _called(controls: Sequence[str], words: dict[str, str]) -> str:
    """What a popover with some of the controls is called: by the first two of them."""
    found = [word for name, word in words.items() if name in controls]
    return ", ".join(found[:2]).capitalize() + (" …" if len(found) > 2 else "")


def _pick_look(place: Any) -> str:
    return links.draw(
        place and place.segmented_control,
        say("Atoms in"),
        list(LOOKS),
        format_func=say,
        key="look",
        kind=links.one_of(LOOKS),
        default="colour",
        check=LOOKS.__contains__,
        everywhere=True,
        required=True,
    )


def _pick_size(done: int, place: Any) -> int:
    """How many iterations count; who looks at all of one run looks at all of the next one."""
    if done == 1:
        return 1
    return links.draw(
        place and place.slider,
        say("I · atoms per class"),
        1,
        done,
        key="I",
        kind=links.WHOLE,
        default=done,
        check=lambda value: 1 <= value <= done,
        everywhere=True,
        help=say("Atoms kept for each class, one per iteration: 1 … the iterations of the run."),
    )


def _pick_run(place: Any) -> str:
    run_id = run_names.pick(
        say("Run"),
        cache.run_names(),
        key="run",
        place=place,
        linked=True,
        everywhere=True,
        instead=say("The reference run is shown instead."),
        help=say("The run that the pages show."),
    )
    problem = cache.why_unreadable(run_id)
    if problem:
        (place or st).error(
            say(
                "This run cannot be shown: {problem}. Repair it with `python -m dasksvd resume {run_id}`; the "
                "reference run is shown instead.",
                problem=problem,
                run_id=run_id,
            )
        )
        return cache.REFERENCE
    return run_id
