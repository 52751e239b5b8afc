"""Today's network of the paper's size: rectified units, softmax, Adam and early stopping.

It trains like scikit-learn's ``MLPClassifier`` with ``partial_fit``, epoch by epoch, and with more than two
classes it gives the same bits; the shipped classifiers and the tables were trained that way.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np

from dasksvd.method.random_state import RandomStateLike, to_seed
from dasksvd.networks import relu
from dasksvd.networks.base import ReluNetwork, with_validation
from dasksvd.parameters import check_count, check_real

#: Adam's learning rate.
LEARNING_RATE = 0.001
#: Steps that training has at least before it can end for want of progress, for each epoch of patience.  An epoch of
#: ninety pictures has a few; after eight such epochs a network has hardly moved from its random start.
MIN_STEPS = 50


class ModernClassifier(ReluNetwork):
    """Today's network of the same size: rectified units, softmax, Adam and early stopping.

    Parameters
    ----------
    hidden : int, default=200
    max_epochs : int, default=60
        Passes over the training data; so many times :data:`MIN_STEPS` steps if these are more.
    patience : int, default=8
        Stop after so many epochs, or so many times :data:`MIN_STEPS` steps, without a higher accuracy on the
        validation data.
    validation_fraction : float, default=0.1
        Share of the training data to validate on, if ``fit`` gets no validation data.
    decay : float, default=1e-4
        Weight of the squared weights in the loss; the default is scikit-learn's.
    random_state : int, Generator, RandomState or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    scale_ : float
        What the inputs are divided by: their common standard deviation.
    weights_ : tuple of ndarray
        First layer (n_features, hidden) and (hidden,), second (hidden, n_classes) and (n_classes,).
    loss_curve_, validation_curve_ : list of float
        Loss on the training data and accuracy on the validation data after each epoch.
    n_iter_ : int
    """

    def __init__(
        self,
        hidden: int = 200,
        max_epochs: int = 60,
        patience: int = 8,
        validation_fraction: float = 0.1,
        decay: float = 1e-4,
        random_state: RandomStateLike = None,
    ) -> None:
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
    ) -> Self:
        """Train on (X, y); keep the weights with the highest accuracy on (X_val, y_val).

        Of few validation signals many epochs read equally many.  Where the training set is so small that it is
        passed over more often, the one of the smallest cross-entropy is kept among these, else the first.

        Parameters
        ----------
        X, X_val : array of shape (n, n_features)
        y, y_val : array of shape (n,)
        on_epoch : callable(epoch, loss, validation_accuracy), optional
        """
        for name in ("hidden", "max_epochs", "patience"):
            check_count(name, getattr(self, name))
        check_real("decay", self.decay, "decay ≥ 0", isinstance(self.decay, int | float) and self.decay >= 0)
        X, y = self.check_training(X, y)
        seed = to_seed(self.random_state)
        X, y, X_val, y_val = with_validation(self, X, y, X_val, y_val, np.random.default_rng(seed))
        self.scale_ = float(X.std()) or 1.0
        inputs, val_inputs = (np.asarray(part / self.scale_, np.float32) for part in (X, X_val))
        size = relu.batch_size(len(X))
        longer = math.ceil(MIN_STEPS / math.ceil(len(X) / size))
        epochs = self._epochs(inputs, np.searchsorted(self.classes_, y), size, seed % 2**32)
        self.loss_curve_: list[float] = []
        self.validation_curve_: list[float] = []
        best, best_epoch = (-1.0, 0.0), 0
        for epoch, (loss, weights) in enumerate(epochs, start=1):
            scores = relu.forward(val_inputs, weights)[1]
            accuracy = float(np.mean(self.classes_[scores.argmax(axis=1)] == y_val))
            reached = accuracy, -_cross_entropy(scores, self.classes_, y_val) if longer > 1 else 0.0
            self.loss_curve_.append(loss)
            self.validation_curve_.append(accuracy)
            if reached > best:
                best, best_epoch = reached, epoch
                self.weights_ = tuple(layer.copy() for layer in weights)
            if on_epoch is not None:
                on_epoch(epoch, loss, accuracy)
            if epoch == longer * self.max_epochs or epoch - best_epoch >= longer * self.patience:
                break
        self.n_iter_ = len(self.loss_curve_)
        return self

    def _epochs(
        self, inputs: np.ndarray, labels: np.ndarray, size: int, seed: int
    ) -> Iterator[tuple[float, relu.Weights]]:
        """Train without end; after each epoch give its loss and the weights, which go on changing."""
        rng = np.random.RandomState(seed)
        weights = start(inputs.shape[1], self.hidden, len(self.classes_), rng)
        adam = relu.Adam(weights, lambda done: LEARNING_RATE, np.float64)
        while True:
            order = np.arange(len(inputs))
            rng.shuffle(order)
            yield relu.run_epoch(adam, inputs, labels, order, size, self.decay), weights.parts
            # scikit-learn's partial_fit starts its random numbers anew: all later epochs have one order.
            rng = np.random.RandomState(seed)


def _cross_entropy(scores: np.ndarray, classes: np.ndarray, y: np.ndarray) -> float:
    """Mean cross-entropy of scores (n, n_classes) where the true classes (n,) are known ones."""
    odds = relu.softmax(scores)[y[:, None] == classes]
    return -float(np.log(np.maximum(odds, np.finfo(odds.dtype).eps)).mean()) if odds.size else 0.0


def start(n_inputs: int, hidden: int, n_classes: int, rng: np.random.RandomState) -> relu.Layers:
    """Random weights and biases (Glorot and Bengio 2010), drawn in scikit-learn's order."""
    layers = relu.Layers([(n_inputs, hidden), (hidden,), (hidden, n_classes), (n_classes,)])
    for part, fans in zip(layers.parts, 2 * [n_inputs + hidden] + 2 * [hidden + n_classes], strict=True):
        bound = np.sqrt(6 / fans)
        part[:] = rng.uniform(-bound, bound, part.shape)
    return layers
