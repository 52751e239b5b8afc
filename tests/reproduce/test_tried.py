"""What was tried: the rankings by hand, the rows of the table, and the committed file."""

import numpy as np
import pytest

from dasksvd.method.measures import ClassTables
from dasksvd.metrics import n_weights
from reproduce import tried


def tables(p, q, r):
    return ClassTables(*(np.asarray(table, float) for table in (p, q, r)))


def test_information_is_that_of_use_about_the_class():
    """Oracles: an atom that one of two classes always uses tells all, log 2; one that all use alike tells nothing."""
    p = [[1.0, 0.3], [0.0, 0.3]]
    np.testing.assert_allclose(tried.information(tables(p, p, p)), [np.log(2), 0], atol=1e-9)


def test_energy_lead_leaves_the_residual_out():
    """Residuals 5 and 1; atom 0 has energies 3 and 1, atom 1 is idle."""
    p = [[1.0, 0.0], [1.0, 0.0]]
    q = [[np.sqrt(3), 0.0], [1.0, 0.0]]
    r = [[8.0, 5.0], [2.0, 1.0]]
    np.testing.assert_allclose(tried.energy_lead(tables(p, q, r)), [2 / 3, 0])


@pytest.mark.parametrize("name", tried.VARIANTS)
def test_networks_have_equally_many_weights_to_within_a_unit(name):
    variant = tried.VARIANTS[name]
    inputs = 256 if variant.start == "pixels" else 400 if variant.split else 200
    with_atoms = 200 * 256 if variant.hidden == tried.RAW_WITH_ATOMS else 0
    one_unit = inputs + 11
    assert abs(n_weights(inputs, variant.hidden) - n_weights(200, 200) - with_atoms) < one_unit


def result(accuracy):
    return {"validation_accuracy": accuracy}


def test_summaries_are_paired_over_the_rounds_that_both_have():
    results = {"pixels/0/0": result(0.97), "pixels/1/0": result(0.98), "pixels/2/0": result(0.5)}
    results |= {"tuned/0/0": result(0.978), "tuned/0/1": result(0.980), "tuned/1/0": result(0.991)}
    found = tried.summaries(results)["tuned"]
    assert found["mean"] == pytest.approx(98.5)
    assert found["to pixels"].startswith("+1.00 ± ")
    assert "to das-ksvd" not in found


def test_features_of_a_variant(monkeypatch, digits, small_run):
    """Sparse as asked, signs told apart if asked, the same whenever asked."""
    signals, labels = digits

    class SmallRound:
        number = 0
        split = type("Split", (), {"train_signals": signals[:600], "val_signals": signals[600:700]})
        split.train_labels = labels[:600]

    monkeypatch.setitem(tried.STARTS, "das-ksvd", lambda round_: small_run.trajectory_.reselect(0, 0).atoms)
    variant = tried.Variant(n_nonzero=6, split=True, tuning=tried.Tuning(epochs=1))
    train, val = tried.features(SmallRound(), variant)
    assert train.shape == (600, 60)
    assert np.count_nonzero(val, axis=1).max() <= 6
    assert val.min() == 0
    np.testing.assert_array_equal(val, tried.features(SmallRound(), variant)[1])


def test_the_committed_summary_is_that_of_the_committed_results():
    stored = tried.stored_file()
    assert stored["summary"] == tried.summaries(stored["results"])
    assert set(stored["variants"]) == set(tried.VARIANTS)
