"""The paper's network and today's: gradients, validation, scikit-learn's manner."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from dasksvd import ModernClassifier, ParameterError, SCGClassifier
from dasksvd.networks import mlp, saturating
from dasksvd.networks.mlp import _with_validation, start_spread
from dasksvd.networks.saturating import SquaredError, Workers, split_layers
from dasksvd.networks.scg import Epoch, descend, minimise

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


@pytest.mark.parametrize("low", [-1.0, 0.0])
@pytest.mark.parametrize("direction", ["random", "gradient"])
def test_curvature_vs_second_difference_where_both_layers_move(rng, low, direction):
    """Over a step so short that no unit meets its end; the product of the layers' changes is a large part of it."""
    with Workers() as workers:
        problem, X, targets = problem_of(rng, workers, n=300, low=low)
        gradient = np.empty_like(problem.point)
        problem.begin(gradient)
        along = rng.standard_normal(len(gradient)).astype(np.float32) if direction == "random" else -20 * gradient
        start = problem.point.astype(float)
        losses = [direct_loss(start + h * along, X, targets, problem, low) for h in (-1e-6, 0, 1e-6)]
        expected = (losses[0] - 2 * losses[1] + losses[2]) / 1e-12
        assert problem.curvature(along) == pytest.approx(expected, rel=5e-3)
        W2, P1, P2 = (problem.layers(flat)[i].astype(float) for flat, i in ((start, 1), (along, 0), (along, 1)))
        W1 = problem.layers(start)[0]
        sums = X @ W1[:-1] + W1[-1]
        hidden = np.clip(sums, low, 1)
        outputs = hidden @ W2[:-1] + W2[-1]
        moved = (X @ P1[:-1] + P1[-1]) * (hidden == sums)
        inside = (outputs > low) & (outputs < 1)
        mixed = 4 * np.sum(inside * (outputs - targets) * (moved @ P2[:-1])) / targets.size
        if direction == "random":
            assert abs(mixed) > 0.05 * abs(expected)


@pytest.mark.parametrize("low", [-1.0, 0.0])
def test_a_descent_vs_the_same_on_a_plain_function(rng, low):
    """The oracle knows no blocks, no kept sums and no exact curvature: loss and gradient in float64, from scratch."""
    with Workers() as workers:
        problem, X, targets = problem_of(rng, workers, n=1200, low=low)
        start = problem.point.astype(float)

        def function(flat):
            W1, W2 = problem.layers(flat)
            sums = X @ W1[:-1] + W1[-1]
            hidden = np.clip(sums, low, 1)
            outputs = hidden @ W2[:-1] + W2[-1]
            errors = np.clip(outputs, low, 1) - targets
            back = errors * (outputs >= low) * (outputs <= 1) * 2 / targets.size
            second = np.vstack([hidden.T @ back, back.sum(axis=0)])
            back = back @ W2[:-1].T * (sums >= low) * (sums <= 1)
            first = np.vstack([X.T @ back, back.sum(axis=0)])
            return np.mean(errors**2), np.concatenate([first.ravel(), second.ravel()])

        ours, theirs = [], []
        descend(problem, max_epochs=12, on_epoch=lambda epoch: ours.append(epoch.loss))
        minimise(function, start, max_epochs=12, on_epoch=lambda epoch: theirs.append(epoch.loss))
    np.testing.assert_allclose(ours, theirs, rtol=3e-3)


def test_what_is_kept_along_the_way_does_not_drift(rng):
    """More accepted steps than lie between two refreshments: loss and gradient are those of the point."""
    with Workers() as workers:
        problem, X, targets = problem_of(rng, workers, n=1200)
        result = descend(problem, max_epochs=3 * saturating.REFRESH)
        assert problem._n_accepted > 2 * saturating.REFRESH
        assert result.loss == pytest.approx(direct_loss(problem.point, X, targets, problem, -1.0), rel=1e-5)
        gradient = np.empty_like(problem.point)
        SquaredError(X, targets, problem.point.copy(), 6, -1.0, workers).begin(gradient)
        assert np.linalg.norm(gradient) == pytest.approx(result.gradient_norm, rel=0.02)


def test_kept_sums_are_refreshed_after_so_many_steps(rng, monkeypatch):
    """Sums spoiled on purpose are right again after the next refreshment."""
    monkeypatch.setattr(saturating, "REFRESH", 3)
    with Workers() as workers:
        problem, X, _ = problem_of(rng, workers, n=1200)
        gradient = np.empty_like(problem.point)
        problem.begin(gradient)
        for step in range(3):
            problem._blocks[0].sums[:] += 0.01
            problem.curvature(-gradient)
            problem.try_step(0.01)
            problem.accept(gradient)
            W1 = problem.layers(problem.point)[0]
            sums = X[: saturating.BLOCK_ROWS] @ W1[:-1] + W1[-1]
            assert np.allclose(problem._blocks[0].sums, sums, atol=1e-4) == (step == 2)


