"""A network with rectified hidden units and softmax: its forward pass, its gradients, and Adam.

Its weights are two arrays for each layer, (n_inputs, hidden) and (hidden,), then … (hidden, n_classes) and
(n_classes,): four for the usual one hidden layer.  Needs numpy only, so that a page that reads digits waits for
nothing else.
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


def layers(inputs: np.ndarray, weights: Weights) -> list[np.ndarray]:
    """The inputs (n, n_inputs), the values of each layer of hidden units, and the scores (n, n_classes)."""
    found = [inputs]
    for place in range(0, len(weights), 2):
        values = found[-1] @ weights[place]
        values += weights[place + 1]
        if place + 2 < len(weights):
            np.maximum(values, 0, out=values)
        found.append(values)
    return found


def forward(inputs: np.ndarray, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """Values of the last hidden units (n, hidden) and scores (n, n_classes) for inputs (n, n_inputs)."""
    *_, hidden, scores = layers(inputs, weights)
    return hidden, scores


def softmax(scores: np.ndarray) -> np.ndarray:
    """Probabilities from scores; both of shape (n, n_classes)."""
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


class Layers:
    """Arrays of weights that lie one after the other in memory, so that Adam passes over them at once.

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
    values = layers(inputs, weights)
    delta = softmax(values[-1])
    least = np.finfo(delta.dtype).eps  # so that a lost class costs much, but not infinitely much
    loss = -float(np.log(np.maximum(delta[rows, labels], least)).sum())
    delta[rows, labels] -= 1
    for layer in range(len(weights) // 2 - 1, -1, -1):
        np.matmul(values[layer].T, delta, out=found.parts[2 * layer])
        np.sum(delta, axis=0, out=found.parts[2 * layer + 1])
        if layer:
            delta = delta @ weights[2 * layer].T
            delta *= values[layer] > 0
    if decay:
        for place in range(0, len(weights), 2):
            found.parts[place][:] += decay * weights[place]
            loss += decay / 2 * float(np.vdot(weights[place], weights[place]))
    found.flat /= n
    if by_inputs is not None:
        np.matmul(delta / n, weights[0].T, out=by_inputs)
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

    Attributes
    ----------
    done : int
        Steps that were taken.
    mean, square : ndarray of shape (n_weights,)
        Its memories; with ``done`` and the weights they say where a training stands.
    """

    def __init__(self, weights: Layers, rate: Callable[[int], float], precision: type[np.floating] = np.float32):
        self.weights, self.rate, self.done = weights, rate, 0
        self.mean, self.square, self._root = (np.zeros_like(weights.flat) for _ in range(3))
        self._step: np.ndarray = np.empty(weights.flat.shape, precision)

    def step(self, gradient: np.ndarray) -> None:
        """Take one step against a gradient of shape (n_weights,)."""
        rate = self.rate(self.done)
        self.done += 1
        rate = rate * np.sqrt(1 - SQUARE_MEMORY**self.done) / (1 - MEMORY**self.done)
        mean, square, root = self.mean, self.square, self._root
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
        chosen = inputs[batch]
        if chosen.dtype == np.float16:  # kept so for its size, and slow to compute with
            chosen = chosen.astype(np.float32)
        total += len(batch) * gradients(chosen, labels[batch], weights, decay, found)
        adam.step(found.flat)
    return total / len(order)
