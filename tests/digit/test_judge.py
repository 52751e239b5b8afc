"""What is no digit is refused, and digits hardly ever."""

import numpy as np
import pytest

import dasksvd
from dasksvd.digit import from_strokes, judge
from dasksvd.digit.judge import DEFAULT_JUDGE, load_default_judge, load_judge, plain_doubt
from dasksvd.digit.reader import load_default_model, load_model
from reproduce import no_digits, refusals, strokes
from reproduce.default_model import split


@pytest.fixture(scope="module")
def shipped():
    return load_default_judge()


def share(shipped, images):
    return refusals.refused(shipped, images)


def test_few_held_out_digits_are_refused(shipped):
    """The target of the limits is 2 %; of images that no network has seen it is at most 1 %."""
    assert share(shipped, dasksvd.load_mnist().train_images[split()[0]]) <= 0.01


def test_few_drawn_digits_are_refused(shipped, rng):
    assert share(shipped, strokes.draw_digits(np.arange(1500) % 10, rng)) <= 0.025


@pytest.mark.parametrize(
    ("kind", "at_least"),
    [
        (lambda rng: no_digits.letters(rng, 8), 0.92),
        (lambda rng: no_digits.shapes(rng, 12), 0.92),
        (lambda rng: no_digits.scribbles(rng, 300), 0.93),
        (lambda rng: no_digits.pairs(rng, 300), 0.95),
        (lambda rng: no_digits.dots(rng, 100), 0.9),
    ],
    ids=["letters", "shapes", "scribbles", "two digits", "dots"],
)
def test_most_other_drawings_are_refused(shipped, rng, kind, at_least):
    assert share(shipped, kind(rng)) >= at_least


def test_the_explanation_refuses_what_the_measurement_refuses(shipped, rng):
    """Oracle: the rule written for many images at once, by which the limits were set."""
    images = np.concatenate([no_digits.letters(rng, 1), strokes.draw_digits(np.arange(40) % 10, rng)])
    model = load_default_model()
    expected = refusals.judged(shipped, images) > shipped.limit
    assert 0 < expected.sum() < len(images)
    np.testing.assert_array_equal([model.explain(image).doubt is not None for image in images], expected)
    np.testing.assert_array_equal([not model.is_digit(image) for image in images], expected)


def test_predict_answers_even_where_there_is_no_digit():
    image = from_strokes([[(60, 250), (140, 30), (220, 250)], [(95, 170), (185, 170)]], 280)
    assert load_default_model().explain(image).doubt.reason == "unlike"
    assert load_default_model().predict(image[None])[0] in range(10)


def test_what_the_atoms_leave_is_said_with_its_limit(shipped):
    image = from_strokes([[(140, 20), (140, 260)]], 280)
    signal = dasksvd.reduce_images(image[None])[0]
    found = judge.doubt(image, signal, shipped.left_over + 0.2)
    assert found.reason == "left over"
    assert f"{shipped.left_over + 0.2:.0%}".replace("%", " %") in found.sentence
    assert f"at most {shipped.left_over:.0%}".replace("%", " %") in found.sentence
    assert judge.doubt(image, signal, shipped.left_over) is None


def test_the_atoms_limit_is_used_with_the_atoms_it_was_measured_with(tmp_path, monkeypatch, shipped):
    """A model of other atoms, or with fewer of them, leaves more of every digit."""
    model = load_default_model()
    image = from_strokes([[(140, 20), (140, 260)]], 280)
    monkeypatch.setattr(judge, "load_default_judge", lambda: refusals._with_limits(shipped, np.inf, 1e-6))
    assert model.explain(image).doubt.reason == "left over"
    assert model.restricted(model.n_nonzero, 20).explain(image).doubt.reason == "left over"
    assert model.restricted(2, 20).explain(image).doubt is None
    assert model.restricted(model.n_nonzero, 3).explain(image).doubt is None
    model.save(tmp_path / "other.npz")
    assert load_model(tmp_path / "other.npz").explain(image).doubt is None


def test_ink_is_judged_without_learning():
    image = np.zeros((28, 28), np.uint8)
    assert plain_doubt(image).reason == "dot"
    image[4:24, 12:15] = 255
    assert plain_doubt(image) is None
    image[4:24, 20:23] = 255
    assert plain_doubt(image).reason == "two"
    image[2:26, 2:26] = 255
    assert plain_doubt(image).reason == "full"


def test_a_judge_comes_back_as_it_was_kept(shipped, tmp_path, rng):
    shipped.save(tmp_path / "judge.npz")
    loaded, signals = load_judge(tmp_path / "judge.npz"), rng.random((20, 256), np.float32)
    np.testing.assert_array_equal(loaded.scores(signals), shipped.scores(signals))
    assert (loaded.limit, loaded.left_over) == (shipped.limit, shipped.left_over)
    assert DEFAULT_JUDGE.stat().st_size < 2**18


def test_training_tells_digits_from_letters_it_has_not_seen(rng):
    """A small judge, a third of the names left out: far more letters than digits are refused."""
    data, (held_out, chosen) = dasksvd.load_mnist(), split()
    small = refusals.train_judge(
        data.train_images[chosen[:3000]], rng, share=0.03, epochs=8, keep=lambda place: place % 3 != 0
    )
    digits, drawn = data.train_images[held_out[:2000]], strokes.draw_digits(np.arange(500) % 10, rng)
    small = refusals.calibrated(small, digits, drawn)
    assert share(small, digits) <= refusals.REFUSED
    assert share(small, drawn) <= refusals.REFUSED
    new = no_digits.letters(rng, 5, [name for place, name in enumerate(no_digits.LETTERS) if place % 3 == 0])
    assert share(small, new) > 0.1


def test_letters_that_look_like_digits_are_no_examples_of_none():
    assert not {*"BDGILOQSZbgloqsz"} & {name[0] for name in no_digits.LETTERS if len(name.split(",")[0]) == 1}
