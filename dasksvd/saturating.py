"""Mean squared error of a net with saturating linear units, made for conjugate gradients.

The units are linear between two ends and constant beyond, so along a direction the loss and its
curvature need no second pass through the gradient: the first layer's products ``X @ W1`` and
``X @ P1`` give every point of the line.  Rows are handled in blocks that fit the cache and are
shared out among threads; the blocks do not depend on the number of threads, so neither do the
results.
"""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import numpy as np
from threadpoolctl import ThreadpoolController

BLOCK_ROWS = 1000
#: Accepted steps after which the products are computed anew, before rounding errors add up.
REFRESH = 50


class Workers:
    """Threads for blocks of rows, each with a matrix library of one thread."""

    def __enter__(self) -> "Workers":
        controller = ThreadpoolController()
        libraries = controller.select(user_api="blas").info()
        self.n_threads = max((library["num_threads"] for library in libraries), default=1)
        self._limit = controller.limit(limits=1, user_api="blas")
        self._pool = ThreadPoolExecutor(self.n_threads) if self.n_threads > 1 else None
        return self

    def __exit__(self, *error) -> None:
        if self._pool is not None:
            self._pool.shutdown()
        self._limit.restore_original_limits()

    def map(self, function, blocks: list) -> Iterable:
        """``function`` of each block, in the order of the blocks."""
        return map(function, blocks) if self._pool is None else self._pool.map(function, blocks)


class _Scratch:
    """Work arrays of one thread."""

    def __init__(self, n_hidden: int):
        self.hidden = np.ones((BLOCK_ROWS, n_hidden + 1), np.float32)  # the last column is the bias
        self.back = np.empty((BLOCK_ROWS, n_hidden), np.float32)
        self.inside = np.empty((BLOCK_ROWS, n_hidden), bool)


class _Block:
    """Some rows, and what is known about them at the current weights and along the direction."""

    def __init__(self, X: np.ndarray, targets: np.ndarray, low: float, n_hidden: int):
        n, n_outputs = targets.shape
        self.X, self.targets, self.low = X, targets, low
        self.sums = np.empty((n, n_hidden), np.float32)  # X @ W1
        self.change = np.zeros((n, n_hidden), np.float32)  # X @ P1
        self.delta, self.tried_delta = (np.empty((n, n_outputs), np.float32) for _ in range(2))
        self.inside, self.tried_inside = (np.empty((n, n_outputs), bool) for _ in range(2))
        self.gradient1 = np.empty((X.shape[1], n_hidden), np.float32)
        self.gradient2 = np.empty((n_hidden + 1, n_outputs), np.float32)

    def begin(self, W1, W2, scratch) -> float:
        np.matmul(self.X, W1, out=self.sums)
        return self.try_step(0.0, W2, scratch)

    def try_step(self, length, W2, scratch) -> float:
        """Squared error at the step's end; the output layer's errors are kept for :meth:`accept`."""
        layer = scratch.hidden[: len(self.X)]
        hidden = layer[:, :-1]
        np.multiply(self.change, np.float32(length), out=hidden)
        hidden += self.sums
        np.clip(hidden, self.low, 1, out=hidden)
        outputs = layer @ W2
        np.clip(outputs, self.low, 1, out=self.tried_delta)
        np.equal(outputs, self.tried_delta, out=self.tried_inside)
        self.tried_delta -= self.targets
        flat = self.tried_delta.ravel()
        loss = float(flat @ flat)
        self.tried_delta *= self.tried_inside
        return loss

    def accept(self, length, W1, W2, scratch) -> None:
        """Move to the step's end and compute the gradient there; W1 only to refresh the sums."""
        self.delta, self.tried_delta = self.tried_delta, self.delta
        self.inside, self.tried_inside = self.tried_inside, self.inside
        if W1 is not None:
            np.matmul(self.X, W1, out=self.sums)
        else:
            self.change *= np.float32(length)
            self.sums += self.change
        layer, inside = self._hidden(scratch)
        np.matmul(layer.T, self.delta, out=self.gradient2)
        back = scratch.back[: len(self.X)]
        np.matmul(self.delta, W2[:-1].T, out=back)
        back *= inside
        np.matmul(self.X.T, back, out=self.gradient1)

    def curvature(self, P1, P2, both_layers, scratch) -> float:
        """Half the second derivative of the squared error along the direction (P1, P2)."""
        np.matmul(self.X, P1, out=self.change)
        layer, inside = self._hidden(scratch)
        moved = scratch.back[: len(self.X)]
        np.multiply(self.change, inside, out=moved)
        products = moved @ both_layers  # through W2, and through P2 for the mixed term
        n_outputs = P2.shape[1]
        slope = layer @ P2
        slope += products[:, :n_outputs]
        slope *= self.inside
        flat = slope.ravel()
        return float(flat @ flat) + 2 * float(np.einsum("ij,ij->", self.delta, products[:, n_outputs:]))

    def _hidden(self, scratch) -> tuple[np.ndarray, np.ndarray]:
        """The hidden layer with its bias, and where its units are not saturated."""
        layer, inside = scratch.hidden[: len(self.X)], scratch.inside[: len(self.X)]
        hidden = layer[:, :-1]
        np.clip(self.sums, self.low, 1, out=hidden)
        np.equal(hidden, self.sums, out=inside)
        return layer, inside


