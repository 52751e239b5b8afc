"""The recorded scores are those of the shipped reader and its judge."""

import pytest

from dasksvd import load_default_model, load_mnist
from dasksvd.common.files import read_json
from dasksvd.digit.judge import load_default_judge
from reproduce import reader_results, reader_scores, refusals
from reproduce.default_model import split


def test_scores_of_the_shipped_model_are_kept_with_their_commands(tmp_path, monkeypatch):
    monkeypatch.setattr(reader_results, "RESULTS", tmp_path)
    reader_results.save("one", {"first": {"mean": 0.5}})
    reader_results.save("two", {"second": {"mean": 0.25}})
    stored = read_json(tmp_path / reader_results.NAME)
    assert stored == {
        "first": {"command": "python -m reproduce one", "mean": 0.5},
        "second": {"command": "python -m reproduce two", "mean": 0.25},
    }


def test_recorded_scores_are_the_shipped_models_own():
    stored = read_json(reader_results.RESULTS / reader_results.NAME)
    held_out, data = split()[0], load_mnist()
    right = load_default_model().predict(data.train_images[held_out]) == data.train_labels[held_out]
    assert stored["held-out training images"]["as they are"] == pytest.approx(right.mean(), abs=4e-4)
    painted = [stored["brushes"][f"brush {brush}"] for brush in reader_scores.CANVAS_BRUSHES]
    assert max(painted) - min(painted) <= 0.02 + 1e-9
    writers = reader_scores.writer_accuracies(load_default_model())
    assert stored["other writers"]["all"] == pytest.approx(writers["all"], abs=4e-3)


def test_recorded_refusals_are_the_shipped_judges_own():
    stored = read_json(reader_results.RESULTS / reader_results.NAME)
    images = load_mnist().train_images[split()[0]]
    found = refusals.refused(load_default_judge(), images)
    assert stored["refused"]["held-out training images"] == pytest.approx(found, abs=1e-3)
    # Why there is a judge: by what the atoms leave alone, hardly a letter is refused.
    assert stored["refused by residual alone"]["letters"] < 0.1 < 0.9 < stored["refused"]["letters"]
