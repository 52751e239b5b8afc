"""One K-SVD iteration against dictlearn's approximate and exact ones."""

import dictlearn
import numpy as np

from benchmarks.common import N_NONZERO, best_seconds, mnist_signals, threads
from dasksvd.method import ksvd

#: How many times faster than dictlearn's approximate iteration we want to be.
WANTED = 10


def measure() -> list[dict]:
    """Rows of the table: update, threads, seconds per iteration of both, ratio."""
    signals = mnist_signals()
    initial = ksvd.random_signals(signals, 256, np.random.default_rng(0))
    rows = []
    for count in (1, 2):
        with threads(count):
            seconds = best_seconds(
                {
                    "ours": lambda: _ours(signals, initial, 10),
                    "dictlearn": lambda: _theirs(signals, initial, 2),
                },
                repeats=3,
            )
        ours, theirs = seconds["ours"] / 10, seconds["dictlearn"] / 2
        rows.append(
            {
                "what": "K-SVD iteration against dictlearn",
                "threads": count,
                "ours_s": ours,
                "theirs_s": theirs,
                "ratio": theirs / ours,
                "wanted": WANTED,
            }
        )
    return rows


def _ours(signals, initial, n_iter):
    ksvd.learn(signals, 256, N_NONZERO, n_iter, np.random.default_rng(0), initial=initial)


def _theirs(signals, initial, n_iter):
    dictlearn.DictionaryLearning(
        256, fit_algorithm="aksvd", n_nonzero_coefs=N_NONZERO, max_iter=n_iter, dict_init=initial, random_state=0
    ).fit(signals.astype(np.float64))
