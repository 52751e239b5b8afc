"""The loop: one record per iteration, from which every structured dictionary follows.

Nothing in an iteration depends on α and β, so one trajectory serves all weights and all
dictionary sizes: :meth:`Trajectory.reselect` only ranks again.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from dasksvd import ksvd, sampling
from dasksvd.measures import ClassTables, Measures, class_tables, measure
from dasksvd.omp import check_matrix, pursue
from dasksvd.selection import NoAtomForClass, best_atoms, owned
from dasksvd.settings import ParameterError, Settings, check_count, check_weights, n_nonzero

#: D9: how often an iteration is started again when a class gets no atom.
MAX_RESTARTS = 10


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


@dataclass(frozen=True)
class Progress:
    """Where a run stands: both counts are of finished iterations."""

    iteration: int
    ksvd_iteration: int
    error: float


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


def follow(
    signals: np.ndarray,
    labels: np.ndarray,
    settings: Settings,
    *,
    done: Sequence[Record] = (),
    classes: Sequence | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Iterator[Record]:
    """Run the iterations that are not ``done`` yet and yield the record of each.

    Iteration l draws its randomness from (seed, l) only and its odds from the record before,
    so a run continued from its records ends exactly like one that was never stopped.

    Parameters
    ----------
    signals : array of shape (n_signals, N)
    labels : ndarray of shape (n_signals,), int
        Classes 0 … n_classes - 1, each present.
    settings : Settings
    done : sequence of Record
        Records of the iterations finished before.
    classes : sequence, optional
        Class labels for messages; the numbers by default.
    on_progress : callable(Progress), optional
        Called after every K-SVD iteration.
    """
    signals = check_matrix("signals", signals)
    sizes = np.bincount(labels)
    classes = range(len(sizes)) if classes is None else classes
    settings.check_data(signals.shape[1], dict(zip(classes, sizes.tolist(), strict=True)))
    odds = done[-1].odds if done else np.full(len(signals), 1 / len(signals))
    for iteration in range(len(done), settings.I):
        record = _iterate(signals, labels, settings, iteration, odds, classes, on_progress)
        odds = record.odds
        yield record


def _iterate(signals, labels, settings, iteration, odds, classes, on_progress) -> Record:
    """Steps 1–5, again if some class gets no atom (D9); a given-up draw leaves the odds alone."""
    rng = np.random.default_rng([settings.seed, iteration])
    n_classes = len(classes)
    n_atoms = settings.n_atoms(signals.shape[1])
    sparsity = n_nonzero(settings.q, n_atoms)

    def report(ksvd_iteration, error):
        if on_progress is not None:
            on_progress(Progress(iteration, ksvd_iteration, error))

    for restarts in range(MAX_RESTARTS + 1):
        drawn = sampling.draw(odds, labels, n_classes, settings.t, rng)
        sample = sampling.degrade(signals[drawn], iteration, settings.tau2, settings.noise, rng)
        learned = ksvd.learn(
            sample, n_atoms, sparsity, settings.ksvd_iter, rng, exact=settings.exact, on_iteration=report
        )
        codes = pursue(sample, learned.atoms, sparsity).dense(n_atoms)
        remainder = sample - codes @ learned.atoms
        tables = class_tables(codes, np.einsum("ij,ij->i", remainder, remainder), labels[drawn], n_classes)
        measures = measure(tables, settings.re_sign)
        has_atom = owned(measures, n_classes).any(axis=1)
        if has_atom.all():
            odds = sampling.lower_odds(odds, drawn, settings.tau1)
            return Record(learned.atoms, drawn, odds, tables, measures, learned.errors, restarts)
    raise NoAtomForClass([classes[c] for c in np.flatnonzero(~has_atom)])
