"""Step 5: how strongly does each atom belong to one class?"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ClassTables:
    """What the classes do with the atoms.

    Attributes
    ----------
    p : ndarray of shape (n_classes, n_atoms)
        Share of the class's signals that use the atom.
    q : ndarray of shape (n_classes, n_atoms)
        Mean absolute coefficient over the class.
    r : ndarray of shape (n_classes, n_atoms)
        Squared error per signal of the class when the atom is taken out.
    """

    p: np.ndarray
    q: np.ndarray
    r: np.ndarray


@dataclass(frozen=True)
class Measures:
    """The leads of every atom's top class over the second one.

    Attributes
    ----------
    top, second : ndarray of shape (n_atoms,), int
        ℓ⁺ and ℓ*: the classes with the largest and second largest p.
    af : ndarray of shape (n_atoms,)
        Activation frequency m_af, in [0, 1]; 0 for an unused atom.
    cm_lead, re_lead : ndarray of shape (n_atoms,)
        Leads in coefficient magnitude and representation error.  ℓ⁺ is chosen by p, so these
        can be negative; the measures m_cm and m_re are clipped at 0 (D6).
    """

    top: np.ndarray
    second: np.ndarray
    af: np.ndarray
    cm_lead: np.ndarray
    re_lead: np.ndarray

    @property
    def cm(self) -> np.ndarray:
        """m_cm of every atom, in [0, 1]."""
        return np.maximum(self.cm_lead, 0)

    @property
    def re(self) -> np.ndarray:
        """m_re of every atom, in [0, 1]."""
        return np.maximum(self.re_lead, 0)

    def combined(self, alpha: float, beta: float) -> np.ndarray:
        """M = α·m_af + β·m_cm + (1−α−β)·m_re of every atom; shape (n_atoms,)."""
        return _mix(alpha, beta, self.af, self.cm, self.re)

    def unclipped(self, alpha: float, beta: float) -> np.ndarray:
        """The same sum of leads that are not clipped at 0; shape (n_atoms,)."""
        return _mix(alpha, beta, self.af, self.cm_lead, self.re_lead)


@dataclass(frozen=True)
class WeightedMeasures(Measures):
    """Measures that know their weights, as rankings get them.

    Attributes
    ----------
    alpha, beta : float
    """

    alpha: float = 0.0
    beta: float = 0.0

    @property
    def m(self) -> np.ndarray:
        """The combined measure; shape (n_atoms,)."""
        return self.combined(self.alpha, self.beta)

    @property
    def unclipped_m(self) -> np.ndarray:
        """The combined measure without clipping; shape (n_atoms,)."""
        return self.unclipped(self.alpha, self.beta)


def weighted(measures: Measures, alpha: float, beta: float) -> WeightedMeasures:
    """The measures with weights."""
    return WeightedMeasures(**vars(measures) | {"alpha": alpha, "beta": beta})


def _mix(alpha: float, beta: float, af: np.ndarray, cm: np.ndarray, re: np.ndarray) -> np.ndarray:
    # A lattice point such as 1/3 + 2/3 may leave a rounding error instead of 0.
    gamma = max(0.0, 1.0 - alpha - beta)
    return alpha * af + beta * cm + gamma * re


def class_tables(codes: np.ndarray, residual_energy: np.ndarray, labels: np.ndarray, n_classes: int) -> ClassTables:
    """The p, q and r tables in one pass over the codes.

    After orthogonal matching pursuit a signal's residual is orthogonal to its active atoms,
    so taking atom j out adds exactly a_j² to its squared error.

    Parameters
    ----------
    codes : ndarray of shape (n_signals, n_atoms)
    residual_energy : ndarray of shape (n_signals,)
        Squared error of each signal.
    labels : ndarray of shape (n_signals,), int
        Classes 0 … n_classes - 1, each present.
    """
    shape = (n_classes, codes.shape[1])
    p, q, r = np.empty(shape), np.empty(shape), np.empty(shape)
    for label in range(n_classes):
        mine = codes[labels == label]
        p[label] = np.count_nonzero(mine, axis=0) / len(mine)
        q[label] = np.abs(mine).mean(axis=0, dtype=np.float64)
        r[label] = np.square(mine, dtype=np.float64).mean(axis=0)  # D8: squared
        r[label] += residual_energy[labels == label].mean(dtype=np.float64)
    return ClassTables(p, q, r)


def measure(tables: ClassTables, re_sign: str = "paper") -> Measures:
    """The three measures from the tables.

    Parameters
    ----------
    tables : ClassTables
    re_sign : {"paper", "code"}
        Whether a larger error without the atom counts for the class (paper) or against it (D7).
    """
    order = np.argsort(-tables.p, axis=0, kind="stable")  # D5: a tie goes to the smallest class
    top, second = order[0], order[1]
    leader, rival = (top, second) if re_sign == "paper" else (second, top)
    used = tables.p.max(axis=0) > 0  # D5: an unused atom measures 0
    return Measures(
        top=top,
        second=second,
        af=_relative_lead(tables.p, top, second) * used,
        cm_lead=_relative_lead(tables.q, top, second) * used,
        re_lead=_relative_lead(tables.r, leader, rival) * used,
    )


def own_residual(tables: ClassTables) -> np.ndarray:
    """What is left of each class's signals with all atoms at work, ‖R_ℓ‖²/n_ℓ; shape (n_classes,).

    Each r_ℓ of an atom is this residual and the mean of a_j² over the class. The tables hold p and the mean q of
    |a_j|, and by Cauchy and Schwarz the mean of a_j² is at least q²/p. So r − q²/p of every atom is an upper bound;
    it is exact for an atom that one signal of the class uses, or none, and the lowest one is returned.
    """
    energy = np.zeros(tables.p.shape)
    np.divide(np.square(tables.q, dtype=np.float64), tables.p, out=energy, where=tables.p > 0)
    return (tables.r - energy).min(axis=1)


def _relative_lead(table: np.ndarray, leader: np.ndarray, rival: np.ndarray) -> np.ndarray:
    """(table[leader] − table[rival]) / table[leader] of every atom; 0 where that is 0/0."""
    atoms = np.arange(table.shape[1])
    mine, theirs = table[leader, atoms], table[rival, atoms]
    lead = np.zeros_like(mine)
    np.divide(mine - theirs, mine, out=lead, where=mine > 0)
    return lead
