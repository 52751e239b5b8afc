"""``dasksvd.encode`` against SPAMS, dictlearn and scikit-learn."""

import dictlearn
import numpy as np
from sklearn.linear_model import orthogonal_mp_gram

from benchmarks.common import N_NONZERO, best_seconds, mnist_signals, threads
from dasksvd import KSVD, encode

#: How many times faster than each peer we want to be, for 1 and 2 threads.
WANTED = {"SPAMS": 2.5, "dictlearn": 6, "scikit-learn": 80}
WANTED_SCALING = 1.7


def measure() -> list[dict]:
    """Rows of the table: peer, threads, seconds of both, ratio, what is wanted."""
    signals = mnist_signals()
    atoms = KSVD(n_atoms=256, q=N_NONZERO, ksvd_iter=3, random_state=0).fit(signals).components_
    peers = {"ours": lambda: encode(signals, atoms, N_NONZERO)}
    peers |= _spams(signals, atoms)
    wide_signals, wide_atoms = signals.astype(np.float64), atoms.astype(np.float64)
    peers["dictlearn"] = lambda: dictlearn.sparse_encode(
        wide_signals, wide_atoms, algorithm="omp", n_nonzero_coefs=N_NONZERO
    )
    slow = {
        "scikit-learn": lambda: orthogonal_mp_gram(
            wide_atoms @ wide_atoms.T, wide_atoms @ wide_signals.T, n_nonzero_coefs=N_NONZERO
        )
    }
    rows, ours = [], {}
    for count in (1, 2):
        with threads(count):
            fast = dict(peers) if count == 1 else peers | _spams(signals, atoms, count)
            seconds = best_seconds(fast, repeats=9) | best_seconds(slow, repeats=1)
        ours[count] = seconds.pop("ours")
        rows += [
            {
                "what": f"encode against {peer}",
                "threads": count,
                "ours_s": ours[count],
                "theirs_s": theirs,
                "ratio": theirs / ours[count],
                "wanted": WANTED[peer],
            }
            for peer, theirs in seconds.items()
        ]
    rows.append(
        {
            "what": "encode on 2 threads against 1",
            "threads": 2,
            "ours_s": ours[2],
            "theirs_s": ours[1],
            "ratio": ours[1] / ours[2],
            "wanted": WANTED_SCALING,
        }
    )
    return rows


def _spams(signals, atoms, count=1):
    try:
        import spams
    except ImportError:
        print("SPAMS is not installed here: its rows are left out")
        return {}
    columns, dictionary = np.asfortranarray(signals.T), np.asfortranarray(atoms.T)

    def call():
        # eps must be given: without it SPAMS reads an undefined value and may stop at once.
        codes = spams.omp(columns, dictionary, L=N_NONZERO, eps=0.0, numThreads=count)
        assert codes.nnz == N_NONZERO * len(signals)

    return {"SPAMS": call}
