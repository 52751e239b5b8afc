"""The pen that invents drawings, and the training that uses it."""

import numpy as np
import pytest

import dasksvd
from dasksvd import digit
from dasksvd.digit.reader import load_default_model
from reproduce import strokes
from reproduce.reader_data import drawn_parts, kept, levels, redraw, unit_lines


def test_drawings_are_seeded_and_differ(rng):
    labels = np.repeat(np.arange(10), 3)
    once, again = (strokes.draw_digits(labels, np.random.default_rng(4)) for _ in range(2))
    np.testing.assert_array_equal(once, again)
    assert len(np.unique(once.reshape(30, -1), axis=0)) == 30


@pytest.mark.parametrize("name", strokes.style_names())
def test_every_style_is_a_digit_with_ink(name, rng):
    images = strokes.draw_digits(np.full(3, int(name[0])), rng, only=[name])
    assert images.shape == (3, 28, 28)
    assert np.all(images.max(axis=(1, 2)) > 200)
    assert np.all((images > 128).mean(axis=(1, 2)) < 0.35)


def test_folds_hold_every_style_once_and_every_digit_in_each():
    folds = strokes.folds(4)
    assert sorted(name for fold in folds for name in fold) == sorted(strokes.style_names())
    assert all({name[0] for name in fold} == set("0123456789") for fold in folds)


def test_painted_drawings_look_like_those_from_strokes():
    """With a thin brush both ways end in nearly the same image."""
    for number, ways in strokes.TEMPLATES.items():
        lines = [strokes.curve(stroke) for stroke in next(iter(ways.values()))]
        drawn = digit.from_strokes(lines, 1.0).astype(float)
        painted = digit.from_image(strokes.paint(lines, 0.06)).astype(float)
        assert np.corrcoef(drawn.ravel(), painted.ravel())[0, 1] > 0.95, number


def test_styles_left_out_are_not_drawn(rng):
    """With all styles of a digit but one left out, that one is drawn."""
    others = [name for name in strokes.style_names() if name.startswith("1 ") and name != "1 bar"]
    images = strokes.draw_digits(np.ones(20, int), np.random.default_rng(2), left_out=others)
    same = strokes.draw_digits(np.ones(20, int), np.random.default_rng(2), only=["1 bar"])
    np.testing.assert_array_equal(images, same)


def test_curves_go_through_their_points(rng):
    points = rng.random((7, 2))
    curve = strokes.curve(points)
    for point in points:
        assert np.min(np.hypot(*(curve - point).T)) < 1e-12


def test_a_point_given_twice_is_a_corner():
    square = np.array([(0, 0), (1, 0), (1, 0), (1, 1)], float)
    np.testing.assert_allclose(np.unique(strokes.curve(square), axis=0), [(0, 0), (1, 0), (1, 1)])


def test_few_points_lie_at_equal_distances_along_the_line():
    line = np.array([(0, 0), (3, 0), (3, 4)], float)
    few = strokes.few_points(line, 8)
    np.testing.assert_allclose(np.diff(few[:, 0] + few[:, 1]), 1)
    np.testing.assert_array_equal(few[[0, -1]], line[[0, -1]])


def test_lines_redrawn_without_much_warp_are_still_the_digit():
    data = dasksvd.load_mnist()
    drawn = np.stack([redraw(unit_lines(image), np.random.default_rng(1)) for image in data.test_images[:40]])
    assert np.mean(load_default_model().predict(drawn) == data.test_labels[:40]) >= 0.85


def test_parts_that_are_kept_are_not_made_again(tmp_path):
    parts = [list(drawn_parts(30, "drawn", (), 3, tmp_path)) for _ in range(2)]
    for (once, labels), (again, same) in zip(*parts, strict=True):
        np.testing.assert_array_equal(once, again)
        np.testing.assert_array_equal(labels, same)
    kept(tmp_path, "drawn-3-0", lambda: pytest.fail("made again"))


def test_grey_levels_say_all_that_a_reduced_image_says(rng):
    images = strokes.draw_digits(np.arange(10), rng)
    np.testing.assert_array_equal(levels(images) / np.float32(255), dasksvd.reduce_images(images))


def test_no_drawing_is_wider_than_hands_write(rng):
    for name in strokes.style_names()[::7]:
        styles = [strokes.TEMPLATES[int(name[0])][name[2:]]]
        points = [np.concatenate(strokes.write(styles, rng)) for _ in range(10)]
        assert all(width <= 2 * height for width, height in (np.ptp(one, axis=0) for one in points))


def test_a_drawing_between_two_styles_lies_between_them(rng):
    """Two bars that lean to either side: what is between leans less than both."""
    left, right = ([np.array([(x, 0), (0, 1)])] for x in (-0.2, 0.2))
    found = [strokes._between(left, [right], np.random.default_rng(seed))[0] for seed in range(20)]
    tops = np.array([line[0, 0] for line in found])
    assert tops.min() >= -0.2 - 0.15 * 0.4
    assert tops.max() <= 0.2
    assert np.ptp(tops) > 0.2


def test_the_shipped_model_reads_invented_drawings(rng):
    labels = rng.integers(0, 10, 400)
    right = load_default_model().predict(strokes.draw_digits(labels, rng)) == labels
    assert right.mean() >= 0.95
