from datetime import date

import pytest

from dasksvd.statistics import paired
from reproduce import repeat, results
from reproduce.results import save_results


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Five rounds of the row in results of their own: mean 96 %."""
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    values = [0.958, 0.959, 0.96, 0.961, 0.962]
    rows = {
        str(number): {
            "method": "das-ksvd",
            "hidden": 200,
            "classifier": "modern",
            "encoder": "omp",
            "round": number,
            "test_accuracy": value,
        }
        for number, value in enumerate(values)
    }
    save_results("ablation", rows)
    return values


def again(monkeypatch, accuracies):
    monkeypatch.setattr(repeat, "score", lambda task: {"test_accuracy": accuracies[task.round]})
    return list(repeat.repeat(len(accuracies)))


def test_a_row_that_was_not_repeated_says_nothing(stored):
    assert repeat.words() == ""


def test_every_round_is_measured_anew_and_kept(stored, monkeypatch):
    assert again(monkeypatch, [0.96, 0.962]) == [(0, 0.96), (1, 0.962)]
    assert repeat.repeated()[1].rounds == {0: 0.96, 1: 0.962}
    again(monkeypatch, [0.95])
    assert repeat.repeated()[1].rounds == {0: 0.95}


@pytest.mark.parametrize(
    ("shift", "word"), [(0.9, "inside"), (-0.9, "inside"), (1.1, "**outside**"), (-1.1, "**outside**")]
)
def test_the_repeated_mean_is_judged_by_the_stored_interval(stored, monkeypatch, shift, word):
    half = paired(stored, [0.0] * 5).half_width
    again(monkeypatch, [0.96 + shift * half] * 3)
    assert f", {word} the interval" in repeat.words()
    assert f"({date.today().isoformat()})" in repeat.words()
