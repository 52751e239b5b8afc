"""The loop: one record per iteration; it can be stopped and continued at any of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from dasksvd.common.progress import RunProgress
from dasksvd.errors import NoAtomForClass
from dasksvd.method import ksvd, sampling
from dasksvd.method.measures import class_tables, measure
from dasksvd.method.omp import check_matrix, pursue
from dasksvd.method.scales import check_comfortable
from dasksvd.method.selection import owned, why_no_atom
from dasksvd.method.trajectory import Record
from dasksvd.parameters import Settings, n_nonzero

#: D9: how often an iteration is started again when a class gets no atom.
MAX_RESTARTS = 10


def iterate(
    signals: np.ndarray,
    labels: np.ndarray,
    settings: Settings,
    *,
    done: Sequence[Record] = (),
    classes: Sequence[Any] | None = None,
    on_progress: Callable[[RunProgress], None] | None = None,
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
    on_progress : callable(RunProgress), optional
        Called after every K-SVD iteration.
    """
    signals = check_comfortable("signals", check_matrix("signals", signals))
    sizes = np.bincount(labels)
    classes = range(len(sizes)) if classes is None else classes
    settings.check_data(signals.shape[1], dict(zip(classes, sizes.tolist(), strict=True)))
    if not done:
        sampling.check_varied(signals, labels, classes)
    odds = done[-1].odds if done else np.full(len(signals), 1 / len(signals))
    for iteration in range(len(done), settings.I):
        record = _one_iteration(signals, labels, settings, iteration, odds, classes, on_progress)
        odds = record.odds
        yield record


def iteration_rng(settings: Settings, iteration: int) -> np.random.Generator:
    """The random numbers of an iteration: those of no other one, nor of anything else the seed decides (D18).

    A plain seed, which splits and networks use, is the same as [seed, 0]; a spawned child is not.
    """
    seeds: dict[int, list[int] | np.random.SeedSequence] = {
        1: [settings.seed, iteration],
        2: np.random.SeedSequence(settings.seed, spawn_key=(iteration,)),
    }
    return np.random.default_rng(seeds[settings.streams])


def _one_iteration(
    signals: np.ndarray,
    labels: np.ndarray,
    settings: Settings,
    iteration: int,
    odds: np.ndarray,
    classes: Sequence[Any],
    on_progress: Callable[[RunProgress], None] | None,
) -> Record:
    """Steps 1–5, again if some class gets no atom (D9); a given-up draw leaves the odds alone."""
    rng = iteration_rng(settings, iteration)
    n_classes = len(classes)
    n_atoms = settings.n_atoms(signals.shape[1])
    sparsity = n_nonzero(settings.q, n_atoms)

    def report(ksvd_iteration: int, error: float) -> None:
        if on_progress is not None:
            on_progress(RunProgress(iteration, ksvd_iteration, error))

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
    lacking = np.flatnonzero(~has_atom)
    raise NoAtomForClass([classes[c] for c in lacking.tolist()], why_no_atom(tables.p, lacking, classes, sparsity))
