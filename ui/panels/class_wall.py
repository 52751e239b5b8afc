"""The class's wall: all drawings beside those that are coded alike, and why one of them was read as it was."""

import math
from typing import Any

import numpy as np
import streamlit as st

from dasksvd.common.language import say, say_count
from dasksvd.digit.reader import DEFAULT_MODEL, Explanation
from dasksvd.errors import StoreError
from dasksvd.figures import class_color
from ui import class_wall, figures, frame, lecturer, links, readers, texts
from ui.components import charts, walls
from ui.panels import collection, explanations, reader_choice

KEY, DRAWING = "class_wall", "drawing"
#: Seconds after which a page looks for new drawings, and for another one to be shown to all.
EVERY = 3
#: Pixels of the window's height above and below the wall.
AROUND = 190
#: Images of which a wall still says what each was read as.
LABELLED = 160
#: Atoms of a code that are shown beside the picked drawing.
N_ATOMS = 6
_FOLLOWED, _SENT = "followed_drawing", "sent_drawings"


def offer() -> None:
    """On Draw: a button that sends the drawing to the wall, if the owner wants one."""
    if not lecturer.has_wall():
        return
    shown = st.session_state.get(collection.LAST)
    sent = st.session_state.setdefault(_SENT, set())
    with st.container(key="to_the_wall", horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            say("Send to the class's wall"),
            key="send_drawing",
            icon=":material/present_to_all:",
            disabled=shown is None or shown[0] in sent,
            on_click=_send,
            help=say("Your drawing, 28 × 28 pixels without your name, is shown to everybody in the class for a day."),
        )
        frame.door(say("See the wall"), "wall", key="to_wall", type="tertiary")


def _send() -> None:
    drawing, image, _ = st.session_state[collection.LAST]
    try:
        class_wall.send(image)
    except StoreError as error:
        st.toast(texts.sentence(error), icon=":material/error:")
    else:
        st.session_state[_SENT].add(drawing)
        st.toast(say("It hangs on the wall, without your name."), icon=":material/done:")


def show(colors: list) -> None:
    """The wall, the drawing that was picked, and what the lecturer can do."""
    names, pointed = state = class_wall.state()
    _look_again(state)
    order, images, read_as = class_wall.in_order(names)
    picked = _picked(order, pointed)
    left, right = frame.beside(1.1, 1, key="class_wall_page")
    with left:
        if order:
            _show_wall(order, images, read_as, picked)
        else:
            st.info(say("Nothing hangs here yet. Draw a digit and send it: it appears here, without your name."))
            frame.door(say("Draw a digit"), "draw", key="draw_for_the_wall", icon=":material/draw:")
        _lecturers_corner(picked)
    with right:
        if picked:
            _explain(images[order.index(picked)], colors, picked == pointed)
        elif order:
            st.info(say("Pick a drawing to see why it was read as it was."))


@st.fragment(run_every=EVERY)
def _look_again(known: tuple) -> None:
    """Run the page again when something has changed; nothing is drawn here."""
    if class_wall.state() != known:
        st.rerun()


def _picked(order: tuple[str, ...], pointed: str) -> str:
    """The drawing to explain: the one picked last, by this visitor or, for all, by the lecturer."""
    columns = _columns(len(order))
    if st.session_state.get(_FOLLOWED, "") != pointed:
        st.session_state[_FOLLOWED] = pointed
        if pointed:
            links.put(DRAWING, pointed)
    if place := walls.newly_picked(KEY, math.ceil(len(order) / columns), columns):
        number = place[0] * columns + place[1]
        if number < len(order):
            links.put(DRAWING, order[number])
            if class_wall.gives_the_class():
                class_wall.wall().point_at(order[number])
                st.session_state[_FOLLOWED] = order[number]
    return links.draw(None, "", key=DRAWING, kind=links.WORD, default="", check=("", *order).__contains__)


def _columns(count: int) -> int:
    most = 6 if charts.on_phone() else min(max(6, math.ceil(math.sqrt(1.6 * count))), 26)
    return max(1, min(count, most))


