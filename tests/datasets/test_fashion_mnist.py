"""Fashion-MNIST: whole, shipped at 16×16, with the signals of its originals."""

import gzip

import numpy as np
import pytest

from dasksvd import DataError, load_mnist, reduce_images
from dasksvd.datasets import load, mnist_files
from dasksvd.datasets.dataset import as_signals
from dasksvd.datasets.fashion_mnist import FASHION_FOLDER, ORIGINALS, load_fashion_mnist, read_fashion_originals
from dasksvd.datasets.idx import parse_idx
from dasksvd.datasets.parts import signals_of
from dasksvd.datasets.reduction import reduce_to_bytes
from reproduce.fashion import DEBIAN, as_idx, shipped

MAX_MEGABYTES = 12


def test_fashion_mnist_is_whole():
    data = load("fashion_mnist")
    assert data.train_images.shape == (60000, 16, 16)
    assert data.test_images.shape == (10000, 16, 16)
    np.testing.assert_array_equal(np.bincount(data.train_labels), 6000)
    np.testing.assert_array_equal(np.bincount(data.test_labels), 1000)
    assert data.class_names[:2] == ("T-shirt", "trousers")
    assert len({*data.class_names}) == 10


def test_the_classes_are_what_their_names_say():
    """Trousers are narrow and bags wide; sneakers are low and boots high."""
    data = load("fashion_mnist")
    means = {name: data.train_images[data.train_labels == c].mean(axis=0) for c, name in enumerate(data.class_names)}
    assert means["trousers"][:, :4].mean() < 10 < 60 < means["bag"][:, :4].mean()
    assert means["sneaker"][:5].mean() < 10 < 30 < means["boot"][:5].mean()


def test_it_is_small_and_has_its_licence():
    assert sum(path.stat().st_size for path in FASHION_FOLDER.iterdir()) <= MAX_MEGABYTES * 10**6
    notice = (FASHION_FOLDER / "NOTICE.md").read_text(encoding="utf-8")
    assert "Copyright 2017 Zalando SE" in notice
    assert 'THE SOFTWARE IS PROVIDED "AS IS"' in notice


def test_bytes_of_reduced_images_are_their_signals_bit_for_bit():
    images = load_mnist().train_images[::30]
    np.testing.assert_array_equal(as_signals(reduce_to_bytes(images)), reduce_images(images))


def test_an_idx_file_is_read_back():
    array = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    np.testing.assert_array_equal(parse_idx(as_idx(array), FASHION_FOLDER), array)


def nearly_equal(array, other):
    """But for one grey level where a sum lies halfway between two, by how this machine's BLAS orders it."""
    difference = np.abs(array.astype(np.float32) - other)
    return difference.max() < 1.001 and np.mean(difference > 0.001) < 1e-6


@pytest.mark.skipif(not DEBIAN.is_dir(), reason="needs Debian's dataset-fashion-mnist")
def test_the_shipped_pictures_are_the_originals_reduced(monkeypatch):
    small, originals = load_fashion_mnist(), read_fashion_originals(DEBIAN)
    for part, array in originals.items():
        assert nearly_equal(shipped(array), getattr(small, part))
    monkeypatch.setenv(ORIGINALS, str(DEBIAN))
    large = load_fashion_mnist()
    assert large.train_images.shape == (60000, 28, 28)
    assert large.class_names == small.class_names
    for images, reduced in ((large.train_images, small.train_images), (large.test_images, small.test_images)):
        signals = [signals_of("fashion_mnist", part) * 255 for part in (images, reduced)]
        assert nearly_equal(*signals)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.unlink(), "cannot read .*train-images.*No such file"),
        (lambda path: path.write_bytes(b"no gzip"), "cannot read .*train-images.*Not a gzipped file"),
        (lambda path: path.write_bytes(gzip.compress(b"\0" * 99)[:-9]), "cannot read .*train-images"),
        (lambda path: path.write_bytes(gzip.compress(b"another")), "train-images.* is not the published file"),
    ],
)
def test_originals_that_are_not_the_published_ones_are_named(tmp_path, monkeypatch, spoil, message):
    for name in mnist_files.FILES.values():
        (tmp_path / name).write_bytes(b"")
    spoil(tmp_path / mnist_files.FILES["train_images"])
    monkeypatch.setenv(ORIGINALS, str(tmp_path))
    with pytest.raises(DataError, match=message):
        load_fashion_mnist()
