"""The class's wall on this server: what hangs there in which order, who may send how much, and who gives the class."""

import threading
import time
from collections import defaultdict

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from dasksvd.datasets import reduce_images
from dasksvd.digit import class_wall
from dasksvd.digit.class_wall import ClassWall
from dasksvd.digit.reader import DEFAULT_MODEL, DigitModel, load_default_model
from dasksvd.errors import StoreError
from ui import cache, lecturer, visitor

#: Drawings that one visitor may send, and words that one may try, in so many seconds.
SENT, TRIED, WHILE = 10, 10, 600.0
#: Wrong words that all visitors together may try: a browser can forget who it is.
TRIED_BY_ALL, _ALL = 200, "all"
FOLDER = ".class_wall"
_LECTURER = "gives_the_class"


class Allowance:
    """So many of something for each visitor in some time.

    Parameters
    ----------
    most : int
    seconds : float
    """

    def __init__(self, most: int, seconds: float = WHILE):
        self.most, self.seconds = most, seconds
        self._times: dict[str, list[float]] = defaultdict(list)
        self._lock = threading.Lock()

    def has_left(self, name: str, now: float | None = None) -> bool:
        """Whether there is one left."""
        now = time.monotonic() if now is None else now
        with self._lock:
            return sum(when > now - self.seconds for when in self._times.get(name, ())) < self.most

    def take(self, name: str, now: float | None = None) -> bool:
        """Use one up; whether there was one left."""
        now = time.monotonic() if now is None else now
        with self._lock:
            for known in [known for known, times in self._times.items() if times[-1] <= now - self.seconds]:
                del self._times[known]
            times = [when for when in self._times.get(name, ()) if when > now - self.seconds]
            if len(times) >= self.most:
                return False
            self._times[name] = [*times, now]
            return True


@st.cache_resource
def wall() -> ClassWall:
    """The wall of this server; its folder stands in the store."""
    return ClassWall(cache.store().root / FOLDER)


@st.cache_resource
def _allowances() -> dict[str, Allowance]:
    return {"drawings": Allowance(SENT), "words": Allowance(TRIED), "wrong": Allowance(TRIED_BY_ALL)}


def send(image: np.ndarray) -> None:
    """Hang a drawing on the wall; StoreError if this visitor has sent many, or the wall is full."""
    if not _allowances()["drawings"].take(visitor.name()):
        raise StoreError(
            say(
                "You have sent {count} drawings in {minutes} minutes. Give the others some room.",
                count=SENT,
                minutes=f"{WHILE / 60:.0f}",
            )
        )
    wall().add(image)


def enter(word: str) -> None:
    """Make this visitor the one who gives the class; StoreError if the word is wrong."""
    wrong = _allowances()["wrong"]
    if not _allowances()["words"].take(visitor.name()) or not wrong.has_left(_ALL):
        raise StoreError(say("Too many words were tried. Wait {minutes} minutes.", minutes=f"{WHILE / 60:.0f}"))
    if not lecturer.knows_the_word(word):
        wrong.take(_ALL)
        raise StoreError(
            say("This is not the lecturer's word. Whoever started the server has set it as {name}.", name=lecturer.WORD)
        )
    st.session_state[_LECTURER] = True


def leave() -> None:
    """Be one of the class again."""
    st.session_state[_LECTURER] = False


def gives_the_class() -> bool:
    """Whether this visitor gives the class."""
    return bool(st.session_state.get(_LECTURER))


def state() -> tuple[tuple[str, ...], str]:
    """The names of all drawings, and of the one that all are shown."""
    return tuple(wall().names()), wall().pointed()


def in_order(names: tuple[str, ...]) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Drawings side by side with those that are coded alike.

    Returns
    -------
    names : tuple of str
        Without damaged ones.
    images : ndarray of shape (n, 28, 28), uint8
    read_as : ndarray of shape (n,), int
    """
    return _in_order(names, DEFAULT_MODEL.stat().st_mtime_ns)


@st.cache_resource(max_entries=4, show_spinner=False)
def _in_order(names: tuple[str, ...], changed: int) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    found = [sent for name in names if (sent := wall().load(name)) is not None]
    if not found:
        return (), np.zeros((0, 28, 28), np.uint8), np.zeros(0, np.int64)
    images, model = np.stack([sent.image for sent in found]), reader()
    order = class_wall.by_likeness(model.encode(reduce_images(images)))
    return tuple(found[place].name for place in order), images[order], model.predict(images[order])


def reader() -> DigitModel:
    """What reads the wall's drawings."""
    return load_default_model()
