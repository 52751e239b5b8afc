"""``python -m benchmarks.networks``: how long the networks train, against scikit-learn's L-BFGS.

MLP-200-200-10 on the reference run's codes of the 40,000 training images.  L-BFGS is given twenty
iterations at a time until it reads the validation images as well as each of our networks does, or
until it gives up.  Run it on an idle machine; it writes ``benchmarks/networks.json``.
"""

import json
import os
import platform
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from dasksvd.datasets import mnist_split
from dasksvd.method.omp import encode
from dasksvd.networks.modern import ModernClassifier
from dasksvd.networks.scg_classifier import SCGClassifier
from dasksvd.parameters import PAPER, n_nonzero
from dasksvd.runs.reference import load_reference

RESULTS = Path(__file__).parent / "networks.json"
#: Seconds within which each is to be trained, on two cores.
WANTED = {"scg": 120, "modern": 20}
HIDDEN, STRIDE, PATIENCE = 200, 20, 10


def train(model, codes: tuple[np.ndarray, np.ndarray], labels: tuple[np.ndarray, np.ndarray]) -> dict:
    """Seconds, epochs and validation accuracy of one of our networks."""
    started = time.perf_counter()
    model.fit(codes[0], labels[0], X_val=codes[1], y_val=labels[1])
    seconds = time.perf_counter() - started
    accuracy = float(np.mean(model.predict(codes[1]) == labels[1]))
    return {"seconds": round(seconds, 1), "epochs": model.n_iter_, "val_accuracy": accuracy}


def train_lbfgs(goals: dict[str, float], codes, labels) -> dict:
    """Seconds until scikit-learn's L-BFGS reaches each validation accuracy; None where it does not."""
    scale = float(codes[0].std())
    inputs = [(part / scale).astype(np.float32) for part in codes]
    network = MLPClassifier((HIDDEN,), solver="lbfgs", max_iter=STRIDE, max_fun=10**9, warm_start=True, random_state=0)
    reached = dict.fromkeys(goals)
    seconds = best = 0.0
    idle = rounds = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        while idle < PATIENCE and None in reached.values():
            started = time.perf_counter()
            network.fit(inputs[0], labels[0])
            seconds += time.perf_counter() - started
            accuracy = float(np.mean(network.predict(inputs[1]) == labels[1]))
            rounds += 1
            idle = 0 if accuracy > best else idle + 1
            best = max(best, accuracy)
            for name, goal in goals.items():
                if reached[name] is None and accuracy >= goal:
                    reached[name] = round(seconds, 1)
    return {"seconds_until": reached, "iterations": STRIDE * rounds, "seconds": round(seconds, 1), "val_accuracy": best}


def main() -> int:
    """Train, compare, write; the exit code tells whether the times are as wanted."""
    split, atoms = mnist_split(0), load_reference().reselect(0, 0).atoms
    count = n_nonzero(PAPER.q, len(atoms))
    codes = tuple(encode(signals, atoms, count) for signals in (split.train_signals, split.val_signals))
    labels = (split.train_labels, split.val_labels)
    models = {"scg": SCGClassifier, "modern": ModernClassifier}
    for model in models.values():  # compiled before the clock starts
        model(hidden=8, max_epochs=2, random_state=0).fit(codes[0][:2000], labels[0][:2000])
    result = {name: train(model(hidden=HIDDEN, random_state=0), codes, labels) for name, model in models.items()}
    lbfgs = train_lbfgs({name: found["val_accuracy"] for name, found in result.items()}, codes, labels)
    for name, seconds in lbfgs["seconds_until"].items():
        result[name]["lbfgs_ratio"] = None if seconds is None else round(seconds / result[name]["seconds"], 2)
    report = {
        "command": "python -m benchmarks.networks",
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        **result,
        "lbfgs": lbfgs,
    }
    RESULTS.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=2))
    return int(any(result[name]["seconds"] > seconds for name, seconds in WANTED.items()))


if __name__ == "__main__":
    sys.exit(main())
