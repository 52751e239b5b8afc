"""How good is a classifier?  Takes arrays only."""

import numpy as np

from dasksvd.errors import ParameterError
from dasksvd.parameters import check_count
from dasksvd.statistics import (  # noqa: F401  what stood here before is still found here
    Difference,
    Noise,
    Summary,
    paired,
    plus_minus,
    pooled_noise,
    probability_better,
    share_text,
    summarise,
    unpaired,
)


def accuracy(truth: np.ndarray, predicted: np.ndarray) -> float:
    """Share of correct labels, 0 … 1.

    Parameters
    ----------
    truth, predicted : array of shape (n,)
    """
    truth, predicted = _check_labels(truth, predicted)
    return float(np.mean(truth == predicted))


def confusion_matrix(truth: np.ndarray, predicted: np.ndarray, n_classes: int) -> np.ndarray:
    """How often class i was read as class j.

    Parameters
    ----------
    truth, predicted : array of shape (n,), int
        Classes 0 … n_classes - 1.
    n_classes : int

    Returns
    -------
    ndarray of shape (n_classes, n_classes), int64
        Rows are true classes, columns predicted ones.
    """
    truth, predicted = _check_labels(truth, predicted)
    n_classes = check_count("n_classes", n_classes)
    for name, labels in (("truth", truth), ("predicted", predicted)):
        if labels.dtype.kind not in "iu" or labels.min() < 0 or labels.max() >= n_classes:
            raise ParameterError(
                f"{name} must be whole numbers of 0 … {n_classes - 1}, got {labels.min()} … {labels.max()} "
                f"as {labels.dtype}"
            )
    cells = truth.astype(np.int64) * n_classes + predicted
    return np.bincount(cells, minlength=n_classes**2).reshape(n_classes, n_classes)


def n_weights(n_inputs: int, n_hidden: int, n_outputs: int = 10) -> int:
    """Weights and biases of a network with one hidden layer.

    Examples
    --------
    >>> n_weights(200, 200), n_weights(784, 1000)
    (42210, 795010)
    """
    n_inputs, n_hidden = check_count("n_inputs", n_inputs), check_count("n_hidden", n_hidden)
    return (n_inputs + 1) * n_hidden + (n_hidden + 1) * check_count("n_outputs", n_outputs)


def _check_labels(truth: np.ndarray, predicted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    truth, predicted = np.asarray(truth), np.asarray(predicted)
    if truth.ndim != 1 or truth.shape != predicted.shape or truth.size == 0:
        raise ParameterError(
            f"labels must have one shape (n,) with n >= 1, got {truth.shape} true and {predicted.shape} predicted"
        )
    return truth, predicted
