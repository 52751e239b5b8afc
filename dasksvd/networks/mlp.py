"""Networks with one hidden layer: the paper's, trained by scaled conjugate gradients, and today's."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dasksvd.errors import ParameterError
from dasksvd.method.random_state import to_seed
from dasksvd.networks.rows import Rows
from dasksvd.networks.saturating import SquaredError, Workers, split_layers
from dasksvd.networks.scg import Epoch, descend
from dasksvd.parameters import check_count, check_real

#: Where the units saturate below; above it is 1 for both.
ACTIVATIONS = {"satlins": -1.0, "satlin": 0.0}


def start_spread(hidden: int) -> float:
    """Spread of the hidden units' sums at the start, for inputs of spread 1 (D11).

    From a small start the units of a wide network never leave their linear range: each has so
    little to carry that the best linear map is found first, and there the gradient ends.
    """
    return min(1.0, max(0.05, 0.5 * (hidden / 1000) ** 2))


class SCGClassifier(ClassifierMixin, BaseEstimator):
    """The paper's network: saturating linear units, mean squared error, Møller's SCG (D11).

    Parameters
    ----------
    hidden : int, default=200
        Hidden units.
    activation : {"satlins", "satlin"}, default="satlins"
        Units linear in -1 … 1 or in 0 … 1, in both layers.
    max_epochs : int, default=1000
    patience : int, default=60
        Stop after so many epochs without a smaller error on the validation data.
    validation_fraction : float, default=0.1
        Share of the training data to validate on, if ``fit`` gets no validation data.
    random_state : int, Generator, RandomState or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    scale_ : float
        What the inputs are divided by: their common standard deviation.
    weights_ : tuple of ndarray
        First layer (n_features + 1, hidden) and second layer (hidden + 1, n_classes); the last
        rows are biases.
    loss_curve_, validation_curve_ : list of float
        Mean squared errors after each epoch.
    n_iter_ : int
    """

    def __init__(
        self,
        hidden=200,
        activation="satlins",
        max_epochs=1000,
        patience=60,
        validation_fraction=0.1,
        random_state=None,
    ):
        self.hidden = hidden
        self.activation = activation
        self.max_epochs = max_epochs
        self.patience = patience
        self.validation_fraction = validation_fraction
        self.random_state = random_state

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        X_val: np.ndarray | None = None,
        y_val: np.ndarray | None = None,
        on_epoch: Callable[[int, float, float], Any] | None = None,
    ) -> "SCGClassifier":
        """Train on (X, y); keep the weights with the smallest error on (X_val, y_val).

        Parameters
        ----------
        X, X_val : array of shape (n, n_features)
        y, y_val : array of shape (n,)
        on_epoch : callable(epoch, loss, validation_loss), optional
        """
        self._check_parameters()
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32])
        check_classification_targets(y)
        rng = np.random.default_rng(to_seed(self.random_state))
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ParameterError(f"at least two classes are needed, got {len(self.classes_)} class")
        X, y, X_val, y_val = _with_validation(self, X, y, X_val, y_val, rng)
        self.scale_ = float(X.std()) or 1.0
        with Workers() as workers:
            problem = SquaredError(
                self._inputs(X), self._targets(y), self._start(X.shape[1], rng), self.hidden, self._low, workers
            )
            self._descend(problem, self._inputs(X_val), self._targets(y_val), on_epoch)
        return self

    def _descend(self, problem: SquaredError, inputs, targets, on_epoch) -> None:
        """Descend until the validation error has not fallen for ``patience`` epochs."""
        self.loss_curve_, self.validation_curve_ = [], []
        best, best_epoch = problem.point.copy(), 0
        smallest = np.inf
        rows, sums = Rows(inputs), np.empty((len(inputs), self.hidden), np.float32)

        def watch(epoch: Epoch) -> bool:
            nonlocal best_epoch, smallest
            error = self.validation_curve_[-1] if self.validation_curve_ else np.inf
            if epoch.accepted or not self.validation_curve_:
                first, second = problem.layers(problem.point)
                rows.times(first, out=sums)
                error = float(np.mean((_answers(sums, second, self._low) - targets) ** 2))
            self.loss_curve_.append(epoch.loss)
            self.validation_curve_.append(error)
            if error < smallest:
                smallest, best_epoch = error, epoch.epoch
                best[:] = problem.point
            if on_epoch is not None:
                on_epoch(epoch.epoch, epoch.loss, error)
            return epoch.epoch - best_epoch >= self.patience

        descend(problem, max_epochs=self.max_epochs, on_epoch=watch)
        self.n_iter_ = len(self.loss_curve_)
        self.weights_ = tuple(layer.copy() for layer in problem.layers(best))

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The class with the largest output; shape (n,)."""
        outputs = self._outputs(X, clipped=False)
        return self.classes_[outputs.argmax(axis=1)]

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Outputs cut to 0 … 1 and divided by their sum; shape (n, n_classes).

        The targets are 0 and 1, so the outputs estimate probabilities, but nothing in the
        network makes them sum to one.
        """
        outputs = np.clip(self._outputs(X, clipped=True), 0, 1)
        total = outputs.sum(axis=1, keepdims=True)
        uniform = np.full_like(outputs, 1 / outputs.shape[1])
        return np.divide(outputs, total, out=uniform, where=total > 0)

    def _outputs(self, X: np.ndarray, clipped: bool) -> np.ndarray:
        check_is_fitted(self, "weights_")
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        # In float64, so that an answer does not depend on the batch it is computed in.
        first, second = (layer.astype(np.float64) for layer in self.weights_)
        sums = self._inputs(X).astype(np.float64) @ first[:-1] + first[-1]
        return _answers(sums, second, self._low, clip=clipped)

    def _check_parameters(self) -> None:
        check_count("hidden", self.hidden)
        check_count("max_epochs", self.max_epochs)
        check_count("patience", self.patience)
        inside = isinstance(self.validation_fraction, float) and 0 < self.validation_fraction < 1
        check_real("validation_fraction", self.validation_fraction, "0 < validation_fraction < 1", inside)
        if self.activation not in ACTIVATIONS:
            raise ParameterError(f"activation must be one of {', '.join(ACTIVATIONS)}, got {self.activation!r}")

    @property
    def _low(self) -> float:
        return ACTIVATIONS[self.activation]

    def _inputs(self, X: np.ndarray) -> np.ndarray:
        """Scaled inputs, float32."""
        return np.divide(X, self.scale_, out=np.empty(X.shape, np.float32), casting="same_kind")

    def _targets(self, y: np.ndarray) -> np.ndarray:
        return (y[:, None] == self.classes_).astype(np.float32)

    def _start(self, n_features: int, rng: np.random.Generator) -> np.ndarray:
        """Random weights, small in narrow networks; outputs start near the targets' mean, inside the units' range."""
        n_classes = len(self.classes_)
        first, second = (n_features + 1, self.hidden), (self.hidden + 1, n_classes)
        flat = np.zeros(first[0] * first[1] + second[0] * second[1], np.float32)
        W1, W2 = split_layers(flat, first, second)
        W1[:-1] = rng.standard_normal((n_features, self.hidden)) * start_spread(self.hidden) / np.sqrt(n_features)
        W2[:-1] = rng.standard_normal((self.hidden, n_classes)) * 0.1 / np.sqrt(self.hidden)
        W2[-1] = 1 / n_classes
        if self._low == 0:  # mid-range, where a unit with ends at 0 and 1 has a gradient
            W1[-1] = 0.5
            W2[-1] -= 0.5 * W2[:-1].sum(axis=0)
        return flat


class ModernClassifier(ClassifierMixin, BaseEstimator):
    """Today's network of the same size: rectified units, softmax and Adam, by scikit-learn.

    Parameters
    ----------
    hidden : int, default=200
    max_epochs : int, default=60
    patience : int, default=8
        Stop after so many epochs without a higher accuracy on the validation data.
    validation_fraction : float, default=0.1
        Share of the training data to validate on, if ``fit`` gets no validation data.
    decay : float, default=1e-4
        Weight of the squared weights in the loss; the default is scikit-learn's.
    random_state : int, Generator, RandomState or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    scale_ : float
        What the inputs are divided by.
    loss_curve_, validation_curve_ : list of float
        Cross-entropy on the training data and accuracy on the validation data after each epoch.
    n_iter_ : int
    """

    def __init__(self, hidden=200, max_epochs=60, patience=8, validation_fraction=0.1, decay=1e-4, random_state=None):
        self.hidden = hidden
        self.max_epochs = max_epochs
        self.patience = patience
        self.validation_fraction = validation_fraction
        self.decay = decay
        self.random_state = random_state

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        X_val: np.ndarray | None = None,
        y_val: np.ndarray | None = None,
        on_epoch: Callable[[int, float, float], Any] | None = None,
    ) -> "ModernClassifier":
        """Train on (X, y); keep the weights with the highest accuracy on (X_val, y_val).

        Parameters
        ----------
        X, X_val : array of shape (n, n_features)
        y, y_val : array of shape (n,)
        on_epoch : callable(epoch, loss, validation_accuracy), optional
        """
        for name in ("hidden", "max_epochs", "patience"):
            check_count(name, getattr(self, name))
        check_real("decay", self.decay, "decay ≥ 0", isinstance(self.decay, int | float) and self.decay >= 0)
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32])
        check_classification_targets(y)
        seed = to_seed(self.random_state)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ParameterError(f"at least two classes are needed, got {len(self.classes_)} class")
        X, y, X_val, y_val = _with_validation(self, X, y, X_val, y_val, np.random.default_rng(seed))
        self.scale_ = float(X.std()) or 1.0
        inputs, val_inputs = (np.float32(part / self.scale_) for part in (X, X_val))
        network = MLPClassifier((self.hidden,), alpha=self.decay, random_state=seed % 2**32)
        self.loss_curve_, self.validation_curve_ = [], []
        highest, best_epoch = -1.0, 0
        for epoch in range(1, self.max_epochs + 1):
            network.partial_fit(inputs, y, classes=self.classes_)
            accuracy = float(np.mean(network.predict(val_inputs) == y_val))
            self.loss_curve_.append(float(network.loss_))
            self.validation_curve_.append(accuracy)
            if accuracy > highest:
                highest, best_epoch = accuracy, epoch
                best = [array.copy() for array in (*network.coefs_, *network.intercepts_)]
            if on_epoch is not None:
                on_epoch(epoch, self.loss_curve_[-1], accuracy)
            if epoch - best_epoch >= self.patience:
                break
        # In float64, so that an answer does not depend on the batch it is computed in.
        best = [array.astype(np.float64) for array in best]
        network.coefs_, network.intercepts_ = best[:2], best[2:]
        self.network_ = network
        self.n_iter_ = len(self.loss_curve_)
        return self

    @property
    def weights_(self) -> tuple[np.ndarray, ...]:
        """Weights and biases of the first layer, then of the second."""
        check_is_fitted(self, "network_")
        (first, second), (first_bias, second_bias) = self.network_.coefs_, self.network_.intercepts_
        return first, first_bias, second, second_bias

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The most likely class; shape (n,)."""
        inputs = self._inputs(X)
        return self.network_.predict(inputs)

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Probabilities of the classes; shape (n, n_classes)."""
        inputs = self._inputs(X)
        return self.network_.predict_proba(inputs)

    def _inputs(self, X: np.ndarray) -> np.ndarray:
        check_is_fitted(self, "network_")
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        return X / self.scale_


def _answers(sums, second, low, clip=True) -> np.ndarray:
    """Outputs from the hidden units' sums, which are cut in place."""
    outputs = np.clip(sums, low, 1, out=sums) @ second[:-1] + second[-1]
    return np.clip(outputs, low, 1) if clip else outputs


def _with_validation(model, X, y, X_val, y_val, rng):
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