@pytest.mark.parametrize("hidden", [50, 316, 500, 1000, 3000])
def test_start_weights_grow_with_the_width(hidden):
    """D11: spread of the first layer's sums max(0.05, 0.5 (hidden / 1000)²), at most 1."""
    spread = {50: 0.05, 316: 0.05, 500: 0.125, 1000: 0.5, 3000: 1.0}[hidden]
    assert start_spread(hidden) == pytest.approx(spread, rel=1e-2)
    model = SCGClassifier(hidden=hidden)
    model.classes_ = np.arange(4)
    first, second = split_layers(model._start(90, np.random.default_rng(3)), (91, hidden), (hidden + 1, 4))
    assert first[:-1].std() * np.sqrt(90) == pytest.approx(spread, rel=0.05)
    assert second[:-1].std() * np.sqrt(hidden) == pytest.approx(0.1, rel=0.25)
    np.testing.assert_array_equal(first[-1], 0)
    np.testing.assert_allclose(second[-1], 1 / 4)


def test_units_from_0_to_1_start_in_the_middle_of_their_range(rng):
    model = SCGClassifier(hidden=30, activation="satlin")
    model.classes_ = np.arange(5)
    first, second = split_layers(model._start(20, rng), (21, 30), (31, 5))
    np.testing.assert_array_equal(first[-1], 0.5)
    # All hidden units at 0.5 give the targets' mean.
    np.testing.assert_allclose(0.5 * second[:-1].sum(axis=0) + second[-1], 1 / 5, rtol=1e-5)


@pytest.mark.parametrize("activation", ["satlins", "satlin"])
def test_answers_of_scg_vs_direct_formula(data, activation):
    X, y, X_val, y_val, X_test, _ = data
    model = SCGClassifier(hidden=15, activation=activation, max_epochs=30, random_state=0).fit(X, y, X_val, y_val)
    assert model.scale_ == pytest.approx(X.std(), rel=1e-5)
    low = {"satlins": -1, "satlin": 0}[activation]
    first, second = (layer.astype(float) for layer in model.weights_)
    assert (first.shape, second.shape) == ((65, 15), (16, 10))
    hidden = np.clip(X_test / model.scale_ @ first[:-1] + first[-1], low, 1)
    outputs = hidden @ second[:-1] + second[-1]
    np.testing.assert_array_equal(model.predict(X_test), outputs.argmax(axis=1))
    cut = np.clip(outputs, 0, 1)
    some = cut.sum(axis=1) > 0
    expected = cut[some] / cut[some].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X_test)[some], expected, atol=1e-5)
    assert np.any(outputs[some] > 1)
    assert some.mean() > 0.9


def test_where_no_output_is_positive_all_classes_are_equally_likely(data):
    X, y, *_ = data
    model = SCGClassifier(hidden=5, max_epochs=2, random_state=0).fit(X, y)
    model.weights_[1][:] = 0
    model.weights_[1][-1] = -0.5
    np.testing.assert_allclose(model.predict_proba(X[:3]), 0.1)


def test_answers_of_todays_network_vs_direct_formula(data):
    X, y, X_val, y_val, X_test, _ = data
    model = ModernClassifier(hidden=15, max_epochs=5, random_state=0).fit(X, y, X_val, y_val)
    assert model.scale_ == pytest.approx(X.std(), rel=1e-5)
    first, first_bias, second, second_bias = model.weights_
    assert (first.shape, second.shape) == ((64, 15), (15, 10))
    scores = np.maximum(X_test / model.scale_ @ first + first_bias, 0) @ second + second_bias
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    np.testing.assert_allclose(model.predict_proba(X_test), odds / odds.sum(axis=1, keepdims=True), atol=1e-6)
    np.testing.assert_array_equal(model.predict(X_test), scores.argmax(axis=1))


