"""Users' own files: every format is read, whatever is odd is named."""

import gzip

import numpy as np
import pytest

from dasksvd import DataError, load_pair


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
