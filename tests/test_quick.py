"""The network of the searches."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.utils.estimator_checks import parametrize_with_checks

from dasksvd import ParameterError, quick
from dasksvd.quick import QuickClassifier


@parametrize_with_checks([QuickClassifier(hidden=10)])
def test_sklearn_compatible(estimator, check):
    check(estimator)


def test_gradients_vs_finite_differences(rng):
    weights = [layer.astype(np.float64) for layer in quick._start(4, 6, 3, rng)]
    inputs, targets = rng.standard_normal((9, 4)), np.eye(3)[rng.integers(3, size=9)]

    def loss():
        return -np.mean(np.log((quick._softmax(quick._forward(inputs, weights)[1]) * targets).sum(axis=1)))

    for layer, gradient in zip(weights, quick._gradients(inputs, targets, weights), strict=True):
        for place in np.ndindex(layer.shape):
            layer[place] += 1e-6
            above = loss()
            layer[place] -= 2e-6
            slope = (above - loss()) / 2e-6
            layer[place] += 1e-6
            assert gradient[place] == pytest.approx(slope, abs=1e-6)


def test_first_step_of_adam_is_the_learning_rate_along_the_sign(rng):
    weights = [np.zeros(5, np.float32)]
    gradient = rng.standard_normal(5).astype(np.float32)
    quick._Adam(weights, n_steps=10).step([gradient])
    np.testing.assert_allclose(weights[0], -quick.LEARNING_RATE * np.sign(gradient), rtol=1e-4)


def test_learns_digits_and_repeats_itself():
    X, y = load_digits(return_X_y=True)
    first = QuickClassifier(hidden=60, random_state=1).fit(X[:1400], y[:1400])
    again = QuickClassifier(hidden=60, random_state=1).fit(X[:1400], y[:1400])
    assert np.mean(first.predict(X[1400:]) == y[1400:]) > 0.92
    np.testing.assert_array_equal(first.predict_proba(X), again.predict_proba(X))
    np.testing.assert_allclose(first.predict_proba(X).sum(axis=1), 1)


def test_one_class_is_refused():
    with pytest.raises(ParameterError, match="at least two classes"):
        QuickClassifier().fit(np.ones((4, 2)), np.zeros(4))
