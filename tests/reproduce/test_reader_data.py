"""What the shipped reader learns from: bent copies, and the signals of an epoch."""

import numpy as np
import pytest
from scipy import ndimage

import dasksvd
from reproduce import distortion
from reproduce.default_model import AGAIN, Amounts, training_data
from reproduce.distortion import bent, look_up
from reproduce.reader_data import levels


@pytest.fixture(scope="module")
def some():
    data = dasksvd.load_mnist()
    return data.train_images[:60], data.train_labels[:60]


def test_places_between_pixels_are_looked_up_as_scipy_does(some, rng):
    images, n = some[0], len(some[0])
    matrices, starts = rng.normal(0, 0.2, (n, 2, 2)) + np.eye(2), rng.normal(0, 2, (n, 2))
    moves = rng.normal(0, 1, (n, 2, 28, 28))
    copies = np.empty_like(images)
    look_up(images, *(part.astype(np.float32) for part in (matrices, starts, moves)), copies)
    pixels = np.mgrid[:28, :28].reshape(2, -1)
    for image, matrix, start, move, copy in zip(images, matrices, starts, moves, copies, strict=True):
        places = matrix @ pixels + start[:, None] + move.reshape(2, -1)
        # A margin, because scipy does not go from the last pixel to 0 outside.
        expected = ndimage.map_coordinates(np.pad(image.astype(float), 1), places + 1, order=1)
        np.testing.assert_allclose(copy.ravel(), expected, atol=0.6)


def test_bent_copies_are_seeded_and_all_different(some):
    once, again, other = (bent(some[0], np.random.default_rng(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(once, again)
    assert np.all(np.any(once != some[0], axis=(1, 2)))
    assert np.all(np.any(once != other, axis=(1, 2)))


def test_without_turn_move_and_width_a_copy_is_the_image(some, monkeypatch):
    for name in ("BENT_TURN", "BENT_SHEAR", "BENT_SCALE", "BENT_SHIFT", "WILDEST"):
        monkeypatch.setattr(distortion, name, 0)
    copies = bent(some[0], np.random.default_rng(0))
    same = np.all(copies == some[0], axis=(1, 2))
    thicker, thinner = (
        filtered(some[0], size=(1, 2, 2)) for filtered in (ndimage.maximum_filter, ndimage.minimum_filter)
    )
    assert 0.25 < same.mean() < 0.75
    assert np.all(same | np.all(copies == thicker, axis=(1, 2)) | np.all(copies == thinner, axis=(1, 2)))


def test_parts_move_as_far_as_is_said_and_neighbours_together():
    moves = distortion._smooth_moves(3000, np.random.default_rng(0))
    assert moves.std() == pytest.approx(distortion.WILDEST / np.sqrt(3), rel=0.03)
    beside = np.mean((moves[..., 1:] - moves[..., :-1]) ** 2) / 2 / moves.var()
    assert beside < 0.1


def test_an_epoch_has_the_images_again_and_copies_of_its_own(some):
    data = training_data(*some, Amounts((2, 1), 10, 40, 5), [], 0, None)
    n, drawn, fixed = len(some[1]), 3 * 10 + 40 + 15 + 5, (4 + AGAIN) * len(some[1])
    signals, labels = data.steady(first=True)
    assert len(signals) == len(labels) == fixed + drawn
    images = levels(some[0])
    assert all(sum(np.array_equal(signal, image) for signal in signals) >= AGAIN for image in images[:5])
    fewer = data.steady(first=False)
    np.testing.assert_array_equal(fewer[0], np.concatenate([signals[:fixed], signals[fixed::2]]))
    np.testing.assert_array_equal(fewer[1], np.concatenate([labels[:fixed], labels[fixed::2]]))
    once, again, later = (data.fresh(True, [0, seed]) for seed in (1, 1, 2))
    np.testing.assert_array_equal(once[0], again[0])
    assert not np.array_equal(once[0], later[0])
    np.testing.assert_array_equal(once[1], np.tile(some[1], 2))
    assert len(data.fresh(False, [0, 1])[1]) == n
