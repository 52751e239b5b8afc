"""The one function that scores every method."""

import time
from dataclasses import asdict, dataclass

import numpy as np

from dasksvd import load_mnist
from dasksvd.evaluate import train_network
from dasksvd.metrics import n_weights
from reproduce.results import pack_bits
from reproduce.rounds import Round


@dataclass(frozen=True, order=True)
class Task:
    """One trained network.

    Attributes
    ----------
    round : int
    method : str
    I : int
        Atoms per class; ignored by raw pixels.
    hidden : int
    classifier : {"scg", "modern"}
    """

    round: int
    method: str
    I: int
    hidden: int
    classifier: str

    @property
    def key(self) -> str:
        """A name for the results' file."""
        return f"{self.method}/{self.I}/{self.hidden}/{self.classifier}/{self.round}"


def score(task: Task, round_: Round | None = None) -> dict:
    """Train the task's network on the training part and score it once on the test set.

    The validation part decides when training stops; the test set is not looked at before.

    Returns
    -------
    dict
        The task, both accuracies, epochs, seconds, number of weights, and for paired tests
        which test images were right, as packed bits in base64.
    """
    round_ = round_ or Round(task.round)
    features, split = round_.features(task.method, task.I), round_.split
    started = time.perf_counter()
    model = train_network(
        task.classifier,
        features.train,
        split.train_labels,
        hidden=task.hidden,
        seed=task.round,
        validation=(features.val, split.val_labels),
    )
    seconds = time.perf_counter() - started
    right = model.predict(features.test) == load_mnist().test_labels
    return asdict(task) | {
        "val_accuracy": float(np.mean(model.predict(features.val) == split.val_labels)),
        "test_accuracy": float(np.mean(right)),
        "epochs": model.n_iter_,
        "seconds": round(seconds, 1),
        "weights": n_weights(features.train.shape[1], task.hidden),
        "right": pack_bits(right),
    }
