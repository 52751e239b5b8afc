"""The method as one picture: an iteration from its sample to the atoms it keeps."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from dasksvd.method.sampling import degrade
from dasksvd.parameters import n_nonzero
from ui import cache, figures, frame, links, navigation
from ui.components import flow
from ui.state import View
from ui.texts import percent

#: Pictures of a stage, and of the last one, where each has a name.
SHOWN, KEPT = 16, 12
KEY = "flow"


@dataclass(frozen=True)
class Iteration:
    """What one iteration drew, learned and kept.

    Attributes
    ----------
    number : int
        From 1.
    drawn, noisy : ndarray of shape (n, N)
        Some of the drawn signals, without and with noise.
    learned : ndarray of shape (n_learned,), int
        Some atoms of Φ, in their order; those that are kept are among them.
    chosen : ndarray of shape (n_kept,), int
        The atoms that the first classes keep.
    judged : int
        The atom that is looked at closely.
    top, second : int
        The classes that use it most and second most.
    shares : ndarray of shape (n_classes,)
        The share of each class's signals that use it.
    """

    number: int
    drawn: np.ndarray
    noisy: np.ndarray
    learned: np.ndarray
    chosen: np.ndarray
    judged: int
    top: int
    second: int
    shares: np.ndarray


def pick(view: View, place: Any = st) -> int:
    """Choose the iteration to look at."""
    if view.I == 1:
        return 1
    return links.draw(
        place.slider,
        say("Iteration l"),
        1,
        view.I,
        key="method_step",
        kind=links.WHOLE,
        default=min(4, view.I),
        check=lambda step: 1 <= step <= view.I,
        help=say("The column of the wall whose way is shown below."),
    )


def show(view: View, number: int) -> None:
    """The five steps of an iteration with the current run's own data; each opens its page."""
    found = look_at(view, number)
    doors = _doors(found)
    opened = flow.opened_in(KEY, len(doors))
    if opened is not None:
        frame.go(*doors[opened])
    words = zip(_titles(view), captions(view, found), doors, strict=True)
    stages = [figures.Stage(title, text, say(navigation.PAGES[page].title)) for title, text, (page, _) in words]
    picture = figures.flow(
        say("How iteration {number} found its column", number=number),
        found.drawn,
        found.noisy,
        view.trajectory.records[number - 1].atoms[found.learned],
        judged=int(np.searchsorted(found.learned, found.judged)),
        origins=np.searchsorted(found.learned, found.chosen).tolist(),
        classes=view.classes,
        shares=found.shares,
        top=found.top,
        second=found.second,
        stages=stages,
        colors=view.colors,
    )
    flow.show(
        picture,
        say("The five steps of iteration {number}, from the drawn images to the atoms that stay.", number=number),
        KEY,
    )


def look_at(view: View, number: int) -> Iteration:
    """Collect what iteration ``number`` (from 1) did."""
    record, settings = view.trajectory.records[number - 1], view.description.settings
    chosen = view.selection.index[number - 1][:KEPT]
    drawn = _some(*cache.signals(view.run_id, number - 1))
    # As strong as the run's own noise, which is not kept.
    noisy = degrade(drawn, number - 1, settings.tau2, settings.noise, np.random.default_rng(number))
    others = np.setdiff1d(np.arange(len(record.atoms)), chosen)
    spread = np.linspace(0, len(others) - 1, min(len(others), SHOWN - len(chosen))).astype(int)
    judged = int(chosen[np.argmax(record.measures.af[chosen])])
    return Iteration(
        number,
        drawn,
        noisy,
        np.unique(np.concatenate([chosen, others[spread]])),
        chosen,
        judged,
        int(record.measures.top[judged]),
        int(record.measures.second[judged]),
        record.tables.p[:, judged],
    )


def captions(view: View, found: Iteration) -> list[str]:
    """What happens in each step, with the numbers of this run."""
    settings, M, earlier = view.description.settings, view.description.n_atoms, found.number - 1
    spread = "σ" if settings.noise == "std" else "σ²"
    # Number and unit stay on one line.
    users = [percent(found.shares[c], 0).replace(" ", "\u00a0") for c in (found.top, found.second)]
    names = [view.classes[c] for c in (found.top, found.second)]
    return [
        say("t = {t} of each class; a drawn one's odds × {tau1:g}", t=settings.t, tau1=settings.tau1),
        say(
            "Gaussian noise, {earlier} × τ2 = {earlier2:.3g} {spread} of each image",
            earlier=earlier,
            earlier2=earlier * settings.tau2,
            spread=spread,
        )
        if earlier
        else say("No noise yet: the first sample stays clean"),
        say("M = {M} atoms, learned so that {q} rebuild an image", M=M, q=n_nonzero(settings.q, M)),
        say(
            "Atom {judged}: used by {user} of class {name}, {user2} of {name2}",
            judged=found.judged,
            user=users[0],
            name=names[0],
            user2=users[1],
            name2=names[1],
        ),
        say("Each class keeps its best one: {count} of {M} atoms", count=len(view.classes), M=M),
    ]


def _titles(view: View) -> tuple[str, ...]:
    k = len(view.classes)
    return (
        say("Draw t"),
        say("Add noise"),
        "K-SVD",
        say("Who uses it?"),
        say("Keep {count}", count=say("ten") if k == 10 else k),
    )


def _doors(found: Iteration) -> list[tuple[str, dict[str, str]]]:
    """The page behind each step, and what it shows first there."""
    l, atom = found.number, found.judged
    return [
        ("train", {}),
        ("train", {}),
        ("atoms", {"atom": f"{l}:{atom}"}),
        ("measures", {"measured": str(l), "spot": str(atom)}),
        ("atoms", {"atom": f"{found.top}.{l}"}),
    ]


def _some(signals: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """A few signals, of as many classes as possible: the first of each class, then the second of each."""
    starts = np.searchsorted(labels, labels)  # labels ascend
    turn = np.arange(len(labels)) - starts
    return signals[np.lexsort((labels, turn))[:SHOWN]]
