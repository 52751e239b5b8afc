"""The tiny examples are what shipped data hold, small, and like a file that anybody could drop."""

import numpy as np
import pytest

from dasksvd.datasets import load
from dasksvd.datasets.example_sets import EXAMPLE_SETS, FOLDER, example_path, load_example
from dasksvd.datasets.intake.examine import examine
from dasksvd.datasets.library import check_pictures, key
from dasksvd.datasets.parts import signals_of
from dasksvd.errors import DataError
from reproduce import example_sets
from reproduce.example_sets import N_TEST, N_TRAIN, make_example_sets

#: name -> data set, class numbers of each class
SOURCES = {
    "odd and even": ("mnist", {"even": {0, 2, 4, 6, 8}, "odd": {1, 3, 5, 7, 9}}),
    "sneaker or boot": ("fashion_mnist", {"sneaker": {7}, "boot": {9}}),
}


@pytest.mark.parametrize("name", EXAMPLE_SETS)
def test_an_example_has_pictures_of_its_source_with_their_classes(name):
    data, classes = SOURCES[name]
    found, whole = load_example(name), load(data)
    check_pictures(found)
    assert example_path(name).stat().st_size < 150_000
    assert found.class_names == tuple(classes)
    for images, labels, all_images, all_labels, n in (
        (found.train_images, found.train_labels, whole.train_images, whole.train_labels, N_TRAIN),
        (found.test_images, found.test_labels, whole.test_images, whole.test_labels, N_TEST),
    ):
        assert np.bincount(labels).tolist() == [n, n]
        levels = np.uint8(np.rint(255 * signals_of(data, all_images)))
        known = {}
        for picture, label in zip(levels, all_labels.tolist(), strict=True):
            known.setdefault(picture.tobytes(), set()).add(label)
        for image, label in zip(images, labels, strict=True):
            assert known[image.tobytes()] & classes[found.class_names[label]]


@pytest.mark.parametrize("name", EXAMPLE_SETS)
def test_its_file_can_be_dropped(name):
    findings, data = examine(example_path(name), whole=True)
    assert findings.n_test == 2 * N_TEST
    assert not findings.problems
    assert key(data) == key(load_example(name)) or set(data.class_names) == set(load_example(name).class_names)


def test_they_are_made_again_as_they_are(tmp_path, monkeypatch):
    monkeypatch.setattr(example_sets, "FOLDER", tmp_path)
    monkeypatch.setattr(example_sets, "example_path", lambda name: tmp_path / f"{name.replace(' ', '_')}.npz")
    make_example_sets()
    for path in sorted(FOLDER.glob("*.npz")):
        with np.load(path) as shipped, np.load(tmp_path / path.name) as made:
            assert shipped.files == made.files
            assert all(np.array_equal(shipped[one], made[one]) for one in shipped.files)


def test_an_unknown_example_is_refused():
    with pytest.raises(DataError, match="known are odd and even, sneaker or boot"):
        load_example("../x")
