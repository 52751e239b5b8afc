"""What the networks share: checked data, validation data, answers, and arrays to keep a network by."""

from collections.abc import Mapping
from typing import Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import train_test_split
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dasksvd.errors import ParameterError
from dasksvd.method.random_state import RandomStateLike
from dasksvd.networks import relu

#: Types of inputs that are taken as they are.
_FLOATS = [np.float64, np.float32]


class Network(ClassifierMixin, BaseEstimator):
    """A classifier with ``hidden`` units in one layer.

    Parameters
    ----------
    hidden : int, default=200
    random_state : int, Generator, RandomState or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    scale_ : float
        What the inputs are divided by: their common standard deviation.
    weights_ : tuple of ndarray, float32
    """

    #: Names of the arrays in ``weights_``.
    _LAYERS: tuple[str, ...]
    #: Rows of the first array that are no inputs.
    _BIAS_ROWS = 0

    def __init__(self, hidden: int = 200, random_state: RandomStateLike = None) -> None:
        self.hidden = hidden
        self.random_state = random_state

    def check_training(self, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Inputs and labels to train on; learns which classes there are."""
        X, y = validate_data(self, X, y, dtype=_FLOATS)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ParameterError(f"at least two classes are needed, got {len(self.classes_)} class")
        return X, y

    def check_inputs(self, X: np.ndarray) -> np.ndarray:
        """Inputs to answer for."""
        check_is_fitted(self, "weights_")
        return validate_data(self, X, dtype=_FLOATS, reset=False)

    def to_arrays(self) -> dict[str, np.ndarray]:
        """The fitted network in arrays that a file can hold without pickling."""
        check_is_fitted(self, "weights_")
        layers = dict(zip(self._LAYERS, self.weights_, strict=True))
        return {"classes": np.asarray(self.classes_.tolist()), "scale": np.float64(self.scale_), **layers}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """The fitted network of :meth:`to_arrays`; how it was trained is not kept."""
        weights = tuple(arrays[name] for name in cls._LAYERS)
        model = cls(hidden=weights[0].shape[1])
        model.classes_, model.scale_, model.weights_ = arrays["classes"], float(arrays["scale"]), weights
        model.n_features_in_ = weights[0].shape[0] - cls._BIAS_ROWS
        return model


class ReluNetwork(Network):
    """A network with rectified units and softmax, whatever trains it.

    ``fit`` sets ``classes_``, ``scale_`` and ``weights_``, the four arrays of :mod:`dasksvd.networks.relu`.
    """

    _LAYERS = ("first", "first_bias", "second", "second_bias")

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The most likely class; shape (n,)."""
        scores = self._scores(X)
        return self.classes_[scores.argmax(axis=1)]

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Probabilities of the classes; shape (n, n_classes)."""
        return relu.softmax(self._scores(X))

    def _scores(self, X: np.ndarray) -> np.ndarray:
        X = self.check_inputs(X)
        # In float64, so that an answer does not depend on the batch it is computed in.
        weights = [layer.astype(np.float64) for layer in self.weights_]
        return relu.forward(np.asarray(X / self.scale_, np.float64), weights)[1]


def with_validation(
    model: Network,
    X: np.ndarray,
    y: np.ndarray,
    X_val: np.ndarray | None,
    y_val: np.ndarray | None,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Training and validation data: the given ones, or a part of X held out."""
    if X_val is not None and y_val is not None:
        X_val = np.asarray(X_val)
        if X_val.ndim != 2 or X_val.shape[1] != X.shape[1] or len(X_val) != len(y_val):
            raise ParameterError(f"X_val must have shape ({len(y_val)}, {X.shape[1]}), got {X_val.shape}")
        return X, y, X_val, np.asarray(y_val)
    counts = np.unique(y, return_counts=True)[1]
    n_val = max(len(counts), round(model.validation_fraction * len(y)))
    if counts.min() < 2 or n_val > len(y) - len(counts):  # too few to hold any out
        return X, y, X, y
    seed = int(rng.integers(2**31))
    X, X_val, y, y_val = train_test_split(X, y, test_size=n_val, stratify=y, random_state=seed)
    return X, y, X_val, y_val
