"""A visitor's own pictures: drop a file, see what is in it, keep it, and learn from it."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import streamlit as st

from dasksvd.common.language import say, say_count
from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.example_sets import EXAMPLE_SETS, load_example
from dasksvd.datasets.intake import Findings
from dasksvd.datasets.intake.findings import FITS, MAX_BYTES, MIN_PER_CLASS
from dasksvd.datasets.library import MAX_CLASSES, MAX_PICTURES, MIN_CLASSES, SIDES
from dasksvd.datasets.names import MAX_NAME, checked_name
from dasksvd.errors import DataError, ParameterError, StoreError
from dasksvd.reports import notebook
from ui import cache, links, texts, upload_room, uploads, visitor
from ui.components import charts
from ui.figures.examples import before_and_after
from ui.panels import kept_data

_OPEN, _NUMBER, _FOUND, _KEPT = "own_open", "own_number", "own_found", "own_kept"
_NAME, _PROPOSED = "own_name", "own_proposed_name"
USUAL_SIDE = 16
#: The examples lie beside the dashboard, in the source and in the wheel.
WALK = cache.ROOT / "examples" / "walk.py"
MAX_MB = MAX_BYTES // 2**20
#: Pixels of its text's height; it scrolls.
_WALK_HEIGHT = 200
#: Letters of a class name under a picture.
_SHORT = 16
#: More classes than this are not counted one by one if they are of one size.
_MANY = 10


@dataclass(frozen=True)
class _Wish:
    """What a visitor has dropped, and what to make of it."""

    files: Sequence[uploads.Upload]
    side: int
    fit: str

    @property
    def stamp(self) -> tuple:
        """Another one for other files, another size or another fit."""
        return tuple(getattr(file, "file_id", "") for file in self.files), self.side, self.fit


def _what() -> str:
    return say(
        "**What you can drop:** a zip with one folder of pictures per class, an npz file with `images` and `labels`, "
        "or the idx files of images and labels. {least} to {most} classes, at least {few} pictures of each, at "
        "most {many:,} pictures and {mb} MB. A test part, for the final score only, is optional: folders `train` and "
        "`test`, arrays `test_images` and `test_labels`, or the idx files `t10k`.\n\n**What happens:** every picture "
        "becomes grey, square and small. Nothing is kept before you say so. What is kept lies on this server once, "
        "and everybody who uses it can learn from it.",
        least=MIN_CLASSES,
        most=MAX_CLASSES,
        few=MIN_PER_CLASS,
        many=MAX_PICTURES,
        mb=MAX_MB,
    )


class _Bar:
    """How far reading has come; it does not send what nobody can see."""

    def __init__(self, text: str):
        self._text, self._shown = text, 0.0
        self._bar = st.progress(0.0, text=text)

    def update(self, share: float) -> None:
        """Show the share that is done; here the script stops if the visitor has gone."""
        if not share or share >= self._shown + 0.02:
            self._shown = share
            self._bar.progress(share, text=self._text)

    def close(self) -> None:
        """Take it away."""
        self._bar.empty()


def offer() -> None:
    """The button that opens the dialog."""
    st.button(say("Your pictures …"), key="own_pictures", on_click=_open, help=say("Learn from pictures of your own."))


def show() -> None:
    """The dialog while it is open, at the end of a page.

    It can end a run of the script; controls that come after it would then be without their values.
    """
    if _KEPT in st.session_state:
        st.toast(st.session_state.pop(_KEPT))
    if st.session_state.get(_OPEN):
        st.dialog(say("Your pictures"), width="large", on_dismiss=_close)(_dialog)()


def _open() -> None:
    st.session_state[_OPEN] = True


def _close() -> None:
    """Forget the files, too."""
    for key in (_OPEN, _FOUND, _NAME, _PROPOSED):
        st.session_state.pop(key, None)
    number = st.session_state.get(_NUMBER, 0)
    upload_room.forget(st.session_state.get(f"own_files_{number}") or [])
    st.session_state[_NUMBER] = number + 1


def _dialog() -> None:
    left, right = st.columns([2, 3], gap="medium")
    with left.container(gap="xsmall"):
        wish = _ask()
        if not charts.on_phone():
            kept_data.show()
    with right.container(gap="xsmall"):
        findings = _look(wish) if wish.files else None
        if not wish.files:
            st.markdown(_what())
            _offer_examples()
        if findings is not None:
            _offer_to_keep(wish, findings)
            _tell(findings)
        if charts.on_phone():  # one column there: what was dropped comes first
            kept_data.show()


def _offer_examples() -> None:
    """Tiny data sets to try it with, and the way from Python."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(say("**Examples to try**"), width="content")
        for name, (title, meaning) in EXAMPLE_SETS.items():
            if st.button(say(title), key=f"example_{name.replace(' ', '_')}", help=say(meaning)):
                try:
                    _take(load_example(name), name)
                except (ParameterError, StoreError) as error:
                    st.error(texts.plain_sentence(error))
        with st.popover(say("From Python"), key="walk"):
            _show_walk()


def _show_walk() -> None:
    """The walk to read here, and to take home as a notebook or as the file that it is."""
    walk = WALK.read_text(encoding="utf-8")
    st.markdown(say("A walk in the manner of a notebook: pipelines, a grid search over α and β, pictures of your own."))
    with st.container(horizontal=True, gap="small"):
        for title, content, ending, kind in (
            (say("Notebook"), notebook.of_walk(walk), "ipynb", "application/x-ipynb+json"),
            (say("Python"), walk.encode("utf-8"), "py", "text/x-python"),
        ):
            st.download_button(
                title,
                content,
                f"{WALK.stem}.{ending}",
                kind,
                icon=":material/download:",
                key=f"walk_{ending}",
                on_click="ignore",
            )
    st.code(walk, language="python", height=_WALK_HEIGHT, wrap_lines=True)


