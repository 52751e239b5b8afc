"""What to search, how thoroughly, and the button that starts it."""

import os
from collections.abc import Callable, Sequence

import streamlit as st

from dasksvd.common.parallel import SCHEDULER, n_workers
from dasksvd.common.progress import clock
from dasksvd.encoders import ENCODERS
from dasksvd.errors import ParameterError, StoreError
from dasksvd.parameters import SWEPT, TABLE
from dasksvd.search.engine import expected_seconds
from dasksvd.search.job import Search, submit_search
from dasksvd.search.lattice import coarse
from dasksvd.search.networks import search_networks
from dasksvd.search.plans import DEFAULT_ENCODER, SearchPlan, SweepPlan, WeightsPlan, quarters
from dasksvd.search.tasks import takes_minutes
from dasksvd.search.weights import Choices
from ui import cache, links, sidebar, texts, visitor
from ui.controls.settings_form import SPANS, number
from ui.panels import jobs_panel
from ui.sidebar import View

PARAMETER_NAMES = {name: f"{TABLE[name].symbol} · {TABLE[name].title}" for name in SWEPT}


#: Steps on offer; a link or a search at work may have others, as far as a page can show them.
COARSE, MAX_COARSE = (4, 6, 8, 10, 14), 30
FINE, MAX_FINE = (50, 100, 200), 1000
#: Sizes, or values of a parameter, in one search.
MOST = 8
WEIGHTS, OTHERS = "weights", "others"
SEARCHES = {WEIGHTS: "weights α, β", OTHERS: "other parameters"}


def show_search_at_work(view: View) -> None:
    """Show the lattice that a search of the run is working on, unless a link or the visitor says otherwise."""
    job = Search(cache.base_run(view.run_id))
    if not job.has_plan() or cache.jobs().job(job).state not in jobs_panel.AT_WORK:
        return
    mark = f"{job.id} {job.status.queued_at}"
    if st.session_state.get("shown_search") == mark:
        return
    st.session_state["shown_search"] = mark
    told = _as_texts(job.plan)
    if any(map(links.knows, ("search_over", "coarse_step", "fine_step", "sizes", "sweep_x", *told))):
        return
    for key, text in told.items():
        links.put(key, text)
    if isinstance(job.plan, SweepPlan) and not links.knows("alpha") and not links.knows("beta"):
        sidebar.choose(job.plan.alpha, job.plan.beta, view.I, view.ranking)
        st.rerun()


def _as_texts(plan: SearchPlan) -> dict[str, str]:
    """What a link to a plan says."""
    scoring = {"network": plan.classifier, "search_ranking": plan.ranking, "encoder": plan.encoder}
    if isinstance(plan, WeightsPlan):
        numbers = {"coarse_step": plan.step, "fine_step": plan.fine_step, "seeds": min(plan.seeds, SPANS["seeds"].high)}
        sizes = many_numbers(plan.sizes)
        zoomed = {"zoomed": str(plan.zoomed[-1])} if plan.zoomed else {}
        return {"search_over": WEIGHTS, "sizes": sizes} | scoring | zoomed | _texts(numbers)
    told = {"search_over": OTHERS, "sweep_seeds": str(min(plan.seeds, SPANS["seeds"].high))} | scoring
    for side, (name, values) in zip(("x", "y"), plan.axes.items(), strict=False):
        told |= {f"sweep_{side}": name, f"values_{name}_{side}": many_numbers(values)}
    return told


def many_numbers(values: Sequence[float]) -> str:
    """Numbers as a link has them."""
    return links.many(links.NUMBER, MOST).format(values)


def _texts(numbers: dict[str, float]) -> dict[str, str]:
    return {key: links.short(value) for key, value in numbers.items()}


def pick_search() -> str:
    """Whether to search over the weights or over other parameters."""
    return links.choose(
        st.segmented_control, "Search over", SEARCHES, key="search_over", default=WEIGHTS, required=True
    )


