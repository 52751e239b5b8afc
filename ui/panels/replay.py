"""The auxiliary dictionaries, iteration by iteration, by hand or as a film."""

import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from dasksvd.common.language import say
from ui import figures, links
from ui.components import charts
from ui.panels import atom_picks
from ui.panels.atom_picks import ITERATION, Pick
from ui.state import View

#: Seconds for which the film shows an iteration.
PAUSE = 1.0
#: Whether the film plays, whether its clock runs, and when it went on last.
_PLAYS, _RUNS, _STEPPED = "film_plays", "film_runs", "film_stepped"


def as_film(view: View, page: Callable[[], None]) -> None:
    """Run a page by itself, and again and again while the film plays: all of it shows the iteration."""
    plays = st.session_state.get(_PLAYS, False) and view.I > 1

    def whole() -> None:
        page()
        if not plays:  # an iteration that passes by is no step for Back
            links.write("film")

    st.fragment(whole, run_every=PAUSE if plays else None)()


def choose(view: View, pick: Pick, is_new: bool, place: Any) -> int:
    """Buttons and slider for the iteration whose Φ is shown; a new pick ends a film that plays."""
    if view.I == 1:
        return 1
    if is_new:
        stop()
    _go_on(view)
    plays = st.session_state.get(_PLAYS, False)
    links.tell("film_plays", int(plays))
    with place.container(horizontal=True, vertical_alignment="bottom", key="film"):
        buttons = st.container(horizontal=True, width="content", gap="small")
        iteration = pick_iteration(
            view, ITERATION, say("The noise of its sample grows with l."), st, default=pick.column + 1
        )
    step = {"on_click": _step, "type": "secondary", "width": "content"}
    with buttons:
        st.button(
            say("Back"),
            key="film_back",
            icon=":material/skip_previous:",
            disabled=iteration == 1,
            args=(iteration - 1,),
            **step,
        )
        st.button(
            say("Pause") if plays else say("Play"),
            key="film_play",
            icon=":material/pause:" if plays else ":material/play_arrow:",
            on_click=_play,
            args=(not plays, iteration == view.I),
            help=say("Shows one iteration after the other, a second each."),
        )
        st.button(
            say("Next"),
            key="film_next",
            icon=":material/skip_next:",
            disabled=iteration == view.I,
            args=(iteration + 1,),
            **step,
        )
    if plays != st.session_state.get(_RUNS, False):
        st.session_state[_RUNS] = plays
        st.rerun()  # the whole page: it starts or stops the clock
    return iteration


def stop() -> None:
    """Stop the film, if it plays."""
    st.session_state[_PLAYS] = False


def _step(iteration: int) -> None:
    stop()
    links.put(ITERATION, links.WHOLE.format(iteration))


def _play(plays: bool, at_end: bool) -> None:
    st.session_state[_PLAYS] = plays
    st.session_state[_STEPPED] = time.monotonic()
    if plays and at_end:
        links.put(ITERATION, links.WHOLE.format(1))


def _go_on(view: View) -> None:
    """While the film plays, show the next iteration if it is time; after the last one it stops."""
    now = time.monotonic()
    if not st.session_state.get(_PLAYS) or now - st.session_state.get(_STEPPED, 0) < 0.9 * PAUSE:
        return
    st.session_state[_STEPPED] = now
    iteration = min(st.session_state.get(ITERATION, 1) + 1, view.I)
    links.put(ITERATION, links.WHOLE.format(iteration))
    if iteration == view.I:
        st.session_state[_PLAYS] = False


def pick_iteration(view: View, key: str, meaning: str, place: Any, default: int = 1) -> int:
    """A slider over the iterations that count."""
    if view.I == 1:
        return 1
    return links.draw(
        place.slider,
        say("Iteration l"),
        1,
        view.I,
        key=key,
        kind=links.WHOLE,
        default=default,
        check=lambda value: 1 <= value <= view.I,
        help=meaning,
    )


def show(view: View, pick: Pick, iteration: int) -> None:
    """The dictionary of an iteration, and what was special about it."""
    record, tau2 = view.trajectory.records[iteration - 1], view.description.settings.tau2
    title = say(
        "Auxiliary dictionary Φ of iteration {iteration}: {count} atoms, selected ones framed",
        iteration=iteration,
        count=len(record.atoms),
    )
    _dictionary(view, pick, iteration, title, "auxiliary", 16 if charts.on_phone() else 32)
    st.caption(
        say(
            "Noise in this iteration: {iteration} · {tau2:g} = {iteration2:.2g} times σ of each signal. K-SVD's "
            "error at its end: {error:.4f} per pixel. Restarts: {restarts}.",
            iteration=iteration - 1,
            tau2=tau2,
            iteration2=(iteration - 1) * tau2,
            error=record.errors[-1],
            restarts=record.restarts,
        )
    )


def first_and_last(view: View, pick: Pick) -> None:
    """The dictionaries of the first and the last iteration side by side, as in the paper's figure."""
    if view.I == 1:
        return
    for place, (name, iteration) in zip(st.columns(2), (("first", 1), ("last", view.I)), strict=True):
        with place:
            _dictionary(
                view, pick, iteration, say("Φ of iteration {iteration}", iteration=iteration), f"side_{name}", 16
            )


def _dictionary(view: View, pick: Pick, iteration: int, title: str, key: str, columns: int) -> None:
    """All atoms of an iteration, to be picked."""
    record = view.trajectory.records[iteration - 1]
    columns = figures.in_a_row(len(record.atoms), columns)
    measures, m = record.measures, record.measures.combined(view.alpha, view.beta)
    hover = [
        say(
            "atom {atom}: class {classe} against {classe2}\nm = {value:.3f}",
            atom=atom,
            classe=view.classes[top],
            classe2=view.classes[second],
            value=value,
        )
        for atom, (top, second, value) in enumerate(zip(measures.top, measures.second, m, strict=True))
    ]
    atoms = atom_picks.of_dictionary(view, iteration - 1, range(len(record.atoms)))
    atom_picks.show(
        view,
        figures.dictionary_wall(
            record.atoms, view.selection.index[iteration - 1], view.classes, title, view.colors, columns, hover
        ),
        say(
            "All {count} atoms of iteration {iteration}; the selected atom of each class is framed.",
            count=len(record.atoms),
            iteration=iteration,
        ),
        key,
        [atoms[start : start + columns] for start in range(0, len(atoms), columns)],
        pick,
    )
