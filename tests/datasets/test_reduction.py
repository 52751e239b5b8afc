"""Images reduced to 16×16 are those of Pillow."""

import numpy as np
import pytest
from PIL import Image

import dasksvd
from dasksvd import ParameterError, reduce_images


def test_reduction_vs_pillow():
    images = dasksvd.load_mnist().train_images[::30]
    pillow = np.stack(
        [np.asarray(Image.fromarray(image).resize((16, 16), Image.Resampling.BICUBIC)) for image in images]
    )
    ours = reduce_images(images)
    assert ours.shape == (2000, 256)
    assert ours.dtype == np.float32
    difference = np.abs(ours * 255 - pillow.reshape(2000, 256))
    assert difference.max() < 1.001  # one grey level, where Pillow's fixed-point weights round the other way
    assert np.mean(difference > 0.001) < 1e-4


def test_reduction_of_floats_equals_that_of_bytes(rng):
    images = rng.integers(0, 256, (10, 28, 28), dtype=np.uint8)
    np.testing.assert_array_equal(reduce_images(images / np.float32(255)), reduce_images(images))


def test_reduction_keeps_constants_and_range(rng):
    np.testing.assert_allclose(reduce_images(np.full((1, 28, 28), 255, np.uint8)), 1)
    noisy = reduce_images(rng.choice(np.array([0, 255], np.uint8), (50, 28, 28)))
    assert noisy.min() == 0
    assert noisy.max() == 1
    assert reduce_images(np.empty((0, 28, 28), np.uint8)).shape == (0, 256)


@pytest.mark.parametrize(
    ("images", "message"),
    [
        (np.zeros((28, 28), np.uint8), r"shape \(n, 28, 28\), got \(28, 28\)"),
        (np.zeros((3, 16, 16), np.uint8), r"got \(3, 16, 16\)"),
        (np.full((1, 28, 28), 7.0), "floats in"),
        (np.full((1, 28, 28), np.nan), "floats in"),
        (np.zeros((1, 28, 28), np.int64), "uint8 or floats"),
    ],
)
def test_images_that_cannot_be_reduced_are_named(images, message):
    with pytest.raises(ParameterError, match=message):
        reduce_images(images)
