"""A small K-SVD taken apart for the page that steps through it: a sample, and every iteration on it.

The half-steps are those of :mod:`dasksvd.method.steps`, the code that learns; here they are only kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from dasksvd.datasets import parts
from dasksvd.datasets.dataset import DataSet
from dasksvd.errors import ParameterError
from dasksvd.method import ksvd, steps
from dasksvd.method.omp import SparseCodes, pursue
from dasksvd.method.steps import Checked, Coded, Renewed, Users

#: Iterations that can be stepped through, and users of an atom that are shown.
N_ITER, SHOWN = 20, 6
#: The sample has random numbers of its own: K-SVD would begin with those that drew it.
_SAMPLE_STREAM = 1


@dataclass(frozen=True)
class Sample:
    """Signals to learn from.

    Attributes
    ----------
    signals : ndarray of shape (n_signals, N), float32
    labels : ndarray of shape (n_signals,), int
        Their class numbers.
    """

    signals: np.ndarray
    labels: np.ndarray


@dataclass(frozen=True)
class Update:
    """What is shown of an atom's update.

    Attributes
    ----------
    n_users : int
    shown : ndarray of shape (n_shown,), int
        The users with the largest coefficients, the largest first.
    without : ndarray of shape (n_shown, N)
        E, what they miss without the atom.
    before, after : ndarray of shape (n_shown,)
        Their coefficients.
    length : float
        ‖Eᵀg‖ over all users; for the exact update ‖E d‖ with the new atom, the largest singular value.
    old, new : ndarray of shape (N,)
        The atom.
    error_before, error : float
        Squared error of all signals together.
    """

    n_users: int
    shown: np.ndarray
    without: np.ndarray
    before: np.ndarray
    after: np.ndarray
    length: float
    old: np.ndarray
    new: np.ndarray
    error_before: float
    error: float


@dataclass(frozen=True)
class Iteration:
    """One iteration of K-SVD.

    Attributes
    ----------
    atoms : ndarray of shape (n_atoms, N)
        At its beginning.
    codes : SparseCodes
        Of all signals on them.
    coded : Coded
    updates : tuple of Update
        One for each atom.
    checked : Checked
    """

    atoms: np.ndarray
    codes: SparseCodes
    coded: Coded
    updates: tuple[Update, ...]
    checked: Checked

    @property
    def n_steps(self) -> int:
        """Two for each atom of each code, one for the sum, two for each update, one for the check."""
        return 2 * int(self.codes.counts.sum()) + 1 + 2 * len(self.updates) + 1


@dataclass(frozen=True)
class Film:
    """All iterations on a sample; step 0 shows the atoms that K-SVD starts from.

    Attributes
    ----------
    sample : Sample
    iterations : tuple of Iteration
    exact : bool
        Whether atoms are renewed by a singular vector.
    energy : float
        ‖X‖², the squared length of all signals together.
    """

    sample: Sample
    iterations: tuple[Iteration, ...]
    exact: bool
    energy: float

    @property
    def starts(self) -> list[int]:
        """The first step of each iteration, and the step after the last one."""
        return [1, *(1 + np.cumsum([one.n_steps for one in self.iterations])).tolist()]

    @property
    def last(self) -> int:
        """The last step."""
        return self.starts[-1] - 1

    def kind_of(self, step: int) -> str:
        """What a step shows: ``start``, ``look``, ``fit``, ``coded``, ``users``, ``renew`` or ``check``."""
        one = self.iterations[self.iteration_of(step)]
        place, coded = step - self.starts[self.iteration_of(step)], 2 * int(one.codes.counts.sum())
        if place < 0:
            return "start"
        if place < coded:
            return ("look", "fit")[place % 2]
        if place == coded:
            return "coded"
        return "check" if place == one.n_steps - 1 else ("users", "renew")[(place - coded - 1) % 2]

    def iteration_of(self, step: int) -> int:
        """The iteration of a step, from 0; the atoms to start from belong to the first."""
        return max(0, int(np.searchsorted(self.starts, step, side="right")) - 1)


def draw(data: DataSet, name: str, n_signals: int, seed: int) -> Sample:
    """Some random signals of a data set, all of a smaller one.

    Parameters
    ----------
    data : DataSet
    name : str
        What a run on it says of its data.
    """
    where = np.random.default_rng([_SAMPLE_STREAM, seed]).permutation(len(data.train_labels))[:n_signals]
    signals = parts.signals_at(name, where, (data.train_images, data.train_labels))
    if round(signals.shape[1] ** 0.5) ** 2 != signals.shape[1]:
        raise ParameterError(f"the signals have {signals.shape[1]} values, so they are no square pictures")
    return Sample(signals, data.train_labels[where])


def take_apart(sample: Sample, n_atoms: int, n_nonzero: int, seed: int, *, exact: bool = False) -> Film:
    """Learn from a sample as :func:`dasksvd.method.ksvd.learn` does with that seed, and keep every half-step."""
    rng = np.random.default_rng(seed)
    found = steps.learn(sample.signals, n_atoms, n_nonzero, N_ITER, rng, exact=exact)
    energy = float(np.square(sample.signals, dtype=np.float64).sum())
    return Film(sample, tuple(_iterations(found, sample.signals, n_nonzero, exact)), exact, energy)


def _iterations(found: Iterator, signals: np.ndarray, n_nonzero: int, exact: bool) -> Iterator[Iteration]:
    started = next(found)
    atoms = started.atoms
    for coded in found:
        # The same numbers as in the step: the same signals, padded alike, on the same atoms.
        codes = pursue(ksvd.pad(signals), ksvd.pad(atoms), n_nonzero)
        halves = [next(found) for _ in range(2 * len(atoms))]
        updates = tuple(_shown(users, renewed, exact) for users, renewed in zip(halves[::2], halves[1::2], strict=True))
        checked = next(found)
        yield Iteration(atoms, codes, coded, updates, checked)
        atoms = checked.atoms


def _shown(users: Users, renewed: Renewed, exact: bool) -> Update:
    largest = np.argsort(-np.abs(users.coefficients), kind="stable")[:SHOWN]
    towards = renewed.coefficients if exact else users.coefficients @ users.without
    return Update(
        len(users.users),
        users.users[largest],
        users.without[largest],
        users.coefficients[largest],
        renewed.coefficients[largest],
        float(np.linalg.norm(towards)),
        renewed.before,
        renewed.after,
        renewed.error_before,
        renewed.error,
    )


def errors(film: Film, before: int) -> list[float]:
    """Squared errors of the iterations before one (from 0): after coding, then after each atom."""
    return list(chain.from_iterable(_errors(one) for one in film.iterations[:before]))


def _errors(one: Iteration) -> list[float]:
    return [one.coded.error, *(update.error for update in one.updates)]
