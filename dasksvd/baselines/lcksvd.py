"""LC-KSVD2 and D-KSVD in the manner of scikit-learn; :mod:`dasksvd.baselines.joint_ksvd` learns."""

import math
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import Tags

from dasksvd.baselines.joint_ksvd import learn, share_atoms
from dasksvd.errors import ParameterError
from dasksvd.method.random_state import RandomStateLike, to_seed
from dasksvd.method.sparse_coder import SparseCoder, check_labelled
from dasksvd.parameters import check_count, check_real
from dasksvd.parameters.checks import is_between


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
    encoder : str, default="omp"
        What makes the codes of :meth:`transform`: a name in :data:`dasksvd.encoders.ENCODERS`.  The atoms are
        learned by OMP whatever it is, and :meth:`predict` codes by OMP, too: the classifier was learned together
        with such codes, and is no judge of others.
    level : float, default=0.3
        Of an encoder that has one, such as the threshold of ``"soft"``; others do not ask for it.

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
        n_atoms: int | None = None,
        q: int | float = 0.2,
        classification: float = 1.0,
        ksvd_iter: int = 50,
        init_iter: int = 20,
        ridge: float = 1.0,
        exact: bool = False,
        random_state: RandomStateLike = None,
        encoder: str = "omp",
        level: float = 0.3,
    ) -> None:
        self.n_atoms = n_atoms
        self.q = q
        self.classification = classification
        self.ksvd_iter = ksvd_iter
        self.init_iter = init_iter
        self.ridge = ridge
        self.exact = exact
        self.random_state = random_state
        self.encoder = encoder
        self.level = level

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
        self._check_encoder()
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
            ridge=check_real("ridge", self.ridge, "ridge > 0", is_between(self.ridge, 0, math.inf) and self.ridge > 0),
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
        scores = self._codes(X) @ self.classifier_
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

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class LCKSVD2(DKSVD):
    """Label-consistent K-SVD: atoms of each class and a linear classifier learned together.

    Parameters
    ----------
    n_atoms, q, ksvd_iter, init_iter, ridge, exact, random_state, encoder, level
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
        n_atoms: int | None = None,
        q: int | float = 0.2,
        consistency: float = 0.04,
        classification: float = 0.2,
        ksvd_iter: int = 50,
        init_iter: int = 20,
        ridge: float = 1.0,
        exact: bool = False,
        random_state: RandomStateLike = None,
        encoder: str = "omp",
        level: float = 0.3,
    ) -> None:
        super().__init__(n_atoms, q, classification, ksvd_iter, init_iter, ridge, exact, random_state, encoder, level)
        self.consistency = consistency

    @property
    def code_transform_(self) -> np.ndarray:
        """Codes times this matrix approach 1 on the atoms of the right class; shape (n_atoms, n_atoms)."""
        return self.classifier_[:, np.searchsorted(self.classes_, self.atom_classes_)]

    def _label_energy(self, class_atoms: np.ndarray) -> np.ndarray:
        return _check_weight("consistency", self.consistency) * class_atoms + super()._label_energy(class_atoms)


def _check_weight(name: str, value: Any) -> float:
    return check_real(name, value, f"{name} >= 0", is_between(value, 0, math.inf))
