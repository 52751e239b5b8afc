"""Which atoms of one run are in another: each beside the most similar one, at the same scale."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from dasksvd.method.matching import match
from ui import cache, figures, frame, links
from ui.components import walls
from ui.panels import compare
from ui.state import View

#: Atoms that are shown of the most and of the least alike.
SHOWN = 12
#: From this |cosine| on an atom counts as found; that of Aharon et al. is 0.99.
FOUND, LEAST = 0.9, 0.5


def show(view: View, ids: Sequence[str], names: Sequence[str]) -> None:
    """Match the selected atoms of two of the runs."""
    known = {
        i: name for i, name in zip(ids, names, strict=True) if compare.has_atoms(i) and not cache.why_unreadable(i)
    }
    if len(known) < 2:
        st.info(say("Pick two runs with finished iterations to match their atoms."))
        return
    left, middle, right = st.columns([2, 2, 2])
    one = links.choose(left.selectbox, say("Atoms of"), known, key="match_one", default=next(iter(known)))
    others = {run_id: name for run_id, name in known.items() if run_id != one}
    other = links.choose(middle.selectbox, say("looked for in"), others, key="match_other", default=next(iter(others)))
    level = links.draw(
        right.slider,
        say("found from |cosine|"),
        LEAST,
        1.0,
        key="match_level",
        kind=links.NUMBER,
        default=FOUND,
        check=lambda value: LEAST <= value <= 1,
        step=0.01,
        help=say("1 means the same atom or its opposite. Tests of recovery usually ask for 0.99."),
    )
    first, second = (_atoms(view, run_id) for run_id in (one, other))
    if first.shape[1] != second.shape[1]:
        st.info(say("These runs have pictures of different sizes, so their atoms cannot be compared."))
        return
    index, cosine = match(first, second)
    alike = np.abs(cosine)
    st.markdown(
        say(
            "**{value} of {count}** selected atoms are found among the {count2} of the other run; half of them have "
            "a |cosine| of at least {alike:.2f}.",
            value=np.count_nonzero(alike >= level),
            count=len(first),
            count2=len(second),
            alike=np.median(alike),
        )
    )
    order = np.argsort(-alike, kind="stable")
    places = frame.beside(key="matches")
    pieces = ((say("Most alike"), order[:SHOWN]), (say("Least alike"), order[-SHOWN:][::-1]))
    for number, (title, some) in enumerate(pieces):
        signs = np.where(cosine[some] < 0, -1, 1)[:, None]
        pair = np.stack([first[some], signs * second[index[some]]])
        with places[number]:
            _wall(pair, title, alike[some], view.colors, f"match_{number}")


def _wall(pair: np.ndarray, title: str, alike: np.ndarray, colors: list, key: str) -> None:
    wall = figures.wall(
        pair,
        title,
        colors,
        columns=[f"{one:.2f}" for one in alike],
        x_title=say("|cosine|; above the atom, below its match"),
        strength=np.abs(pair).max(axis=2) / np.abs(pair).max(),
    )
    walls.show(
        wall,
        say(
            "{title}: atoms above, their matches below; |cosine| {min:.2f} to {max:.2f}.",
            title=title,
            min=alike.min(),
            max=alike.max(),
        ),
        key,
    )


def _atoms(view: View, run_id: str) -> np.ndarray:
    """The selected atoms of a run at the weights of the page, of shape (n_atoms, N)."""
    return cache.trajectory(run_id).reselect(view.alpha, view.beta, None, view.ranking).atoms
