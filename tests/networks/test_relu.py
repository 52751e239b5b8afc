"""The forward pass, the gradients and Adam, against slow versions in float64."""

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier

from dasksvd.networks import relu
from dasksvd.networks.fixed_epochs import start

RATE = 0.004


def layers_of(flat):
    """One array of weights for Adam."""
    layers = relu.Layers([flat.shape])
    layers.parts[0][:] = flat
    return layers


def test_layers_are_views_into_one_array(rng):
    layers = relu.Layers([(3, 4), (4,), (4, 2), (2,)])
    assert [part.shape for part in layers.parts] == [(3, 4), (4,), (4, 2), (2,)]
    layers.flat[:] = rng.standard_normal(26)
    np.testing.assert_array_equal(np.concatenate([part.ravel() for part in layers.parts]), layers.flat)


def test_forward_and_softmax_vs_scikit_learn(rng):
    """Oracle: MLPClassifier with the same weights."""
    X, y = rng.standard_normal((60, 5)), rng.integers(3, size=60)
    network = MLPClassifier((7,), max_iter=3, random_state=0).partial_fit(X, y, classes=[0, 1, 2])
    (first, second), (first_bias, second_bias) = network.coefs_, network.intercepts_
    hidden, scores = relu.forward(X, (first, first_bias, second, second_bias))
    assert hidden.shape == (60, 7)
    assert 0 == hidden.min() < hidden.max()
    np.testing.assert_allclose(relu.softmax(scores), network.predict_proba(X), rtol=1e-12)


def test_softmax_of_huge_scores_is_finite():
    np.testing.assert_allclose(relu.softmax(np.array([[1e4, 0.0], [-1e4, -1e4]])), [[1, 0], [0.5, 0.5]])


@pytest.mark.parametrize("decay", [0.0, 0.7])
def test_gradients_vs_finite_differences(rng, decay):
    weights = [layer + 0.1 for layer in start(4, 6, 3, rng).parts]
    weights = [layer.astype(np.float64) for layer in weights]
    inputs, labels = rng.standard_normal((9, 4)), rng.integers(3, size=9)

    def loss():
        likely = relu.softmax(relu.forward(inputs, weights)[1])[np.arange(9), labels]
        return -np.mean(np.log(likely)) + decay / 18 * sum(np.sum(weights[place] ** 2) for place in (0, 2))

    found = relu.Layers([layer.shape for layer in weights])
    assert relu.gradients(inputs, labels, weights, decay, found) == pytest.approx(loss())
    for layer, gradient in zip(weights, found.parts, strict=True):
        for place in np.ndindex(layer.shape):
            layer[place] += 1e-6
            above = loss()
            layer[place] -= 2e-6
            slope = (above - loss()) / 2e-6
            layer[place] += 1e-6
            assert gradient[place] == pytest.approx(slope, abs=1e-6)


def test_gradient_by_the_inputs_vs_finite_differences(rng):
    weights = [layer.astype(np.float64) + 0.1 for layer in start(4, 6, 3, rng).parts]
    inputs, labels = rng.standard_normal((9, 4)), rng.integers(3, size=9)
    found, by_inputs = relu.Layers([layer.shape for layer in weights]), np.empty((9, 4))
    relu.gradients(inputs, labels, weights, 0.7, found, by_inputs)

    def loss(moved):
        return relu.gradients(moved, labels, weights, 0.7, found)

    for place in np.ndindex(inputs.shape):
        step = np.zeros_like(inputs)
        step[place] = 1e-6
        slope = (loss(inputs + step) - loss(inputs - step)) / 2e-6
        assert by_inputs[place] == pytest.approx(slope, abs=1e-7)


def test_first_step_of_adam_is_the_learning_rate_along_the_sign(rng):
    weights = layers_of(np.zeros(5))
    gradient = rng.standard_normal(5).astype(np.float32)
    relu.Adam(weights, lambda done: RATE).step(gradient)
    np.testing.assert_allclose(weights.flat, -RATE * np.sign(gradient), rtol=1e-4)


def slow_adam(weights, gradients):
    """Adam as printed (Kingma and Ba 2015) in float64, its rate falling linearly to zero after the last gradient."""
    mean, square, w = np.zeros_like(weights), np.zeros_like(weights), weights.astype(float)
    for step, gradient in enumerate(gradients, start=1):
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        rate = 0.004 * (1 - (step - 1) / len(gradients))
        w = w - rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return w


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_every_step_of_adam_vs_the_printed_algorithm(rng, precision):
    gradients = rng.standard_normal((25, 6)) * np.geomspace(1e-3, 10, 6)
    start_at = rng.standard_normal(6).astype(np.float32)
    weights = layers_of(start_at)
    adam = relu.Adam(weights, lambda done: RATE * (1 - done / 25), precision)
    for gradient in gradients:
        adam.step(np.float32(gradient))
    np.testing.assert_allclose(weights.flat, slow_adam(start_at, gradients), atol=1e-5)


def test_an_epoch_takes_every_signal_once_in_the_given_order(rng, monkeypatch):
    seen, sizes = [], []

    def recording(inputs, labels, weights, decay, found):
        sizes.append(len(inputs))
        seen.extend(zip(inputs[:, 0].tolist(), labels.tolist(), len(inputs) * [decay], strict=True))
        return 2.0

    monkeypatch.setattr(relu, "gradients", recording)
    order = rng.permutation(7)
    adam = relu.Adam(relu.Layers([(1, 2), (2,), (2, 2), (2,)]), lambda done: RATE)
    loss = relu.run_epoch(adam, np.arange(7.0)[:, None], np.arange(7), order, 3, 0.5)
    assert sizes == [3, 3, 1]
    assert seen == [(place, place, 0.5) for place in order]
    assert loss == pytest.approx(2.0)
