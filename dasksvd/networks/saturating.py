"""Mean squared error of a net with saturating linear units, made for conjugate gradients.

The units are linear between two ends and constant beyond, so along a direction the loss and its
curvature need no second pass through the gradient: the first layer's products ``X @ W1`` and
``X @ P1`` give every point of the line.  Rows are handled in blocks that fit the cache and are
shared out among threads; the blocks do not depend on the number of threads, so neither do the
results.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from dasksvd.common.compiled import KEEP_NAN, compiled
from dasksvd.networks.rows import Rows

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

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()
        self._limit.restore_original_limits()

    def map(self, function: Callable[[Any], Any], blocks: list[Any]) -> Iterable[Any]:
        """``function`` of each block, in the order of the blocks."""
        return map(function, blocks) if self._pool is None else self._pool.map(function, blocks)


class _Scratch:
    """Work arrays of one thread."""

    def __init__(self, n_hidden: int):
        self.hidden = np.empty(n_hidden, np.float32)
        self.back = np.empty((BLOCK_ROWS, n_hidden), np.float32)


class _Block:
    """Some rows, and what is known about them at the current weights and along the direction."""

    def __init__(self, X: np.ndarray, targets: np.ndarray, low: float, n_hidden: int):
        n, n_outputs = targets.shape
        self.rows, self.targets, self.low = Rows(X), targets, np.float32(low)
        self.sums = np.empty((n, n_hidden), np.float32)  # X @ W1
        self.change = np.zeros((n, n_hidden), np.float32)  # X @ P1
        # Errors of the outputs; NaN where the output is saturated and passes nothing back.
        self.delta, self.tried_delta = (np.empty((n, n_outputs), np.float32) for _ in range(2))
        self.gradient1 = np.empty((X.shape[1] + 1, n_hidden), np.float32)
        self.gradient2 = np.empty((n_outputs, n_hidden + 1), np.float32)

    def begin(self, W1: np.ndarray, W2: np.ndarray, scratch: _Scratch) -> float:
        self.rows.times(W1, self.sums)
        return self.try_step(np.float32(0), W2, scratch)

    def try_step(self, length: np.float32, W2: np.ndarray, scratch: _Scratch) -> float:
        """Squared error at the step's end; the output layer's errors are kept for :meth:`accept`."""
        return _errors(self.sums, self.change, length, W2, self.targets, self.low, self.tried_delta, scratch.hidden)

    def accept(self, length: np.float32, W1: np.ndarray | None, W2: np.ndarray, scratch: _Scratch) -> None:
        """Move to the step's end and compute the gradient there; W1 only to refresh the sums."""
        self.delta, self.tried_delta = self.tried_delta, self.delta
        if W1 is not None:
            self.rows.times(W1, self.sums)
            length = np.float32(0)
        back = scratch.back[: len(self.rows)]
        _pass_back(self.sums, self.change, length, W2, self.delta, self.low, back, self.gradient2, scratch.hidden)
        self.rows.transposed_times(back, self.gradient1)

    def curvature(self, P1: np.ndarray, P2: np.ndarray, W2: np.ndarray, scratch: _Scratch) -> float:
        """Half the second derivative of the squared error along the direction (P1, P2)."""
        self.rows.times(P1, self.change)
        return _bend(self.sums, self.change, W2, P2, self.delta, self.low, scratch.hidden, scratch.back[0])


#: Sums may be reordered, but not-a-number stays what it is: a step into nowhere must be seen.
_kernel = partial(compiled, fastmath=KEEP_NAN)


@_kernel
def _errors(sums, change, length, W2, targets, low, delta, hidden):
    """Squared error where the hidden sums are ``sums + length * change``; fills ``delta``."""
    n_outputs, n_hidden = W2.shape[0], W2.shape[1] - 1
    total = 0.0
    for i in range(len(sums)):
        for h in range(n_hidden):
            value = sums[i, h] + length * change[i, h]
            value = low if value < low else value
            hidden[h] = np.float32(1) if value > 1 else value
        for c in range(n_outputs):
            output = np.float32(0)
            for h in range(n_hidden):
                output += hidden[h] * W2[c, h]
            output += W2[c, n_hidden]
            cut = low if output < low else np.float32(1) if output > 1 else output
            error = cut - targets[i, c]
            total += error * error
            delta[i, c] = error if cut == output else np.float32(np.nan)
    return total


@_kernel
def _pass_back(sums, change, length, W2, delta, low, back, gradient2, hidden):
    """Move the sums; fill the hidden layer's errors ``back`` and the second layer's gradient."""
    n_outputs, n_hidden = W2.shape[0], W2.shape[1] - 1
    gradient2[:] = 0
    for i in range(len(sums)):
        for h in range(n_hidden):
            value = sums[i, h] + length * change[i, h]
            sums[i, h] = value
            value = low if value < low else value
            hidden[h] = np.float32(1) if value > 1 else value
            back[i, h] = 0
        for c in range(n_outputs):
            error = delta[i, c]
            if error == error:
                for h in range(n_hidden):
                    back[i, h] += error * W2[c, h]
                    gradient2[c, h] += error * hidden[h]
                gradient2[c, n_hidden] += error
        for h in range(n_hidden):
            back[i, h] = back[i, h] if hidden[h] == sums[i, h] else np.float32(0)


