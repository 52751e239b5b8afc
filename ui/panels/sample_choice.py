"""Which small sample K-SVD is taken apart on: data set, seed and sizes, in a popover."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dasksvd.common.language import say
from dasksvd.datasets import DATASETS, registry
from dasksvd.datasets.dataset import DataSet
from dasksvd.errors import DasksvdError
from ui import cache, frame, links, taken_apart, texts
from ui.controls import sources
from ui.taken_apart import Film

MAX_SEED = 9999


@dataclass(frozen=True)
class Choice:
    """A small K-SVD.

    Attributes
    ----------
    source : str
        A name in :func:`ui.controls.sources.titles`.
    seed : int
        Draws the sample, and the signals that K-SVD starts from.
    n_signals, n_atoms, q : int
    exact : bool
        Whether atoms are renewed by a singular vector.
    """

    source: str
    seed: int
    n_signals: int
    n_atoms: int
    q: int
    exact: bool

    @property
    def name(self) -> str:
        """A name that no other choice has."""
        return "~".join(map(str, vars(self).values()))


@dataclass(frozen=True)
class Shown:
    """What the page shows: the choice, its half-steps, and the names of the classes."""

    choice: Choice
    film: Film
    classes: tuple[str, ...]


def show() -> Shown | None:
    """Draw the controls, learn on the sample, and say what it is; None if it cannot be read, with why on the page."""
    with st.container(key="sample", horizontal=True, vertical_alignment="center"):
        place = frame.more(say("Sample"), key="sample_more", width="content")
        words = st.container(width="content")
    titles = sources.titles()
    choice = _choose(place, titles)
    try:
        with st.spinner(say("Learning on the sample")):
            film, classes = _film(choice)
    except DasksvdError as error:
        st.error(f"{texts.plain_sentence(error)} {say('Choose another data set in the popover Sample.')}")
        return None
    q, share = choice.q, texts.percent(choice.q / choice.n_atoms)
    words.caption(
        say(
            "**{signals}** signals of {data} · **{atoms}** atoms · q = **{q}** atoms a code, {share} · seed **{seed}**",
            signals=len(film.sample.labels),
            data=texts.plain(titles[choice.source]),
            atoms=choice.n_atoms,
            q=q,
            share=share,
            seed=choice.seed,
        )
    )
    return Shown(choice, film, classes)


def _choose(place: Any, titles: dict[str, str]) -> Choice:
    source = links.choose(
        place.selectbox, say("Data set"), titles, key="sample_of", help=say("Where the signals come from.")
    )
    seed = links.draw(
        place.number_input,
        say("Seed"),
        0,
        MAX_SEED,
        key="sample_seed",
        kind=links.WHOLE,
        default=0,
        check=range(MAX_SEED + 1).__contains__,
        step=1,
        help=say("Draws the sample and the signals that K-SVD starts from: 0 … {most}.", most=MAX_SEED),
    )
    n_signals = _slider(
        place, say("Signals"), 40, 300, 20, 200, "sample_size", say("How many signals K-SVD learns from.")
    )
    n_atoms = _slider(
        place,
        say("Atoms"),
        4,
        32,
        1,
        16,
        "sample_atoms",
        say("Size M of the dictionary. Many atoms get few users."),
    )
    q = _slider(
        place,
        say("q · atoms of a code"),
        1,
        4,
        1,
        3,
        "sample_q",
        say(r"$\|a\|_0 \le q$: at most so many atoms for each."),
    )
    exact = links.draw(
        place.toggle,
        say("Renew by a singular vector"),
        key="sample_exact",
        kind=links.SWITCH,
        default=False,
        help=say(
            "On: the best rank-one fit of E. Off: one step towards it, as runs do; it is faster and nearly as good."
        ),
    )
    return Choice(source, int(seed), n_signals, n_atoms, q, bool(exact))


def _slider(place: Any, label: str, least: int, most: int, step: int, default: int, key: str, meaning: str) -> int:
    return links.draw(
        place.slider,
        label,
        least,
        most,
        step=step,
        key=key,
        kind=links.WHOLE,
        default=default,
        check=range(least, most + 1, step).__contains__,
        help=f"{meaning} {least} … {most}.",
    )


def data_of(source: str) -> tuple[str, DataSet]:
    """The data set of a source, and what a run on it says of its data."""
    if source in DATASETS:
        return source, registry.load(source)
    return registry.OWN, cache.store().library.load(source)


@st.cache_resource(max_entries=24, show_spinner=False)
def _film(choice: Choice) -> tuple[Film, tuple[str, ...]]:
    name, data = data_of(choice.source)
    sample = taken_apart.draw(data, name, choice.n_signals, choice.seed)
    film = taken_apart.take_apart(sample, choice.n_atoms, choice.q, choice.seed, exact=choice.exact)
    return film, tuple(texts.class_labels(data.class_names))
