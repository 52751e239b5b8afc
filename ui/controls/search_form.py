"""What to search, how thoroughly, and the button that starts it."""

import os
from collections.abc import Callable
from typing import Any

import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.common.parallel import SCHEDULER, n_workers
from dasksvd.common.progress import clock
from dasksvd.cost import START
from dasksvd.encoders import ENCODERS
from dasksvd.errors import ParameterError
from dasksvd.parameters import SWEPT, TABLE
from dasksvd.search.engine import expected_seconds
from dasksvd.search.job import submit_search
from dasksvd.search.lattice import coarse
from dasksvd.search.networks import search_networks
from dasksvd.search.plans import DEFAULT_ENCODER, SearchPlan, SweepPlan, WeightsPlan, quarters
from dasksvd.search.study import shared_cost
from dasksvd.search.study_plan import StudyPlan
from dasksvd.search.tasks import takes_minutes
from dasksvd.search.weights import Choices
from ui import cache, links, texts, visitor
from ui.components import charts
from ui.controls import run_actions, study_form, weights
from ui.controls.numbers import SPANS, level, number
from ui.state import View

#: Steps on offer; a link or a search at work may have others, as far as a page can show them.
COARSE, MAX_COARSE = (4, 6, 8, 10, 14), 30
FINE, MAX_FINE = (50, 100, 200), 1000
#: Sizes, or values of a parameter, in one search.
MOST = 8
#: From this share of independent runs on a study is not said to save anything.
ALIKE = 0.95
WEIGHTS, OTHERS, STUDY = "weights", "others", "study"
SEARCHES = {WEIGHTS: phrase("weights α, β"), OTHERS: phrase("other parameters"), STUDY: phrase("study")}


def places() -> tuple[Any, Any]:
    """A row for the controls and room for the results below it; on a phone the results come first."""
    if charts.on_phone():
        results = st.container()
        return st.container(key="search_row"), results
    row = st.container(key="search_row", horizontal=True, vertical_alignment="center", gap="small")
    return row, st.container()


def pick_search(place) -> str:
    """Whether to search over the weights or over other parameters."""
    return links.choose(
        place.segmented_control,
        say("Search over"),
        SEARCHES,
        key="search_over",
        default=WEIGHTS,
        required=True,
        label_visibility="collapsed",
        width="content",
    )


def pick_plan(view: View, over: str) -> SearchPlan | str:
    """The plan that the controls describe, or what is wrong with it."""
    return {WEIGHTS: weights_plan, OTHERS: sweep_plan, STUDY: study_form.study_plan}[over](view)


def weights_plan(view: View) -> WeightsPlan | str:
    """Steps, network and seeds of a search over the weights, or what is wrong with them."""
    first, second = st.columns(2)
    third, fourth = st.columns(2)
    step = _step(
        first,
        say("Δ1 · step of stage 1"),
        (COARSE, MAX_COARSE, 6),
        lambda n: say("1/{n} · {count} points", n=n, count=len(coarse(n))),
        "coarse_step",
        say(r"Every $(\alpha, \beta)$ with $\alpha = i\Delta_1$, $\beta = j\Delta_1$, $\alpha + \beta \le 1$."),
    )
    fine_step = _step(
        second,
        say("Δ2 · step of stage 2"),
        (FINE, MAX_FINE, 100),
        lambda n: f"1/{n}",
        "fine_step",
        say(r"Every point at most $2\Delta_2$ from the centres of $R_1$ and $R_2$."),
    )
    classifier, seeds, problem = _network(third, fourth, "seeds", default=3)
    finished = len(view.trajectory.records)
    with st.expander(say("Advanced")):
        left, middle = st.columns(2)
        sizes = links.draw(
            left.multiselect,
            say("Atoms per class"),
            range(1, finished + 1),
            key="sizes",
            kind=links.many(links.WHOLE, MOST),
            default=list(quarters(finished)),
            check=lambda chosen: len(chosen) <= MOST and all(1 <= size <= finished for size in chosen),
            max_selections=MOST,
        )
        sizes = tuple(sorted(set(sizes))) or (finished,)
        zoomed = links.draw(
            middle.selectbox,
            say("Stage 2 for"),
            sizes,
            key="zoomed",
            kind=links.WHOLE,
            default=sizes[-1],
            check=sizes.__contains__,
            format_func=lambda I: say("{I} per class", I=I),
        )
        scoring, unfit = _ranking_and_encoder(view, left, middle)
    scoring |= {"classifier": classifier, "seeds": seeds}
    return problem or unfit or WeightsPlan(step, fine_step, sizes, (zoomed,), papers_regions=True, **scoring)


