"""The training that makes the shipped reader and the judge."""

import numpy as np

from reproduce.default_model import BATCH, epochs_of, start_weights


def slowly(weights, inputs, labels, epochs, rate, rng):
    """The oracle: Adam in float64 with a rate that falls along half a cosine, batch after whole batch."""
    weights = [np.float64(layer) for layer in weights]
    means, squares = ([np.zeros_like(layer) for layer in weights] for _ in range(2))
    whole, done = len(inputs) // BATCH, 0
    for _ in range(epochs):
        order = rng.permutation(len(inputs))
        for batch in order[: whole * BATCH].reshape(whole, BATCH):
            step = rate * (1 + np.cos(np.pi * done / (epochs * whole))) / 2
            done += 1
            sums = inputs[batch] @ weights[0] + weights[1]
            hidden = np.maximum(sums, 0)
            odds = np.exp(hidden @ weights[2] + weights[3])
            error = (odds / odds.sum(axis=1, keepdims=True) - np.eye(odds.shape[1])[labels[batch]]) / BATCH
            back = error @ weights[2].T * (sums > 0)
            gradients = inputs[batch].T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)
            for layer, mean, square, gradient in zip(weights, means, squares, gradients, strict=True):
                mean += 0.1 * (gradient - mean)
                square += 0.001 * (gradient**2 - square)
                layer -= step * mean / (1 - 0.9**done) / (np.sqrt(square / (1 - 0.999**done)) + 1e-8)
    return weights


def test_training_is_adam_with_a_rate_that_falls_along_half_a_cosine(rng):
    labels = rng.integers(0, 3, 3 * BATCH + 7)
    inputs = np.float32(rng.standard_normal((len(labels), 5)) + labels[:, None])
    weights = start_weights(5, 8, rng, n_classes=3)
    expected = slowly(weights.parts, inputs, labels, 4, 0.01, np.random.default_rng(1))
    assert list(epochs_of(weights, inputs, labels, 4, 0.01, np.random.default_rng(1))) == [0, 1, 2, 3]
    for layer, wanted in zip(weights.parts, expected, strict=True):
        np.testing.assert_allclose(layer, wanted, atol=2e-4)
