"""A drawing read as the dictionary grows, against the reader itself and the laws of the pursuit."""

from itertools import pairwise

import numpy as np
import pytest

import dasksvd
from dasksvd.digit import from_strokes, history
from dasksvd.digit.history import Moment
from dasksvd.digit.reader import load_model
from dasksvd.runs.reference import REFERENCE
from ui.components import canvas


@pytest.fixture(scope="module", params=["shipped", "of the reference run"])
def model(request):
    if request.param == "shipped":
        return dasksvd.load_default_model().restricted(30, 8)
    return load_model(max(REFERENCE.parent.glob("reference_reader_??.npz"))).restricted(20, 6)


@pytest.fixture(scope="module", params=[2, 5])
def image(request):
    return from_strokes(canvas.examples()[request.param], canvas.SIZE)


def test_each_moment_is_what_the_reader_says_with_those_atoms(model, image):
    """Oracle: :meth:`DigitModel.explain` of the restricted reader."""
    found = history.moments(model, dasksvd.reduce_images(image[None])[0])
    assert len(found) == np.bincount(model.atom_classes).max()
    for count, moment in enumerate(found, 1):
        part = model.restricted(model.n_nonzero, count)
        expected = part.explain(image)
        assert (moment.per_class, moment.n_atoms) == (count, len(part.atoms))
        assert moment.n_nonzero == min(model.n_nonzero, len(part.atoms))
        assert moment.answer == expected.probabilities.argmax()
        np.testing.assert_allclose(moment.probabilities, expected.probabilities, atol=1e-5)
        np.testing.assert_allclose(moment.rebuilt, expected.steps[-1], atol=1e-3)
        assert moment.left == pytest.approx(expected.residuals[-1] / expected.residuals[0], abs=1e-3)


def test_with_all_codes_allowed_more_atoms_never_leave_more(image):
    """All atoms in use, the rebuilt picture is a projection, and a larger span holds a smaller one."""
    model = dasksvd.load_default_model().restricted(60, 6)
    left = [moment.left for moment in history.moments(model, dasksvd.reduce_images(image[None])[0])]
    assert all(later <= earlier + 1e-4 for earlier, later in pairwise(left))


def test_an_empty_drawing_is_left_over_whole(model):
    found = history.moments(model, np.zeros(256, np.float32))
    assert [moment.left for moment in found] == [1.0] * len(found)
    assert not np.stack([moment.rebuilt for moment in found]).any()


@pytest.mark.parametrize(
    ("answers", "first"),
    [([7, 7, 7], 1), ([1, 7, 7], 2), ([7, 7, 1], 3), ([7, 1, 7, 7], 3), ([4], 1), ([7, 7, 7, 9, 7], 5)],
)
def test_it_is_readable_where_the_last_answer_comes_to_stay(answers, first):
    found = [
        Moment(count, 10 * count, 5, np.eye(10)[answer], np.zeros(4), 0.5) for count, answer in enumerate(answers, 1)
    ]
    assert history.readable_from(found) == first
