"""A data set of one's own is kept once, by its content, and nothing else is taken for it."""

import json
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dasksvd import DataSet, ParameterError
from dasksvd.common.files import read_npz, write_npz
from dasksvd.datasets.description import CLASS_NAME
from dasksvd.datasets.library import FACTS, PICTURES, SIDES, Library, key
from dasksvd.datasets.names import MAX_NAME, checked_name, is_name
from dasksvd.errors import DamagedFile, StoreError
from tests.datasets.own_sets import own_set


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "store" / ".data")


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("k", [2, 50])
def test_what_is_kept_comes_back(library, k, side):
    data = own_set(k, 10, side)
    kept = library.add(data, "my pets")
    back = library.load(kept.key)
    np.testing.assert_array_equal(back.train_images, data.train_images)
    np.testing.assert_array_equal(back.train_labels, data.train_labels)
    assert back.class_names == data.class_names == kept.classes
    assert (kept.name, kept.sizes, kept.side, kept.key) == ("my pets", (10,) * k, side, key(data))
    assert library.listing() == [kept]
    assert library.load(kept.key) is back
    assert not back.train_images.flags.writeable


def test_equal_data_are_kept_once_under_their_first_name(library):
    first = library.add(own_set(), "first")
    assert library.add(own_set(), "second") == first
    assert [kept.name for kept in library.listing()] == ["first"]


def test_the_key_is_that_of_pictures_labels_and_class_names():
    data = own_set()
    images, labels = data.train_images.copy(), data.train_labels.copy()
    images[0, 0, 0] ^= 1
    labels[[0, -1]] = (labels[[0, -1]] + 1) % 3
    others = [
        DataSet(images, data.train_labels, class_names=data.class_names),
        DataSet(data.train_images, labels, class_names=data.class_names),
        DataSet(data.train_images, data.train_labels, class_names=["a", "b", "c"]),
    ]
    assert len({key(data), *map(key, others)}) == 4
    assert key(own_set()) == key(data)


def test_names_find_their_data_set_and_are_given_once(library):
    pets, cars = library.add(own_set(), "Pets"), library.add(own_set(seed=1), "cars")
    assert library.find("pets") == library.find(pets.key) == pets
    assert "PETS" in library
    with pytest.raises(StoreError, match=r"no data set 'boats' of your own; there are: "):
        library.find("boats")
    with pytest.raises(ParameterError, match="another data set 'PETS'"):
        library.add(own_set(seed=2), "PETS")
    with pytest.raises(ParameterError, match="another data set 'cars'"):
        library.rename(pets.key, "cars")
    assert library.rename(pets.key, "animals").name == library.find(pets.key).name == "animals"
    library.remove(cars.key)
    assert [kept.name for kept in library.listing()] == ["animals"]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "..",
        "a/b",
        "a\\b",
        ".hidden",
        "<b>",
        "[a](b)",
        "*a*",
        "a _b_",
        "__a__",
        "a\nb",
        "a  b",
        "x" * 41,
        "`a`",
        "a$",
    ],
)
def test_a_name_is_no_path_and_no_markup(library, name):
    with pytest.raises(ParameterError, match="a data set's name may have at most 40 letters"):
        library.add(own_set(), name)
    assert library.listing() == []


@pytest.mark.parametrize("name", ["own", "MNIST", "digits", "0" * 32])
def test_a_name_that_means_something_else_is_refused(name):
    with pytest.raises(ParameterError, match="means something else"):
        checked_name(name)


@given(st.text(max_size=50))
def test_a_name_has_no_sign_that_means_something_in_paths_html_or_markdown(text):
    if is_name(text):
        assert not set(text) & set("/\\.<>&[]()*`$~|#!\n\r\t:")
        assert CLASS_NAME.fullmatch(text)
        assert len(text) <= MAX_NAME


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (own_set(side=9), r"square with 8, 16, 28, 32 pixels a side, got \(9, 9\)"),
        (DataSet(np.zeros((4, 8, 16), np.uint8), [0, 1, 0, 1], class_names=["a", "b"]), "square"),
        (DataSet(np.zeros((4, 64), np.float32), [0, 1, 0, 1], class_names=["a", "b"]), "square"),
        (own_set(1), "2 to 50 classes"),
        (own_set(51, 2), "2 to 50 classes"),
        (own_set(2, names=["<b>", "x"]), "plain texts, got '<b>'"),
        (own_set(2, names=["a", "a"]), "different"),
        (own_set(2, names=[0, 1]), "texts, got 0"),
    ],
)
def test_what_cannot_be_kept_is_named(library, data, message):
    with pytest.raises(ParameterError, match=message):
        library.add(data, "pets")


def _facts(**changes):
    def spoil(folder):
        path = folder / FACTS
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return spoil


def _pictures(**changes):
    def spoil(folder):
        arrays = read_npz(folder / PICTURES, {"images": (np.uint8, (60, 8, 8)), "labels": (np.int64, (60,))})
        write_npz(folder / PICTURES, arrays | {name: change(arrays[name]) for name, change in changes.items()})

    return spoil


DAMAGE = {
    "one pixel": _pictures(images=lambda images: images ^ np.uint8(1)),
    "labels": _pictures(labels=lambda labels: np.roll(labels, 1)),
    "labels out of range": _pictures(labels=lambda labels: labels + 7),
    "no pictures": lambda folder: (folder / PICTURES).unlink(),
    "no facts": lambda folder: (folder / FACTS).unlink(),
    "no zip": lambda folder: (folder / PICTURES).write_bytes(b"no zip"),
    "class names": _facts(classes=["a", "b", "c"]),
    "markup": _facts(classes=["<b>", "b", "c"]),
    "no list": _facts(classes=7),
    "same class": _facts(classes=["a", "a", "b"]),
    "sizes": _facts(sizes=[30, 20, 10]),
    "endless": _facts(sizes=[2**40, 20, 20]),
    "side": _facts(side=8.0),
    "name": _facts(name="../pets"),
    "key": _facts(key="0" * 32),
    "unknown": _facts(more=1),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_noticed_and_mended_by_adding_again(library, damage):
    kept = library.add(own_set(), "pets")
    DAMAGE[damage](library.folder(kept.key))
    with pytest.raises(DamagedFile):
        library.load(kept.key)
    assert library.add(own_set(), "pets").key == kept.key
    np.testing.assert_array_equal(library.load(kept.key).train_images, own_set().train_images)


def test_what_comes_from_elsewhere_is_compared_and_named_anew(library, tmp_path):
    theirs = Library(tmp_path / "theirs" / ".data")
    kept = theirs.add(own_set(), "pets")
    library.add(own_set(seed=1), "pets")
    with pytest.raises(DamagedFile, match="another data set"):
        library.take_up(theirs.folder(kept.key), "0" * 32)
    assert library.take_up(theirs.folder(kept.key), kept.key).name == "pets 2"
    assert library.take_up(theirs.folder(kept.key), kept.key).name == "pets 2"
    assert len(library.listing()) == 2
    assert sorted(path.name for path in library.root.parent.iterdir()) == [".data"]


def test_a_folder_under_another_key_is_not_taken_for_it(library):
    kept = library.add(own_set(), "pets")
    shutil.copytree(library.folder(kept.key), library.folder("0" * 32))
    with pytest.raises(DamagedFile, match="another data set"):
        library.load("0" * 32)
    for wanted in ("..", "../..", "", "x" * 32):
        with pytest.raises(StoreError, match="not the key"):
            library.folder(wanted)
