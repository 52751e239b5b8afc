"""The sidebar: which run, which ranking and weights, how many atoms, which colours; all of it in the URL."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import streamlit as st

from dasksvd import rankings
from dasksvd.datasets.description import Description
from dasksvd.method.trajectory import Selection, Trajectory
from ui import cache, figures, links, navigation, texts
from ui.controls import run_names

#: Lattice points may round above 1.
ROUNDING = 1e-9
LOOKS = {"colour": figures.SIGNED, "grey": figures.SIGNED_GREY}


@dataclass(frozen=True)
class View:
    """What every page looks at."""

    run_id: str
    description: Description
    trajectory: Trajectory
    alpha: float
    beta: float
    I: int
    colors: list
    ranking: str = rankings.DEFAULT

    @cached_property
    def selection(self) -> Selection:
        """The structured dictionary for the current weights and ranking."""
        return self.trajectory.reselect(self.alpha, self.beta, self.I, self.ranking)

    @cached_property
    def papers_selection(self) -> Selection:
        """The structured dictionary for the paper's best weights, α = β = 0, and its ranking."""
        return self.trajectory.reselect(0, 0, self.I, rankings.DEFAULT)

    @property
    def score_name(self) -> str:
        """What the scores of the current ranking are called."""
        return "m" if self.ranking == rankings.DEFAULT else "score"

    @property
    def classes(self) -> list[str]:
        """Class names."""
        return [str(label) for label in self.description.classes]

    @property
    def weights_text(self) -> str:
        """The current weights in words, and the ranking unless it is the paper's."""
        return texts.ranked_by(self.ranking, self.alpha, self.beta)


def begin(title: str, claim: str) -> View:
    """Start a page with its title and the sentence it stands for; return what the sidebar shows."""
    view = st.session_state.pop("view", None)
    if view is None:
        # A fresh server answers a link to a page by running the page alone; once it knows of
        # the navigation it runs the whole app.
        navigation.build()
        st.rerun()
    st.title(title)
    st.markdown(claim)
    return view


def choose(alpha: float, beta: float, size: int, ranking: str) -> None:
    """Make weights, size and ranking current in the whole app from the next run of the script on."""
    for key, value in (("alpha", alpha), ("beta", beta), ("I", size)):
        links.put(key, links.short(value))
    links.put("ranking", ranking)


def is_due() -> bool:
    """Whether weights were chosen that the sidebar does not show yet."""
    return links.is_due("alpha")


def show() -> None:
    """Draw the sidebar and remember what is chosen."""
    with st.sidebar:
        run_id = _pick_run()
        description, trajectory = cache.description(run_id), cache.trajectory(run_id)
        ranking = pick_ranking("ranking", rankings.DEFAULT, everywhere=True)
        alpha, beta = _pick_weights(disabled=not rankings.uses_weights(ranking))
        I = _pick_size(len(trajectory.records))
        st.caption(_formula(ranking, alpha, beta))
        look = links.draw(
            st.segmented_control,
            "Atoms in",
            list(LOOKS),
            key="look",
            kind=links.one_of(LOOKS),
            default="colour",
            check=LOOKS.__contains__,
            everywhere=True,
            required=True,
        )
    st.session_state["view"] = View(run_id, description, trajectory, alpha, beta, I, LOOKS[look], ranking)


def look_at(run_id: str) -> None:
    """Make a run the current one; before the sidebar is drawn, as in a callback."""
    links.put("run", run_id)


def pick_ranking(key: str, default: str, place: Any = st, everywhere: bool = False) -> str:
    """A box with all rankings there are."""
    titles = {entry.name: entry.title for entry in rankings.RANKINGS.entries()}
    return links.choose(
        place.selectbox,
        "Rank atoms by",
        titles,
        key=key,
        default=default,
        everywhere=everywhere,
        help="Of the atoms that a class uses most often, the one with the largest score is selected.",
    )


def _formula(ranking: str, alpha: float, beta: float) -> str:
    """A ranking's formula with the weights filled in."""
    numbers = {r"(1-\alpha-\beta)": max(0, 1 - alpha - beta), r"\alpha": alpha, r"\beta": beta}
    formula = rankings.formula_of(ranking)
    for symbol, value in numbers.items():
        formula = formula.replace(symbol, f"{value:.2f}")
    shown = f"${formula}$" if formula else rankings.RANKINGS[ranking].title
    return shown if rankings.uses_weights(ranking) else f"{shown}: α and β are not used."


def _pick_weights(disabled: bool = False) -> tuple[float, float]:
    """Both start at 0; together they are at most 1, so the one that is moved pushes the other down."""
    alpha = links.draw(
        st.slider,
        "α · activation frequency",
        0.0,
        1.0,
        key="alpha",
        kind=links.NUMBER,
        default=0.0,
        check=lambda value: 0 <= value <= 1,
        everywhere=True,
        step=0.01,
        disabled=disabled,
        on_change=_make_room,
        args=("alpha", "beta"),
        help="Weight of $m_{af} = (p^+ - p^*)/p^+$: how much more often the class uses the atom than its rival. "
        "0 … 1, α + β ≤ 1.",
    )
    room = _rest(alpha)
    beta = links.draw(
        st.slider,
        "β · coefficient magnitude",
        0.0,
        1.0,
        key="beta",
        kind=links.Kind(lambda text: min(links.number(text), room), links.short),
        default=0.0,
        check=lambda value: 0 <= value <= room + ROUNDING,
        everywhere=True,
        step=0.01,
        disabled=disabled,
        on_change=_make_room,
        args=("beta", "alpha"),
        help="Weight of $m_{cm} = (q^+ - q^*)/q^+$: how much larger its mean coefficient $|a|$ is. 0 … 1, α + β ≤ 1.",
    )
    pushed = st.session_state.pop("pushed", None)
    if pushed:
        symbol, value = {"alpha": ("α", alpha), "beta": ("β", beta)}[pushed]
        st.caption(f"The three weights add up to 1, so {symbol} went down to {value:.2f}.")
    return alpha, beta


def _make_room(moved: str, other: str) -> None:
    """A weight was moved: the other one leaves what is left."""
    room = _rest(st.session_state[moved])
    if st.session_state[other] > room + ROUNDING:
        st.session_state[other] = room
        st.session_state["pushed"] = other


def _rest(weight: float) -> float:
    return round(1 - weight, 10)


def _pick_size(done: int) -> int:
    """How many iterations count; who looks at all of one run looks at all of the next one."""
    if done == 1:
        return 1
    return links.draw(
        st.slider,
        "I · atoms per class",
        1,
        done,
        key="I",
        kind=links.WHOLE,
        default=done,
        check=lambda value: 1 <= value <= done,
        everywhere=True,
        help="Atoms kept for each class, one per iteration: 1 … the iterations of the run.",
    )


def _pick_run() -> str:
    names = cache.run_names()
    run_id = run_names.pick(
        "Run",
        names,
        key="run",
        linked=True,
        everywhere=True,
        instead="The reference run is shown instead.",
        help="The run shown on every page. The tables on Accuracy and the models on Draw do not depend on it.",
    )
    problem = cache.why_unreadable(run_id)
    if problem:
        st.error(
            f"This run cannot be shown: {problem}. Repair it with `python -m dasksvd resume {run_id}`; "
            "the reference run is shown instead."
        )
        return cache.REFERENCE
    return run_id
