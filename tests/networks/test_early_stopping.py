"""The two networks with early stopping: validation data, epochs, seeds, bad parameters."""

import numpy as np
import pytest

from dasksvd import ModernClassifier, ParameterError, SCGClassifier
from dasksvd.networks.base import with_validation


@pytest.mark.parametrize("kind", [SCGClassifier, ModernClassifier])
def test_never_more_epochs_than_allowed(kind, data):
    model = kind(hidden=8, max_epochs=7, patience=100, random_state=0).fit(*data[:4])
    assert model.n_iter_ == len(model.loss_curve_) == len(model.validation_curve_) == 7


@pytest.mark.parametrize("kind", [SCGClassifier, ModernClassifier])
@pytest.mark.parametrize("fraction", [0.1, 0.25])
def test_without_validation_data_that_share_of_each_class_is_held_out(kind, fraction, data):
    """Judged by what the network is given: rows that repeat their number, so that each is known again."""
    y = np.repeat([0, 1, 2], [200, 120, 80])
    X = np.random.default_rng(0).standard_normal((400, 6)).astype(np.float32)
    model = kind(hidden=4, max_epochs=1, validation_fraction=fraction, random_state=0)
    train, train_y, val, val_y = with_validation(model, X, y, None, None, np.random.default_rng(1))
    np.testing.assert_allclose(np.bincount(val_y), fraction * np.array([200, 120, 80]))
    rows = {tuple(row): label for row, label in zip(X, y, strict=True)}
    parts = [*zip(train, train_y, strict=True), *zip(val, val_y, strict=True)]
    assert len({tuple(row) for row, _ in parts}) == len(parts) == 400
    assert all(rows[tuple(row)] == label for row, label in parts)


def test_what_is_held_out_depends_on_the_random_numbers():
    X, y = np.arange(200.0)[:, None], np.arange(200) % 2
    parts = [with_validation(SCGClassifier(), X, y, None, None, np.random.default_rng(seed))[2] for seed in (0, 0, 1)]
    np.testing.assert_array_equal(parts[0], parts[1])
    assert not np.array_equal(parts[0], parts[2])


@pytest.mark.parametrize(
    "model", [SCGClassifier(hidden=40, random_state=0), ModernClassifier(hidden=40, random_state=0)]
)
def test_digits_are_learned(model, data):
    X, y, X_val, y_val, X_test, y_test = data
    model.fit(X, y, X_val, y_val)
    assert model.score(X_test, y_test) > 0.86
    probabilities = model.predict_proba(X_test)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-5)
    assert np.mean(probabilities.argmax(axis=1) == model.predict(X_test)) > 0.97


@pytest.mark.parametrize("kind", [SCGClassifier, ModernClassifier])
def test_same_seed_same_bits_other_seed_other_weights(kind, data):
    X, y, X_val, y_val, _, _ = data
    models = [kind(hidden=10, max_epochs=20, random_state=seed).fit(X, y, X_val, y_val) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(models[0].weights_[0], models[1].weights_[0])
    assert not np.array_equal(models[0].weights_[0], models[2].weights_[0])


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (SCGClassifier(hidden=0), "hidden must be a whole number of at least 1, got 0"),
        (SCGClassifier(activation="relu"), "activation must be one of satlins, satlin, got 'relu'"),
        (SCGClassifier(max_epochs=0), "max_epochs must be"),
        (SCGClassifier(validation_fraction=1.5), "0 < validation_fraction < 1, got 1.5"),
        (ModernClassifier(patience=0), "patience must be"),
        (ModernClassifier(decay=-1), "decay must be a number with decay ≥ 0, got -1"),
    ],
)
def test_bad_parameters_are_named(model, message, data):
    with pytest.raises(ParameterError, match=message):
        model.fit(data[0], data[1])


def test_validation_data_of_another_shape_are_named(data):
    with pytest.raises(ParameterError, match=r"X_val must have shape \(400, 64\), got \(400, 10\)"):
        SCGClassifier().fit(data[0], data[1], data[2][:, :10], data[3])