def _step(
    place, label: str, offered: tuple[tuple[int, ...], int, int], name: Callable[[int], str], key: str, meaning: str
) -> int:
    """A lattice's step as the number of steps from 0 to 1; a link may have one that is not on offer."""
    usual, most, default = offered

    def check(n: int) -> bool:
        return 1 <= n <= most

    linked = links.look_up(key, links.WHOLE, default, check)
    options = sorted({*usual, linked})
    return links.draw(
        place.selectbox,
        label,
        options,
        key=key,
        kind=links.WHOLE,
        default=default,
        check=options.__contains__,
        format_func=name,
        help=meaning,
    )


def sweep_plan(view: View) -> SweepPlan | str:
    """Parameters and values of a sweep, or what is wrong with them."""
    settings = view.description.settings
    axes = {}
    for place, label, side, options in zip(
        st.columns(2), (say("Across"), say("Up")), "xy", (list(SWEPT), ["", *SWEPT]), strict=True
    ):
        name = links.draw(
            place.selectbox,
            label,
            options,
            key=f"sweep_{side}",
            kind=links.one_of(options),
            default=options[0],
            check=options.__contains__,
            format_func=lambda name: TABLE[name].called if name else say("nothing"),
        )
        if name and name not in axes:
            axes[name] = _values(place, name, side, getattr(settings, name))
    third, fourth = st.columns(2)
    classifier, seeds, problem = _network(third, fourth, "sweep_seeds", default=3)
    with st.expander(say("Advanced")):
        scoring, unfit = _ranking_and_encoder(view, *st.columns(2))
    problem = problem or unfit or next((found for found in axes.values() if isinstance(found, str)), "")
    if problem:
        return problem
    try:
        plan = SweepPlan(axes, round(view.alpha, 4), round(view.beta, 4), classifier, seeds, **scoring)
        plan.points(settings)
    except ParameterError as error:
        return str(error)
    return plan


def _values(place, name: str, side: str, current: float) -> tuple | str:
    """The values that a parameter goes through, those around the run's own to begin with, or what is wrong."""
    values = sorted({*TABLE[name].sweep, current})
    near = values.index(current)
    chosen = links.draw(
        place.multiselect,
        say("Values of {value}", value=TABLE[name].symbol),
        [f"{value:g}" for value in values],
        key=f"values_{name}_{side}",
        kind=links.many(links.WORD, MOST),
        default=[f"{value:g}" for value in values[max(0, near - 1) : near + 2]],
        check=lambda texts: len(texts) <= MOST and all(len(text) <= 20 for text in texts),
        accept_new_options=True,
        max_selections=MOST,
    )
    parse = links.whole if isinstance(current, int) else links.number
    found = []
    for text in chosen:
        try:
            found.append(parse(text))
        except (ValueError, OverflowError):
            return say("{text!r} is not a number that this parameter can have", text=text)
    return tuple(sorted(found))


def _network(left, right, key: str, default: int) -> tuple[str, int, str]:
    """Which network, how many of them, and what is wrong with that number."""
    networks = search_networks().entries()
    names = {
        one.name: f"{say(one.title)} · {say('minutes') if takes_minutes(one.name) else say('seconds')}"
        for one in networks
    }
    classifier = links.choose(
        left.selectbox,
        say("Network"),
        names,
        key="network",
        default="modern",
        help=say("It is trained on the codes of the training images, and scored on images it has not seen."),
    )
    meaning = say("Each from other random weights: mean ± sd. 1 … 20.")
    return classifier, *number(right, say("Networks per dictionary"), key, SPANS["seeds"], default, 1, meaning)


