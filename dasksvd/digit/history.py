"""One drawing or picture as the dictionary grows: read with the first atom of each class, the first two, and so on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dasksvd.digit.atom_reader import AtomReader


@dataclass(frozen=True)
class Moment:
    """How a drawing is read with the first atoms of each class.

    Attributes
    ----------
    per_class : int
        How many of each.
    n_atoms, n_nonzero : int
        Atoms there are, and those that a code may have.
    probabilities : ndarray of shape (n_classes,)
    rebuilt : ndarray of shape (N,)
        The best picture that the code's atoms can build; zeros where there is no code.
    left : float
        Length of what it leaves of the drawing, as a share of the drawing's.
    """

    per_class: int
    n_atoms: int
    n_nonzero: int
    probabilities: np.ndarray
    rebuilt: np.ndarray
    left: float

    @property
    def answer(self) -> int:
        """The most likely class."""
        return int(self.probabilities.argmax())


def moments(model: AtomReader, signal: np.ndarray) -> list[Moment]:
    """A drawing read by a model with 1, 2, … all of the atoms of each class.

    The network stays as it was trained, with all atoms; see :meth:`AtomReader.restricted`.

    Parameters
    ----------
    model : AtomReader
    signal : ndarray of shape (N,), float32
        The drawing or picture as an explanation has it.
    """
    return [_moment(model, signal, count) for count in range(1, int(np.bincount(model.atom_classes).max()) + 1)]


def _moment(model: AtomReader, signal: np.ndarray, per_class: int) -> Moment:
    part = model.restricted(model.n_nonzero, per_class)
    found = part.explain_signal(signal)
    rebuilt = found.steps[-1] if len(found.steps) else np.zeros_like(signal)
    left = float(found.residuals[-1] / found.residuals[0]) if found.residuals[0] else 1.0
    return Moment(per_class, len(part.atoms), part.n_nonzero, found.probabilities, rebuilt, left)


def readable_from(found: Sequence[Moment]) -> int:
    """The smallest number of atoms per class from which on the answer is the last one's and stays it."""
    last = found[-1].answer
    others = [moment.per_class for moment in found if moment.answer != last]
    return max(others, default=0) + 1
