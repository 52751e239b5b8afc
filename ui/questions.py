"""Questions to guess before the answer is shown: what is asked, the choices, and why the right one is right.

A pool has everything that can be asked about something: names of questions, each with a function that makes it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from dasksvd.common.language import say, say_count
from dasksvd.method.trace import Trace
from dasksvd.method.trajectory import Record, Selection
from ui import texts

#: Choices of a question, if there are as many.
N_CHOICES = 5
#: Steps of a pursuit that are asked for: what later ones have left over looks like noise.
N_STEPS = 8
#: How far the right choice must be ahead of the next one, as a share: what is nearly equal cannot be seen.
CLEAR = 0.05


@dataclass(frozen=True)
class Question:
    """A question with one right choice.

    Attributes
    ----------
    name : str
        No other question has it.
    text : str
    picture : ndarray of shape (N,)
        What the question is about.
    choices : tuple of str
    pictures : ndarray of shape (n_choices, N) or None
        The choices as pictures.
    right : int
        The number of the right choice.
    why : str
        One sentence with the numbers that make it right.
    """

    name: str
    text: str
    picture: np.ndarray
    choices: tuple[str, ...]
    pictures: np.ndarray | None
    right: int
    why: str


Pool: TypeAlias = Mapping[str, Callable[[np.random.Generator], Question]]


def pick(pool: Pool, last: str, rng: np.random.Generator) -> Question | None:
    """A random question of a pool other than the last one; None if there is no other."""
    names = [name for name in pool if name != last]
    return pool[names[rng.integers(len(names))]](rng) if names else None


def next_atoms(trace: Trace, atoms: np.ndarray, classes: Sequence[object], signal: np.ndarray) -> Pool:
    """Which atom does the pursuit take next? One question for each of the first steps that has a clear answer.

    Parameters
    ----------
    trace : Trace
        Of the signal's pursuit.
    atoms : ndarray of shape (n_atoms, N)
    classes : sequence
        The class of each atom, as people read it.
    signal : ndarray of shape (N,)
    """
    what = ".".join(map(str, trace.atoms[:N_STEPS]))
    return {
        f"step {step} of {what}": partial(_next_atom, f"step {step} of {what}", trace, atoms, classes, signal, step)
        for step in range(min(N_STEPS, len(trace.atoms)))
        if _is_clear(np.abs(trace.correlations[step]))
    }


def _is_clear(sizes: np.ndarray) -> bool:
    """Whether the largest of some sizes is ahead of the second."""
    if len(sizes) < 2:
        return False
    second, first = np.sort(sizes)[-2:]
    return bool(first - second >= CLEAR * first > 0)


def _next_atom(
    name: str,
    trace: Trace,
    atoms: np.ndarray,
    classes: Sequence,
    signal: np.ndarray,
    step: int,
    rng: np.random.Generator,
) -> Question:
    five = trace.candidates(N_CHOICES)[step]
    shown = rng.permutation(five)
    similar = trace.correlations[step]
    left = signal - trace.coefficients[step - 1, :step] @ atoms[trace.atoms[:step]] if step else signal
    size = np.abs(similar)
    asked = (
        say_count(
            step,
            "This is left over of the picture when {count} atom is taken. Which atom does OMP take next?",
            "This is left over of the picture when {count} atoms are taken. Which atom does OMP take next?",
        )
        if step
        else say("This is left over of the picture when nothing is taken yet. Which atom does OMP take next?")
    )
    return Question(
        name,
        asked,
        left.astype(np.float32),
        tuple(say("picture {number}", number=number) for number in range(1, len(shown) + 1)),
        # As it would be used: an atom with a negative inner product is taken with its signs changed.
        (atoms[shown] * np.where(similar[shown] < 0, -1, 1)[:, None]).astype(np.float32),
        int(np.flatnonzero(shown == five[0])[0]),
        say(
            "OMP takes the largest |⟨r, d⟩|: {first} for this atom of class {its}; the next largest is {second}, of "
            "class {other}.",
            first=f"{size[five[0]]:.3f}",
            its=classes[five[0]],
            second=f"{size[five[1]]:.3f}",
            other=classes[five[1]],
        ),
    )


def whose_atoms(record: Record, iteration: int, classes: Sequence[str]) -> Pool:
    """Whose class is this atom? One question for each atom of an iteration (from 1) that one class uses most."""
    names = {
        f"atom {iteration}:{atom}": atom for atom in range(len(record.atoms)) if _is_clear(record.tables.p[:, atom])
    }
    return {name: partial(_whose_atom, name, record, classes, atom) for name, atom in names.items()}


def _whose_atom(name: str, record: Record, classes: Sequence[str], atom: int, rng: np.random.Generator) -> Question:
    shares = record.tables.p[:, atom]
    order = np.argsort(-shares, kind="stable")
    top, second = order[:2]
    shown = np.sort(order[:N_CHOICES])
    return Question(
        name,
        say("Which class uses this atom most?"),
        record.atoms[atom],
        tuple(say("class {name}", name=classes[label]) for label in shown),
        None,
        int(np.flatnonzero(shown == top)[0]),
        say(
            "{share} of the signals of class {top} use it; next is class {second} with {less}, so m_af = {lead}.",
            share=texts.percent(shares[top]),
            top=classes[top],
            second=classes[second],
            less=texts.percent(shares[second]),
            lead=f"{record.measures.af[atom]:.3f}",
        ),
    )


def which_iterations(selection: Selection, classes: Sequence[str], tau2: float) -> Pool:
    """Which iteration is this atom from? One question for each selected atom, if iterations differ by their noise."""
    n_iterations, n_classes = selection.index.shape
    if n_iterations < 2 or tau2 <= 0:
        return {}
    names = {f"class {label}, iteration {l + 1}": (label, l) for l in range(n_iterations) for label in range(n_classes)}
    return {name: partial(_which_iteration, name, selection, classes, tau2, *place) for name, place in names.items()}


def _which_iteration(
    name: str,
    selection: Selection,
    classes: Sequence[str],
    tau2: float,
    label: int,
    column: int,
    rng: np.random.Generator,
) -> Question:
    n_iterations, n_classes = selection.index.shape
    shown = _spread(column, n_iterations)
    noise = [f"{tau2 * l:.2g}" for l in (column, *(l for l in (shown[0], shown[-1]) if l != column))]
    others = f" {say('and')} ".join(
        say("{value}·σ in iteration {number}", value=value, number=l + 1)
        for value, l in zip(noise[1:], (l for l in (shown[0], shown[-1]) if l != column), strict=True)
    )
    return Question(
        name,
        say("This atom was selected for class {name}. In which iteration?", name=classes[label]),
        selection.atoms[column * n_classes + label],
        tuple(say("iteration {number}", number=l + 1) for l in shown),
        None,
        shown.index(column),
        say(
            "Iteration {number} learned from signals with noise of (l − 1)·τ2 = {noise} times their σ; it was "
            "{others}. The more noise, the grainier the atom.",
            number=column + 1,
            noise=noise[0],
            others=others,
        ),
    )


def _spread(wanted: int, count: int) -> list[int]:
    """Up to five of the numbers below ``count``, evenly spaced; one is the wanted one."""
    step = max(1, count // N_CHOICES)
    found = list(range(wanted % step, count, step))
    start = min(max(0, found.index(wanted) - N_CHOICES // 2), max(0, len(found) - N_CHOICES))
    return found[start : start + N_CHOICES]
