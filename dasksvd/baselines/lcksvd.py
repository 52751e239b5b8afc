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
from numbers import Real
from typing import Any, Self

import numpy as np
from scipy.linalg import solve
from sklearn.base import ClassifierMixin

from dasksvd.errors import ParameterError
from dasksvd.estimators import SparseCoder, check_labelled, to_seed
from dasksvd.method import ksvd
from dasksvd.method.omp import SMALLEST, pursue
from dasksvd.method.scales import to_common_unit
from dasksvd.parameters import check_count, check_real, check_sparsity, n_nonzero

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
    n_values, n_atoms = signals.shape[1], len(atom_classes)
    signals, unit = to_common_unit(signals)
    scale = _root_mean_square_length(signals)
    signals = signals / scale
    q = check_sparsity(q)
    sparsity = n_nonzero(q, n_atoms)
    one_hot = np.eye(len(label_energy), dtype=np.float32)[labels]
    stretch = np.sqrt(label_energy).astype(np.float32)

    atoms = class_wise_atoms(signals, labels, atom_classes, q, init_iter, rng)
    classifier = ridge_classifier(pursue(signals, atoms, sparsity).dense(n_atoms), one_hot, ridge)
    per_signal = np.sqrt(n_values + len(label_energy))  # K-SVD reports errors per value

    def report(iteration, error):
        if on_iteration is not None:
            on_iteration(iteration, error * per_signal)

    joint = ksvd.learn(
        np.hstack([signals, one_hot * stretch]),
        n_atoms,
        sparsity,
        n_iter,
        rng,
        exact=exact,
        initial=_unit_rows(np.hstack([atoms, classifier * stretch])),
        on_iteration=report,
    )
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


