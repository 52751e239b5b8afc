"""The paper's network and today's: gradients, validation, scikit-learn's manner."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.utils.estimator_checks import parametrize_with_checks

from dasksvd import ModernClassifier, ParameterError, SCGClassifier
from dasksvd.saturating import SquaredError, Workers

CHECKED = [
    SCGClassifier(hidden=10, max_epochs=300, random_state=0),
    ModernClassifier(hidden=10, max_epochs=150, patience=150, random_state=0),
]


@parametrize_with_checks(CHECKED)
def test_sklearn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def data():
    digits = load_digits()
    X, y = digits.data.astype(np.float32), digits.target
    return X[:1000], y[:1000], X[1000:1400], y[1000:1400], X[1400:], y[1400:]


def problem_of(rng, workers, n=2300, d=7, h=6, k=3, low=-1.0):
    """A problem of three blocks, with weights large enough to saturate some units."""
    X = rng.standard_normal((n, d)).astype(np.float32)
    targets = np.eye(k, dtype=np.float32)[rng.integers(0, k, n)]
    start = (rng.standard_normal((d + 1) * h + (h + 1) * k) * 0.4).astype(np.float32)
    return SquaredError(X, targets, start, h, low, workers), X, targets


def direct_loss(flat, X, targets, problem, low):
    first, second = (layer.astype(float) for layer in problem.layers(flat))
    hidden = np.clip(X.astype(float) @ first[:-1] + first[-1], low, 1)
    outputs = np.clip(hidden @ second[:-1] + second[-1], low, 1)
    return np.mean((outputs - targets) ** 2)


@pytest.mark.parametrize("low", [-1.0, 0.0])
def test_loss_and_gradient_vs_finite_differences(rng, low):
    with Workers() as workers:
        problem, X, targets = problem_of(rng, workers, low=low)
        gradient = np.empty_like(problem.point)
        loss = problem.begin(gradient)
        assert loss == pytest.approx(direct_loss(problem.point, X, targets, problem, low), rel=1e-5)
        point = problem.point.astype(float)
        for i in range(0, len(point), 5):
            step = np.zeros_like(point)
            step[i] = 1e-5
            ahead, behind = (direct_loss(point + sign * step, X, targets, problem, low) for sign in (1, -1))
            assert (ahead - behind) / 2e-5 == pytest.approx(gradient[i], rel=0.02, abs=2e-5)


def test_a_wide_network_leaves_its_linear_range(data):
    X, y, X_val, y_val, *_ = data
    wide = SCGClassifier(hidden=1000, max_epochs=60, random_state=0).fit(X, y, X_val, y_val)
    ones = np.column_stack([X, np.ones(len(X))]).astype(float)
    targets = np.eye(10)[y]
    linear = np.linalg.lstsq(ones, targets, rcond=None)[0]  # the best that units in their linear range can do
    assert wide.loss_curve_[-1] < 0.5 * np.mean((ones @ linear - targets) ** 2)


def test_steps_and_curvature_vs_direct_loss(rng):
    with Workers() as workers:
        problem, X, targets = problem_of(rng, workers)
        gradient = np.empty_like(problem.point)
        problem.begin(gradient)
        direction = -gradient
        curvature = problem.curvature(direction)
        start = problem.point.astype(float)
        losses = [direct_loss(start + length * direction, X, targets, problem, -1.0) for length in (-1e-3, 0, 1e-3)]
        assert (losses[0] - 2 * losses[1] + losses[2]) / 1e-6 == pytest.approx(curvature, rel=0.1)
        for length in (0.3, 0.7):
            expected = direct_loss(start + length * direction, X, targets, problem, -1.0)
            assert problem.try_step(length) == pytest.approx(expected, rel=1e-4)
        problem.accept(gradient)
        np.testing.assert_allclose(problem.point, start + 0.7 * direction, atol=1e-5)
        fresh = SquaredError(X, targets, problem.point.copy(), 6, -1.0, workers)
        expected = np.empty_like(gradient)
        fresh.begin(expected)
        np.testing.assert_allclose(gradient, expected, atol=1e-6)


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


def test_the_weights_with_the_smallest_validation_error_are_kept(data):
    X, y, X_val, y_val, _, _ = data
    seen = []
    model = SCGClassifier(hidden=60, patience=25, random_state=1)
    model.fit(X[:150], y[:150], X_val, y_val, on_epoch=lambda *epoch: seen.append(epoch))
    assert [epoch for epoch, _, _ in seen] == list(range(1, model.n_iter_ + 1))
    np.testing.assert_array_equal(model.validation_curve_, [error for _, _, error in seen])
    best = int(np.argmin(model.validation_curve_))
    assert model.n_iter_ - 1 - best == 25
    outputs = np.clip(model._outputs(X_val, clipped=True), -1, 1)
    kept = np.mean((outputs - (y_val[:, None] == model.classes_)) ** 2)
    assert kept == pytest.approx(model.validation_curve_[best], rel=1e-5)


@pytest.mark.parametrize("kind", [SCGClassifier, ModernClassifier])
def test_same_seed_same_bits_other_seed_other_weights(kind, data):
    X, y, X_val, y_val, _, _ = data
    models = [kind(hidden=10, max_epochs=20, random_state=seed).fit(X, y, X_val, y_val) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(models[0].weights_[0], models[1].weights_[0])
    assert not np.array_equal(models[0].weights_[0], models[2].weights_[0])


def test_decay_makes_weights_smaller(data):
    sizes = [
        sum(
            float(np.sum(layer**2))
            for layer in ModernClassifier(hidden=20, decay=decay, random_state=0).fit(*data[:2]).weights_
        )
        for decay in (0.0, 100.0)
    ]
    assert sizes[1] < 0.5 * sizes[0]


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
