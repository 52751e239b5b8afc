"""A reader learns from corrections, only about drawings like them, and forgets them when told to."""

import numpy as np
import pytest

import dasksvd
from dasksvd.digit.reader import load_default_model, load_model
from reproduce import strokes


@pytest.fixture(scope="module")
def shipped():
    return load_default_model()


@pytest.fixture(scope="module")
def misread(shipped):
    """Five misread ones with a flat flag, and others like them."""
    drawn = strokes.draw_digits(np.ones(400, int), np.random.default_rng(1), only=["1 flat flag"])
    wrong = np.flatnonzero(shipped.predict(drawn[:300]) != 1)
    assert len(wrong) >= 5
    return drawn[wrong[:5]], drawn[300:]


def test_after_five_the_same_hand_is_read_right_more_often(shipped, misread):
    corrected = shipped.corrected(misread[0], [1] * 5)
    np.testing.assert_array_equal(corrected.predict(misread[0]), 1)
    before, after = (np.mean(model.predict(misread[1]) == 1) for model in (shipped, corrected))
    assert after > before + 0.02


def test_nothing_else_gets_worse_by_more_than_a_point(shipped, misread):
    data = dasksvd.load_mnist()
    images, labels = data.test_images[:3000], data.test_labels[:3000]
    corrected = shipped.corrected(misread[0], [1] * 5)
    before, after = (np.mean(model.predict(images) == labels) for model in (shipped, corrected))
    assert after >= before - 0.01


def test_taken_back_it_is_the_reader_as_before(shipped, misread):
    images = dasksvd.load_mnist().train_images[:50]
    back = shipped.corrected(misread[0], [1] * 5).corrected(misread[0][:0], [])
    np.testing.assert_array_equal(back.predict_proba(images), shipped.predict_proba(images))


def test_another_network_and_the_file_know_nothing_of_it(shipped, misread, tmp_path):
    corrected = shipped.corrected(misread[0], [1] * 5)
    assert corrected.trained_for(10).corrections is None
    corrected.save(tmp_path / "model.npz")
    assert load_model(tmp_path / "model.npz").corrections is None


def test_the_lead_says_what_they_add(shipped, misread):
    corrected = shipped.corrected(misread[0], [1] * 5)
    explained = corrected.explain(misread[0][0])
    rival, winner = np.argsort(explained.probabilities)[-2:]
    parts, rest = corrected.lead_parts(explained, winner, rival)
    added = corrected.lead_by_corrections(explained, winner, rival)
    lead = np.log(explained.probabilities[winner].astype(float) / explained.probabilities[rival])
    assert added > 1
    assert parts.sum() + rest + added == pytest.approx(lead, abs=1e-3)
