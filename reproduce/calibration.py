"""How sure a reader may be: one temperature for each network, and how well shares of right answers match it."""

from collections.abc import Sequence

import numpy as np

from dasksvd.digit.atom_reader import AtomReader
from dasksvd.networks import relu

#: Temperatures that are tried.
TEMPERATURES = np.round(np.geomspace(0.5, 4, 61), 3)
#: Bins of equal width in which sureness and share of right answers are compared.
BINS = 15


def cooled(weights: Sequence[np.ndarray], temperature: float) -> tuple[np.ndarray, ...]:
    """The network with all scores divided by the temperature; the order of its answers stays."""
    return (*weights[:-2], weights[-2] / np.float32(temperature), weights[-1] / np.float32(temperature))


def temperature(model: AtomReader, levels: np.ndarray, labels: np.ndarray) -> float:
    """The temperature by which signals that were not learned from get the best likelihood.

    Parameters
    ----------
    levels : ndarray of shape (n, N), uint8
        Signals as grey levels.
    labels : ndarray of shape (n,), int
    """
    scores = relu.forward(model.encode(levels / np.float32(255)) / model.scale, model.weights)[1].astype(np.float64)
    losses = [_loss(scores / tried, labels) for tried in TEMPERATURES]
    return float(TEMPERATURES[int(np.argmin(losses))])


def _loss(scores: np.ndarray, labels: np.ndarray) -> float:
    highest = scores.max(axis=1)
    sums = np.log(np.exp(scores - highest[:, None]).sum(axis=1)) + highest
    return float(np.mean(sums - scores[np.arange(len(labels)), labels]))


def calibration_error(probabilities: np.ndarray, labels: np.ndarray) -> float:
    """Expected calibration error: how far sureness and share of right answers differ, over bins of sureness.

    Parameters
    ----------
    probabilities : ndarray of shape (n, k)
    labels : ndarray of shape (n,), int
    """
    sure, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == labels
    places = np.minimum((sure * BINS).astype(int), BINS - 1)
    gaps = np.bincount(places, weights=sure - right, minlength=BINS)
    return float(np.abs(gaps).sum() / len(labels))
