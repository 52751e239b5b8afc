"""Numbers and their spread."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from dasksvd import ParameterError, metrics, statistics
from dasksvd.statistics import plus_minus


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((95.0, 1.0), "95.00 ± 1.00"),
        ((95.126, None), "95.13"),
        ((-0.004, 0.1), "-0.00 ± 0.10"),
    ],
)
def test_a_number_and_its_spread_have_two_decimals(arguments, text):
    assert plus_minus(*arguments) == text


@pytest.mark.parametrize(("value", "text"), [(0.6, "+0.60"), (-0.6, "-0.60"), (-0.004, "+0.00"), (0.0, "+0.00")])
def test_a_difference_has_a_sign_and_zero_only_one(value, text):
    assert plus_minus(value, signed=True) == text
    assert plus_minus(value, 0.25, signed=True) == f"{text} ± 0.25"


def test_only_one_function_writes_plus_minus():
    root = Path(__file__).parents[2]
    files = [path for room in ("dasksvd", "ui", "reproduce", "pages") for path in (root / room).rglob("*.py")]
    found = {path.name for path in files if re.search(r"\{[^}]*\} ± ", path.read_text(encoding="utf-8"))}
    assert found == {"summaries.py"}


def test_summary_vs_scipy():
    values = [0.91, 0.95, 0.93, 0.94]
    summary = statistics.summarise(values)
    described = stats.describe(values)
    assert summary.mean == pytest.approx(described.mean)
    assert summary.sd == pytest.approx(np.sqrt(described.variance))
    assert (summary.best, summary.rounds) == (0.95, 4)


def test_summary_of_one_round_has_no_deviation():
    summary = statistics.summarise([0.9487])
    assert summary.sd is None
    assert str(summary) == "94.87 (best 94.87 of 1)"
    assert json.loads(json.dumps(vars(summary)))["sd"] is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: statistics.summarise([]), r"got \(0,\)"),
        (lambda: statistics.summarise([94.9, 95.1]), "got 94.9 … 95.1"),
        (lambda: statistics.summarise([np.nan]), "got nan"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ParameterError, match=message):
        call()


@pytest.mark.parametrize("name", ["Difference", "Noise", "Summary", "paired", "plus_minus", "summarise", "unpaired"])
def test_statistics_are_still_found_where_they_were(name):
    assert getattr(metrics, name) is getattr(statistics, name)
