"""Drawings of digits: laws of their normalisation, and of pictures of the same drawings."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dasksvd
from dasksvd.digit import from_image, from_strokes, normalise, side_by_side
from dasksvd.errors import DigitError
from tests.digit.drawn import painted, placed

SCALES = (60, 90, 120, 150, 180)
PLACES = [(across, down) for across in (0.0, 0.5, 1.0) for down in (0.0, 0.5, 1.0)]
BRUSHES = (8, 15, 22, 29, 36)


def centre_of_mass(image):
    places = np.arange(28)
    return np.array([image.sum(axis=0) @ places, image.sum(axis=1) @ places]) / image.sum()


def test_strokes_look_like_mnist(drawings):
    """Field, middle and amount of ink as in the training images."""
    images = np.stack([from_strokes(strokes, 1) for strokes in drawings])
    assert images.shape == (10, 28, 28)
    assert images.dtype == np.uint8
    for image in images:
        rows, columns = (np.flatnonzero(image.max(axis=axis) > 64) for axis in (1, 0))
        assert 19 <= max(np.ptp(rows), np.ptp(columns)) + 1 <= 21
        np.testing.assert_allclose(centre_of_mass(image), 14, atol=0.3)
    mnist = dasksvd.load_mnist().train_images
    assert images.mean() == pytest.approx(mnist.mean(), rel=0.15)


points = st.tuples(st.floats(0, 280), st.floats(0, 280))


@given(
    st.lists(st.lists(points, min_size=1, max_size=12), min_size=1, max_size=4),
    st.floats(0.3, 3),
    st.floats(-500, 500),
    st.floats(-500, 500),
)
def test_size_and_place_change_nothing(strokes, scale, right, down):
    moved = [np.array(stroke) * scale + (right, down) for stroke in strokes]
    extent = np.ptp(np.concatenate(moved), axis=0).max()
    if extent < 10:  # near the size of a dot, rounding decides which side it is on
        return
    once, again = from_strokes(strokes, 280).astype(int), from_strokes(moved, 280).astype(int)
    assert np.abs(once - again).max() <= 1


@given(st.lists(points, min_size=2, max_size=12))
def test_direction_of_the_pen_changes_nothing(stroke):
    np.testing.assert_array_equal(from_strokes([stroke], 280), from_strokes([stroke[::-1]], 280))


@given(st.lists(st.lists(points, max_size=6), min_size=1, max_size=4))
def test_every_drawing_becomes_an_image_with_ink_inside(strokes):
    if not any(strokes):
        with pytest.raises(DigitError, match="Nothing is drawn"):
            from_strokes(strokes, 280)
        return
    image = from_strokes(strokes, 280)
    assert image.max() > 200
    assert image.shape == (28, 28)


def test_more_points_on_the_same_line_change_nothing(drawings):
    for strokes in drawings:
        finer = [np.vstack([np.linspace(a, b, 5)[:-1] for a, b in pairwise(s)] + [s[-1:]]) for s in strokes]
        difference = from_strokes(strokes, 1).astype(int) - from_strokes(finer, 1)
        assert np.abs(difference).max() <= 1


def test_answer_depends_on_neither_size_nor_place_nor_brush(drawings):
    """5 scales × 9 places × 5 brushes; a brush only changes the picture, never the strokes."""
    model = dasksvd.load_default_model()
    for number, strokes in enumerate(drawings):
        drawn = [from_strokes(placed(strokes, scale, place), 280) for scale in SCALES for place in PLACES]
        answers = model.predict(np.stack(drawn))
        assert np.mean(np.repeat(answers, len(BRUSHES)) == number) >= 0.99


def test_pictures_answer_the_same_for_every_brush(drawings):
    """The law for pictures: each brush with every scale at which it leaves loops open, at three of the places."""
    model = dasksvd.load_default_model()
    right = {brush: [] for brush in BRUSHES}
    turn = 0
    for number, strokes in enumerate(drawings):
        for brush in BRUSHES:
            for scale in (scale for scale in SCALES if scale >= 4.5 * brush):
                turn += 1
                places = PLACES[turn % 3 :: 3]
                images = [from_image(painted(placed(strokes, scale, place), brush)) for place in places]
                right[brush].extend(model.predict(np.stack(images)) == number)
    assert sum(map(len, right.values())) == 450
    assert np.mean(np.concatenate(list(right.values()))) >= 0.99
    assert min(np.mean(answers) for answers in right.values()) >= 0.97


@given(st.integers(0, 9), st.integers(8, 22), st.floats(100, 180), st.floats(0, 1), st.floats(0, 1))
def test_a_painted_drawing_is_nearly_the_drawing(drawings, number, brush, scale, across, down):
    """Whatever the brush, size and place, the picture's image is like the strokes' own."""
    strokes = placed(drawings[number], scale, (across, down))
    drawn, read_back = from_strokes(strokes, 280).astype(float), from_image(painted(strokes, brush)).astype(float)
    assert np.corrcoef(drawn.ravel(), read_back.ravel())[0, 1] > 0.85


def test_nothing_drawn_is_said_kindly():
    for nothing in ([], [[]], [np.empty((0, 2))]):
        with pytest.raises(DigitError, match="Nothing is drawn yet"):
            from_strokes(nothing, 280)


def test_a_dot_stays_a_dot():
    dot = from_strokes([[(30, 40)]], 280)
    shaky = from_strokes([[(30, 40), (32, 41), (31, 39)]], 280)
    np.testing.assert_array_equal(dot, shaky)
    assert dot[14, 14] == 255
    assert 4 <= np.count_nonzero(dot > 128) <= 16


def test_a_line_is_read_as_one():
    model = dasksvd.load_default_model()
    assert model.predict(from_strokes([[(140, 20), (142, 260)]], 280)[None])[0] == 1


def test_two_digits_are_noticed_and_one_is_not(drawings):
    pair = [*placed(drawings[3], 100, (0, 0.5)), *placed(drawings[8], 100, (1, 0.5))]
    assert side_by_side(from_strokes(pair, 280))
    assert not any(side_by_side(from_strokes(strokes, 1)) for strokes in drawings)
    mnist = dasksvd.load_mnist().train_images[:2000]
    assert np.mean([side_by_side(image) for image in mnist]) < 0.01


@pytest.mark.parametrize(
    ("strokes", "size", "message"),
    [
        ([[(1, 2, 3)]], 280, r"shape \(points, 2\), got \(1, 3\)"),
        ([["a", "b"]], 280, "list of points"),
        ([[(np.nan, 2), (3, 4)]], 280, "finite"),
        ([[(np.inf, 2), (3, 4)]], 280, "finite"),
        ([[(1, 2), (3, 4)]], 0, "positive size, got 0"),
        ([np.zeros((normalise.MAX_POINTS + 2, 2))], 280, "more than 200000 points"),
    ],
)
def test_wrong_strokes_are_named(strokes, size, message):
    with pytest.raises(DigitError, match=message):
        from_strokes(strokes, size)
