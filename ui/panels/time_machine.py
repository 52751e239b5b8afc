"""The same drawing as the dictionary grows: where does it become readable?"""

from dataclasses import replace

import numpy as np
import streamlit as st

from dasksvd.digit import history
from dasksvd.digit.history import Moment
from dasksvd.digit.reader import DigitModel, Explanation
from ui import figures, texts
from ui.components import charts, walls

#: Pictures in the row; on a phone.
MOST, MOST_ON_PHONE = 20, 10
ABOUT = (
    "Picture l is the drawing rebuilt by the structured dictionary as it was after iteration l: the first l atoms of "
    "each class (of a fine-tuned reader, as they are after that). Below: the number l, the answer, and the share of "
    "the drawing's length that is left over. Each code may have up to q atoms, or all there are. **What “read” means here:** the network stays the one that was trained "
    "with all atoms; those that do not exist yet count as unused. So the row says when this network can tell the "
    "digit, not how well a network trained after iteration l would."
)


def show(model: DigitModel, explanation: Explanation) -> None:
    """A row of rebuilt pictures, one for each iteration, with their answers.

    Parameters
    ----------
    model : DigitModel
        With the chosen q and atoms per class.
    explanation : Explanation
        How it reads the drawing with all of them.
    """
    found, is_digit = history.moments(model, explanation.signal), explanation.doubt is None
    first = history.readable_from(found)
    st.markdown(_verdict(found, first, is_digit))
    shown = _shown(len(found), first)
    names = [f"{found[at].per_class}\n→ {found[at].answer}\n{100 * found[at].left:.0f} %" for at in shown]
    wall = figures.wall(
        np.stack([found[at].rebuilt for at in shown])[None],
        "Rebuilt after iteration l → answer, left over",
        figures.GREY,
        columns=names,
        column_classes=[found[at].answer for at in shown],
        hover=[[_told(found[at]) for at in shown]],
        cell=90,
    )
    answers = ", ".join(f"{moment.per_class}: {moment.answer}" for moment in found)
    wall = replace(wall, column=shown.index(first - 1) if is_digit else None)
    walls.show(wall, f"The drawing rebuilt with the first atoms of each class. Answers: {answers}.", "time_machine")
    st.caption(ABOUT)


def _shown(count: int, first: int) -> list[int]:
    """The moments that fit into the row, from 0; the first readable one, the first and the last are among them."""
    most = MOST_ON_PHONE if charts.on_phone() else MOST
    even = np.linspace(0, count - 1, min(most, count)).round().astype(int).tolist()
    if first - 1 not in even:
        inner = min(even[1:-1], key=lambda at: abs(at - first + 1))
        even[even.index(inner)] = first - 1
    return sorted(even)


def _verdict(found: list[Moment], first: int, is_digit: bool) -> str:
    last = found[-1]
    left = (
        f"Left over: {texts.percent(found[0].left)} after iteration 1, {texts.percent(last.left)} after {len(found)}."
    )
    if not is_digit:
        return f"**This is taken for no digit**, so there is nothing to become readable. {left}"
    sure = texts.percent(float(found[first - 1].probabilities[last.answer]))
    if first == 1:
        return (
            f"**Readable from iteration 1 on**: its {found[0].n_atoms} atoms already say {last.answer} ({sure}). {left}"
        )
    before = found[first - 2].answer
    return (
        f"**Readable from iteration {first} on**: with {found[first - 1].n_atoms} atoms the answer becomes "
        f"{last.answer} ({sure}) and stays; one iteration before it was {before}. {left}"
    )


def _told(moment: Moment) -> str:
    share = texts.percent(float(moment.probabilities.max()))
    return (
        f"{moment.n_atoms} atoms, codes of up to {moment.n_nonzero}\n"
        f"answer {moment.answer}, {share}\nleft over {texts.percent(moment.left)}"
    )
