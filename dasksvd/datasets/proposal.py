"""Settings that suit a data set of any size."""

import math
from collections.abc import Sequence
from dataclasses import replace

from dasksvd.parameters import Settings

#: Atoms of an auxiliary dictionary, at most: more take long and are hardly used.
MAX_ATOMS = 400
#: Atoms of a structured dictionary, about: the network is as wide.
USUAL_ATOMS = 300
#: A class needs some atoms to own one of them.
ATOMS_PER_CLASS = 4
#: With fewer signals per class all are drawn, and fewer atoms may be used for each.
FEW = 20
#: The presets are made for so many classes.
USUAL_CLASSES = 10
MIN_ITERATIONS = 5
#: What may be proposed.
PROPOSED = ("q", "t", "I", "r_f")


def proposed(settings: Settings, length: int, sizes: Sequence[int]) -> Settings:
    """The settings of a preset with q, t, I and r_f that suit some data; what suits them already stays.

    Half of the smallest class is drawn, all of it if it is small.  There are at least twice as
    many drawn signals as atoms, so that atoms are more than copies of signals.  The more classes,
    the fewer iterations and the fewer atoms for each signal: if every signal used a fifth of all
    atoms, no class among fifty would use one the most.

    Parameters
    ----------
    settings : Settings
    length : int
        Values per signal.
    sizes : sequence of int
        Signals of each class that the run learns from.

    Examples
    --------
    >>> found = proposed(Settings(), 256, [8] * 4)
    >>> found.q, found.t, found.I, found.r_f, found.n_atoms(256)
    (0.1, 8, 20, 0.06, 15)
    """
    k, smallest = len(sizes), min(sizes)
    iterations = min(settings.I, max(MIN_ITERATIONS, USUAL_ATOMS // k))
    if not settings.tau1:  # no signal is drawn twice
        iterations = min(iterations, smallest)
    possible = smallest if settings.tau1 else smallest // iterations
    t = min(settings.t, possible, max(smallest // 2, FEW))
    most = max(k, t * k // 2)
    atoms = min(most, max(ATOMS_PER_CLASS * k, min(settings.n_atoms(length), MAX_ATOMS)))
    return replace(settings, q=_sparsity(settings.q, k, smallest), t=t, I=iterations, r_f=_share(atoms, length, k))


def _sparsity(q: int | float, k: int, smallest: int) -> int | float:
    """A share of the atoms, lowered for many classes and for few signals; a count stays."""
    if isinstance(q, int):
        return q
    return round(q * min(1, USUAL_CLASSES / k) * (0.5 if smallest < FEW else 1), 3) or q


def _share(atoms: int, length: int, least: int) -> float:
    """The roundest r_f that gives so many atoms or some fewer."""
    for digits in (1, 2, 3):
        share = math.floor(atoms / length * 10**digits) / 10**digits
        if max(least, 0.9 * atoms) <= round(share * length) <= atoms and share > 0:
            return share
    return atoms / length
