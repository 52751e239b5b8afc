"""K-SVD taken apart, in the browser: one iteration with all its half-steps comes in one message and plays there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dasksvd.figures import class_color
from dasksvd.method.ksvd import MAX_COHERENCE, MIN_USERS
from dasksvd.method.trace import Trace, follow
from ui import components, links
from ui.components import pictures
from ui.taken_apart import Film, Iteration, Update, errors

KEY = "half_steps"
#: Link name of the step that is shown, from 0.
STEP = "step"
#: What lessons ask for: the kind of this step, and its iteration from 1.
KIND, ITERATION = "half_step", "half_step_iteration"

_component = components.declare(
    "half_steps", "canvas_files", "half_steps", shared_js=("pictures.js", "half_step_stages.js")
)


def show(film: Film, name: str, classes: Sequence[str], colors: list, step: int) -> None:
    """Put the half-steps of the iteration around a step on the page.

    Parameters
    ----------
    name : str
        Differs between films.
    classes : sequence of str
    colors : list
        The colour scale for atoms.
    step : int
        See :func:`step_of`.
    """
    aim = _aim()
    data = _message(film, name, film.iteration_of(step)) | {
        "film": name,
        "classes": tuple(classes),
        "palette": pictures.palette(colors),
        "step": aim.step,
        "token": aim.token,
    }
    _component(key=KEY, data=data, on_picked_change=lambda: None)


def step_of(film: Film, name: str) -> int:
    """The step that is shown: the one chosen last, or a link's; another film begins at its beginning."""
    aim, picked = _aim(), components.newly_picked(KEY, 1)
    begins = aim.film not in ("", name) and not links.is_new(STEP)
    (wanted,) = (0,) if begins else picked or (links.look_up(STEP, links.WHOLE, 0),)
    step = max(0, min(wanted, film.last))
    if not picked or begins:
        aim.token += step != aim.shown
        aim.step = step
    aim.film, aim.shown = name, step
    links.tell(KIND, film.kind_of(step))
    links.tell(ITERATION, film.iteration_of(step) + 1)
    links.note(STEP, links.WHOLE, step, 0)
    return step


@dataclass
class _Aim:
    """Where the browser is told to go: a step of its own choice is not sent back.

    So all steps of an iteration share one message, and Streamlit sends it to a browser once.

    Attributes
    ----------
    step : int
        For who shows the page anew, or has not seen the token.
    token : int
        Changes with every step that the browser has not chosen.
    film : str
    shown : int
        The step that was shown last.
    """

    step: int = 0
    token: int = 0
    film: str = ""
    shown: int = 0


def _aim() -> _Aim:
    return st.session_state.setdefault("film_aim", _Aim())


@st.cache_resource(max_entries=128, show_spinner=False)
def _message(_film: Film, name: str, number: int) -> dict[str, Any]:
    """What :func:`message` says, kept for all visitors by the film's name."""
    return message(_film, number)


def message(film: Film, number: int) -> dict[str, Any]:
    """Everything that is shown of an iteration (from 0)."""
    one, starts = film.iterations[number], film.starts
    labels = film.sample.labels
    return {
        "iteration": number + 1,
        "n_iterations": len(film.iterations),
        "first": starts[number] if number else 0,
        "last": film.last,
        "exact": film.exact,
        "energy": film.energy,
        "earlier": tuple(errors(film, number)),
        "signals": _levels(film.sample.signals),
        "labels": tuple(labels.tolist()),
        "colors": tuple(class_color(label) for label in range(labels.max(initial=0) + 1)),
        "atoms": _levels(one.atoms),
        "codes": _codes(film.sample.signals, one),
        "coded": {"uses": tuple(one.coded.counts.tolist()), "error": one.coded.error},
        "updates": tuple(map(_update, one.updates)),
        "check": _check(one),
    }


def _codes(signals: np.ndarray, one: Iteration) -> dict[str, Any]:
    """The pursuit of every signal, one after the other."""
    counts, support = one.codes.counts, one.codes.support
    traces = [follow(x, one.atoms, row[:n]) for x, row, n in zip(signals, support, counts, strict=True)]
    atoms = one.atoms.astype(np.float64)
    return {
        "counts": tuple(counts.tolist()),
        "taken": tuple(int(atom) for trace in traces for atom in trace.atoms),
        "correlations": _joined([trace.correlations for trace in traces]),
        "coefficients": _joined([_triangle(trace) for trace in traces]),
        "lengths": _joined([trace.residuals for trace in traces]),
        "gram": _floats(atoms @ atoms.T),
    }


def _triangle(trace: Trace) -> np.ndarray:
    """The coefficients after step 1, 2, …, one row after the other."""
    return trace.coefficients[np.tril_indices(len(trace.atoms))]


def _update(update: Update) -> dict[str, Any]:
    return {
        "n": update.n_users,
        "shown": tuple(update.shown.tolist()),
        "without": _levels(update.without),
        "before": tuple(update.before.tolist()),
        "after": tuple(update.after.tolist()),
        "length": update.length,
        "new": _levels(update.new[None]),
        "errors": (update.error_before, update.error),
    }


def _check(one: Iteration) -> dict[str, Any]:
    check = one.checked
    return {
        "uses": tuple(check.counts.tolist()),
        "coherence": tuple(np.round(check.coherence.astype(np.float64), 4).tolist()),
        "least": MIN_USERS,
        "most": MAX_COHERENCE,
        "replaced": tuple(check.replaced.tolist()),
        "by": tuple(check.signals.tolist()),
        "fresh": _levels(check.atoms[check.replaced]),
        "error": check.error,
    }


def _levels(images: np.ndarray) -> dict[str, Any]:
    """Pictures as levels, each with the value of its level 127."""
    return {"levels": pictures.signed_levels(images), "peaks": _floats(np.abs(images).max(axis=1, initial=0))}


def _joined(arrays: Sequence[np.ndarray]) -> str:
    return _floats(np.concatenate([np.zeros(0), *(array.ravel() for array in arrays)]))


def _floats(values: np.ndarray) -> str:
    """Numbers as base64 of little-endian float32."""
    return pictures.encoded(np.asarray(values, "<f4"))
