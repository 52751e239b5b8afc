"""The same drawing as the dictionary grows: where does it become readable?"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.digit import history
from dasksvd.digit.atom_reader import AtomReader, Explanation
from dasksvd.digit.history import Moment
from ui import figures, texts
from ui.components import charts, walls

#: Pictures in the row; on a phone.
MOST, MOST_ON_PHONE = 20, 10
ABOUT = phrase(
    "Picture l is rebuilt by the structured dictionary as it was after iteration l: from the first l atoms of each "
    "class (of a fine-tuned reader, as they are after that). Below: the number l, the answer, and the share of ‖x‖ "
    "that is left over. Each code may have up to q atoms, or all there are. **What “read” means here:** the network "
    "stays the one that was trained with all atoms; those that do not exist yet count as unused. So the row says when "
    "this network can tell the class, not how well a network trained after iteration l would."
)


def show(model: AtomReader, explanation: Explanation, names: Sequence[str]) -> None:
    """A row of rebuilt pictures, one for each iteration, with their answers.

    Parameters
    ----------
    model : AtomReader
        With the chosen q and atoms per class.
    explanation : Explanation
        How it reads the drawing with all of them.
    names : sequence of str
        Of the classes.
    """
    found, is_digit = history.moments(model, explanation.signal), explanation.doubt is None
    first = history.readable_from(found)
    st.markdown(_verdict(found, first, is_digit, names))
    shown = _shown(len(found), first)
    captions = [f"{found[at].per_class}\n→ {names[found[at].answer]}\n{100 * found[at].left:.0f} %" for at in shown]
    wall = figures.wall(
        np.stack([found[at].rebuilt for at in shown])[None],
        say("Rebuilt after iteration l → answer, left over"),
        figures.GREY,
        columns=captions,
        column_classes=[found[at].answer for at in shown],
        hover=[[_told(found[at], names) for at in shown]],
        cell=90,
    )
    answers = ", ".join(f"{moment.per_class}: {names[moment.answer]}" for moment in found)
    wall = replace(wall, column=shown.index(first - 1) if is_digit else None)
    walls.show(
        wall, say("Rebuilt with the first atoms of each class. Answers: {answers}.", answers=answers), "time_machine"
    )
    st.caption(say(ABOUT))


def _shown(count: int, first: int) -> list[int]:
    """The moments that fit into the row, from 0; the first readable one, the first and the last are among them."""
    most = MOST_ON_PHONE if charts.on_phone() else MOST
    even = np.linspace(0, count - 1, min(most, count)).round().astype(int).tolist()
    if first - 1 not in even:
        inner = min(even[1:-1], key=lambda at: abs(at - first + 1))
        even[even.index(inner)] = first - 1
    return sorted(even)


def _verdict(found: list[Moment], first: int, is_digit: bool, names: Sequence[str]) -> str:
    last = found[-1]
    answer = texts.plain(names[last.answer])
    left = say(
        "Left over: {left} after iteration 1, {left2} after {count}.",
        left=texts.percent(found[0].left),
        left2=texts.percent(last.left),
        count=len(found),
    )
    if not is_digit:
        return say("**This is taken for no digit**, so there is nothing to become readable. {left}", left=left)
    sure = texts.percent(float(found[first - 1].probabilities[last.answer]))
    if first == 1:
        return say(
            "**Readable from iteration 1 on**: its {n_atoms} atoms already say {answer} ({sure}). {left}",
            n_atoms=found[0].n_atoms,
            answer=answer,
            sure=sure,
            left=left,
        )
    before = texts.plain(names[found[first - 2].answer])
    return say(
        "**Readable from iteration {first} on**: with {n_atoms} atoms the answer becomes {answer} ({sure}) and "
        "stays; one iteration before it was {before}. {left}",
        first=first,
        n_atoms=found[first - 1].n_atoms,
        answer=answer,
        sure=sure,
        before=before,
        left=left,
    )


def _told(moment: Moment, names: Sequence[str]) -> str:
    share = texts.percent(float(moment.probabilities.max()))
    return say(
        "{n_atoms} atoms, codes of up to {n_nonzero}\nanswer {name}, {share}\nleft over {left}",
        n_atoms=moment.n_atoms,
        n_nonzero=moment.n_nonzero,
        name=names[moment.answer],
        share=share,
        left=texts.percent(moment.left),
    )
