"""Data: sums, damage, reduction against Pillow, balanced splits, users' own files."""

import gzip
import shutil

import numpy as np
import pytest
from PIL import Image

import dasksvd
from dasksvd import DataError, ParameterError, balanced_split, load_pair, reduce_images
from dasksvd.datasets import MNIST_FOLDER, load_digits_8x8, mnist_split, read_mnist, to_signals


def test_mnist_is_whole():
    data = dasksvd.load_mnist()
    assert data.train_images.shape == (60000, 28, 28)
    assert data.test_images.shape == (10000, 28, 28)
    assert data.train_images.dtype == np.uint8
    counts = np.bincount(data.train_labels)
    assert (counts[5], counts[1]) == (5421, 6742)  # the smallest and largest class, as in the paper
    assert np.bincount(data.test_labels).sum() == 10000


def test_mnist_is_read_once_and_cannot_be_changed():
    data = dasksvd.load_mnist()
    assert dasksvd.load_mnist() is data
    with pytest.raises(ValueError, match="read-only"):
        data.train_images[0] = 0


@pytest.fixture
def mnist_copy(tmp_path):
    folder = tmp_path / "mnist"
    shutil.copytree(MNIST_FOLDER, folder)
    return folder


@pytest.mark.parametrize("name", ["train-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz", "SHA256SUMS"])
def test_a_missing_file_is_named_with_the_cure(mnist_copy, name):
    (mnist_copy / name).unlink()
    with pytest.raises(DataError, match=rf"cannot read .*{name}.*; restore {name} with `git checkout -- mnist`"):
        read_mnist(mnist_copy)


@pytest.mark.parametrize(
    "damage", [lambda content: content[:-1], lambda content: b"", lambda content: content[:99] + b"?"]
)
def test_a_damaged_file_is_named_with_the_cure(mnist_copy, damage):
    path = mnist_copy / "t10k-labels-idx1-ubyte.gz"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DataError, match=r"t10k-labels-idx1-ubyte.gz is damaged .*; restore"):
        read_mnist(mnist_copy)


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


def test_balanced_split_is_balanced_disjoint_and_seeded():
    labels = dasksvd.load_mnist().train_labels
    train, val = balanced_split(labels, 4000, 1000, np.random.default_rng(3))
    np.testing.assert_array_equal(np.bincount(labels[train]), 4000)
    np.testing.assert_array_equal(np.bincount(labels[val]), 1000)
    assert np.intersect1d(train, val).size == 0
    again, _ = balanced_split(labels, 4000, 1000, np.random.default_rng(3))
    other, _ = balanced_split(labels, 4000, 1000, np.random.default_rng(4))
    np.testing.assert_array_equal(train, again)
    assert not np.array_equal(train, other)


def test_mnist_split_is_the_papers(digits):
    split = mnist_split(0)
    assert split.train_signals.shape == (40000, 256)
    assert split.val_signals.shape == (10000, 256)
    np.testing.assert_array_equal(np.bincount(split.val_labels), 1000)
    # No validation signal is a training signal: MNIST has no two equal training images.
    assert not {row.tobytes() for row in split.val_signals} & {row.tobytes() for row in split.train_signals}


def test_a_split_too_large_names_the_class():
    with pytest.raises(ParameterError, match="class 1 has 2 signals, too few for 2 to train and 1 to validate"):
        balanced_split(np.array([0, 0, 0, 1, 1]), 2, 1, np.random.default_rng(0))


def test_small_digits():
    data = load_digits_8x8()
    assert data.train_images.shape == (1500, 8, 8)
    assert data.test_images.shape == (297, 8, 8)
    signals = to_signals(data.train_images)
    assert signals.shape == (1500, 64)
    assert signals.max() == 1


@pytest.fixture
def own(rng):
    return rng.integers(0, 256, (12, 9, 7), dtype=np.uint8), np.arange(12) % 3


def idx(array):
    array = array.astype(np.uint8)
    return bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes() + array.tobytes()


@pytest.mark.parametrize("kind", ["idx", "idx.gz", "npz", "npy"])
def test_own_files_of_every_kind(tmp_path, own, kind):
    images, labels = own
    paths = tmp_path / f"images.{kind}", tmp_path / f"labels.{kind}"
    if kind == "npz":
        np.savez(paths[0], images=images, labels=labels)
        paths = (paths[0], None)
    for path, array in zip(paths, own, strict=True):
        if kind == "npy":
            np.save(path, array)
        elif kind.startswith("idx"):
            path.write_bytes(gzip.compress(idx(array)) if kind == "idx.gz" else idx(array))
    read_images, read_labels = load_pair(*paths)
    np.testing.assert_array_equal(read_images, images)
    np.testing.assert_array_equal(read_labels, labels)


def _save_objects(path):
    np.savez(path, images=np.array([{}], dtype=object), labels=np.zeros(1, int))


@pytest.mark.parametrize(
    ("name", "write", "message"),
    [
        ("a.idx", lambda path: path.write_bytes(b"GIF89a"), "not an idx file"),
        ("a.idx", lambda path: path.write_bytes(idx(np.zeros((2, 3, 3)))[:-1]), "cut off or too long"),
        ("a.idx.gz", lambda path: path.write_bytes(b"no gzip"), "cannot read images from .*a.idx.gz"),
        ("a.idx.gz", lambda path: path.write_bytes(gzip.compress(b"1234567890")[:-9]), "cannot read images"),
        ("a.npz", lambda path: path.write_bytes(b"no zip"), "cannot read images from .*a.npz"),
        ("a.npz", lambda path: np.savez(path, pictures=np.zeros(3)), "images"),
        ("a.npz", _save_objects, "cannot read images .* allow_pickle"),
        ("a.npz", lambda path: np.savez(path, images=np.zeros((2, 3, 3)), labels=np.zeros(2, int)), "uint8"),
        (
            "a.npz",
            lambda path: np.savez(path, images=np.zeros((2, 3, 3), "u1"), labels=np.zeros(3, int)),
            "got 2 and 3",
        ),
        ("a.npz", lambda path: np.savez(path, images=np.zeros((2, 3, 3), "u1"), labels=np.zeros(2)), "whole numbers"),
        ("absent.npy", lambda path: None, "cannot read images from .*absent.npy"),
    ],
)
def test_bad_own_files_are_named(tmp_path, name, write, message):
    path = tmp_path / name
    write(path)
    with pytest.raises(DataError, match=message):
        load_pair(path)
