"""Best, random or worst atom of each class? A small ablation that runs while one looks on."""

import numpy as np
import streamlit as st

from dasksvd.common.language import phrase, say, say_count
from dasksvd.search.chooser_race import CHOOSERS, HIDDEN, MORE, MOST, N_SCORED, N_TRAIN
from dasksvd.statistics import corrected, paired
from ui import figures, links
from ui.chooser_race import race
from ui.components import forest

#: Seconds between two looks at a race.
EVERY = 1.0
#: What lessons ask for: seeds since this visitor pressed the button, and whether any are on their way.
TOLD = "race_seeds"
_BEGAN = "race_began"
NAMES = {
    "combined": phrase("best atom of each class"),
    "random": phrase("random atom"),
    "worst": phrase("worst atom"),
}


def show() -> None:
    """The panel; it looks again by itself while seeds are on their way."""
    with st.container(key="chooser_race", border=True):
        every = EVERY if race().is_running else None
        st.fragment(_panel, run_every=every)(every is not None)


def _panel(was_running: bool) -> None:
    running, scores = race().is_running, race().scores()
    began = st.session_state.get(_BEGAN)
    links.tell(TOLD, 0 if began is None else len(scores) - began)
    _show_head(running, scores)
    if len(scores):
        _show_scores(scores)
    if running != was_running:
        st.rerun()
    links.write("chooser_race")


def _show_head(running: bool, scores: np.ndarray) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("**" + say("Try it here: does the choice of atoms matter?") + "**", width="content")
        count = say_count(len(scores), "{count} seed", "{count} seeds")
        full = len(scores) >= MOST
        label = say("At work …") if running else say("Run {count} seeds", count=MORE)
        st.button(
            label if not len(scores) or running else say("Run {count} more seeds", count=MORE),
            key="race_button",
            icon=":material/play_arrow:",
            type="primary",
            disabled=running or full,
            on_click=_begin,
        )
        if len(scores) or running:
            st.markdown(count, width="content")
    st.caption(
        say(
            "Each seed draws {train} training images, codes them on 200 atoms of the shipped run, chosen in three "
            "ways, trains a network of {hidden} units on each, and reads {scored} other images. Seeds are shared by "
            "all who look at this page.",
            train=f"{N_TRAIN:,}",
            scored=f"{N_SCORED:,}",
            hidden=HIDDEN,
        )
    )


def _begin() -> None:
    st.session_state[_BEGAN] = len(race().scores())
    race().go_on()


def _show_scores(scores: np.ndarray) -> None:
    best = scores[:, 0]
    found = {name: paired(scores[:, place], best) for place, name in enumerate(CHOOSERS) if place}
    if len(scores) > 1:
        rows = {say(NAMES[name]): one for name, one in corrected(found).items()}
        chart = figures.forest(
            {"": {name: {"ReLU, Adam": one} for name, one in rows.items()}},
            say("Other choices minus the best atoms"),
            (say("best is better"), say("other is better")),
            ["ReLU, Adam"],
            say("difference in points, with its 95 % interval"),
        )
        told = ", ".join(f"{name} {one.text}" for name, one in rows.items())
        forest.show(chart, say("Differences to the best atoms: {told}.", told=told), "race_forest")
    means = " · ".join(
        f"{say(NAMES[name])} **{100 * scores[:, place].mean():.2f} %**" for place, name in enumerate(CHOOSERS)
    )
    st.markdown(say("Read right on average: {means}", means=means))
