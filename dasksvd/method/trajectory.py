"""What a run leaves: one record per iteration, from which every structured dictionary follows.

Nothing in an iteration depends on α and β or on the ranking, so one trajectory serves all
weights, rankings and dictionary sizes: :meth:`Trajectory.reselect` only ranks again.  Nothing here computes, so who
only looks at a run need not wait for the compiled kernels.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dasksvd.errors import ParameterError
from dasksvd.method.measures import ClassTables, Measures, weighted
from dasksvd.method.selection import best_atoms, rank, ranking_rng
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
        What the ranking gave it.
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
    classes: Sequence[Any]
    records: list[Record] = field(default_factory=list)

    def scores(self, iteration: int, alpha: float, beta: float, ranking: str | None = None) -> np.ndarray:
        """What a ranking gives all atoms of an iteration (from 0); shape (n_atoms,).

        Parameters
        ----------
        ranking : str, optional
            That of the settings by default.
        """
        record, settings = self.records[iteration], self.settings
        measures = weighted(record.measures, *check_weights(alpha, beta))
        return rank(ranking or settings.ranking, record.tables, measures, ranking_rng(settings.seed, iteration))

    def reselect(self, alpha: float, beta: float, I: int | None = None, ranking: str | None = None) -> Selection:
        """The structured dictionary for other weights or another ranking, or of the first I iterations only."""
        I = len(self.records) if I is None else check_count("I", I)
        if len(self.records) < I:
            raise ParameterError(f"I must be at most the iterations of the run, got {I} of {len(self.records)}")
        records = self.records[:I]
        scores = [self.scores(iteration, alpha, beta, ranking) for iteration in range(I)]
        pairs = zip(records, scores, strict=True)
        index = [best_atoms(record.measures, given, self.classes) for record, given in pairs]
        return Selection(
            atoms=np.concatenate([record.atoms[chosen] for record, chosen in zip(records, index, strict=True)]),
            classes=np.tile(np.arange(len(self.classes)), I),
            index=np.stack(index),
            scores=np.stack([given[chosen] for given, chosen in zip(scores, index, strict=True)]),
        )

    def closest(self, iteration: int, atom: int) -> tuple[np.ndarray, np.ndarray]:
        """The most similar atom of every iteration's Φ to one atom of an iteration (from 0), by |cosine|.

        Returns
        -------
        index : ndarray of shape (n_iterations,), int
            Its number in the iteration's Φ; in the atom's own iteration that is the atom itself.
        cosine : ndarray of shape (n_iterations,)
            With its sign: the opposite of an atom says the same.
        """
        wanted = self.records[iteration].atoms[atom]
        atoms = np.stack([record.atoms for record in self.records])
        sizes = np.linalg.norm(atoms, axis=2) * np.linalg.norm(wanted)
        cosines = np.divide(atoms @ wanted, sizes, out=np.zeros_like(sizes), where=sizes > 0)
        index = np.abs(cosines).argmax(axis=1)
        index[iteration] = atom  # also if Φ has the same atom twice
        return index, cosines[np.arange(len(index)), index]
