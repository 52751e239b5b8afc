"""The estimators in the manner of scikit-learn."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from dasksvd import DASKSVD, KSVD, ParameterError, Settings, encode, encoders
from dasksvd.method.random_state import to_seed
from dasksvd.networks.fine_tuning import fine_tune_as
from dasksvd.parameters import PARAMETERS

#: Small enough for the tiny data sets of scikit-learn's checks.
CHECKED = [
    KSVD(n_atoms=3, q=2, ksvd_iter=2, random_state=0),
    DASKSVD(t=5, I=2, r_f=2.0, q=1, ksvd_iter=2, random_state=0),
    DASKSVD(t=5, I=2, r_f=2.0, q=1, ksvd_iter=2, random_state=0, encoder="threshold", fine_tune=2),
    KSVD(n_atoms=3, q=2, ksvd_iter=2, random_state=0, encoder="soft"),
    DASKSVD(t=5, I=2, r_f=2.0, q=1, ksvd_iter=2, random_state=0, encoder="soft", level=0.1),
]


@parametrize_with_checks(CHECKED)
def test_sklearn_checks(estimator, check):
    check(estimator)


def test_parameters_of_dasksvd_are_the_settings():
    defaults = DASKSVD().get_params()
    for name in ("random_state", "encoder", "level"):  # not of the method
        defaults.pop(name)
    assert defaults == {name: getattr(Settings(), name) for name in PARAMETERS if name != "seed"}


def test_fine_tuned_atoms_come_from_the_selected_ones(digits):
    """Oracle: the fine-tuning itself."""
    model = DASKSVD(t=60, I=2, r_f=0.25, ksvd_iter=2, random_state=0)
    usual = clone(model).fit(*digits)
    tuned = clone(model).set_params(fine_tune=2, encoder="threshold").fit(*digits)
    X, labels = digits[0], np.unique(digits[1], return_inverse=True)[1]
    np.testing.assert_array_equal(tuned.reselect(0, 0).atoms, usual.components_)
    expected = fine_tune_as(tuned.trajectory_.settings, np.float32(X), labels, usual.components_)
    np.testing.assert_allclose(tuned.components_, expected, atol=1e-5)
    assert not np.allclose(tuned.components_, usual.components_, atol=0.01)
    np.testing.assert_array_equal(tuned.transform(X[:9]), encoders.threshold(X[:9], tuned.components_, 4))


def test_fitted_attributes_agree(small_run, digits):
    X, _ = digits
    assert small_run.components_.shape == (30, 256)
    assert small_run.components_.dtype == np.float32
    np.testing.assert_array_equal(small_run.atom_classes_, np.tile(np.arange(10), 3))
    np.testing.assert_array_equal(small_run.components_, small_run.reselect(0, 0).atoms)
    codes = small_run.transform(X[:50])
    np.testing.assert_array_equal(codes, encode(X[:50], small_run.components_, 6))
    assert np.count_nonzero(codes, axis=1).max() <= 6


@pytest.mark.parametrize(
    "model",
    [
        KSVD(n_atoms=30, q=3, ksvd_iter=2, random_state=0),
        DASKSVD(t=60, I=2, r_f=0.25, ksvd_iter=2, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_codes_come_from_the_encoder_and_the_atoms_from_omp(model, digits):
    """Oracle: the encoders themselves."""
    usual = clone(model).fit(*digits)
    soft = clone(model).set_params(encoder="soft", level=0.2).fit(*digits)
    np.testing.assert_array_equal(soft.components_, usual.components_)
    np.testing.assert_array_equal(soft.transform(digits[0]), encoders.soft(digits[0], usual.components_, 0.2))
    assert (usual.encoder, usual.level) == ("omp", 0.3)
    with pytest.raises(ParameterError, match="unknown encoder 'other'"):
        clone(model).set_params(encoder="other").fit(*digits)
    with pytest.raises(ParameterError, match="level must be a number with 0 <= level <= 1"):
        clone(model).set_params(encoder="soft", level=2).fit(*digits)


def test_labels_may_be_words(digits):
    X, y = digits
    names = np.array(["even", "odd"])[y % 2]
    model = DASKSVD(t=60, I=2, r_f=0.25, ksvd_iter=3, random_state=0).fit(X, names)
    assert model.atom_classes_.tolist() == ["even", "odd", "even", "odd"]
    assert model.classes_.tolist() == ["even", "odd"]


def test_clone_and_set_params():
    model = clone(DASKSVD(q=7, I=3)).set_params(alpha=0.25)
    assert (model.q, model.I, model.alpha) == (7, 3, 0.25)


def test_pipeline_grid_search_and_set_output(digits):
    X, y = digits
    pipeline = make_pipeline(
        DASKSVD(t=40, I=2, r_f=0.25, ksvd_iter=2, random_state=0).set_output(transform="pandas"),
        LogisticRegression(max_iter=200, tol=0.1),
    )
    search = GridSearchCV(pipeline, {"dasksvd__alpha": [0.0, 1.0]}, cv=2).fit(X[::4], y[::4])
    assert search.best_score_ > 0.5
    columns = search.best_estimator_[0].transform(X[:2]).columns
    assert list(columns[:2]) == ["dasksvd0", "dasksvd1"]


def test_ksvd_learns_as_many_atoms_as_a_signal_has_values(digits):
    model = KSVD(ksvd_iter=1, q=3, random_state=0).fit(digits[0][:300, :20])
    assert model.components_.shape == (20, 20)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (KSVD(n_atoms=500), "got 500 for n_samples=100"),
        (KSVD(n_atoms=2.5), "n_atoms must be a whole number"),
        (KSVD(n_atoms=20, q=30), "q = 30 for 20 atoms"),
        (KSVD(n_atoms=20, ksvd_iter=0), "ksvd_iter must be"),
        (KSVD(n_atoms=20, tol=-1), "tol >= 0, got -1"),
        (KSVD(n_atoms=20, random_state="dice"), "random_state must be a whole number"),
        (DASKSVD(t=500), "t = 500, class 0 has 10"),
        (DASKSVD(t=5, alpha=0.9, beta=0.9), "got 0.9 .* 0.9 = 1.8"),
    ],
)
def test_bad_parameters_are_named(model, message, digits):
    X, y = digits
    chosen = np.concatenate([np.flatnonzero(y == label)[:10] for label in range(10)])
    with pytest.raises(ParameterError, match=message):
        model.fit(X[chosen], y[chosen])


def test_seeds_of_every_kind():
    assert to_seed(7) == to_seed(np.int32(7)) == 7
    assert to_seed(np.random.default_rng(1)) == to_seed(np.random.default_rng(1))
    assert to_seed(np.random.RandomState(1)) == to_seed(np.random.RandomState(1))
    assert to_seed(None) != to_seed(None)
