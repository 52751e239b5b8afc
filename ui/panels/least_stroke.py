"""The smallest change of the drawing that flips the answer, and the atom that switched; on request."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from dasksvd.digit.atom_reader import AtomReader
from dasksvd.digit.least_stroke import Flip, least_stroke
from dasksvd.digit.reader import DigitModel
from dasksvd.errors import DigitError
from ui import figures, texts
from ui.components import canvas, walls

_FOUND = "least_stroke"


def show(model: AtomReader, name: object, names: Sequence[str], colors: list) -> None:
    """The search, when it is asked for, and what it has found for the drawing on the sheet.

    Parameters
    ----------
    name : object
        Tells readers apart.
    names : sequence of str
        The classes.
    colors : list
        The colour scale for atoms.
    """
    drawing = canvas.current()
    if not isinstance(model, DigitModel) or not drawing.strokes:
        st.info(say("Draw a digit on the sheet: only a drawing has strokes that can be changed."))
        return
    key = (drawing.id, name, model.n_nonzero, id(model.corrections))
    before, found = st.session_state.get(_FOUND, (None, None))
    if before != key:
        label = say("Find the smallest change that flips the answer")
        asked = st.button(label, key="find_least", icon=":material/search:")
        st.caption(
            say(
                "Every stroke is made longer or shorter at its ends, a little at first and then more, until the "
                "reader answers otherwise."
            )
        )
        if not asked:
            return
        try:
            found = least_stroke(model, [np.asarray(stroke, float) for stroke in drawing.strokes], canvas.SIZE)
        except DigitError as error:
            st.info(texts.sentence(error))
            return
        st.session_state[_FOUND] = key, found
    if found is None:
        st.info(say("No change of one stroke's end flips this answer: the digit is far from every other."))
        return
    _tell(found, model, names, colors)


def _tell(flip: Flip, model: AtomReader, names: Sequence[str], colors: list) -> None:
    before, after = (int(found.probabilities.argmax()) for found in (flip.before, flip.after))
    old, new = names[before], names[after]
    left, right = st.columns([3, 1])
    walls.show(
        figures.labelled_row(
            np.stack([flip.before.signal, np.abs(flip.after.signal - flip.before.signal), flip.after.signal]),
            [before, after, after],
            [old, say("what changed"), new],
            [
                texts.percent(float(flip.before.probabilities[before])),
                say("added" if flip.change.added else "taken away"),
                texts.percent(float(flip.after.probabilities[after])),
            ],
            say("From {old} to {new}", old=old, new=new),
            colors=figures.GREY,
        ),
        alt=say("The drawing, read as {old}; what was changed; the changed drawing, read as {new}.", old=old, new=new),
        key="flip",
        place=left,
    )
    label = int(model.atom_classes[flip.atom])
    walls.show(
        figures.labelled_row(
            model.atoms[flip.atom][None],
            [label],
            [say("an atom of {name}", name=names[label])],
            [f"{flip.parts[0]:+.2f} → {flip.parts[1]:+.2f}"],
            say("The atom that switched"),
            colors=colors,
        ),
        alt=say("The atom whose part in the lead changed most."),
        key="switched",
        place=right,
    )
    old, new = texts.plain(old), texts.plain(new)
    changed = say(
        "A line as long as {share} of the drawing, added to the end of a stroke, makes {new} of {old}."
        if flip.change.added
        else "A line as long as {share} of the drawing, taken from the end of a stroke, makes {new} of {old}.",
        share=texts.percent(flip.change.length, 0),
        old=old,
        new=new,
    )
    switched = say(
        "The atom on the right switched: its part in the lead of {old} over {new} fell from {before:+.2f} to "
        "{after:+.2f}.",
        old=old,
        new=new,
        before=flip.parts[0],
        after=flip.parts[1],
    )
    st.caption(f"{changed} {switched}")
