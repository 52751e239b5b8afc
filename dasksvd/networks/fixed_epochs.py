"""A network for comparing many dictionaries: rectified units and softmax, trained for a fixed time.

:class:`dasksvd.networks.modern.ModernClassifier` watches validation data to know when to stop.  A search
scores on those data, so here nothing is watched: the learning rate falls to zero over a fixed
number of epochs.  That also makes the time of a search known beforehand.
"""

import math
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from dasksvd.method.random_state import RandomStateLike, to_seed
from dasksvd.networks import relu
from dasksvd.networks.base import ReluNetwork
from dasksvd.parameters import check_count

#: The learning rate of the first step.
LEARNING_RATE = 0.004


class FixedEpochsClassifier(ReluNetwork):
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
    weights_ : tuple of ndarray
        First layer (n_features, hidden) and (hidden,), second (hidden, n_classes) and (n_classes,).
    loss_curve_ : list of float
        Cross-entropy on the training data during each epoch.
    n_iter_ : int
    """

    def __init__(self, hidden: int = 200, epochs: int = 20, random_state: RandomStateLike = None) -> None:
        self.hidden = hidden
        self.epochs = epochs
        self.random_state = random_state

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        X_val: np.ndarray | None = None,
        y_val: np.ndarray | None = None,
        on_epoch: Callable[[int, float, float], Any] | None = None,
    ) -> Self:
        """Train on X of shape (n, n_features) with labels y of shape (n,).

        X_val and y_val are not used.  ``on_epoch`` is called with the epoch, its loss and NaN.
        """
        check_count("hidden", self.hidden)
        check_count("epochs", self.epochs)
        X, y = self.check_training(X, y)
        labels = np.searchsorted(self.classes_, y)
        self.scale_ = float(X.std()) or 1.0
        inputs = np.asarray(X / self.scale_, np.float32)
        rng = np.random.default_rng(to_seed(self.random_state))
        weights = start(X.shape[1], self.hidden, len(self.classes_), rng)
        size = relu.batch_size(len(X))
        n_steps = self.epochs * -(-len(X) // size)
        adam = relu.Adam(weights, lambda done: LEARNING_RATE * (1 - done / n_steps))
        self.loss_curve_: list[float] = []
        for epoch in range(1, self.epochs + 1):
            self.loss_curve_.append(relu.run_epoch(adam, inputs, labels, rng.permutation(len(X)), size))
            if on_epoch is not None:
                on_epoch(epoch, self.loss_curve_[-1], math.nan)
        self.weights_, self.n_iter_ = weights.parts, self.epochs
        return self


def start(n_inputs: int, hidden: int, n_classes: int, rng: np.random.Generator) -> relu.Layers:
    """Random weights that keep the size of the values from layer to layer, and no biases."""
    layers = relu.Layers([(n_inputs, hidden), (hidden,), (hidden, n_classes), (n_classes,)])
    layers.parts[0][:] = rng.standard_normal((n_inputs, hidden)) * np.sqrt(2 / n_inputs)
    layers.parts[2][:] = rng.standard_normal((hidden, n_classes)) * np.sqrt(1 / hidden)
    return layers
