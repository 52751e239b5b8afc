"""KSVD and DASKSVD in the manner of scikit-learn."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from dasksvd.common.progress import RunProgress
from dasksvd.errors import ParameterError
from dasksvd.method import ksvd
from dasksvd.method.loop import iterate
from dasksvd.method.random_state import RandomStateLike, to_seed
from dasksvd.method.scales import to_common_unit
from dasksvd.method.sparse_coder import SparseCoder, check_labelled, check_signals
from dasksvd.method.trajectory import Record, Selection, Trajectory
from dasksvd.networks.fine_tuning import fine_tune_as
from dasksvd.parameters import PARAMETERS, Settings, check_count, check_real, n_nonzero


class KSVD(SparseCoder):
    """Dictionary learning by K-SVD.

    Parameters
    ----------
    n_atoms : int or None, default=None
        Atoms to learn; None means as many as a signal has values.
    q : int or float, default=0.2
        Non-zeros per signal: a count (int) or a share of the atoms (float).
    ksvd_iter : int, default=50
        Largest number of iterations.
    exact : bool, default=False
        Exact instead of approximate atom updates.
    tol : float or None, default=None
        Stop when an iteration lowers the error by less than this share.
    random_state : int, Generator, RandomState or None, default=None
    encoder : str, default="omp"
        What makes the codes of :meth:`transform`: a name in :data:`dasksvd.encoders.ENCODERS`.  The atoms are
        learned by OMP whatever it is.
    level : float, default=0.3
        Of an encoder that has one, such as the threshold of ``"soft"``; others do not ask for it.

    Attributes
    ----------
    components_ : ndarray of shape (n_atoms, N), float32
        Atoms of length one.
    errors_ : ndarray of shape (n_iter_,)
        Root mean square error after each iteration.
    n_iter_ : int
    """

    def __init__(
        self,
        n_atoms: int | None = None,
        q: int | float = 0.2,
        ksvd_iter: int = 50,
        exact: bool = False,
        tol: float | None = None,
        random_state: RandomStateLike = None,
        encoder: str = "omp",
        level: float = 0.3,
    ) -> None:
        self.n_atoms = n_atoms
        self.q = q
        self.ksvd_iter = ksvd_iter
        self.exact = exact
        self.tol = tol
        self.random_state = random_state
        self.encoder = encoder
        self.level = level

    def fit(self, X: np.ndarray, y: Any = None, *, on_iteration: Callable[[int, float], None] | None = None) -> "KSVD":
        """Learn the atoms from signals X of shape (n_signals, N); ``y`` is ignored."""
        X = check_signals(self, X)
        self._check_encoder()
        n_atoms = X.shape[1] if self.n_atoms is None else check_count("n_atoms", self.n_atoms)
        if n_atoms > len(X):
            raise ParameterError(f"n_atoms must be at most the number of signals, got {n_atoms} for n_samples={len(X)}")
        if self.tol is not None:
            check_real("tol", self.tol, "tol >= 0", isinstance(self.tol, (int, float)) and self.tol >= 0)
        learned = ksvd.learn(
            X,
            n_atoms,
            n_nonzero(self.q, n_atoms),
            check_count("ksvd_iter", self.ksvd_iter),
            np.random.default_rng(to_seed(self.random_state)),
            exact=self.exact,
            tol=self.tol,
            on_iteration=on_iteration,
        )
        self.components_ = learned.atoms
        self.errors_ = learned.errors
        self.n_iter_ = len(learned.errors)
        return self


class DASKSVD(SparseCoder):
    """Structured dictionary learning by discriminant atom selection.

    Parameters
    ----------
    q, t, tau1, tau2, I, alpha, beta, r_f, ksvd_iter, noise, re_sign, exact, ranking
        See :class:`dasksvd.parameters.Settings`.
    random_state : int, Generator, RandomState or None, default=None
        An int gives the same result every time.
    encoder : str, default="omp"
    level : float, default=0.3
        See :class:`KSVD`.
    fine_tune : int, default=0
        Epochs in which the selected atoms are moved so that codes by ``encoder="threshold"`` are easier to classify;
        ``components_`` are the moved ones then.

    Attributes
    ----------
    components_ : ndarray of shape (I * n_classes, N), float32
        The structured dictionary, iteration by iteration and class by class.
    atom_classes_ : ndarray of shape (I * n_classes,)
        The class label of each atom.
    classes_ : ndarray of shape (n_classes,)
    trajectory_ : Trajectory
        Every iteration's dictionary and measures, from which :meth:`reselect` chooses again.
    """

    def __init__(
        self,
        q: int | float = 0.2,
        t: int = 500,
        tau1: float = 0.5,
        tau2: float = 0.1,
        I: int = 20,
        alpha: float = 0.0,
        beta: float = 0.0,
        r_f: float = 1.0,
        ksvd_iter: int = 50,
        noise: str = "std",
        re_sign: str = "paper",
        random_state: RandomStateLike = None,
        exact: bool = False,
        ranking: str = "combined",
        encoder: str = "omp",
        level: float = 0.3,
        fine_tune: int = 0,
    ) -> None:
        self.q = q
        self.t = t
        self.tau1 = tau1
        self.tau2 = tau2
        self.I = I
        self.alpha = alpha
        self.beta = beta
        self.r_f = r_f
        self.ksvd_iter = ksvd_iter
        self.noise = noise
        self.re_sign = re_sign
        self.random_state = random_state
        self.exact = exact
        self.ranking = ranking
        self.encoder = encoder
        self.level = level
        self.fine_tune = fine_tune

    def fit(
        self, X: np.ndarray, y: np.ndarray, *, on_progress: Callable[[RunProgress], None] | None = None
    ) -> "DASKSVD":
        """Learn the structured dictionary.

        Parameters
        ----------
        X : array of shape (n_signals, N)
        y : array of shape (n_signals,)
            Class labels.
        on_progress : callable(RunProgress), optional
            Called after every K-SVD iteration.
        """
        X, y = check_labelled(self, X, y)
        self._check_encoder()
        given = {name: value for name, value in self.get_params(deep=False).items() if name in PARAMETERS}
        settings = Settings(seed=to_seed(self.random_state), **given)
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.trajectory_ = Trajectory(settings, self.classes_.tolist())
        # Noise by variance grows with the square of the unit, so there the unit does matter.
        X, unit = to_common_unit(X) if settings.noise == "std" else (X, 1.0)

        def report(progress: RunProgress) -> None:
            if on_progress is not None:
                on_progress(replace(progress, error=unit * progress.error))

        for record in iterate(X, labels, settings, classes=self.trajectory_.classes, on_progress=report):
            self.trajectory_.records.append(_in_unit(record, unit))
        selection = self.reselect(settings.alpha, settings.beta)
        self.components_ = selection.atoms
        if settings.fine_tune:
            self.components_ = fine_tune_as(settings, X, labels, selection.atoms)
        self.atom_classes_ = self.classes_[selection.classes]
        return self

    def reselect(self, alpha: float, beta: float, I: int | None = None, ranking: str | None = None) -> Selection:
        """Another structured dictionary from the same trajectory; the estimator stays as it is.

        Parameters
        ----------
        alpha, beta : float
            Weights of the measures.
        I : int, optional
            Atoms per class, at most those of the fit.
        ranking : str, optional
            Which of a class's atoms is the best; that of the fit by default.
        """
        check_is_fitted(self, "trajectory_")
        return self.trajectory_.reselect(alpha, beta, I, ranking)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = False
        return tags


def _in_unit(record: Record, unit: float) -> Record:
    """The record of signals that are ``unit`` times as large; the measures are ratios and stay."""
    tables = replace(record.tables, q=unit * record.tables.q, r=unit**2 * record.tables.r)
    return replace(record, tables=tables, errors=unit * record.errors)
