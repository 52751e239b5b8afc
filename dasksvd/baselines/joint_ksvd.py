"""LC-KSVD2 and D-KSVD: dictionaries learned together with a linear classifier.

Jiang, Lin and Davis (2013) run K-SVD on stacked signals [x, √a·q, √b·h]: h is the one-hot
label and q marks the atoms of the signal's class.  All signals of class c share one q, and
the q of different classes are orthogonal, so the two label parts together are, up to a
rotation, the one-hot label times √(a·M_c + b), where M_c is the number of atoms of class c.
K-SVD sees inner products only and starts inside that subspace, so it is run on the short
stack [x, √(a·M_c + b)·h]: the same dictionary from N + k instead of N + M + k values
(Kviatkovsky, Gabel, Rivlin and Shimshoni, 2017).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve

from dasksvd.errors import ParameterError
from dasksvd.method import ksvd
from dasksvd.method.omp import SMALLEST, pursue
from dasksvd.method.scales import to_common_unit
from dasksvd.parameters import check_sparsity, n_nonzero

#: Share of a stacked atom's length below which its signal part is rounding error.
EMPTY = 1e-5


@dataclass(frozen=True)
class Learned:
    """A dictionary with its classifier.

    Attributes
    ----------
    atoms : ndarray of shape (n_atoms, N), float32
        Atoms of length one, class by class.
    classifier : ndarray of shape (n_atoms, n_classes), float32
        Codes times this matrix are the class scores.
    errors : ndarray of shape (n_iterations,), float64
        Root mean square length of the stacked signals' errors after each iteration, where
        the signals alone have a root mean square length of one.
    """

    atoms: np.ndarray
    classifier: np.ndarray
    errors: np.ndarray


def learn(
    signals: np.ndarray,
    labels: np.ndarray,
    atom_classes: np.ndarray,
    label_energy: np.ndarray,
    q: int | float,
    n_iter: int,
    rng: np.random.Generator,
    *,
    init_iter: int = 20,
    ridge: float = 1.0,
    exact: bool = False,
    on_iteration: Callable[[int, float], None] | None = None,
) -> Learned:
    """Learn atoms and classifier together.

    Parameters
    ----------
    signals : ndarray of shape (n_signals, N), float32
    labels : ndarray of shape (n_signals,), int
        Classes 0 … n_classes - 1, each present.
    atom_classes : ndarray of shape (n_atoms,), int
        The class on whose signals each atom starts, in ascending order.
    label_energy : ndarray of shape (n_classes,)
        Squared length of each class's label part: a·M_c + b for LC-KSVD2, b for D-KSVD.
    q : int or float
        Non-zeros per signal: a count, or a share of the atoms at hand.
    n_iter : int
        K-SVD iterations on the stacked signals.
    rng : numpy.random.Generator
    init_iter : int, default=20
        K-SVD iterations on each class alone, for the initial atoms.
    ridge : float, default=1.0
        Penalty on the initial classifier.
    exact : bool, default=False
        Exact instead of approximate atom updates.
    on_iteration : callable(iteration, error), optional
        Called after each iteration on the stacked signals, counted from 1.
    """
    signals, unit = to_common_unit(signals)
    scale = _root_mean_square_length(signals)
    signals = signals / scale
    targets = np.eye(len(label_energy), dtype=np.float32)[labels]
    q = check_sparsity(q)
    sparsity = n_nonzero(q, len(atom_classes))
    atoms = class_wise_atoms(signals, labels, atom_classes, q, init_iter, rng)
    classifier = ridge_classifier(pursue(signals, atoms, sparsity).dense(len(atoms)), targets, ridge)
    stretch = np.sqrt(label_energy).astype(np.float32)
    stack = np.hstack([signals, targets * stretch])
    initial = _unit_rows(np.hstack([atoms, classifier * stretch]))
    per_signal = np.sqrt(stack.shape[1])  # K-SVD reports errors per value
    report = on_iteration and (lambda iteration, error: on_iteration(iteration, error * per_signal))
    joint = ksvd.learn(stack, len(atoms), sparsity, n_iter, rng, exact=exact, initial=initial, on_iteration=report)
    atoms, classifier = _unstack(joint.atoms, atoms, stretch)
    return Learned(atoms, _in_unit(classifier / scale, unit), joint.errors * per_signal)


def class_wise_atoms(
    signals: np.ndarray,
    labels: np.ndarray,
    atom_classes: np.ndarray,
    q: int | float,
    n_iter: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Atoms learned by K-SVD on each class alone; shape (n_atoms, N).

    A count ``q`` above a class's number of atoms means all of them.
    """
    blocks = []
    for label, size in enumerate(np.bincount(atom_classes)):
        sparsity = n_nonzero(min(q, int(size)) if isinstance(q, int) else q, int(size))
        blocks.append(ksvd.learn(signals[labels == label], int(size), sparsity, n_iter, rng).atoms)
    return np.concatenate(blocks)


def ridge_classifier(codes: np.ndarray, targets: np.ndarray, ridge: float) -> np.ndarray:
    """The matrix W that minimises ‖codes·W − targets‖² + ridge·‖W‖².

    Parameters
    ----------
    codes : ndarray of shape (n_signals, n_atoms)
    targets : ndarray of shape (n_signals, n_targets)
    ridge : float

    Returns
    -------
    ndarray of shape (n_atoms, n_targets), float32
    """
    codes = codes.astype(np.float64)
    penalised = codes.T @ codes + ridge * np.eye(codes.shape[1])
    return solve(penalised, codes.T @ targets, assume_a="pos").astype(np.float32)


def share_atoms(n_atoms: int, n_classes: int) -> np.ndarray:
    """Class of each atom, as evenly as possible; the first classes get one more.

    Examples
    --------
    >>> share_atoms(7, 3)
    array([0, 0, 0, 1, 1, 2, 2])
    """
    return np.sort(np.arange(n_atoms) % n_classes)


def _root_mean_square_length(signals: np.ndarray) -> np.float32:
    """Dividing by it makes weights and penalty independent of the signals' unit."""
    energy = np.square(signals, dtype=np.float64).sum() / len(signals)
    return np.float32(np.sqrt(energy)) if energy > 0 else np.float32(1)


def _in_unit(classifier: np.ndarray, unit: float) -> np.ndarray:
    """The classifier of signals that are ``unit`` times as large, if float32 can hold it."""
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.ldexp(classifier, -int(np.log2(unit)))
    largest = np.abs(scaled).max()
    if not SMALLEST <= largest < np.inf and classifier.any():
        raise ParameterError(
            "the classifier of signals of this size does not fit float32; multiply all signals by one number"
        )
    return scaled


def _unit_rows(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _unstack(stacked: np.ndarray, initial: np.ndarray, stretch: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Atoms of length one and their classifier from stacked atoms.

    A longer atom means smaller coefficients, so the classifier is divided by the same length.
    An atom that explains labels only has no direction left: it gets its initial one back, and
    no say in the classes.
    """
    atoms, scores = stacked[:, : initial.shape[1]], stacked[:, initial.shape[1] :]
    lengths = np.linalg.norm(atoms, axis=1, keepdims=True)
    empty = lengths <= EMPTY
    lengths = np.where(empty, 1, lengths)
    return np.where(empty, initial, atoms / lengths), np.where(empty, 0, scores / (lengths * stretch))
