"""What a run leaves: one record per iteration, from which every structured dictionary follows.

Nothing in an iteration depends on α and β, so one trajectory serves all weights and all
dictionary sizes: :meth:`Trajectory.reselect` only ranks again.  Nothing here computes, so who
only looks at a run need not wait for the compiled kernels.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dasksvd.errors import ParameterError
from dasksvd.method.measures import ClassTables, Measures
from dasksvd.method.selection import best_atoms
from dasksvd.parameters import Settings, check_count, check_weights


@dataclass(frozen=True)
class Record:
    """One iteration.

    Attributes
    ----------
    atoms : ndarray of shape (n_atoms, N), float32
        The auxiliary dictionary Φ.
    drawn : ndarray of shape (n_classes * t,), int64
        Indices of the drawn training signals.
    odds : ndarray of shape (n_signals,), float64
        Odds of all training signals *after* the draw.
    tables : ClassTables
        p, q, r.
    measures : Measures
        ℓ⁺, ℓ* and the three measures.
    errors : ndarray of shape (n_ksvd_iterations,), float64
        K-SVD's error after each of its iterations.
    restarts : int
        How many draws were given up because a class got no atom.
    """

    atoms: np.ndarray
    drawn: np.ndarray
    odds: np.ndarray
    tables: ClassTables
    measures: Measures
    errors: np.ndarray
    restarts: int = 0


@dataclass(frozen=True)
class Selection:
    """A structured dictionary.

    Attributes
    ----------
    atoms : ndarray of shape (I * n_classes, N), float32
        Iteration by iteration, class by class.
    classes : ndarray of shape (I * n_classes,), int
        Class number of each atom.
    index : ndarray of shape (I, n_classes), int
        Which atom of the iteration's Φ was taken.
    scores : ndarray of shape (I, n_classes)
        Its measure m.
    """

    atoms: np.ndarray
    classes: np.ndarray
    index: np.ndarray
    scores: np.ndarray


@dataclass
class Trajectory:
    """The records of a run.

    Attributes
    ----------
    settings : Settings
    classes : sequence
        The labels; class number c means ``classes[c]``.
    records : list of Record
    """

    settings: Settings
    classes: Sequence
    records: list[Record] = field(default_factory=list)

    def reselect(self, alpha: float, beta: float, I: int | None = None) -> Selection:
        """The structured dictionary for other weights, or of the first I iterations only."""
        alpha, beta = check_weights(alpha, beta)
        I = len(self.records) if I is None else check_count("I", I)
        if len(self.records) < I:
            raise ParameterError(f"I must be at most the iterations of the run, got {I} of {len(self.records)}")
        records = self.records[:I]
        index = np.stack([best_atoms(record.measures, alpha, beta, self.classes) for record in records])
        pairs = list(zip(records, index, strict=True))
        return Selection(
            atoms=np.concatenate([record.atoms[chosen] for record, chosen in pairs]),
            classes=np.tile(np.arange(len(self.classes)), I),
            index=index,
            scores=np.stack([record.measures.combined(alpha, beta)[chosen] for record, chosen in pairs]),
        )
