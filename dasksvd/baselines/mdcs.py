"""MDCS, most discriminative column selection: the measure that the paper's three grew from.

For two classes it is |p_1 − p_2| (Rolón and others, 2017).  For more the natural extension is
taken: the largest p minus the second largest.  Unlike m_af, this lead is not divided by the
largest p, so it prefers atoms that are used often.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dasksvd.errors import NoAtomForClass, ParameterError
from dasksvd.method.measures import ClassTables
from dasksvd.method.trajectory import Record, Selection, Trajectory


def mdcs(tables: ClassTables) -> np.ndarray:
    """Lead of the class that uses an atom most over the second one; shape (n_atoms,), in 0 … 1."""
    if len(tables.p) < 2:
        raise ParameterError(f"at least two classes are needed, got {len(tables.p)}")
    second, top = np.partition(tables.p, -2, axis=0)[-2:]
    return top - second


def best_atoms_by_mdcs(record: Record, classes: Sequence[Any] | None = None) -> np.ndarray:
    """For each class the atom that it uses most, by the largest lead; a tie goes to the first atom.

    Parameters
    ----------
    record : Record
        One iteration.
    classes : sequence, optional
        Class labels, for the error message; the numbers by default.

    Returns
    -------
    ndarray of shape (n_classes,), int

    Raises
    ------
    NoAtomForClass
        If a class uses no atom more often than every other class does.
    """
    n_classes = len(record.tables.p)
    classes = range(n_classes) if classes is None else classes
    own = record.tables.p.argmax(axis=0) == np.arange(n_classes)[:, None]
    leads = np.where(own, mdcs(record.tables), 0)
    lacking = np.flatnonzero(leads.max(axis=1) == 0)
    if lacking.size:
        raise NoAtomForClass([classes[c] for c in lacking])
    return leads.argmax(axis=1)


def reselect_by_mdcs(trajectory: Trajectory) -> Selection:
    """The structured dictionary of a run with MDCS in place of the combined measure m."""
    records = trajectory.records
    index = np.stack([best_atoms_by_mdcs(record, trajectory.classes) for record in records])
    pairs = list(zip(records, index, strict=True))
    return Selection(
        atoms=np.concatenate([record.atoms[chosen] for record, chosen in pairs]),
        classes=np.tile(np.arange(len(trajectory.classes)), len(records)),
        index=index,
        scores=np.stack([mdcs(record.tables)[chosen] for record, chosen in pairs]),
    )
