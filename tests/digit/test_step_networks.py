"""Networks for codes of several lengths on the same atoms, their temperatures and their file."""

from dataclasses import replace

import numpy as np
import pytest

import dasksvd
from dasksvd.digit.reader import load_model
from dasksvd.errors import DamagedFile
from reproduce.calibration import calibration_error, cooled, temperature
from reproduce.reader_data import levels


def test_they_share_the_atoms_and_each_knows_its_length(step_model):
    assert [network.n_nonzero for network in step_model.networks] == [10, 40]
    assert (step_model.n_nonzero, step_model.longest) == (40, 40)
    other = step_model.trained_for(9)
    assert other.atoms is step_model.atoms
    assert other.n_nonzero == 10
    assert not np.array_equal(other.weights[0], step_model.weights[0])
    assert np.count_nonzero(other.encode(step_model.atoms[:1])) <= 2 * 10


@pytest.mark.parametrize(("asked", "found"), [(1, 10), (10, 10), (19, 10), (21, 40), (40, 40), (200, 40)])
def test_the_nearest_one_is_taken(step_model, asked, found):
    assert step_model.trained_for(asked).n_nonzero == found


def test_the_network_for_short_codes_reads_them_better(step_model):
    data = dasksvd.load_mnist()
    images, labels = data.train_images[3000:4000], data.train_labels[3000:4000]
    own = step_model.trained_for(10).restricted(10, 20).predict(images) == labels
    other = step_model.restricted(10, 20).predict(images) == labels
    assert own.mean() > other.mean() + 0.02


def test_they_come_back_from_their_file(step_model, tmp_path):
    step_model.save(tmp_path / "model.npz")
    loaded = load_model(tmp_path / "model.npz")
    images = dasksvd.load_mnist().train_images[:50]
    for step in (10, 40):
        ours, theirs = (model.trained_for(step).predict_proba(images) for model in (step_model, loaded))
        np.testing.assert_array_equal(theirs, ours)
    assert [network.accuracy for network in loaded.networks] == [n.accuracy for n in step_model.networks]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("steps", np.array([10, 400])),
        ("steps", np.array([10, 20])),
        ("sizes", np.array([10**9, 40, 40, 30])),
        ("beside", np.array(b"soft", "S64")),
        ("beside", np.array(b"nothing", "S64")),
        ("scales", np.zeros((2, 400), np.float32)),
    ],
)
def test_a_file_of_what_cannot_be_is_damaged(step_model, tmp_path, name, value):
    path = tmp_path / "model.npz"
    step_model.save(path)
    with np.load(path) as stored:
        arrays = {key: stored[key] for key in stored.files}
    np.savez(path, **arrays | {name: value})
    with pytest.raises(DamagedFile):
        load_model(path)


def test_parts_and_rest_add_up_to_the_lead_through_two_layers_and_two_codes(step_model):
    for image in dasksvd.load_mnist().train_images[20:30]:
        explained = step_model.explain(image)
        np.testing.assert_allclose(explained.probabilities, step_model.predict_proba(image[None])[0], rtol=1e-3)
        rival, winner = np.argsort(explained.probabilities)[-2:]
        parts, rest = step_model.lead_parts(explained, winner, rival)
        lead = np.log(explained.probabilities[winner].astype(float) / explained.probabilities[rival])
        assert parts.sum() + rest == pytest.approx(lead, abs=1e-3)
        assert not parts[(explained.code == 0) & (explained.beside == 0)].any()


def test_with_fewer_atoms_both_codes_lose_the_same_ones(step_model):
    """Oracle: the whole network, on codes with zeros for the missing atoms."""
    small = step_model.restricted(5, 3)
    assert small.networks == ()
    codes = small.encode(dasksvd.reduce_images(dasksvd.load_mnist().train_images[:20]))
    kept = np.array([np.flatnonzero(np.all(step_model.atoms == atom, axis=1))[0] for atom in small.atoms])
    whole = np.zeros((20, 400), np.float32)
    whole[:, np.concatenate([kept, 200 + kept])] = codes
    np.testing.assert_allclose(small.read_codes(codes), step_model.read_codes(whole), rtol=1e-4, atol=1e-6)


def test_a_temperature_keeps_the_order_and_makes_sureness_honest(step_model):
    """Oracle: the likelihood of held-out answers, which the temperature is to raise."""
    data = dasksvd.load_mnist()
    images, labels = data.train_images[4000:5000], data.train_labels[4000:5000]
    hot = replace(step_model, weights=cooled(step_model.weights, 0.25))
    found = temperature(hot, levels(images), labels)
    cold = replace(hot, weights=cooled(hot.weights, found))
    before, after = hot.predict_proba(images), cold.predict_proba(images)
    np.testing.assert_array_equal(before.argmax(axis=1), after.argmax(axis=1))
    assert found > 2
    assert calibration_error(after, labels) < calibration_error(before, labels) / 2
    rows = np.arange(len(labels))
    assert np.log(after[rows, labels]).mean() > np.log(np.maximum(before[rows, labels], 1e-12)).mean()


def test_the_calibration_error_is_the_gap_between_sureness_and_share_right():
    shares = np.array([[0.9, 0.1]] * 10 + [[0.45, 0.55]] * 10)
    labels = np.array([0] * 8 + [1] * 2 + [1] * 4 + [0] * 6)
    assert calibration_error(shares, labels) == pytest.approx(0.5 * 0.1 + 0.5 * 0.15)
