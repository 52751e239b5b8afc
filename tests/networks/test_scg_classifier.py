"""The paper's network: start, answers, validation, scikit-learn's manner."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from dasksvd import SCGClassifier
from dasksvd.networks import scg_classifier
from dasksvd.networks.saturating import split_layers
from dasksvd.networks.scg import Epoch, descend
from dasksvd.networks.scg_classifier import start_spread


@parametrize_with_checks([SCGClassifier(hidden=10, max_epochs=300, random_state=0)])
def test_sklearn_checks(estimator, check):
    check(estimator)


def test_a_wide_network_leaves_its_linear_range(data):
    X, y, X_val, y_val, *_ = data
    wide = SCGClassifier(hidden=1000, max_epochs=60, random_state=0).fit(X, y, X_val, y_val)
    ones = np.column_stack([X, np.ones(len(X))]).astype(float)
    targets = np.eye(10)[y]
    linear = np.linalg.lstsq(ones, targets, rcond=None)[0]  # the best that units in their linear range can do
    assert wide.loss_curve_[-1] < 0.5 * np.mean((ones @ linear - targets) ** 2)


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


def test_refused_steps_count_as_epochs_without_a_smaller_error(data, monkeypatch):
    """A descent that stands still after its first step is left after ``patience`` epochs."""
    told = []

    def standstill(problem, *, on_epoch, **_):
        problem.begin(np.empty_like(problem.point))
        while len(told) < 20 and not any(told):
            told.append(on_epoch(Epoch(len(told) + 1, 1.0, 1.0, accepted=not told)))

    monkeypatch.setattr(scg_classifier, "descend", standstill)
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
        patch.setattr(scg_classifier, "descend", recording)
        model = SCGClassifier(hidden=12, max_epochs=25, random_state=0).fit(X, y, X_val, y_val)
    targets = np.eye(10)[y_val]
    for (first, second), error in zip(points, model.validation_curve_, strict=True):
        hidden = np.clip(X_val / model.scale_ @ first[:-1] + first[-1], -1, 1)
        outputs = np.clip(hidden @ second[:-1] + second[-1], -1, 1)
        assert error == pytest.approx(np.mean((outputs - targets) ** 2), rel=1e-4)
    best = int(np.argmin(model.validation_curve_))
    for layer, expected in zip(model.weights_, points[best], strict=True):
        np.testing.assert_array_equal(layer, expected)


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