class SquaredError:
    """A :class:`dasksvd.scg.Problem`: the net's mean squared error.

    Parameters
    ----------
    X : ndarray of shape (n, d + 1), float32
        Inputs with a last column of ones.
    targets : ndarray of shape (n, n_outputs), float32
    start : ndarray of shape ((d + 1) * n_hidden + (n_hidden + 1) * n_outputs,), float32
        Weights of both layers, flat; biases are the last rows.
    low : {-1, 0}
        Where the units saturate below; above it is 1.
    workers : Workers
    """

    def __init__(self, X, targets, start, n_hidden: int, low: float, workers: Workers):
        self.point = start
        self._shapes = (X.shape[1], n_hidden), (n_hidden + 1, targets.shape[1])
        self._blocks = [
            _Block(X[at : at + BLOCK_ROWS], targets[at : at + BLOCK_ROWS], low, n_hidden)
            for at in range(0, len(X), BLOCK_ROWS)
        ]
        self._scratch: SimpleQueue = SimpleQueue()
        for _ in range(workers.n_threads):
            self._scratch.put(_Scratch(n_hidden))
        self._workers = workers
        self._count = targets.size
        self._n_accepted = 0
        self._direction = self._length = None

    def layers(self, flat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Views of flat weights as the two layers."""
        return split_layers(flat, *self._shapes)

    def begin(self, gradient: np.ndarray) -> float:
        W1, W2 = self.layers(self.point)
        loss = sum(self._each(_Block.begin, W1, W2)) / self._count
        self._each(_Block.accept, 0.0, W1, W2)
        self._collect(gradient)
        return loss

    def curvature(self, direction: np.ndarray) -> float:
        self._direction = direction
        P1, P2 = self.layers(direction)
        _, W2 = self.layers(self.point)
        both = np.concatenate([W2, P2], axis=1)[:-1]
        return 2 / self._count * sum(self._each(_Block.curvature, P1, P2, both))

    def try_step(self, length: float) -> float:
        self._length = length
        _, W2 = self.layers(self.point)
        _, P2 = self.layers(self._direction)
        return sum(self._each(_Block.try_step, length, W2 + np.float32(length) * P2)) / self._count

    def accept(self, gradient: np.ndarray) -> None:
        self.point += np.float32(self._length) * self._direction
        self._n_accepted += 1
        W1, W2 = self.layers(self.point)
        self._each(_Block.accept, self._length, W1 if self._n_accepted % REFRESH == 0 else None, W2)
        self._collect(gradient)

    def _each(self, method, *args) -> list:
        def one(block):
            scratch = self._scratch.get()
            try:
                return method(block, *args, scratch)
            finally:
                self._scratch.put(scratch)

        return list(self._workers.map(one, self._blocks))

    def _collect(self, gradient: np.ndarray) -> None:
        gradient1, gradient2 = self.layers(gradient)
        gradient1[:] = sum(block.gradient1 for block in self._blocks)
        gradient2[:] = sum(block.gradient2 for block in self._blocks)
        gradient *= np.float32(2 / self._count)


def split_layers(flat: np.ndarray, first: tuple[int, int], second: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Views of flat weights as two matrices of the given shapes."""
    cut = first[0] * first[1]
    return flat[:cut].reshape(first), flat[cut:].reshape(second)
