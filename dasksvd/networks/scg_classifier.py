"""The paper's network: saturating linear units, trained by scaled conjugate gradients."""

from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np

from dasksvd.errors import ParameterError
from dasksvd.method.random_state import RandomStateLike, to_seed
from dasksvd.networks.base import Network, with_validation
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


class SCGClassifier(Network):
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
    start : float or None, default=None
        Spread of the hidden units' sums before the first step, for inputs of spread 1; None means :func:`start_spread`.

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

    _LAYERS = ("first", "second")
    _BIAS_ROWS = 1

    def __init__(
        self,
        hidden: int = 200,
        activation: str = "satlins",
        max_epochs: int = 1000,
        patience: int = 60,
        validation_fraction: float = 0.1,
        random_state: RandomStateLike = None,
        start: float | None = None,
    ) -> None:
        self.hidden = hidden
        self.activation = activation
        self.max_epochs = max_epochs
        self.patience = patience
        self.validation_fraction = validation_fraction
        self.random_state = random_state
        self.start = start

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        X_val: np.ndarray | None = None,
        y_val: np.ndarray | None = None,
        on_epoch: Callable[[int, float, float], Any] | None = None,
    ) -> Self:
        """Train on (X, y); keep the weights with the smallest error on (X_val, y_val).

        Parameters
        ----------
        X, X_val : array of shape (n, n_features)
        y, y_val : array of shape (n,)
        on_epoch : callable(epoch, loss, validation_loss), optional
        """
        self._check_parameters()
        X, y = self.check_training(X, y)
        rng = np.random.default_rng(to_seed(self.random_state))
        X, y, X_val, y_val = with_validation(self, X, y, X_val, y_val, rng)
        self.scale_ = float(X.std()) or 1.0
        with Workers() as workers:
            problem = SquaredError(
                self._inputs(X), self._targets(y), self._start(X.shape[1], rng), self.hidden, self._low, workers
            )
            self._descend(problem, self._inputs(X_val), self._targets(y_val), on_epoch)
        return self

    def _descend(
        self,
        problem: SquaredError,
        inputs: np.ndarray,
        targets: np.ndarray,
        on_epoch: Callable[[int, float, float], Any] | None,
    ) -> None:
        """Descend until the validation error has not fallen for ``patience`` epochs."""
        self.loss_curve_: list[float] = []
        self.validation_curve_: list[float] = []
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

    def to_arrays(self) -> dict[str, np.ndarray]:
        """The fitted network in arrays that a file can hold without pickling."""
        return super().to_arrays() | {"activation": np.asarray(self.activation)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """The fitted network of :meth:`to_arrays`; how it was trained is not kept."""
        return super().from_arrays(arrays).set_params(activation=str(arrays["activation"]))

    def _outputs(self, X: np.ndarray, clipped: bool) -> np.ndarray:
        X = self.check_inputs(X)
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
        if self.start is not None:
            check_real("start", self.start, "start > 0", isinstance(self.start, (int, float)) and self.start > 0)
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
        spread = start_spread(self.hidden) if self.start is None else self.start
        flat = np.zeros(first[0] * first[1] + second[0] * second[1], np.float32)
        W1, W2 = split_layers(flat, first, second)
        W1[:-1] = rng.standard_normal((n_features, self.hidden)) * spread / np.sqrt(n_features)
        W2[:-1] = rng.standard_normal((self.hidden, n_classes)) * 0.1 / np.sqrt(self.hidden)
        W2[-1] = 1 / n_classes
        if self._low == 0:  # mid-range, where a unit with ends at 0 and 1 has a gradient
            W1[-1] = 0.5
            W2[-1] -= 0.5 * W2[:-1].sum(axis=0)
        return flat


def _answers(sums: np.ndarray, second: np.ndarray, low: float, clip: bool = True) -> np.ndarray:
    """Outputs from the hidden units' sums, which are cut in place."""
    outputs = np.clip(sums, low, 1, out=sums) @ second[:-1] + second[-1]
    return np.clip(outputs, low, 1) if clip else outputs
