"""MNIST: whole, read once, its sums verified, split as in the paper."""

import shutil

import numpy as np
import pytest

import dasksvd
from dasksvd import DataError
from dasksvd.datasets import MNIST_FOLDER, mnist_split, read_mnist


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


def test_mnist_split_is_the_papers(digits):
    split = mnist_split(0)
    assert split.train_signals.shape == (40000, 256)
    assert split.val_signals.shape == (10000, 256)
    np.testing.assert_array_equal(np.bincount(split.val_labels), 1000)
    # No validation signal is a training signal: MNIST has no two equal training images.
    assert not {row.tobytes() for row in split.val_signals} & {row.tobytes() for row in split.train_signals}
