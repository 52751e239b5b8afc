"""What to search, how thoroughly, and the button that starts it."""

import os

import streamlit as st

from dasksvd.__main__ import clock
from dasksvd.grid_search import expected_seconds
from dasksvd.lattice import coarse
from dasksvd.parallel import SCHEDULER, n_workers
from dasksvd.plans import SearchPlan, SweepPlan, WeightsPlan, quarters
from dasksvd.settings import ParameterError
from dasksvd.store import StoreError
from ui import sources, texts, visitor
from ui.sidebar import View

NETWORK_NAMES = {"modern": "modern · seconds", "scg": "SCG, the paper's · minutes"}
PARAMETER_NAMES = {
    "q": "q · non-zeros (share)",
    "t": "t · signals per class",
    "tau1": "τ1 · memory",
    "tau2": "τ2 · noise growth",
    "I": "I · atoms per class",
}
VALUES = {
    "q": (0.05, 0.1, 0.15, 0.2, 0.3, 0.4),
    "t": (50, 100, 200, 300, 500, 800),
    "tau1": (0.0, 0.25, 0.5, 0.75, 1.0),
    "tau2": (0.0, 0.05, 0.1, 0.2, 0.3),
    "I": (2, 5, 10, 15, 20, 30),
}


def weights_plan(view: View) -> WeightsPlan:
    """Steps, network and seeds of a search over the weights."""
    first, second, third, fourth = st.columns(4)
    step = first.selectbox(
        "Δ1 · step of stage 1",
        (4, 6, 8, 10, 14),
        1,
        format_func=lambda n: f"1/{n} · {len(coarse(n))} points",
        key="coarse_step",
        help=r"Every $(\alpha, \beta)$ with $\alpha = i\Delta_1$, $\beta = j\Delta_1$, $\alpha + \beta \le 1$.",
    )
    fine_step = second.selectbox(
        "Δ2 · step of stage 2",
        (50, 100, 200),
        1,
        format_func=lambda n: f"1/{n}",
        key="fine_step",
        help=r"Every point at most $2\Delta_2$ from the centres of $R_1$ and $R_2$.",
    )
    classifier, seeds = _network(third, fourth, "seeds", default=3)
    finished = len(view.trajectory.records)
    with st.expander("Advanced"):
        left, middle, right = st.columns(3)
        sizes = left.multiselect(
            "Atoms per class", range(1, finished + 1), quarters(finished), key=f"sizes{finished}", max_selections=8
        )
        sizes = tuple(sorted(sizes)) or (finished,)
        zoomed = middle.selectbox("Stage 2 for", sizes, len(sizes) - 1, format_func=lambda I: f"{I} per class")
        _where(right)
    return WeightsPlan(step, fine_step, sizes, (zoomed,), classifier, seeds, papers_regions=True)


def sweep_plan(view: View) -> SweepPlan | str:
    """Parameters and values of a sweep, or what is wrong with them."""
    settings = view.description.settings
    left, right = st.columns(2)
    axes = {}
    for place, label, options in (
        (left, "Across", list(PARAMETER_NAMES)),
        (right, "Up", ["", *PARAMETER_NAMES]),
    ):
        name = place.selectbox(
            label, options, format_func=lambda name: PARAMETER_NAMES.get(name, "nothing"), key=f"sweep_{label}"
        )
        if not name or name in axes:
            continue
        current = getattr(settings, name)
        values = sorted({*VALUES[name], current})
        place_near = values.index(current)
        chosen = place.multiselect(
            f"Values of {PARAMETER_NAMES[name].split(' ')[0]}",
            [f"{value:g}" for value in values],
            [f"{value:g}" for value in values[max(0, place_near - 1) : place_near + 2]],
            key=f"values_{name}_{label}",
            accept_new_options=True,
            max_selections=8,
        )
        try:
            axes[name] = tuple(sorted(type(current)(float(text)) for text in chosen))
        except (ValueError, OverflowError):
            return f"{chosen[-1]!r} is not a number that this parameter can have"
    third, fourth = st.columns(2)
    classifier, seeds = _network(third, fourth, "sweep_seeds", default=1)
    with st.expander("Advanced"):
        _where(st)
    try:
        plan = SweepPlan(axes, round(view.alpha, 4), round(view.beta, 4), classifier, seeds)
        plan.points(settings)
    except ParameterError as error:
        return str(error)
    return plan


def _network(left, right, key: str, default: int) -> tuple[str, int]:
    classifier = left.selectbox(
        "Network",
        list(NETWORK_NAMES),
        format_func=NETWORK_NAMES.get,
        key="network",
        help="Modern: rectified units, softmax, 20 epochs of Adam. SCG: saturating linear units, squared error.",
    )
    seeds = right.number_input(
        "Networks per dictionary", 1, 20, default, key=key, help="Each from other random weights: mean ± sd."
    )
    return classifier, int(seeds)


def _where(place) -> None:
    scheduler = os.environ.get(SCHEDULER, "")
    place.text_input(
        "Computed on",
        f"Dask cluster {scheduler}" if scheduler else f"this machine, {n_workers()} processes",
        disabled=True,
        help=f"Set by the server's owner in {SCHEDULER}; a visitor cannot change it.",
    )


def start_button(view: View, plan: SearchPlan) -> None:
    """How long the search would take, and the button that starts it as a job."""
    base = sources.base_run(view.run_id)
    try:
        seconds = expected_seconds(base, plan, choices=sources.choices(view.run_id))
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
            sources.jobs().submit_search(base, plan, owner=visitor.name())
        except (ParameterError, StoreError) as error:
            st.error(texts.sentence(error))