class DKSVD(ClassifierMixin, SparseCoder):
    """Dictionary and linear classifier learned together: LC-KSVD2 without label consistency.

    Zhang and Li (2010), started like LC-KSVD2 from atoms of each class.

    Parameters
    ----------
    n_atoms : int or None, default=None
        Atoms to learn, shared evenly among the classes; None means as many as a signal has
        values, but at least one per class.
    q : int or float, default=0.2
        Non-zeros per signal: a count (int) or a share of the atoms (float).
    classification : float, default=1.0
        Weight b of the classification error, relative to the signals' mean squared length: at
        1 a label weighs as much as a signal.
    ksvd_iter : int, default=50
        K-SVD iterations on signals and labels together.
    init_iter : int, default=20
        K-SVD iterations on each class alone, for the initial atoms.
    ridge : float, default=1.0
        Penalty on the initial classifier.
    exact : bool, default=False
        Exact instead of approximate atom updates.
    random_state : int, Generator, RandomState or None, default=None

    Attributes
    ----------
    components_ : ndarray of shape (n_atoms, N), float32
        Atoms of length one, class by class.
    atom_classes_ : ndarray of shape (n_atoms,)
        The class label from whose signals each atom started.
    classifier_ : ndarray of shape (n_atoms, n_classes), float32
        Codes times this matrix are the class scores.
    classes_ : ndarray of shape (n_classes,)
    errors_ : ndarray of shape (ksvd_iter,)
        Root mean square length of the stacked signals' errors after each iteration.
    """

    def __init__(
        self,
        n_atoms=None,
        q=0.2,
        classification=1.0,
        ksvd_iter=50,
        init_iter=20,
        ridge=1.0,
        exact=False,
        random_state=None,
    ):
        self.n_atoms = n_atoms
        self.q = q
        self.classification = classification
        self.ksvd_iter = ksvd_iter
        self.init_iter = init_iter
        self.ridge = ridge
        self.exact = exact
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray, *, on_iteration: Callable[[int, float], None] | None = None) -> Self:
        """Learn atoms and classifier.

        Parameters
        ----------
        X : array of shape (n_signals, N)
        y : array of shape (n_signals,)
            Class labels.
        on_iteration : callable(iteration, error), optional
            Called after each iteration on signals and labels together, counted from 1.
        """
        X, y = check_labelled(self, X, y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        atom_classes = self._share_atoms(X.shape[1], labels)
        label_energy = self._label_energy(np.bincount(atom_classes))
        if not label_energy.all():
            raise ParameterError("the labels must have some weight, got 0 for every term")
        learned = learn(
            X,
            labels,
            atom_classes,
            label_energy,
            self.q,
            check_count("ksvd_iter", self.ksvd_iter),
            np.random.default_rng(to_seed(self.random_state)),
            init_iter=check_count("init_iter", self.init_iter),
            ridge=check_real("ridge", self.ridge, "ridge > 0", isinstance(self.ridge, Real) and self.ridge > 0),
            exact=self.exact,
            on_iteration=on_iteration,
        )
        self.components_ = learned.atoms
        self.atom_classes_ = self.classes_[atom_classes]
        self.classifier_ = learned.classifier
        self.errors_ = learned.errors
        self.n_iter_ = len(learned.errors)
        return self

    def decision_function(self, X: np.ndarray) -> np.ndarray:
        """Class scores of signals; with two classes, how far the second leads.

        Parameters
        ----------
        X : array of shape (n_signals, N)

        Returns
        -------
        ndarray of shape (n_signals, n_classes), or (n_signals,) with two classes
        """
        scores = self.transform(X) @ self.classifier_
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The class with the highest score; shape (n_signals,)."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    def _label_energy(self, class_atoms: np.ndarray) -> np.ndarray:
        """Squared length of each class's label part, given its number of atoms."""
        return np.full(len(class_atoms), _check_weight("classification", self.classification))

    def _share_atoms(self, n_values: int, labels: np.ndarray) -> np.ndarray:
        """The class of each atom; a class must have as many signals as atoms."""
        sizes = np.bincount(labels)
        if len(sizes) < 2:
            raise ParameterError("at least two classes are needed, got 1 class")
        n_atoms = max(n_values, len(sizes)) if self.n_atoms is None else check_count("n_atoms", self.n_atoms)
        if n_atoms < len(sizes):
            raise ParameterError(
                f"there must be at least one atom per class, got n_atoms = {n_atoms} for {len(sizes)} classes"
            )
        atom_classes = share_atoms(n_atoms, len(sizes))
        for label, size, share in zip(self.classes_, sizes, np.bincount(atom_classes), strict=True):
            if size < share:
                raise ParameterError(
                    f"a class must have as many signals as atoms, class {label} has {size} signals for {share} of "
                    f"{n_atoms} atoms (n_samples={len(labels)}); lower n_atoms"
                )
        return atom_classes

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class LCKSVD2(DKSVD):
    """Label-consistent K-SVD: atoms of each class and a linear classifier learned together.

    Parameters
    ----------
    n_atoms, q, ksvd_iter, init_iter, ridge, exact, random_state
        See :class:`DKSVD`.
    consistency : float, default=0.04
        Weight a of the label-consistency error, relative to the signals' mean squared length.
    classification : float, default=0.2
        Weight b of the classification error, likewise.  With M_c atoms per class only
        a·M_c + b matters; by default it is 1 for 20 atoms per class.

    Attributes
    ----------
    components_, atom_classes_, classifier_, classes_, errors_
        See :class:`DKSVD`.
    """

    def __init__(
        self,
        n_atoms=None,
        q=0.2,
        consistency=0.04,
        classification=0.2,
        ksvd_iter=50,
        init_iter=20,
        ridge=1.0,
        exact=False,
        random_state=None,
    ):
        super().__init__(n_atoms, q, classification, ksvd_iter, init_iter, ridge, exact, random_state)
        self.consistency = consistency

    @property
    def code_transform_(self) -> np.ndarray:
        """Codes times this matrix approach 1 on the atoms of the right class; shape (n_atoms, n_atoms)."""
        return self.classifier_[:, np.searchsorted(self.classes_, self.atom_classes_)]

    def _label_energy(self, class_atoms: np.ndarray) -> np.ndarray:
        return _check_weight("consistency", self.consistency) * class_atoms + super()._label_energy(class_atoms)


def _check_weight(name: str, value: Any) -> float:
    return check_real(name, value, f"{name} >= 0", isinstance(value, Real) and value >= 0)