def _ranking_and_encoder(view: View, left, right) -> tuple[dict[str, Any], str]:
    """What ranks the atoms, as in the sidebar until another one is chosen here, what codes the images, and how.

    Also where it is computed, which fills the other column; and what is wrong with a number.
    """
    moved = st.session_state.get("sidebar_ranking", view.ranking) != view.ranking
    st.session_state["sidebar_ranking"] = view.ranking
    if moved and not links.is_new("search_ranking"):
        links.put("search_ranking", view.ranking)
    ranking = weights.pick_ranking("search_ranking", view.ranking, left)
    titles = texts.titles(ENCODERS)
    encoder = links.choose(
        right.selectbox,
        say("Code images by"),
        titles,
        key="encoder",
        default=DEFAULT_ENCODER,
        help=say("What makes codes from images and atoms before a network is trained."),
    )
    _where(left)
    strength, problem = level(right, "level", encoder)
    return {"ranking": ranking, "encoder": encoder, "level": strength}, problem


def _where(place) -> None:
    scheduler = os.environ.get(SCHEDULER, "")
    place.text_input(
        say("Computed on"),
        say("Dask cluster {scheduler}", scheduler=scheduler)
        if scheduler
        else say("this machine, {n_workers} processes", n_workers=n_workers()),
        disabled=True,
        help=say("Set by the server's owner in {scheduler}; a visitor cannot change it.", scheduler=SCHEDULER),
    )


def _choices(view: View, plan: SearchPlan) -> Choices | None:
    return cache.choices(view.run_id, plan.ranking) if isinstance(plan, WeightsPlan) else None


def start_button(view: View, plan: SearchPlan, done: int, total: int) -> None:
    """What is scored, how long the rest would take, and the button that starts it as a job."""
    base = cache.base_run(view.run_id)
    try:
        seconds = expected_seconds(base, plan, choices=_choices(view, plan))
    except ParameterError as error:
        st.warning(say("This cannot be searched: {error}.", error=error))
        return
    with st.container(key="search_start", horizontal=True, vertical_alignment="center"):
        st.markdown(_what_is_missing(plan, seconds and seconds + START, done, total), width="content")
        if st.button(say("Search"), type="primary", disabled=seconds == 0, key="search_button"):
            # The page is drawn anew: it must not go on saying that nothing has been searched.
            run_actions.attempt(submit_search, cache.jobs(), base, plan, owner=visitor.name())
    share = shared_cost(base, plan) if isinstance(plan, StudyPlan) and done == 0 else None
    if share is not None and share < ALIKE:
        st.caption(
            say("Points share trajectories: this costs about {share:.2f} of as many independent runs.", share=share)
        )


def _what_is_missing(plan: SearchPlan, seconds: float, done: int, total: int) -> str:
    """What the search would do."""
    about = clock(max(1, seconds))
    if seconds == 0:
        return say("Every point has its scores; nothing is left to compute.")
    if done == 0:
        points = (
            say("{count} points", count=len(coarse(plan.step)))
            if isinstance(plan, WeightsPlan)
            else say("{total} points", total=total)
        )
        sizes = (
            say(" at {count} sizes", count=len(plan.sizes))
            if isinstance(plan, WeightsPlan) and len(plan.sizes) > 1
            else ""
        )
        what = say("searched") if isinstance(plan, WeightsPlan) else say("searched over these values")
        return say(
            "**This run has not been {what} yet.** A search over {points}{sizes} takes about {about}.",
            what=what,
            points=points,
            sizes=sizes,
            about=about,
        )
    missing = say("{done} of {total} points have scores. ", done=done, total=total) if done < total else ""
    return say("{missing}Estimated time for what is missing: about {about}.", missing=missing, about=about)