def _ask() -> _Wish:
    number = st.session_state.get(_NUMBER, 0)
    files = st.file_uploader(
        say("A zip, an npz, or idx files"),
        accept_multiple_files=True,
        max_upload_size=MAX_MB,
        key=f"own_files_{number}",
    )
    side = st.segmented_control(say("Pixels along a side"), SIDES, default=USUAL_SIDE, required=True, key="own_side")
    fit = st.segmented_control(
        say("Pictures that are not square"),
        FITS,
        default=FITS[0],
        required=True,
        format_func=lambda name: say(uploads.FIT_TITLES[name]),
        key="own_fit",
    )
    return _Wish(files, side or USUAL_SIDE, fit or FITS[0])


def _look(wish: _Wish) -> Findings | None:
    """What is in the files, looked up once; None if nothing can be said of them."""
    if st.session_state.get(_FOUND, (None,))[0] != wish.stamp:
        bar = _Bar(say("Looking at the pictures …"))
        try:
            found: Findings | str = uploads.look_at(wish.files, wish.side, wish.fit, visitor.name(), bar.update)
        except DataError as error:
            found = texts.plain_sentence(error)
        except StoreError as error:
            st.warning(texts.plain_sentence(error))
            return None
        finally:
            bar.close()
        st.session_state[_FOUND] = (wish.stamp, found)
        if st.session_state.get(_NAME, "") in ("", st.session_state.get(_PROPOSED)):  # not what the visitor typed
            st.session_state[_NAME] = st.session_state[_PROPOSED] = _suggested(getattr(wish.files[0], "name", ""))
    found = st.session_state[_FOUND][1]
    if isinstance(found, Findings):
        return found
    st.error(found)
    return None


def _suggested(file: str) -> str:
    """A free name made of the words in a file's, empty if there are none."""
    words = re.findall(r"[^\W_]+", re.split(r"[\\/]", file)[-1].rpartition(".")[0])
    name = " ".join(words)[: MAX_NAME - 4].strip()
    library = cache.store().library
    with suppress(ParameterError):
        return next(one for one in (name, *(f"{name} {n}" for n in range(2, 1000))) if checked_name(one) not in library)
    return ""


def _offer_to_keep(wish: _Wish, findings: Findings) -> None:
    name_place, keep_place = st.columns([3, 2], gap="small", vertical_alignment="bottom")
    name = name_place.text_input(say("Name of the data set"), max_chars=MAX_NAME, key=_NAME, placeholder=say("Name"))
    pressed = keep_place.button(
        say("Keep and use"), type="primary", disabled=not findings.is_ready, key="own_keep", width="stretch"
    )
    if pressed:
        try:
            _keep(wish, checked_name(name))
        except (DataError, ParameterError, StoreError) as error:
            st.error(texts.plain_sentence(error))


def _keep(wish: _Wish, name: str) -> None:
    """Read every picture, keep the data set, and choose it on the form."""
    bar = _Bar(say("Reading all pictures …"))
    try:
        findings, data = uploads.take_all(wish.files, wish.side, wish.fit, visitor.name(), bar.update)
    finally:
        bar.close()
    if data is None:  # what a first look has not seen
        st.session_state[_FOUND] = (wish.stamp, findings)
        st.rerun()
    _take(data, name)


def _take(data: DataSet, name: str) -> None:
    """Keep a data set and choose it on the form."""
    kept = cache.jobs().add_data(data, name)
    links.put("data", kept.key)
    same = "" if kept.name == name else say("The same pictures were already there. ")
    st.session_state[_KEPT] = say(
        "{same}Kept as **{name}**. The form has settings that suit it.", same=same, name=texts.plain(kept.name)
    )
    _close()
    st.rerun()


def _tell(findings: Findings) -> None:
    """What is wrong comes first, then examples, and how many there are of each class."""
    for problem in sorted(findings.problems, key=lambda problem: not problem.stops):
        show = st.error if problem.stops else st.info
        show(f"{texts.plain(problem.text)} {texts.plain(problem.remedy)}")
    n = sum(findings.sizes.values())
    told = say(
        "{pictures} in {classes}",
        pictures=say_count(n, "{count:,} picture", "{count:,} pictures"),
        classes=say_count(len(findings.sizes), "{count:,} class", "{count:,} classes"),
    )
    st.markdown(f"**{told}** · {texts.plain(findings.kind)}")
    st.caption(_of_each(findings.sizes))
    if findings.n_test:
        st.caption(
            say("And {n_test:,} of a test part, which only the final score of a run uses.", n_test=findings.n_test)
        )
    if findings.checked < n:
        st.caption(
            say(
                "{checked:,} were opened for this first look; all are read when you keep them.",
                checked=findings.checked,
            )
        )
    if findings.examples:
        st.markdown(say("Before and after: grey, square, {side}×{side} pixels", side=findings.side))
        with st.container(horizontal=True, gap="small", key="own_examples"):
            for example in findings.examples:
                st.image(before_and_after(example), texts.plain(texts.shortened(example.class_name, _SHORT)))


def _of_each(sizes: Mapping[str, int]) -> str:
    """How many pictures each class has; of many classes alike, the number stands once."""
    names = [texts.plain(name) for name in sizes]
    if len(sizes) > _MANY and len({*sizes.values()}) == 1:
        return say("{values:,} of each: {names}", values=next(iter(sizes.values())), names=", ".join(names))
    return " · ".join(f"{name}: {size:,}" for name, size in zip(names, sizes.values(), strict=True))
