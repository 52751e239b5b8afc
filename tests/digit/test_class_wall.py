"""Drawings of a class: kept whole, for a day, in an order of likeness."""

from itertools import pairwise, permutations

import numpy as np
import pytest

from dasksvd.common.files import write_json, write_npz
from dasksvd.digit import class_wall
from dasksvd.digit.class_wall import ClassWall, by_likeness
from dasksvd.errors import ParameterError, StoreError


class Clock:
    """A time that tests set."""

    def __init__(self):
        self.seconds = 1.8e9

    def __call__(self):
        self.seconds += 0.002
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def wall(tmp_path, clock):
    return ClassWall(tmp_path / "wall", clock)


def picture(level):
    image = np.zeros((28, 28), np.uint8)
    image[10:18, 4 + level % 16] = 100 + level % 156
    return image


def test_drawings_come_back_as_they_were_sent_in_the_order_they_came(wall):
    names = [wall.add(picture(level)) for level in range(5)]
    assert wall.names() == names
    for level, name in enumerate(names):
        np.testing.assert_array_equal(wall.load(name).image, picture(level))


def test_another_server_on_the_same_folder_sees_the_same(wall, clock):
    name = wall.add(picture(1))
    wall.point_at(name)
    again = ClassWall(wall.folder, clock)
    assert again.names() == [name]
    assert again.pointed() == name


def test_after_a_day_a_drawing_is_gone_from_the_disk_too(wall, clock):
    early = wall.add(picture(1))
    clock.seconds += class_wall.KEPT_FOR - 1
    late = wall.add(picture(2))
    assert wall.names() == [early, late]
    clock.seconds += 2
    assert wall.names() == [late]
    assert [path.stem for path in wall.folder.glob("*.npz")] == [late]


def test_the_wall_has_an_end(wall, monkeypatch):
    monkeypatch.setattr(class_wall, "MOST", 2)
    for level in range(2):
        wall.add(picture(level))
    with pytest.raises(StoreError, match="full: it has 2"):
        wall.add(picture(3))
    wall.remove(wall.names()[0])
    wall.add(picture(3))
    assert len(wall.names()) == 2


def test_a_closed_wall_takes_nothing_and_keeps_what_it_has(wall):
    wall.add(picture(1))
    wall.close()
    assert wall.is_closed
    with pytest.raises(StoreError, match="takes no more"):
        wall.add(picture(2))
    assert len(wall.names()) == 1
    wall.empty()
    assert wall.is_closed
    wall.close(False)
    wall.add(picture(2))


def test_emptied_nothing_is_left(wall):
    wall.point_at(wall.add(picture(1)))
    (wall.folder / "1800000000000-00000000.npz").write_bytes(b"damaged")
    wall.empty()
    assert list(wall.folder.iterdir()) == []
    assert wall.names() == []
    assert wall.pointed() == ""


def test_a_wall_without_a_folder_is_empty(wall):
    assert wall.names() == []
    assert wall.pointed() == ""
    wall.empty()


@pytest.mark.parametrize(
    "image", [np.zeros((28, 28)), np.zeros((28, 27), np.uint8), np.zeros((1, 28, 28), np.uint8), None]
)
def test_only_images_of_bytes_are_kept(wall, image):
    with pytest.raises(ParameterError, match="28"):
        wall.add(image)


@pytest.mark.parametrize("name", ["../1800000000000-00000000", "", "x", "1800000000000-0000000G", "/etc/passwd"])
def test_a_name_is_never_a_path(wall, name):
    wall.folder.mkdir()
    outside = wall.folder.parent / "1800000000000-00000000.npz"
    write_npz(outside, {"image": picture(1)})
    assert wall.load(name) is None
    wall.remove(name)
    assert outside.exists()


def test_a_damaged_drawing_is_none(wall):
    name = wall.add(picture(1))
    (wall.folder / f"{name}.npz").write_bytes(b"PK")
    assert wall.load(name) is None


def test_nobody_is_shown_a_drawing_that_is_gone(wall):
    name = wall.add(picture(1))
    wall.point_at(name)
    assert wall.pointed() == name
    wall.remove(name)
    assert wall.pointed() == ""
    for damaged in ({"name": 3}, {}, {"name": "../x"}):
        write_json(wall.folder / class_wall._POINTED, damaged)
        assert wall.pointed() == ""


def test_an_empty_name_points_at_nothing(wall):
    wall.point_at(wall.add(picture(1)))
    wall.point_at("")
    assert wall.pointed() == ""


def step_lengths(codes, order):
    unit = codes[list(order)] / np.linalg.norm(codes[list(order)], axis=1, keepdims=True)
    return sum(1 - float(one @ other) for one, other in pairwise(unit))


def test_a_turning_arrow_is_laid_out_in_the_order_of_its_turn():
    angles = np.random.default_rng(0).permutation(np.linspace(0, np.pi / 2, 12))
    lengths = np.random.default_rng(1).uniform(0.1, 5, 12)
    order = by_likeness(lengths[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    turned = angles[order]
    assert np.all(np.diff(turned) > 0) or np.all(np.diff(turned) < 0)


def test_neighbours_are_more_alike_than_in_most_orders():
    codes = np.random.default_rng(2).standard_normal((7, 5))
    mine = step_lengths(codes, by_likeness(codes))
    others = [step_lengths(codes, order) for order in permutations(range(7))]  # the slow oracle
    assert mine <= np.quantile(others, 0.05)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_few_codes_and_codes_of_zeros_have_an_order_too(n):
    assert sorted(by_likeness(np.zeros((n, 4)))) == list(range(n))