@pytest.mark.parametrize("patience", [2, 5])
def test_todays_network_keeps_the_weights_of_the_first_best_epoch_and_waits_as_long_as_told(data, patience):
    """The weights of every epoch are read from the network underneath, as the oracle for what is kept."""
    X, y, X_val, y_val, *_ = data
    weights, seen = [], []
    fit_once = MLPClassifier.partial_fit

    def recording(self, *args, **kwargs):
        result = fit_once(self, *args, **kwargs)
        weights.append([layer.copy() for layer in (*self.coefs_, *self.intercepts_)])
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MLPClassifier, "partial_fit", recording)
        model = ModernClassifier(hidden=25, max_epochs=200, patience=patience, random_state=2)
        model.fit(X[:200], y[:200], X_val, y_val, on_epoch=lambda *epoch: seen.append(epoch))
    best = int(np.argmax(model.validation_curve_))
    assert model.n_iter_ == len(seen) == len(model.validation_curve_) == best + 1 + patience < 200
    assert seen == [
        (epoch, loss, accuracy)
        for epoch, (loss, accuracy) in enumerate(zip(model.loss_curve_, model.validation_curve_, strict=True), 1)
    ]
    kept = [layer.astype(np.float32) for layer in (*model.network_.coefs_, *model.network_.intercepts_)]
    for layer, expected in zip(kept, weights[best], strict=True):
        np.testing.assert_array_equal(layer, expected)
    assert not np.array_equal(kept[0], weights[-1][0])
    assert np.mean(model.predict(X_val) == y_val) == model.validation_curve_[best]


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
    train, train_y, val, val_y = _with_validation(model, X, y, None, None, np.random.default_rng(1))
    np.testing.assert_allclose(np.bincount(val_y), fraction * np.array([200, 120, 80]))
    rows = {tuple(row): label for row, label in zip(X, y, strict=True)}
    parts = [*zip(train, train_y, strict=True), *zip(val, val_y, strict=True)]
    assert len({tuple(row) for row, _ in parts}) == len(parts) == 400
    assert all(rows[tuple(row)] == label for row, label in parts)


def test_what_is_held_out_depends_on_the_random_numbers():
    X, y = np.arange(200.0)[:, None], np.arange(200) % 2
    parts = [_with_validation(SCGClassifier(), X, y, None, None, np.random.default_rng(seed))[2] for seed in (0, 0, 1)]
    np.testing.assert_array_equal(parts[0], parts[1])
    assert not np.array_equal(parts[0], parts[2])


def test_refused_steps_count_as_epochs_without_a_smaller_error(data, monkeypatch):
    """A descent that stands still after its first step is left after ``patience`` epochs."""
    told = []

    def standstill(problem, *, on_epoch, **_):
        problem.begin(np.empty_like(problem.point))
        while len(told) < 20 and not any(told):
            told.append(on_epoch(Epoch(len(told) + 1, 1.0, 1.0, accepted=not told)))

    monkeypatch.setattr(mlp, "descend", standstill)
    model = SCGClassifier(hidden=5, patience=4, random_state=0).fit(*data[:4])
    assert told == [False] * 4 + [True]
    assert len(set(model.validation_curve_)) == 1


def test_validation_data_that_are_given_are_taken_and_none_is_held_out(data):
    X, y, X_val, y_val, *_ = data
    model = SCGClassifier(hidden=6, max_epochs=3, random_state=0).fit(X, y, X_val, y_val)
    assert model.scale_ == pytest.approx(X.std(), rel=1e-6)
    flipped = SCGClassifier(hidden=6, max_epochs=3, random_state=0).fit(X, y, X_val, (y_val + 1) % 10)
    assert flipped.loss_curve_ == model.loss_curve_
    assert flipped.validation_curve_ != model.validation_curve_


def test_the_error_on_the_validation_data_is_that_of_the_direct_formula(data):
    """After every epoch, on weights read from the descent."""
    X, y, X_val, y_val, *_ = data
    points = []

    def recording(problem, *, on_epoch, **options):
        def watch(epoch):
            points.append(tuple(layer.copy() for layer in problem.layers(problem.point)))
            return on_epoch(epoch)

        return descend(problem, on_epoch=watch, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mlp, "descend", recording)
        model = SCGClassifier(hidden=12, max_epochs=25, random_state=0).fit(X, y, X_val, y_val)
    targets = np.eye(10)[y_val]
    for (first, second), error in zip(points, model.validation_curve_, strict=True):
        hidden = np.clip(X_val / model.scale_ @ first[:-1] + first[-1], -1, 1)
        outputs = np.clip(hidden @ second[:-1] + second[-1], -1, 1)
        assert error == pytest.approx(np.mean((outputs - targets) ** 2), rel=1e-4)
    best = int(np.argmin(model.validation_curve_))
    for layer, expected in zip(model.weights_, points[best], strict=True):
        np.testing.assert_array_equal(layer, expected)


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
