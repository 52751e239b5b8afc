"""The auxiliary dictionaries, iteration by iteration, by hand or as a film."""

import streamlit as st

from ui import figures, links
from ui.components import charts, walls
from ui.sidebar import View

#: Seconds for which a replay shows an iteration.
PAUSE = 1.0


def show(view: View) -> None:
    """A slider over the iterations, a replay, and the dictionary of the chosen one."""
    playing = st.session_state.get("replay", False) and view.I > 1

    def film() -> None:
        _film(view)
        links.write("film")

    st.fragment(film, run_every=PAUSE if playing else None)()


def _film(view: View) -> None:
    iteration = _choose(view) if view.I > 1 else 1
    record, selected = view.trajectory.records[iteration - 1], view.selection.index[iteration - 1]
    tau2 = view.description.settings.tau2
    walls.show(
        figures.dictionary_wall(
            record.atoms,
            selected,
            view.classes,
            f"Auxiliary dictionary Φ of iteration {iteration}: {len(record.atoms)} atoms, selected ones framed",
            view.colors,
            columns=16 if charts.on_phone() else 32,
        ),
        f"All {len(record.atoms)} atoms of iteration {iteration}; the selected atom of each class is framed.",
        "auxiliary",
    )
    st.caption(
        f"Noise in this iteration: {iteration - 1} · {tau2:g} = {(iteration - 1) * tau2:.2g} times σ of each signal. "
        f"K-SVD's error at its end: {record.errors[-1]:.4f} per pixel. Restarts: {record.restarts}."
    )


def _choose(view: View) -> int:
    """Slider and replay switch; a replay moves the slider before it is drawn."""
    if st.session_state.get("replay") and st.session_state.pop("replay_ticks", False):
        step = min(st.session_state.get("iteration", 1), view.I) % view.I + 1
        st.session_state["iteration"] = step
        if step == view.I:
            st.session_state["replay"] = False
            st.session_state["replay_ended"] = True
    left, right = st.columns([5, 1], vertical_alignment="bottom")
    iteration = pick_iteration(view, "iteration", "The noise of its sample grows with l.", left)
    started = right.toggle("Replay", key="replay", help="Shows one iteration after the other.")
    was_playing = st.session_state.get("replay_runs", False)
    st.session_state["replay_runs"] = started
    if started:
        st.session_state["replay_ticks"] = True
    if started != was_playing:
        st.rerun()  # the whole page: it starts or stops the clock
    return iteration


def pick_iteration(view: View, key: str, meaning: str, place) -> int:
    """A slider over the iterations that count."""
    if view.I == 1:
        return 1
    return links.draw(
        place.slider,
        "Iteration l",
        1,
        view.I,
        key=key,
        kind=links.WHOLE,
        default=1,
        check=lambda value: 1 <= value <= view.I,
        help=meaning,
    )


def first_and_last(view: View) -> None:
    """The dictionaries of the first and the last iteration side by side, as in the paper's figure."""
    if view.I == 1:
        return
    for place, iteration in zip(st.columns(2), (1, view.I), strict=True):
        record = view.trajectory.records[iteration - 1]
        walls.show(
            figures.dictionary_wall(
                record.atoms,
                view.selection.index[iteration - 1],
                view.classes,
                f"Φ of iteration {iteration}",
                view.colors,
                columns=16,
            ),
            f"All atoms of iteration {iteration}, the selected ones framed.",
            f"side_{'first' if iteration == 1 else 'last'}",
            place=place,
        )
