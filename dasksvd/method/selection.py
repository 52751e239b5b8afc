"""Step 6: the best atom of each class."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dasksvd.errors import ADVICE, NoAtomForClass, ParameterError
from dasksvd.method.measures import ClassTables, Measures, WeightedMeasures
from dasksvd.parameters import PAPER
from dasksvd.parameters import n_nonzero as sparsity
from dasksvd.rankings import RANKINGS

#: Share of the atoms that signals use on average, above which classes can hardly differ in it.
MANY = 0.5


def why_no_atom(p: np.ndarray, lacking: np.ndarray, classes: Sequence[Any], n_nonzero: int) -> str:
    """What is the matter when classes own no atom, and what to do, judged by who uses what.

    Parameters
    ----------
    p : ndarray of shape (n_classes, n_atoms)
        Share of each class's signals that use the atom.
    lacking : ndarray of int
        The classes without an atom, at least one.
    classes : sequence
        Class labels for the text.
    n_nonzero : int
        Atoms that a signal may use.
    """
    idle = [str(classes[c]) for c in lacking if not p[c].any()]
    if idle:
        return f"no drawn signal of class {', '.join(idle)} uses any atom: they are all zero; leave zero signals out"
    n_atoms = p.shape[1]
    usual = sparsity(PAPER.q, n_atoms)
    if p.mean() > MANY and n_nonzero > usual:
        return (
            f"q is the reason: with q = {n_nonzero} of {n_atoms} atoms a signal uses {p.mean():.0%} of them, so "
            f"that all classes use the same ones; lower q to about {usual} (a share of {PAPER.q:g})"
        )
    for c in lacking:
        twin = next((d for d in range(len(p)) if d != c and np.array_equal(p[c], p[d])), None)
        if twin is not None:
            return (
                f"class {classes[c]} uses every atom exactly as often as class {classes[twin]}; if their signals are "
                "the same, join the two classes, else raise t (more signals)"
            )
    return ADVICE if n_nonzero > 1 else ADVICE.removesuffix(", or lower q")


def owned(measures: Measures, n_classes: int) -> np.ndarray:
    """Which atoms each class uses strictly more often than every other class.

    Returns
    -------
    ndarray of shape (n_classes, n_atoms), bool
    """
    return (measures.top == np.arange(n_classes)[:, None]) & (measures.af > 0)


def ranking_rng(seed: int, iteration: int) -> np.random.Generator:
    """Random numbers to rank the atoms of an iteration (from 0): a child of the iteration's stream, so its own."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(iteration, 0)))


def rank(ranking: str, tables: ClassTables, measures: WeightedMeasures, rng: np.random.Generator) -> np.ndarray:
    """The scores that a ranking gives the atoms, checked; shape (n_atoms,)."""
    scores = np.asarray(RANKINGS[ranking].value(tables, measures, rng))
    n_atoms = tables.p.shape[1]
    if scores.shape != (n_atoms,) or not np.isfinite(scores).all():
        raise ParameterError(
            f"the ranking {ranking!r} must give one finite score for each of the {n_atoms} atoms, "
            f"got an array of shape {scores.shape}"
        )
    return scores


def best_atoms(measures: Measures, scores: np.ndarray, classes: Sequence[Any]) -> np.ndarray:
    """For each class its own atom with the largest score; a tie goes to the first atom.

    Parameters
    ----------
    measures : Measures
    scores : ndarray of shape (n_atoms,)
        Of a ranking.
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
        raise NoAtomForClass([classes[c] for c in lacking.tolist()])
    return np.where(own, scores, -np.inf).argmax(axis=1)
