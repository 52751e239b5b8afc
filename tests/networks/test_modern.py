"""Today's network: scikit-learn's training bit by bit, answers, early stopping, scikit-learn's manner."""

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from dasksvd import ModernClassifier
from dasksvd.networks import relu


@parametrize_with_checks([ModernClassifier(hidden=10, max_epochs=30, patience=30, random_state=0)])
def test_sklearn_checks(estimator, check):
    check(estimator)


def trained_by_sklearn(model, X, y, seed, n_epochs):
    """Losses and weights after each epoch of scikit-learn's own training."""
    network = MLPClassifier(
        (model.hidden,), alpha=model.decay, batch_size=min(len(X), relu.batch_size(len(X))), random_state=seed
    )
    inputs, losses, weights = np.float32(X / model.scale_), [], []
    for _ in range(n_epochs):
        network.partial_fit(inputs, y, classes=model.classes_)
        (first, second), (first_bias, second_bias) = network.coefs_, network.intercepts_
        losses.append(network.loss_)
        weights.append([layer.copy() for layer in (first, first_bias, second, second_bias)])
    return losses, weights


@pytest.mark.parametrize(("n", "hidden", "decay"), [(1000, 30, 1e-4), (1000, 7, 3.0), (150, 12, 0.0)])
def test_training_gives_the_bits_of_scikit_learn(data, n, hidden, decay):
    """Oracle: MLPClassifier.partial_fit with as many signals per step."""
    X, y = data[0][:n], data[1][:n]
    model = ModernClassifier(hidden=hidden, decay=decay, max_epochs=4, random_state=5).fit(X, y, X, y)
    losses, weights = trained_by_sklearn(model, X, y, 5, model.n_iter_)
    np.testing.assert_allclose(model.loss_curve_, losses, rtol=1e-5)
    for layer, expected in zip(model.weights_, weights[int(np.argmax(model.validation_curve_))], strict=True):
        np.testing.assert_array_equal(layer, expected)


def test_answers_of_todays_network_vs_direct_formula(data):
    X, y, X_val, y_val, X_test, _ = data
    model = ModernClassifier(hidden=15, max_epochs=5, random_state=0).fit(X, y, X_val, y_val)
    assert model.scale_ == pytest.approx(X.std(), rel=1e-5)
    first, first_bias, second, second_bias = (layer.astype(float) for layer in model.weights_)
    assert (first.shape, second.shape) == ((64, 15), (15, 10))
    scores = np.maximum(X_test / model.scale_ @ first + first_bias, 0) @ second + second_bias
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    np.testing.assert_allclose(model.predict_proba(X_test), odds / odds.sum(axis=1, keepdims=True), atol=1e-6)
    np.testing.assert_array_equal(model.predict(X_test), scores.argmax(axis=1))


@pytest.mark.parametrize("patience", [2, 5])
def test_todays_network_keeps_the_weights_of_the_first_best_epoch_and_waits_as_long_as_told(data, patience):
    """Oracle: the weights of every epoch of scikit-learn's own training."""
    X, y, X_val, y_val, *_ = data
    seen = []
    model = ModernClassifier(hidden=25, max_epochs=200, patience=patience, random_state=2)
    model.fit(X[:500], y[:500], X_val, y_val, on_epoch=lambda *epoch: seen.append(epoch))
    _, weights = trained_by_sklearn(model, X[:500], y[:500], 2, model.n_iter_)
    best = int(np.argmax(model.validation_curve_))
    assert model.n_iter_ == len(seen) == len(model.validation_curve_) == best + 1 + patience < 200
    assert seen == [
        (epoch, loss, accuracy)
        for epoch, (loss, accuracy) in enumerate(zip(model.loss_curve_, model.validation_curve_, strict=True), 1)
    ]
    for layer, expected in zip(model.weights_, weights[best], strict=True):
        np.testing.assert_array_equal(layer, expected)
    assert not np.array_equal(model.weights_[0], weights[-1][0])
    assert np.mean(model.predict(X_val) == y_val) == model.validation_curve_[best]


@pytest.mark.parametrize("seed", range(4))
def test_few_signals_are_learned_from_too(data, seed):
    """72 digits of three classes, as of a visitor's first try, were not left at their random start by 8 epochs."""
    X, y, *_ = data
    at = np.concatenate([np.flatnonzero(y == label)[:30] for label in (0, 1, 2)])
    held_out = np.arange(90) % 5 == 0
    model = ModernClassifier(hidden=30, random_state=seed)
    model.fit(X[at[~held_out]], y[at[~held_out]], X[at[held_out]], y[at[held_out]])
    assert model.score(X[at[held_out]], y[at[held_out]]) > 0.9
    sure = model.predict_proba(X[at[held_out]])[np.arange(18), y[at[held_out]]]
    assert np.median(sure) > 0.8  # not the first of many epochs that read all of 18


@pytest.mark.parametrize(("n", "batch", "longer"), [(72, 10, 7), (500, 10, 1), (10_000, 200, 1), (50_000, 200, 1)])
def test_small_sets_are_passed_over_more_often(n, batch, longer):
    model = ModernClassifier(hidden=2, max_epochs=2, random_state=0)
    X, y = np.random.default_rng(0).standard_normal((n, 2)).astype(np.float32), np.arange(n) % 2
    assert relu.batch_size(n) == batch
    assert model.fit(X, y, X[:50], y[:50]).n_iter_ == 2 * longer


def test_decay_makes_weights_smaller(data):
    sizes = [
        sum(
            float(np.sum(layer**2))
            for layer in ModernClassifier(hidden=20, decay=decay, random_state=0).fit(*data[:2]).weights_
        )
        for decay in (0.0, 100.0)
    ]
    assert sizes[1] < 0.5 * sizes[0]
