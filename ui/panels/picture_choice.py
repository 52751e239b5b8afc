"""Which picture is read: a held-out one of the reader's own data, or one that a visitor drops."""

import base64
import io
import math
from dataclasses import dataclass

import numpy as np
import streamlit as st
from PIL import Image

from dasksvd.common.language import phrase, say
from dasksvd.datasets.dataset import as_signals
from dasksvd.datasets.intake import Example
from dasksvd.datasets.intake.findings import FITS, MAX_PICTURE
from dasksvd.errors import DataError, StoreError
from ui import figures, links, pictures, readers, texts, upload_room, uploads, visitor
from ui.components import charts, walls

KEY = "picture"
#: In links: which handful of held-out pictures is offered, and which picture of the data set is read.
HANDFUL, PLACE = "handful", "picture_place"
MOST_HANDFULS = 1000
_HELD_OUT = phrase(
    "Neither the atoms nor the network's weights have learned from them; they only helped to decide when its training "
    "stopped. Pick one."
)
_DROPPED, _NUMBER = "picture_dropped", "picture_number"
#: How much nearer the border of a picture must come to that of the usual ones before light and dark are exchanged.
_CLEARLY = 0.2


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture to be read.

    Attributes
    ----------
    signal : ndarray of shape (N,), float32
    photo : str
        As it came, as a data URL.
    label : int or None
        Its true class, if that is known.
    """

    signal: np.ndarray
    photo: str
    label: int | None = None


def choose(reader: readers.Reader) -> Picture:
    """Draw the pictures and the button for one's own; return the one that is read."""
    number = links.look_up(HANDFUL, links.WHOLE, 0, range(MOST_HANDFULS).__contains__)
    links.note(HANDFUL, links.WHOLE, number, 0)
    offered = pictures.held_out(reader.run_id, number)
    # First, because a pick takes the control away on which a picture was dropped.
    at = _picked(offered[2])
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(say("**Held-out pictures**"), width="content", help=say(_HELD_OUT))
        st.button(say("Others"), key="other_pictures", on_click=_next, help=say("Another handful of them."))
        dropped = _dropped(reader)
    _show(reader, offered, None if dropped else at)
    if dropped is not None:
        return dropped
    signal, label = offered[0][at], int(offered[1][at])
    side = math.isqrt(len(signal))
    return Picture(signal, _as_url(np.rint(255 * signal.reshape(side, side)).astype(np.uint8)), label)


def _next() -> None:
    """Offer another handful."""
    number = links.look_up(HANDFUL, links.WHOLE, 0, range(MOST_HANDFULS).__contains__)
    links.put(HANDFUL, str((number + 1) % MOST_HANDFULS))
    _forget()


def _forget() -> None:
    """Take the visitor's own picture away."""
    st.session_state.pop(_DROPPED, None)
    number = st.session_state.get(_NUMBER, 0)
    file = st.session_state.get(f"picture_file_{number}")
    upload_room.forget([] if file is None else [file])
    st.session_state[_NUMBER] = number + 1


def _columns() -> int:
    return 5 if charts.on_phone() else 7


def _picked(places: np.ndarray) -> int:
    """Which of the offered pictures is read: the one that was clicked last, or the first."""
    columns = _columns()
    clicked = walls.newly_picked(KEY, -(-len(places) // columns), columns)
    if clicked is not None and clicked[0] * columns + clicked[1] < len(places):
        _forget()
        links.put(PLACE, str(places[clicked[0] * columns + clicked[1]]))
    place = links.look_up(PLACE, links.WHOLE, None, lambda place: place in places)
    at = 0 if place is None else int(np.flatnonzero(places == place)[0])
    links.note(PLACE, links.WHOLE, int(places[at]), int(places[0]))
    return at


def _show(reader: readers.Reader, offered: tuple[np.ndarray, np.ndarray, np.ndarray], at: int | None) -> None:
    signals, labels, _ = offered
    columns = _columns()
    names = [reader.class_names[label] for label in labels]
    hover = names + [""] * (-len(names) % columns)
    wall = figures.wall(
        figures.in_rows(signals, columns),
        "",
        figures.GREY,
        hover=[hover[start : start + columns] for start in range(0, len(hover), columns)],
        cell=64,
    )
    marked = None if at is None else divmod(at, columns)
    walls.show(wall, say("Held-out pictures of: {names}.", names=", ".join(names)), KEY, picked=marked)


def _dropped(reader: readers.Reader) -> Picture | None:
    """The visitor's own picture, None if there is none that can be read."""
    number = st.session_state.get(_NUMBER, 0)
    with st.popover(say("Yours …"), icon=":material/upload:", key=f"own_picture_{number}"):
        file = st.file_uploader(
            say("A picture of one thing"), max_upload_size=MAX_PICTURE // 2**20, key=f"picture_file_{number}"
        )
        fit = st.segmented_control(
            say("If it is not square"),
            FITS,
            default=FITS[0],
            required=True,
            format_func=lambda name: say(uploads.FIT_TITLES[name]),
            key="picture_fit",
        )
        found = None if file is None else _read(file, reader, fit or FITS[0])
        if found is None:
            st.caption(say("It is read on this server and not kept."))
            return None
        usual = _border(pictures.training(reader.run_id, 100)[0])
        exchanged = st.toggle(
            say("Exchange light and dark"),
            value=_is_exchanged(found.after, usual),
            key=f"picture_exchanged_{number}_{getattr(file, 'file_id', '')}",
            help=say("On where the border of your picture is otherwise unlike that of the pictures learned from."),
        )
        st.button(say("Back to the held-out pictures"), key="no_picture", on_click=_forget)
    after = 255 - found.after if exchanged else found.after
    return Picture(as_signals(after[None])[0], _as_url(found.before))


def _read(file: uploads.Upload, reader: readers.Reader, fit: str) -> Example | None:
    """Read a dropped picture once; None, with the reason, if that cannot be done."""
    side = math.isqrt(readers.load(reader.path).atoms.shape[1])
    stamp = getattr(file, "file_id", ""), side, fit
    if st.session_state.get(_DROPPED, (None,))[0] != stamp:
        with st.spinner(say("Reading the picture …")):
            try:
                found: Example | str = uploads.picture(file, side, fit, visitor.name())
            except (DataError, StoreError) as error:
                found = texts.plain_sentence(error)
        st.session_state[_DROPPED] = stamp, found
    found = st.session_state[_DROPPED][1]
    if isinstance(found, Example):
        return found
    st.error(found)
    return None


def _border(signals: np.ndarray) -> float:
    """Mean grey level along the border of pictures (n, side * side), 0 … 1."""
    side = math.isqrt(signals.shape[1])
    square = signals.reshape(-1, side, side)
    edges = square[:, 0], square[:, -1], square[:, :, 0], square[:, :, -1]
    return float(np.mean(np.concatenate(edges, axis=1)))


def _is_exchanged(after: np.ndarray, usual: float) -> bool:
    """Whether a picture of shape (side, side) has light and dark the other way round than the usual ones."""
    border = _border(after.reshape(1, -1) / 255)
    return abs(1 - border - usual) + _CLEARLY < abs(border - usual)


def _as_url(image: np.ndarray) -> str:
    """A picture as a data URL."""
    file = io.BytesIO()
    Image.fromarray(image).save(file, "png")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")
