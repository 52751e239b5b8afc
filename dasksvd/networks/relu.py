"""A network of one hidden layer with rectified units and softmax: its forward pass, its gradients, and Adam.

Its weights are four arrays: first layer (n_inputs, hidden) and (hidden,), second layer (hidden, n_classes) and
(n_classes,).  Needs numpy only, so that a page that reads digits waits for nothing else.
"""

from collections.abc import Callable, Sequence

import numpy as np

#: Adam's memories of the gradient and of its square, and its guard against 0/0 (Kingma and Ba 2015).
MEMORY, SQUARE_MEMORY, TINY = 0.9, 0.999, 1e-8

#: Signals per step: a fiftieth of them within these limits, so that a small set makes many steps too.
BATCHES = 10, 200

Weights = Sequence[np.ndarray]


def batch_size(n: int) -> int:
    """How many of n signals a step learns from.

    Examples
    --------
    >>> batch_size(72), batch_size(1200), batch_size(50_000)
    (10, 24, 200)
    """
    return int(np.clip(n // 50, *BATCHES))


def forward(inputs: np.ndarray, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """Values of the hidden units (n, hidden) and scores (n, n_classes) for inputs (n, n_inputs)."""
    first, first_bias, second, second_bias = weights
    hidden = inputs @ first
    hidden += first_bias
    np.maximum(hidden, 0, out=hidden)
    return hidden, hidden @ second + second_bias


def softmax(scores: np.ndarray) -> np.ndarray:
    """Probabilities from scores; both of shape (n, n_classes)."""
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


class Layers:
    """Four arrays of weights that lie one after the other in memory, so that Adam passes over them at once.

    Parameters
    ----------
    shapes : sequence of tuple of int

    Attributes
    ----------
    flat : ndarray of shape (n_weights,), float32
    parts : tuple of ndarray
        The arrays, as views into ``flat``.
    """

    def __init__(self, shapes: Sequence[tuple[int, ...]]):
        sizes = [int(np.prod(shape)) for shape in shapes]
        self.flat = np.zeros(sum(sizes), np.float32)
        pieces = np.split(self.flat, np.cumsum(sizes)[:-1])
        self.parts = tuple(piece.reshape(shape) for piece, shape in zip(pieces, shapes, strict=True))


def gradients(
    inputs: np.ndarray,
    labels: np.ndarray,
    weights: Weights,
    decay: float,
    found: Layers,
    by_inputs: np.ndarray | None = None,
) -> float:
    """The loss; its gradient is written to ``found``.

    The loss is the mean cross-entropy plus decay / 2n times the squared weights, biases not counted.

    Parameters
    ----------
    inputs : ndarray of shape (n, n_inputs)
    labels : ndarray of shape (n,), int
        Class numbers.
    weights : sequence of ndarray
    decay : float
    found : Layers
    by_inputs : ndarray of shape (n, n_inputs), optional
        Gets the gradient by the inputs, for whoever trains what makes them.
    """
    n, rows = len(inputs), np.arange(len(inputs))
    hidden, scores = forward(inputs, weights)
    delta = softmax(scores)
    least = np.finfo(delta.dtype).eps  # so that a lost class costs much, but not infinitely much
    loss = -float(np.log(np.maximum(delta[rows, labels], least)).sum())
    delta[rows, labels] -= 1
    back = delta @ weights[2].T
    back *= hidden > 0
    for values, errors, layer, bias in ((inputs, back, *found.parts[:2]), (hidden, delta, *found.parts[2:])):
        np.matmul(values.T, errors, out=layer)
        np.sum(errors, axis=0, out=bias)
    if decay:
        for place in (0, 2):
            found.parts[place][:] += decay * weights[place]
            loss += decay / 2 * float(np.vdot(weights[place], weights[place]))
    found.flat /= n
    if by_inputs is not None:
        np.matmul(back / n, weights[0].T, out=by_inputs)
    return loss / n


class Adam:
    """Adam on weights, which it changes in place.

    Parameters
    ----------
    weights : Layers
    rate : callable(number of steps done) -> float
        The learning rate of the next step.
    precision : {numpy.float32, numpy.float64}, default=numpy.float32
        In which a step is computed; float64 takes a little longer and gives the bits of scikit-learn.
    """

    def __init__(self, weights: Layers, rate: Callable[[int], float], precision: type[np.floating] = np.float32):
        self.weights, self.rate, self.done = weights, rate, 0
        self._mean, self._square, self._root = (np.zeros_like(weights.flat) for _ in range(3))
        self._step: np.ndarray = np.empty(weights.flat.shape, precision)

    def step(self, gradient: np.ndarray) -> None:
        """Take one step against a gradient of shape (n_weights,)."""
        rate = self.rate(self.done)
        self.done += 1
        rate = rate * np.sqrt(1 - SQUARE_MEMORY**self.done) / (1 - MEMORY**self.done)
        mean, square, root = self._mean, self._square, self._root
        mean *= MEMORY
        mean += np.multiply(gradient, 1 - MEMORY, out=root)
        square *= SQUARE_MEMORY
        np.multiply(gradient, gradient, out=root)
        root *= 1 - SQUARE_MEMORY
        square += root
        np.sqrt(square, out=root)
        root += TINY
        np.multiply(mean, self._step.dtype.type(-rate), out=self._step)
        self._step /= root
        self.weights.flat += self._step


def run_epoch(
    adam: Adam, inputs: np.ndarray, labels: np.ndarray, order: np.ndarray, batch_size: int, decay: float = 0.0
) -> float:
    """Train on all signals once, in a given order; return the mean loss on the way.

    Parameters
    ----------
    adam : Adam
    inputs : ndarray of shape (n, n_inputs), float32
    labels : ndarray of shape (n,), int
        Class numbers.
    order : ndarray of shape (n,), int
    batch_size : int
        Signals per step.
    decay : float, default=0.0
        Weight of the squared weights in the loss.
    """
    weights, total = adam.weights.parts, 0.0
    found = Layers([layer.shape for layer in weights])
    for start in range(0, len(order), batch_size):
        batch = order[start : start + batch_size]
        total += len(batch) * gradients(inputs[batch], labels[batch], weights, decay, found)
        adam.step(found.flat)
    return total / len(order)
