"""Step 6: the best atom of each class."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dasksvd.measures import Measures


class NoAtomForClass(ValueError):
    """Some class has no discriminative atom.

    Attributes
    ----------
    classes : list
        The classes without an atom.
    """

    def __init__(self, classes: Sequence[Any]):
        self.classes = list(classes)
        names = ", ".join(str(label) for label in self.classes)
        super().__init__(
            f"no atom is used most by class {names}; raise t (more signals), r_f (more atoms) or ksvd_iter, or lower q"
        )


def owned(measures: Measures, n_classes: int) -> np.ndarray:
    """Which atoms each class uses strictly more often than every other class.

    Returns
    -------
    ndarray of shape (n_classes, n_atoms), bool
    """
    return (measures.top == np.arange(n_classes)[:, None]) & (measures.af > 0)


def best_atoms(measures: Measures, alpha: float, beta: float, classes: Sequence[Any]) -> np.ndarray:
    """For each class its own atom with the largest m; a tie goes to the first atom.

    Clipping at 0 (D6) can leave a class without an atom of positive m although it owns many:
    the least negative one is taken then (D16).

    Parameters
    ----------
    classes : sequence
        Class labels, for the error message; class c is ``classes[c]``.

    Returns
    -------
    ndarray of shape (n_classes,), int

    Raises
    ------
    NoAtomForClass
        If some class owns no atom.
    """
    own = owned(measures, len(classes))
    lacking = np.flatnonzero(~own.any(axis=1))
    if lacking.size:
        raise NoAtomForClass([classes[c] for c in lacking])
    return np.where(own, measures.ranking(alpha, beta), -np.inf).argmax(axis=1)