def _show_wall(order: tuple[str, ...], images: np.ndarray, read_as: np.ndarray, picked: str) -> None:
    columns = _columns(len(order))
    pictures = figures.in_rows(images.reshape(len(images), -1).astype(np.float32), columns)
    told = [say("read as {label}", label=label) for label in read_as]
    told += [""] * (pictures.shape[0] * columns - len(told))
    wall = figures.wall(
        pictures,
        say_count(
            len(order),
            "{count} drawing hangs beside those that are coded alike",
            "{count} drawings hang beside those that are coded alike",
        ),
        figures.GREY,
        hover=[told[start : start + columns] for start in range(0, len(told), columns)],
        cell=84,
        around=0 if charts.on_phone() else AROUND,
    )
    if len(order) <= LABELLED:
        wall.marks.extend(
            figures.Mark(*divmod(place, columns), class_color(int(label)), str(label), framed=False)
            for place, label in enumerate(read_as)
        )
    walls.show(
        wall,
        say(
            "Wall of {count} drawings of the class, in an order in which neighbours have similar codes.",
            count=len(order),
        ),
        KEY,
        picked=divmod(order.index(picked), columns) if picked else None,
    )


def _explain(image: np.ndarray, colors: list, for_all: bool) -> None:
    """Why a drawing was read as it was, in the words of the Draw page."""
    model = class_wall.reader()
    found = model.explain(image)
    if found.doubt is not None:
        st.header(say("No digit") + _to_all(for_all))
        st.markdown(found.doubt.sentence)
    else:
        best = int(found.probabilities.argmax())
        sure = texts.percent(found.probabilities[best], 0)
        st.header(say("Read as {best}, {sure} sure", best=best, sure=sure) + _to_all(for_all))
    _show_way(found, model.atoms, model.atom_classes, colors)
    if len(found.atoms):
        reader = readers.Reader(say("Shipped reader"), DEFAULT_MODEL)
        choice = reader_choice.Choice(reader, model, readers.atoms_per_class(model), model.n_nonzero)
        explanations.show(explanations.Reading(choice, found, colors))


def _to_all(for_all: bool) -> str:
    return f" · {say('shown to all')}" if for_all else ""


def _show_way(found: Explanation, atoms: np.ndarray, classes: np.ndarray, colors: list) -> None:
    """What the reader sees, what it rebuilds, and the first atoms of the code."""
    rebuilt = found.steps[-1] if len(found.steps) else np.zeros_like(found.signal)
    first = found.atoms[:N_ATOMS]
    used = atoms[first] * np.sign(found.coefficients[:N_ATOMS])[:, None]
    pictures = np.concatenate([found.signal[None], rebuilt[None], used])[None]
    names = [say("drawn"), say("rebuilt"), *(say("of {label}", label=label) for label in classes[first])]
    walls.show(
        figures.wall(pictures.astype(np.float32), "", colors, columns=names, cell=88),
        say(
            "The drawing at 16 × 16, rebuilt from {count} atoms, and the first {shown} of these.",
            count=len(found.atoms),
            shown=len(first),
        ),
        "class_way",
    )


def _lecturers_corner(picked: str) -> None:
    """What only the one can do who gives the class."""
    if not class_wall.gives_the_class():
        _ask_for_the_word()
        return
    wall = class_wall.wall()
    with st.container(key="lecturer", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(say("You give this class: **what you pick, all see.**"), width="content")
        _act(say("Show none to all"), "show_none", lambda: wall.point_at(""))
        closed = wall.is_closed
        label = say("Take drawings again") if closed else say("Take no more drawings")
        _act(label, "close_wall", lambda: wall.close(not closed))
        _act(say("Take it away"), "take_away", lambda: wall.remove(picked), disabled=not picked)
        with st.popover(say("Empty the wall"), key="ask_empty"):
            st.markdown(say("Take **all** drawings away? This cannot be undone."))
            _act(say("Empty it"), "empty_wall", wall.empty, type="primary")
        _act(say("I'm done"), "not_lecturer", class_wall.leave, type="tertiary")


def _act(label: str, key: str, do: Any, **options: Any) -> None:
    st.button(label, key=key, on_click=do, **options)


def _ask_for_the_word() -> None:
    with (
        st.popover(say("I give this class"), key="ask_word", type="tertiary", icon=":material/school:"),
        st.form("lecturers_word", border=False),
    ):
        word = st.text_input(
            say("The lecturer's word"),
            type="password",
            max_chars=100,
            help=say("Whoever started the server has set it as {name}.", name=lecturer.WORD),
        )
        if st.form_submit_button(say("Enter")):
            try:
                class_wall.enter(word)
            except StoreError as error:
                st.error(texts.sentence(error))
            else:
                st.rerun()
