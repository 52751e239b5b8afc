"""The controls of a study: what it varies, by which design, how often, for how long."""

from typing import Any

import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.errors import ParameterError
from dasksvd.networks import NETWORKS
from dasksvd.parameters import PRESETS, TABLE
from dasksvd.search.adaptive import is_installed
from dasksvd.search.space import ADAPTIVE, DESIGN_TITLES, SCORING, STUDIED, Axis, Span, parse_axis
from dasksvd.search.study_plan import MAX_AXES, StudyPlan, fixed_by_preset
from ui import links, texts
from ui.controls.numbers import Span as Limits
from ui.controls.numbers import number
from ui.state import View

#: Names of the controls in links.
NAMES, BASE, DESIGN, POINTS, SEEDS, MINUTES, NETWORK = (
    *("study_names", "study_base", "study_design", "study_points"),
    *("study_seeds", "study_minutes", "study_network"),
)
OF_RUN = "run"
BASES = {OF_RUN: phrase("those of the run")} | {name: f"preset {name}" for name in PRESETS}
DEFAULT_NAMES = ("I", "alpha", "tau2")
DEFAULT_POINTS, DEFAULT_SEEDS = 16, 3
#: Letters of a list of values.
MOST_LETTERS = 200
#: What is offered of parameters without values for sweeps.
_OFFERED = {
    "alpha": "0, 0.25, 0.5",
    "beta": "0, 0.25, 0.5",
    "ranking": "combined, mdcs, random",
    "r_f": "0.5, 1",
    "ksvd_iter": "10, 20, 50",
    "noise": "std, variance",
    "re_sign": "paper, code",
    "code_q": "0.1, 0.2, 0.4",
    "encoder": "omp, threshold",
    "network": "fixed, modern",
    "hidden": "50, 100, 200",
}


def title_of(name: str) -> str:
    """What a parameter that a study can vary is called."""
    return TABLE[name].called if name in TABLE else say(SCORING[name][0])


def study_plan(view: View) -> StudyPlan | str:
    """The plan that the controls describe, or what is wrong with it."""
    names = links.draw(
        st.multiselect,
        say("Parameters"),
        list(STUDIED),
        key=NAMES,
        kind=links.many(links.one_of(list(STUDIED)), MAX_AXES),
        default=list(DEFAULT_NAMES),
        check=lambda chosen: len(chosen) <= MAX_AXES and set(chosen) <= set(STUDIED),
        max_selections=MAX_AXES,
        format_func=title_of,
        help=say(
            "Weights, I, rankings, encoders and networks cost no learning of their own: their points share "
            "trajectories. At most {max_axes}.",
            max_axes=MAX_AXES,
        ),
    )
    texts = _ask_values(view, names)
    design, base, counts, problem = _ask_design()
    if problem:
        return problem
    try:
        axes: dict[str, Axis] = dict(parse_axis(f"{name}={text}") for name, text in texts.items())
        fixed = {} if base == OF_RUN else fixed_by_preset(base, axes)
        plan = StudyPlan(axes, design=design, fixed=fixed, **counts)
        plan.designed(view.description)
    except ParameterError as error:
        return str(error)
    return plan


def _ask_values(view: View, names: list[str]) -> dict[str, str]:
    """A text of values for each parameter, two in a row."""
    found, places = {}, []
    for name in names:
        places = places or list(st.columns(2, gap="small"))
        found[name] = links.draw(
            places.pop(0).text_input,
            say("Values of {title}", title=title_of(name)),
            key=f"axis_{name}",
            kind=links.WORD,
            default=_usual(view, name),
            check=lambda text: isinstance(text, str) and len(text) <= MOST_LETTERS,
            max_chars=MOST_LETTERS,
            help=say(
                "A list such as `0.1, 0.2, 0.4`, or a range such as `0.1 .. 0.4` for random, Sobol and Optuna. {range}",
                range=_range_of(name),
            ),
        )
    return found


def _usual(view: View, name: str) -> str:
    """Three values around the run's own."""
    if name in _OFFERED:
        return _OFFERED[name]
    current = getattr(view.description.settings, name)
    values = sorted({*TABLE[name].sweep, current})
    at = values.index(current)
    first = max(0, min(at - 1, len(values) - 3))
    return ", ".join(f"{value:g}" for value in values[first : first + 3])


def _range_of(name: str) -> str:
    allowed = SCORING[name][1] if name in SCORING else TABLE[name].allowed
    titles = getattr(allowed, "titles", {})
    return (
        say("Known are: {names}.", names=", ".join(map(str, titles)))
        if titles
        else say("Range: {name}.", name=allowed.words(name))
    )


def _ask_design() -> tuple[str, str, dict[str, Any], str]:
    """Design, other settings, numbers and network; and what is wrong with a number."""
    left, right, third_place = st.columns(3, gap="small")
    designs = {name: title for name, title in DESIGN_TITLES.items() if name != ADAPTIVE or is_installed()}
    design = links.choose(
        left.selectbox, say("Design"), designs, key=DESIGN, help=say("How points are taken from the values.")
    )
    base = links.choose(
        right.selectbox, say("Other settings"), BASES, key=BASE, help=say("What all points have that is not varied.")
    )
    places = st.columns(3, gap="small")
    seeds, first = number(
        places[0],
        say("Seeds"),
        SEEDS,
        Limits(say("The number of seeds"), 1, 20),
        DEFAULT_SEEDS,
        1,
        say("Each point is learned and scored so often, with seeds of its own for split, atoms and network. 1 … 20."),
    )
    minutes, second = number(
        places[1],
        say("Minutes"),
        MINUTES,
        Limits(say("The budget"), 0, 600, "minutes", whole=False),
        0,
        5,
        say("Nothing new is begun after so many minutes from each start; Resume goes on. 0: no limit. 0 … 600."),
    )
    points, third = number(
        places[2],
        say("Points"),
        POINTS,
        Limits(say("The number of points"), 1, 200),
        DEFAULT_POINTS,
        4,
        say("Of a design other than the grid, which has every combination. 1 … 200."),
        disabled=design == "grid",
    )
    networks = texts.titles(NETWORKS)
    network = links.choose(
        third_place.selectbox,
        say("Network"),
        networks,
        key=NETWORK,
        default="fixed",
        help=say(
            "Read by it unless it is varied. One with early stopping watches the images that it is scored on, which "
            "flatters it a little."
        ),
    )
    counts = {"seeds": seeds, "minutes": float(minutes), "points": points, "network": network}
    return design, base, counts, first or second or third


def as_texts(plan: StudyPlan) -> dict[str, str]:
    """What a link to a study says."""
    told = {NAMES: "~".join(plan.axes), DESIGN: plan.design, NETWORK: plan.network, SEEDS: str(plan.seeds)}
    told |= {POINTS: str(plan.points), MINUTES: links.short(plan.minutes)}
    told |= {f"axis_{name}": _as_text(axis) for name, axis in plan.axes.items()}
    bases = [name for name in PRESETS if dict(plan.fixed) == fixed_by_preset(name, plan.axes)]
    return told | {BASE: bases[0] if plan.fixed and bases else OF_RUN}


def _as_text(axis: Axis) -> str:
    if isinstance(axis, Span):
        return f"{axis.low:.10g} .. {axis.high:.10g}"
    return ", ".join(str(value) if isinstance(value, str) else _plain(value) for value in axis)


def _plain(value: float) -> str:
    """A share of 1 must not become a count."""
    return f"{value:.10g}" if isinstance(value, int) or value != int(value) else repr(float(value))
