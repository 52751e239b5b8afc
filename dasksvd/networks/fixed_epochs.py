"""A network for comparing many dictionaries: today's units and loss, trained for a fixed time.

:class:`dasksvd.networks.mlp.ModernClassifier` watches validation data to know when to stop.  A search
scores on those data, so here nothing is watched: the learning rate falls to zero over a fixed
number of epochs.  That also makes the time of a search known beforehand.
"""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dasksvd.errors import ParameterError
from dasksvd.method.random_state import to_seed
from dasksvd.parameters import check_count

#: Signals per step: a fiftieth of them within these limits, so that a small set makes many steps too.
BATCHES = 10, 200
#: Adam's first step, its memories of the gradient and of its square, and its guard against 0/0.
LEARNING_RATE, MEMORY, SQUARE_MEMORY, TINY = 0.004, 0.9, 0.999, 1e-8


class QuickClassifier(ClassifierMixin, BaseEstimator):
    """Rectified units, softmax and Adam with a learning rate that falls linearly to zero.

    Parameters
    ----------
    hidden : int, default=200
    epochs : int, default=20
    random_state : int, Generator, RandomState or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    scale_ : float
        What the inputs are divided by: their common standard deviation.
    weights_ : list of ndarray
        First layer (n_features, hidden) and (hidden,), second (hidden, n_classes) and (n_classes,).
    """

    def __init__(self, hidden=200, epochs=20, random_state=None):
        self.hidden = hidden
        self.epochs = epochs
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> "QuickClassifier":
        """Train on signals X of shape (n, n_features) with labels y of shape (n,)."""
        check_count("hidden", self.hidden)
        check_count("epochs", self.epochs)
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32])
        check_classification_targets(y)
        self.classes_, numbers = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ParameterError(f"at least two classes are needed, got {len(self.classes_)} class")
        self.scale_ = float(X.std()) or 1.0
        inputs = np.float32(X / self.scale_)
        targets = np.eye(len(self.classes_), dtype=np.float32)[numbers]
        rng = np.random.default_rng(to_seed(self.random_state))
        self.weights_ = _start(X.shape[1], self.hidden, len(self.classes_), rng)
        size = int(np.clip(len(X) // 50, *BATCHES))
        adam = _Adam(self.weights_, n_steps=self.epochs * -(-len(X) // size))
        for _ in range(self.epochs):
            order = rng.permutation(len(X))
            for start in range(0, len(X), size):
                batch = order[start : start + size]
                adam.step(_gradients(inputs[batch], targets[batch], self.weights_))
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The most likely class; shape (n,)."""
        scores = self._scores(X)
        return self.classes_[scores.argmax(axis=1)]

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Probabilities of the classes; shape (n, n_classes)."""
        return _softmax(self._scores(X))

    def _scores(self, X: np.ndarray) -> np.ndarray:
        check_is_fitted(self, "weights_")
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        # In float64, so that an answer does not depend on the batch it is computed in.
        weights = [layer.astype(np.float64) for layer in self.weights_]
        return _forward(np.float64(X) / self.scale_, weights)[1]


def _start(n_inputs: int, hidden: int, n_classes: int, rng: np.random.Generator) -> list[np.ndarray]:
    first = rng.standard_normal((n_inputs, hidden)) * np.sqrt(2 / n_inputs)
    second = rng.standard_normal((hidden, n_classes)) * np.sqrt(1 / hidden)
    return [np.float32(part) for part in (first, np.zeros(hidden), second, np.zeros(n_classes))]


def _forward(inputs: np.ndarray, weights: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Hidden values (n, hidden) and scores (n, n_classes)."""
    first, first_bias, second, second_bias = weights
    hidden = inputs @ first
    hidden += first_bias
    np.maximum(hidden, 0, out=hidden)
    return hidden, hidden @ second + second_bias


def _softmax(scores: np.ndarray) -> np.ndarray:
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def _gradients(inputs: np.ndarray, targets: np.ndarray, weights: list[np.ndarray]) -> list[np.ndarray]:
    """Gradients of the mean cross-entropy, one per array of weights."""
    hidden, scores = _forward(inputs, weights)
    delta = (_softmax(scores) - targets) / np.float32(len(inputs))
    back = delta @ weights[2].T
    back *= hidden > 0
    return [inputs.T @ back, back.sum(axis=0), hidden.T @ delta, delta.sum(axis=0)]


class _Adam:
    """Adam (Kingma and Ba 2015) on arrays in place, with a linearly falling learning rate."""

    def __init__(self, weights: list[np.ndarray], n_steps: int):
        self.weights, self.n_steps, self.done = weights, n_steps, 0
        self.means, self.squares = ([np.zeros_like(layer) for layer in weights] for _ in range(2))

    def step(self, gradients: list[np.ndarray]) -> None:
        rate = LEARNING_RATE * (1 - self.done / self.n_steps)
        self.done += 1
        rate /= 1 - MEMORY**self.done
        grown = 1 - SQUARE_MEMORY**self.done
        for layer, mean, square, gradient in zip(self.weights, self.means, self.squares, gradients, strict=True):
            mean += np.float32(1 - MEMORY) * (gradient - mean)
            square += np.float32(1 - SQUARE_MEMORY) * (gradient * gradient - square)
            layer -= np.float32(rate) * mean / (np.sqrt(square / np.float32(grown)) + np.float32(TINY))
