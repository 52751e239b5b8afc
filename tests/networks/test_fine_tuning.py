"""Fine-tuning of atoms: its gradient against finite differences, its code against the encoder, and its promises."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from dasksvd import Settings
from dasksvd.encoders import threshold
from dasksvd.errors import ParameterError
from dasksvd.networks import relu
from dasksvd.networks.fine_tuning import Tuning, fine_tune, fine_tune_as, loss_and_slope, shrink
from dasksvd.networks.fixed_epochs import start

QUICK = Tuning(epochs=4, hidden=6, batch_size=20)


def unit_rows(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def clusters(rng):
    """300 signals of three classes around one direction each, and ten random atoms."""
    labels = np.arange(300) % 3
    centres = 2 * unit_rows(rng.standard_normal((3, 8)))
    signals = centres[labels] + rng.standard_normal((300, 8))
    return signals.astype(np.float32), labels, unit_rows(rng.standard_normal((10, 8))).astype(np.float32)


@pytest.mark.parametrize("n_nonzero", [1, 3, 9, 10])
def test_code_vs_the_encoder(clusters, n_nonzero):
    signals, _, atoms = clusters
    codes, _ = shrink(signals.astype(np.float64) @ atoms.T.astype(np.float64), n_nonzero)
    np.testing.assert_allclose(codes, threshold(signals, atoms, n_nonzero), rtol=1e-6)


@pytest.mark.parametrize("n_nonzero", [1, 4, 10])
def test_slope_vs_finite_differences(rng, clusters, n_nonzero):
    """In float64; with 10 of 10 atoms kept there is no limit to move."""
    signals, labels, atoms = clusters[0][:9].astype(np.float64), clusters[1][:9], clusters[2].astype(np.float64)
    helper = [part.astype(np.float64) + 0.1 for part in start(10, 6, 3, rng).parts]
    found = relu.Layers([part.shape for part in helper])

    def loss():
        codes = shrink(signals @ atoms.T, n_nonzero)[0] / 0.7
        return -np.mean(np.log(relu.softmax(relu.forward(codes, helper)[1])[np.arange(9), labels]))

    value, slope = loss_and_slope(signals, labels, atoms, n_nonzero, 0.7, helper, 0.0, found)
    assert value == pytest.approx(loss())
    expected = np.empty_like(slope)
    for place in np.ndindex(atoms.shape):
        middle = atoms[place]
        atoms[place] = middle + 1e-6
        above = loss()
        atoms[place] = middle - 1e-6
        expected[place] = (above - loss()) / 2e-6
        atoms[place] = middle
    np.testing.assert_allclose(slope, expected, atol=1e-7)


def test_the_bits_do_not_depend_on_the_number_of_threads(rng):
    """With products large enough for a library of several threads to share them out."""
    signals = rng.standard_normal((400, 256)).astype(np.float32)
    atoms = unit_rows(rng.standard_normal((200, 256))).astype(np.float32)

    def tuned(n_threads):
        with threadpool_limits(n_threads, user_api="blas"):
            return fine_tune(signals, np.arange(400) % 10, atoms, 40, 0, Tuning(epochs=2))

    np.testing.assert_array_equal(tuned(1), tuned(2))


def test_as_the_settings_of_a_run_say(clusters):
    """Oracle: the same with the numbers written out."""
    signals, labels, atoms = clusters
    expected = fine_tune(signals, labels, atoms, 3, 7, Tuning(epochs=2))
    found = fine_tune_as(Settings(q=0.3, seed=7, fine_tune=2), signals, labels, atoms)
    np.testing.assert_array_equal(found, expected)


def test_the_helpers_gradient_is_that_of_the_network_on_the_codes(rng, clusters):
    signals, labels, atoms = clusters
    helper = start(10, 6, 3, rng)
    ours, theirs = (relu.Layers([part.shape for part in helper.parts]) for _ in range(2))
    loss, _ = loss_and_slope(signals, labels, atoms, 4, 2.0, helper.parts, 0.5, ours)
    codes = threshold(signals, atoms, 4) / np.float32(2)
    assert loss == pytest.approx(relu.gradients(codes, labels, helper.parts, 0.5, theirs), rel=1e-5)
    np.testing.assert_allclose(ours.flat, theirs.flat, atol=1e-6)


def test_atoms_keep_their_number_and_length_and_the_given_ones_stay(clusters):
    signals, labels, atoms = clusters
    before = atoms.copy()
    tuned = fine_tune(signals, labels, atoms, 4, 0, QUICK)
    assert tuned.shape == atoms.shape
    assert tuned.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(tuned, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(atoms, before)
    assert np.abs(tuned - before).max() > 1e-3


def test_atoms_that_may_not_move_stay_in_their_class_places(clusters):
    signals, labels, atoms = clusters
    tuned = fine_tune(signals, labels, atoms, 4, 0, Tuning(epochs=2, hidden=6, atom_rate=0.0))
    np.testing.assert_allclose(tuned, atoms, atol=1e-6)


def test_a_small_rate_leaves_every_atom_closest_to_its_own_start(clusters):
    """Row j comes from row j, so that the classes of a structured dictionary stay where they are."""
    signals, labels, atoms = clusters
    tuned = fine_tune(signals, labels, atoms, 4, 0, Tuning(epochs=2, hidden=6, atom_rate=1e-3))
    np.testing.assert_array_equal((tuned @ atoms.T).argmax(axis=1), np.arange(10))


def test_moving_the_atoms_lowers_the_loss_further_than_the_helper_alone(clusters):
    signals, labels, atoms = clusters

    def losses(atom_rate):
        seen = []
        tuning = Tuning(epochs=15, hidden=6, noise=0.1, batch_size=20, atom_rate=atom_rate)
        fine_tune(signals, labels, atoms, 3, 0, tuning, on_epoch=lambda epoch, loss: seen.append((epoch, loss)))
        assert [epoch for epoch, _ in seen] == list(range(1, 16))
        return [loss for _, loss in seen]

    fixed, moved = losses(0.0), losses(0.01)
    assert moved[-1] < 0.5 * moved[0]
    assert moved[-1] < 0.8 * fixed[-1]


def test_the_seed_decides_everything(clusters):
    signals, labels, atoms = clusters
    first, again, other = (fine_tune(signals, labels, atoms, 4, seed, QUICK) for seed in (5, 5, 6))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_bad_arguments_are_named(clusters):
    signals, labels, atoms = clusters
    with pytest.raises(ParameterError, match="n_nonzero"):
        fine_tune(signals, labels, atoms, 11, 0)
    with pytest.raises(ParameterError, match="labels must have shape"):
        fine_tune(signals, labels[1:], atoms, 4, 0)
    with pytest.raises(ParameterError, match="length 1"):
        fine_tune(signals, labels, 2 * atoms, 4, 0)
    for wrong in ({"epochs": 0}, {"hidden": 0}, {"noise": -1.0}, {"decay": float("nan")}, {"rate": "fast"}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            Tuning(**wrong)