def weights_plan(view: View) -> WeightsPlan | str:
    """Steps, network and seeds of a search over the weights, or what is wrong with them."""
    first, second, third, fourth = st.columns(4)
    step = _step(
        first,
        "Δ1 · step of stage 1",
        (COARSE, MAX_COARSE, 6),
        lambda n: f"1/{n} · {len(coarse(n))} points",
        "coarse_step",
        r"Every $(\alpha, \beta)$ with $\alpha = i\Delta_1$, $\beta = j\Delta_1$, $\alpha + \beta \le 1$.",
    )
    fine_step = _step(
        second,
        "Δ2 · step of stage 2",
        (FINE, MAX_FINE, 100),
        lambda n: f"1/{n}",
        "fine_step",
        r"Every point at most $2\Delta_2$ from the centres of $R_1$ and $R_2$.",
    )
    classifier, seeds, problem = _network(third, fourth, "seeds", default=3)
    finished = len(view.trajectory.records)
    with st.expander("Advanced"):
        left, middle, right = st.columns(3)
        sizes = links.draw(
            left.multiselect,
            "Atoms per class",
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
            "Stage 2 for",
            sizes,
            key="zoomed",
            kind=links.WHOLE,
            default=sizes[-1],
            check=sizes.__contains__,
            format_func=lambda I: f"{I} per class",
        )
        ranking, encoder = _ranking_and_encoder(view, left, middle)
        _where(right)
    scoring = {"classifier": classifier, "seeds": seeds, "ranking": ranking, "encoder": encoder}
    return problem or WeightsPlan(step, fine_step, sizes, (zoomed,), papers_regions=True, **scoring)


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
        st.columns(2), ("Across", "Up"), "xy", (list(PARAMETER_NAMES), ["", *PARAMETER_NAMES]), strict=True
    ):
        name = links.draw(
            place.selectbox,
            label,
            options,
            key=f"sweep_{side}",
            kind=links.one_of(options),
            default=options[0],
            check=options.__contains__,
            format_func=lambda name: PARAMETER_NAMES.get(name, "nothing"),
        )
        if name and name not in axes:
            axes[name] = _values(place, name, side, getattr(settings, name))
    third, fourth = st.columns(2)
    classifier, seeds, problem = _network(third, fourth, "sweep_seeds", default=1)
    with st.expander("Advanced"):
        left, middle, right = st.columns(3)
        ranking, encoder = _ranking_and_encoder(view, left, middle)
        _where(right)
    problem = problem or next((found for found in axes.values() if isinstance(found, str)), "")
    if problem:
        return problem
    try:
        plan = SweepPlan(axes, round(view.alpha, 4), round(view.beta, 4), classifier, seeds, ranking, encoder)
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
        f"Values of {PARAMETER_NAMES[name].split(' ')[0]}",
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
            return f"{text!r} is not a number that this parameter can have"
    return tuple(sorted(found))


def _network(left, right, key: str, default: int) -> tuple[str, int, str]:
    """Which network, how many of them, and what is wrong with that number."""
    networks = search_networks().entries()
    names = {one.name: f"{one.title} · {'minutes' if takes_minutes(one.name) else 'seconds'}" for one in networks}
    classifier = links.choose(
        left.selectbox,
        "Network",
        names,
        key="network",
        default="modern",
        help="It is trained on the codes of the training images, and scored on images it has not seen.",
    )
    meaning = "Each from other random weights: mean ± sd. 1 … 20."
    return classifier, *number(right, "Networks per dictionary", key, SPANS["seeds"], default, 1, meaning)


def _ranking_and_encoder(view: View, left, right) -> tuple[str, str]:
    """What ranks the atoms, as in the sidebar until another one is chosen here, and what codes the images."""
    moved = st.session_state.get("sidebar_ranking", view.ranking) != view.ranking
    st.session_state["sidebar_ranking"] = view.ranking
    if moved and not links.is_new("search_ranking"):
        links.put("search_ranking", view.ranking)
    ranking = sidebar.pick_ranking("search_ranking", view.ranking, left)
    titles = {entry.name: entry.title for entry in ENCODERS.entries()}
    encoder = links.choose(
        right.selectbox,
        "Code images by",
        titles,
        key="encoder",
        default=DEFAULT_ENCODER,
        help="What makes codes from images and atoms before a network is trained.",
    )
    return ranking, encoder


def _where(place) -> None:
    scheduler = os.environ.get(SCHEDULER, "")
    place.text_input(
        "Computed on",
        f"Dask cluster {scheduler}" if scheduler else f"this machine, {n_workers()} processes",
        disabled=True,
        help=f"Set by the server's owner in {SCHEDULER}; a visitor cannot change it.",
    )


def _choices(view: View, plan: SearchPlan) -> Choices | None:
    return cache.choices(view.run_id, plan.ranking) if isinstance(plan, WeightsPlan) else None


def start_button(view: View, plan: SearchPlan) -> None:
    """How long the search would take, and the button that starts it as a job."""
    base = cache.base_run(view.run_id)
    try:
        seconds = expected_seconds(base, plan, choices=_choices(view, plan))
    except ParameterError as error:
        st.warning(f"This cannot be searched: {error}.")
        return
    left, right = st.columns([1, 4], vertical_alignment="center")
    if seconds == 0:
        right.caption("Every point has its scores; nothing is left to compute.")
    else:
        right.caption(f"Estimated time for what is missing: about {clock(seconds)}.")
    if left.button("Search", type="primary", disabled=seconds == 0, key="search_button", width="stretch"):
        try:
            submit_search(cache.jobs(), base, plan, owner=visitor.name())
        except (ParameterError, StoreError) as error:
            st.error(texts.sentence(error))