@_kernel
def _bend(sums, change, W2, P2, delta, low, hidden, moved):
    """Half the second derivative of the squared error along (``change``, P2)."""
    n_outputs, n_hidden = W2.shape[0], W2.shape[1] - 1
    total = 0.0
    for i in range(len(sums)):
        for h in range(n_hidden):
            value = sums[i, h]
            cut = low if value < low else value
            cut = np.float32(1) if cut > 1 else cut
            hidden[h] = cut
            moved[h] = change[i, h] if cut == value else np.float32(0)
        for c in range(n_outputs):
            error = delta[i, c]
            if error == error:
                slope, mixed = P2[c, n_hidden], np.float32(0)
                for h in range(n_hidden):
                    slope += hidden[h] * P2[c, h] + moved[h] * W2[c, h]
                    mixed += moved[h] * P2[c, h]
                total += slope * slope + 2 * error * mixed
    return total


class SquaredError:
    """A :class:`dasksvd.networks.scg.Problem`: the net's mean squared error.

    Parameters
    ----------
    X : ndarray of shape (n, d), float32
    targets : ndarray of shape (n, n_outputs), float32
    start : ndarray of shape ((d + 1) * n_hidden + (n_hidden + 1) * n_outputs,), float32
        Weights of both layers, flat; biases are the last rows.
    low : {-1, 0}
        Where the units saturate below; above it is 1.
    workers : Workers
    """

    def __init__(
        self, X: np.ndarray, targets: np.ndarray, start: np.ndarray, n_hidden: int, low: float, workers: Workers
    ):
        self.point = start
        self._shapes = (X.shape[1] + 1, n_hidden), (n_hidden + 1, targets.shape[1])
        self._blocks = [
            _Block(X[at : at + BLOCK_ROWS], targets[at : at + BLOCK_ROWS], low, n_hidden)
            for at in range(0, len(X), BLOCK_ROWS)
        ]
        self._scratch: SimpleQueue[_Scratch] = SimpleQueue()
        for _ in range(workers.n_threads):
            self._scratch.put(_Scratch(n_hidden))
        self._workers = workers
        self._count = targets.size
        self._n_accepted = 0
        # Not known yet: NaN, so that a use too early shows in the loss.
        self._direction, self._length = np.full_like(start, np.nan), np.float32(np.nan)

    def layers(self, flat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Views of flat weights as the two layers."""
        return split_layers(flat, *self._shapes)

    def begin(self, gradient: np.ndarray) -> float:
        W1, W2 = self.layers(self.point)
        W2 = _transposed(W2)
        loss = sum(self._each(_Block.begin, W1, W2)) / self._count
        self._each(_Block.accept, np.float32(0), W1, W2)
        self._collect(gradient)
        return loss

    def curvature(self, direction: np.ndarray) -> float:
        self._direction = direction
        P1, P2 = self.layers(direction)
        _, W2 = self.layers(self.point)
        return 2 / self._count * sum(self._each(_Block.curvature, P1, _transposed(P2), _transposed(W2)))

    def try_step(self, length: float) -> float:
        self._length = np.float32(length)
        _, W2 = self.layers(self.point)
        _, P2 = self.layers(self._direction)
        return sum(self._each(_Block.try_step, self._length, _transposed(W2 + self._length * P2))) / self._count

    def accept(self, gradient: np.ndarray) -> None:
        self.point += self._length * self._direction
        self._n_accepted += 1
        W1, W2 = self.layers(self.point)
        refreshed = W1 if self._n_accepted % REFRESH == 0 else None
        self._each(_Block.accept, self._length, refreshed, _transposed(W2))
        self._collect(gradient)

    def _each(self, method: Callable[..., Any], *args: Any) -> list[Any]:
        def one(block: _Block) -> Any:
            scratch = self._scratch.get()
            try:
                return method(block, *args, scratch)
            finally:
                self._scratch.put(scratch)

        return list(self._workers.map(one, self._blocks))

    def _collect(self, gradient: np.ndarray) -> None:
        gradient1, gradient2 = self.layers(gradient)
        gradient1[:] = sum(block.gradient1 for block in self._blocks)
        gradient2.T[:] = sum(block.gradient2 for block in self._blocks)
        gradient *= np.float32(2 / self._count)


def _transposed(layer: np.ndarray) -> np.ndarray:
    """One row per output, as the kernels read it."""
    return np.ascontiguousarray(layer.T)


def split_layers(flat: np.ndarray, first: tuple[int, int], second: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Views of flat weights as two matrices of the given shapes."""
    cut = first[0] * first[1]
    return flat[:cut].reshape(first), flat[cut:].reshape(second)
