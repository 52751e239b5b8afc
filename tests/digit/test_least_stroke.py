"""The smallest change that flips an answer is a change of one stroke's end, and really flips it."""

import numpy as np
import pytest

from dasksvd.digit import from_strokes
from dasksvd.digit.least_stroke import LENGTHS, _changes, least_stroke
from reproduce import strokes


@pytest.fixture(scope="module")
def drawing():
    return strokes.write([strokes.TEMPLATES[7]["plain"]], np.random.default_rng(3))


def on_sheet(drawing):
    points = np.concatenate(drawing)
    low, extent = points.min(axis=0), np.ptp(points, axis=0).max()
    return [40 + 200 * (stroke - low) / extent for stroke in drawing]


def test_the_changed_drawing_is_read_otherwise(step_model, drawing):
    sheet = on_sheet(drawing)
    flip = least_stroke(step_model, sheet, 280)
    before, after = (int(step_model.predict(from_strokes(one, 280)[None])[0]) for one in (sheet, flip.change.strokes))
    assert before == flip.before.probabilities.argmax() != flip.after.probabilities.argmax() == after
    assert flip.after.doubt is None


def test_no_shorter_change_flips_it(step_model, drawing):
    """Oracle: every change of every shorter length, read one by one."""
    sheet = on_sheet(drawing)
    flip = least_stroke(step_model, sheet, 280)
    answer = flip.before.probabilities.argmax()
    for length in LENGTHS[: LENGTHS.index(flip.change.length)]:
        for change in _changes(sheet, length, 280):
            found = step_model.explain(from_strokes(change.strokes, 280))
            assert found.doubt is not None or found.probabilities.argmax() == answer


def test_the_atom_that_switched_lost_most_of_its_part(step_model, drawing):
    flip = least_stroke(step_model, on_sheet(drawing), 280)
    old, new = (int(found.probabilities.argmax()) for found in (flip.before, flip.after))
    before, after = (step_model.lead_parts(found, old, new)[0] for found in (flip.before, flip.after))
    assert flip.parts == (before[flip.atom], after[flip.atom])
    assert (after - before).min() == after[flip.atom] - before[flip.atom] < 0


def test_a_change_is_as_long_as_it_says_and_touches_one_stroke():
    sheet = [np.array([(40.0, 40.0), (40.0, 240.0)]), np.array([(40.0, 140.0), (140.0, 140.0)])]
    for change in _changes(sheet, 0.2, 280):
        assert np.hypot(*np.diff(change.piece, axis=0).T).sum() == pytest.approx(40)
        untouched = [any(np.array_equal(stroke, other) for other in change.strokes) for stroke in sheet]
        assert sum(untouched) == 1
