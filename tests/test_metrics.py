"""Accuracy, confusion and weights."""

import numpy as np
import pytest
import sklearn.metrics

from dasksvd import ParameterError, metrics

RNG = np.random.default_rng(0)
TRUTH, GUESS = RNG.integers(10, size=500), RNG.integers(10, size=500)


def test_accuracy_vs_sklearn():
    assert metrics.accuracy(TRUTH, GUESS) == sklearn.metrics.accuracy_score(TRUTH, GUESS)


def test_confusion_matrix_vs_sklearn():
    expected = sklearn.metrics.confusion_matrix(TRUTH, GUESS, labels=range(11))
    np.testing.assert_array_equal(metrics.confusion_matrix(TRUTH, GUESS, 11), expected)


def test_confusion_matrix_of_small_integers_does_not_overflow():
    labels = np.full(3, 200, np.uint8)
    assert metrics.confusion_matrix(labels, labels, 201)[200, 200] == 3


@pytest.mark.parametrize(
    ("inputs", "hidden", "weights"),
    [
        (50, 50, 3060),
        (100, 100, 11110),
        (150, 150, 24160),
        (200, 200, 42210),
        (200, 50, 10560),
        (200, 1000, 211010),
        (784, 300, 238510),
        (784, 1000, 795010),
    ],
)
def test_weights_of_the_papers_networks(inputs, hidden, weights):
    assert metrics.n_weights(inputs, hidden) == weights


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metrics.accuracy([1, 2], [1, 2, 3]), r"\(2,\) true and \(3,\) predicted"),
        (lambda: metrics.accuracy([], []), "n >= 1"),
        (lambda: metrics.confusion_matrix([0, 3], [0, 1], 3), "truth must be whole numbers of 0 … 2, got 0 … 3"),
        (lambda: metrics.confusion_matrix([0, 1], [0, -1], 3), "predicted .* got -1 … 0"),
        (lambda: metrics.confusion_matrix([0.0], [0.0], 3), "float64"),
        (lambda: metrics.n_weights(0, 5), "n_inputs .* got 0"),
        (lambda: metrics.n_weights(5, 2.5), "n_hidden .* got 2.5"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ParameterError, match=message):
        call()
