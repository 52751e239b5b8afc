"""What the benchmarks share: the problem, the threads, the clock."""

import gc
import time
from collections.abc import Callable
from contextlib import contextmanager
from functools import cache

import numba
import numpy as np
from threadpoolctl import threadpool_limits

from dasksvd import balanced_split, load_mnist, reduce_images

N_NONZERO = 51


@cache
def mnist_signals(n: int = 5000) -> np.ndarray:
    """``n`` MNIST signals, equally many of each class; (n, 256) float32."""
    data = load_mnist()
    chosen, _ = balanced_split(data.train_labels, n // 10, 0, np.random.default_rng(0))
    return reduce_images(data.train_images[chosen])


@contextmanager
def threads(count: int):
    """Hold numba and the matrix libraries to ``count`` threads."""
    before = numba.get_num_threads()
    numba.set_num_threads(count)
    try:
        with threadpool_limits(count):
            yield
    finally:
        numba.set_num_threads(before)


def best_seconds(calls: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Shortest time of each call.

    The first round compiles and is thrown away; then the calls take turns, so that a slow
    moment of the machine hits all alike.
    """
    for call in calls.values():
        call()
    shortest = dict.fromkeys(calls, float("inf"))
    for _ in range(repeats):
        for name, call in calls.items():
            gc.collect()
            started = time.perf_counter()
            call()
            shortest[name] = min(shortest[name], time.perf_counter() - started)
    return shortest
