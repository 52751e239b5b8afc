"""One drawing as the dictionary grows: read with the first atom of each class, the first two, and so on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dasksvd.digit.reader import DigitModel
from dasksvd.method.omp import encode


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
        """The most likely digit."""
        return int(self.probabilities.argmax())


def moments(model: DigitModel, signal: np.ndarray) -> list[Moment]:
    """A drawing read by a model with 1, 2, … all of the atoms of each class.

    The network stays as it was trained, with all atoms; see :meth:`DigitModel.restricted`.

    Parameters
    ----------
    model : DigitModel
    signal : ndarray of shape (N,), float32
        The reduced drawing, as an explanation has it.
    """
    return [_moment(model, signal, count) for count in range(1, int(np.bincount(model.atom_classes).max()) + 1)]


def _moment(model: DigitModel, signal: np.ndarray, per_class: int) -> Moment:
    part = model.restricted(model.n_nonzero, per_class)
    pursued = encode(signal[None], part.atoms, part.n_nonzero)
    probabilities = part.read_codes(pursued if part.reads_pursuit else part.encode(signal[None]))[0]
    rebuilt = pursued[0] @ part.atoms
    length = float(np.linalg.norm(signal))
    left = float(np.linalg.norm(signal - rebuilt)) / length if length else 1.0
    return Moment(per_class, len(part.atoms), part.n_nonzero, probabilities, rebuilt, left)


def readable_from(found: Sequence[Moment]) -> int:
    """The smallest number of atoms per class from which on the answer is the last one's and stays it."""
    last = found[-1].answer
    others = [moment.per_class for moment in found if moment.answer != last]
    return max(others, default=0) + 1
