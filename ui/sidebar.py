"""The sidebar: which run, which weights, how many atoms, which colours; all of it in the URL."""

from dataclasses import dataclass

import streamlit as st

from dasksvd import figures
from dasksvd.records import Selection, Trajectory
from dasksvd.run import Description
from ui import navigation, run_names, sources

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

    @property
    def selection(self) -> Selection:
        """The structured dictionary for the current weights."""
        return self.trajectory.reselect(self.alpha, self.beta, self.I)

    @property
    def classes(self) -> list[str]:
        """Class names."""
        return [str(label) for label in self.description.classes]

    @property
    def weights_text(self) -> str:
        """The current weights in words."""
        return f"α = {self.alpha:.2f}, β = {self.beta:.2f}"


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


def choose_weights(alpha: float, beta: float) -> None:
    """Make weights current in the whole app from the next run of the script on."""
    st.session_state["chosen_weights"] = (alpha, beta)


def weights_are_due() -> bool:
    """Whether weights were chosen that the sidebar does not show yet."""
    return "chosen_weights" in st.session_state


def show() -> None:
    """Draw the sidebar and remember what is chosen."""
    if weights_are_due():  # a widget's value can only be set before it is drawn
        st.session_state["alpha"], st.session_state["beta"] = st.session_state.pop("chosen_weights")
    with st.sidebar:
        run_id = _pick_run()
        description, trajectory = sources.description(run_id), sources.trajectory(run_id)
        alpha, beta = _pick_weights()
        I = _pick_size(len(trajectory.records))
        st.caption(f"$m = {alpha:.2f}\\,m_{{af}} + {beta:.2f}\\,m_{{cm}} + {max(0, 1 - alpha - beta):.2f}\\,m_{{re}}$")
        look = st.segmented_control(
            "Atoms in", list(LOOKS), default="colour", key="look", bind="query-params", required=True
        )
    st.session_state["view"] = View(run_id, description, trajectory, alpha, beta, I, LOOKS[look or "colour"])


def look_at(run_id: str) -> None:
    """Make a run the current one; before the sidebar is drawn, as in a callback."""
    st.session_state["run"] = run_id


def _pick_weights() -> tuple[float, float]:
    """Both start at 0, the sliders' left end; a default of their own would contradict chosen weights."""
    alpha = st.slider(
        "α · activation frequency",
        0.0,
        1.0,
        step=0.01,
        key="alpha",
        bind="query-params",
        help="Weight of $m_{af} = (p^+ - p^*)/p^+$: how much more often the class uses the atom than its rival. "
        "0 … 1, α + β ≤ 1.",
    )
    beta = st.slider(
        "β · coefficient magnitude",
        0.0,
        1.0,
        step=0.01,
        key="beta",
        bind="query-params",
        help="Weight of $m_{cm} = (q^+ - q^*)/q^+$: how much larger its mean coefficient $|a|$ is. 0 … 1, α + β ≤ 1.",
    )
    if alpha + beta > 1 + 1e-9:  # lattice points may round above 1
        st.warning(f"The three weights add up to 1, so α + β must be at most 1. Shown is β = {1 - alpha:.2f}.")
        beta = 1 - alpha
    return alpha, beta


def _pick_size(done: int) -> int:
    """How many iterations count; who looks at all of one run looks at all of the next one."""
    before = st.session_state.get("n_iterations")
    st.session_state["n_iterations"] = done
    if done == 1:
        return 1
    wanted = st.session_state.get("I")
    if wanted is not None and (wanted > done or before in (wanted, 1)):
        st.session_state["I"] = done
    # A default beside a value that is already there would be a contradiction.
    default = {} if "I" in st.session_state else {"value": done}
    return st.slider(
        "I · atoms per class",
        1,
        done,
        key="I",
        bind="query-params",
        help="One atom per class and iteration: 1 … iterations of the run.",
        **default,
    )


def _pick_run() -> str:
    names = sources.run_names()
    run_names.tell_if_gone("run", names, "The reference run is shown instead.")
    run_id = run_names.pick(
        "Run",
        names,
        key="run",
        bind="query-params",
        help="What the pages show is of this run; the tables of Accuracy and the models of Draw have their own.",
    )
    problem = sources.is_readable(run_id)
    if problem:
        st.error(
            f"This run cannot be shown: {problem}. Repair it with `python -m dasksvd resume {run_id}`; "
            "the reference run is shown instead."
        )
        return sources.REFERENCE
    return run_id
