"""Laws of every registered network, and what the registry says of them."""

import subprocess
import sys

import numpy as np
import pytest

from dasksvd import ParameterError
from dasksvd.networks import NETWORKS, TrainingCost, register, training_cost
from dasksvd.search.networks import own_name, search_networks

NAMES = np.array(["ash", "birch", "cedar"])


@pytest.fixture(scope="module")
def toy():
    """Three groups of signals, far apart, whose labels are in no order; (3000, 6) float32."""
    rng = np.random.default_rng(3)
    numbers = rng.integers(3, size=3000)
    centres = 4 * np.eye(3, 6)
    return np.float32(centres[numbers] + 0.3 * rng.standard_normal((3000, 6))), NAMES[numbers]


@pytest.fixture(scope="module")
def fitted(toy):
    """A function that fits a network by name, once per seed."""
    found = {}

    def fit(name, seed=0):
        if (name, seed) not in found:
            found[name, seed] = NETWORKS[name].value(hidden=12, random_state=seed).fit(*toy)
        return found[name, seed]

    return fit


@pytest.mark.parametrize("name", NETWORKS)
class TestEveryNetwork:
    def test_learns_groups_that_are_far_apart(self, name, fitted, toy):
        X, y = toy
        answers = fitted(name).predict(X)
        assert answers.shape == y.shape
        assert np.mean(answers == y) > 0.99

    def test_probabilities_are_in_the_order_of_the_classes_and_sum_to_one(self, name, fitted, toy):
        X, y = toy
        model, probabilities = fitted(name), fitted(name).predict_proba(X)
        np.testing.assert_array_equal(model.classes_, NAMES)
        assert probabilities.shape == (3000, 3)
        assert probabilities.min() >= 0
        np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-6)
        assert np.mean(NAMES[probabilities.argmax(axis=1)] == y) > 0.99

    def test_validation_data_are_taken_by_place_and_by_name(self, name, toy):
        X, y = toy
        first = NETWORKS[name].value(hidden=5, random_state=1).fit(X, y, X[:50], y[:50])
        second = NETWORKS[name].value(hidden=5, random_state=1).fit(X, y, X_val=X[:50], y_val=y[:50])
        np.testing.assert_array_equal(first.predict_proba(X), second.predict_proba(X))

    def test_a_network_without_early_stopping_does_not_look_at_validation_data(self, name, toy):
        X, y = toy
        plain, shown = (
            NETWORKS[name].value(hidden=5, random_state=1).fit(X, y, *val).predict_proba(X)
            for val in ((), (X[:50], np.roll(y[:50], 1)))
        )
        assert np.array_equal(plain, shown) != NETWORKS[name].facts["early_stopping"]

    def test_survives_its_arrays(self, name, fitted, toy, tmp_path):
        X = toy[0]
        np.savez(tmp_path / "network.npz", **fitted(name).to_arrays())
        with np.load(tmp_path / "network.npz", allow_pickle=False) as arrays:
            again = NETWORKS[name].value.from_arrays(arrays)
        np.testing.assert_array_equal(again.predict_proba(X), fitted(name).predict_proba(X))
        np.testing.assert_array_equal(again.predict(X), fitted(name).predict(X))
        assert again.hidden == 12
        with pytest.raises(ValueError, match="7 features"):
            again.predict(np.ones((1, 7)))

    def test_the_seed_decides_everything(self, name, fitted, toy):
        X, y = toy
        again = NETWORKS[name].value(hidden=12, random_state=0).fit(X, y)
        np.testing.assert_array_equal(again.predict_proba(X), fitted(name).predict_proba(X))
        assert not np.array_equal(again.predict_proba(X), fitted(name, 1).predict_proba(X))

    def test_an_unfitted_network_has_no_arrays(self, name):
        with pytest.raises(ValueError, match="not fitted"):
            NETWORKS[name].value(hidden=3).to_arrays()

    def test_reports_its_epochs(self, name, toy):
        seen = []
        model = NETWORKS[name].value(hidden=4, random_state=0)
        model.fit(*toy, on_epoch=lambda epoch, loss, validation: seen.append(epoch))
        assert NETWORKS[name].facts["reports_epochs"]
        assert seen == list(range(1, model.n_iter_ + 1))

    def test_what_it_costs_is_told(self, name):
        cost = NETWORKS[name].facts["cost"]
        assert cost == training_cost(name)
        assert min(cost.epochs, cost.per_weight, cost.per_signal) > 0


def test_another_activation_survives_its_arrays(toy):
    model = NETWORKS["scg"].value(hidden=8, activation="satlin", max_epochs=20, random_state=0).fit(*toy)
    again = type(model).from_arrays(model.to_arrays())
    np.testing.assert_array_equal(again.predict_proba(toy[0]), model.predict_proba(toy[0]))


def test_an_unknown_name_is_told_with_the_known_ones():
    with pytest.raises(ParameterError, match="unknown network 'oracle'; known are modern, fixed, scg"):
        NETWORKS["oracle"]
    with pytest.raises(ParameterError, match="unknown network of a search 'oracle'; known are modern, scg"):
        own_name("oracle")


def test_stored_names_of_searches_mean_what_they_always_meant():
    """Scores of before are kept under "modern" and "scg"; "modern" was trained for a fixed number of epochs."""
    assert {name: own_name(name) for name in search_networks()} == {"modern": "fixed", "scg": "scg"}
    assert search_networks()["modern"].value is NETWORKS["fixed"].value


def test_a_new_network_costs_something_and_can_be_searched_with():
    register("new", title="New")(object)
    try:
        assert training_cost("new") == TrainingCost()
        assert own_name("new") == "new"
        assert search_networks()["new"].title == "New"
    finally:
        NETWORKS.unregister("new")


def test_listing_waits_for_neither_solver_nor_compiler():
    script = (
        "import sys; from dasksvd.networks import NETWORKS; from dasksvd.encoders import ENCODERS; "
        "assert all(entry.title for entry in [*NETWORKS.entries(), *ENCODERS.entries()]); "
        "import dasksvd.evaluate; print(*{'numba', 'sklearn'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "\n"
