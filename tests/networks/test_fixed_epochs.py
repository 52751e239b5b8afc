"""The network of the searches."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.utils.estimator_checks import parametrize_with_checks

from dasksvd import ParameterError
from dasksvd.networks.fixed_epochs import FixedEpochsClassifier


@parametrize_with_checks([FixedEpochsClassifier(hidden=10)])
def test_sklearn_compatible(estimator, check):
    check(estimator)


@pytest.mark.parametrize(("n", "size"), [(95, 10), (730, 14), (10420, 200)])
def test_training_vs_a_slow_version(n, size):
    """Start, order, batches and rate in float64, with the random numbers in the same order."""
    rng = np.random.default_rng(n)
    X, y = rng.standard_normal((n, 5)) * 3, rng.integers(3, size=n)
    model = FixedEpochsClassifier(hidden=7, epochs=2, random_state=4).fit(X, y)
    rng = np.random.default_rng(4)
    W = [
        rng.standard_normal((5, 7)) * np.sqrt(2 / 5),
        np.zeros(7),
        rng.standard_normal((7, 3)) / np.sqrt(7),
        np.zeros(3),
    ]
    inputs, targets = X / X.std(), np.eye(3)[y]
    n_steps = 2 * int(np.ceil(n / size))
    means, squares, step = [0 * layer for layer in W], [0 * layer for layer in W], 0
    for _ in range(2):
        order = rng.permutation(n)
        for at in range(0, n, size):
            batch = order[at : at + size]
            hidden = np.maximum(inputs[batch] @ W[0] + W[1], 0)
            scores = np.exp(hidden @ W[2] + W[3])
            delta = (scores / scores.sum(axis=1, keepdims=True) - targets[batch]) / len(batch)
            back = (delta @ W[2].T) * (hidden > 0)
            step += 1
            rate = 0.004 * (1 - (step - 1) / n_steps)
            for i, g in enumerate((inputs[batch].T @ back, back.sum(axis=0), hidden.T @ delta, delta.sum(axis=0))):
                means[i] = 0.9 * means[i] + 0.1 * g
                squares[i] = 0.999 * squares[i] + 0.001 * g**2
                change = means[i] / (1 - 0.9**step) / (np.sqrt(squares[i] / (1 - 0.999**step)) + 1e-8)
                W[i] = W[i] - rate * change
    assert step == n_steps
    for ours, expected in zip(model.weights_, W, strict=True):
        np.testing.assert_allclose(ours, expected, atol=1e-4)
    hidden = np.maximum(inputs @ model.weights_[0] + model.weights_[1], 0)
    scores = np.exp(hidden @ model.weights_[2] + model.weights_[3])
    np.testing.assert_allclose(model.predict_proba(X), scores / scores.sum(axis=1, keepdims=True), atol=1e-5)
    np.testing.assert_array_equal(model.predict(X), scores.argmax(axis=1))


def test_learns_digits_and_repeats_itself():
    X, y = load_digits(return_X_y=True)
    first = FixedEpochsClassifier(hidden=60, random_state=1).fit(X[:1400], y[:1400])
    again = FixedEpochsClassifier(hidden=60, random_state=1).fit(X[:1400], y[:1400])
    assert np.mean(first.predict(X[1400:]) == y[1400:]) > 0.92
    np.testing.assert_array_equal(first.predict_proba(X), again.predict_proba(X))
    np.testing.assert_allclose(first.predict_proba(X).sum(axis=1), 1)


def test_answers_are_the_labels_it_was_given(rng):
    y = np.array(["six", "nine"])[rng.integers(2, size=60)]
    X = np.where(y == "six", 1.0, -1.0)[:, None] + 0.1 * rng.standard_normal((60, 3))
    np.testing.assert_array_equal(FixedEpochsClassifier(hidden=8, random_state=0).fit(X, y).predict(X), y)


def test_one_class_is_refused():
    with pytest.raises(ParameterError, match="at least two classes"):
        FixedEpochsClassifier().fit(np.ones((4, 2)), np.zeros(4))
