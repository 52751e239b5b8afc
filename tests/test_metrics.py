"""Accuracy, weights, the paper's significance and paired differences."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from dasksvd import ParameterError, metrics
from dasksvd.metrics import plus_minus

RNG = np.random.default_rng(0)
TRUTH, GUESS = RNG.integers(10, size=500), RNG.integers(10, size=500)


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
    root = Path(__file__).parent.parent
    files = [path for room in ("dasksvd", "ui", "reproduce", "pages") for path in (root / room).rglob("*.py")]
    found = {path.name for path in files if re.search(r"\{[^}]*\} ± ", path.read_text(encoding="utf-8"))}
    assert found == {"metrics.py"}


def test_accuracy_vs_sklearn():
    assert metrics.accuracy(TRUTH, GUESS) == sklearn.metrics.accuracy_score(TRUTH, GUESS)


def test_confusion_matrix_vs_sklearn():
    expected = sklearn.metrics.confusion_matrix(TRUTH, GUESS, labels=range(11))
    np.testing.assert_array_equal(metrics.confusion_matrix(TRUTH, GUESS, 11), expected)


def test_confusion_matrix_of_small_integers_does_not_overflow():
    labels = np.full(3, 200, np.uint8)
    assert metrics.confusion_matrix(labels, labels, 201)[200, 200] == 3


@pytest.mark.parametrize(
    ("inputs", "hidden", "weights"),
    [
        (50, 50, 3060),
        (100, 100, 11110),
        (150, 150, 24160),
        (200, 200, 42210),
        (200, 50, 10560),
        (200, 1000, 211010),
        (784, 300, 238510),
        (784, 1000, 795010),
    ],
)
def test_weights_of_the_papers_networks(inputs, hidden, weights):
    assert metrics.n_weights(inputs, hidden) == weights


def test_summary_vs_scipy():
    values = [0.91, 0.95, 0.93, 0.94]
    summary = metrics.summarise(values)
    described = stats.describe(values)
    assert summary.mean == pytest.approx(described.mean)
    assert summary.sd == pytest.approx(np.sqrt(described.variance))
    assert (summary.best, summary.rounds) == (0.95, 4)


def test_summary_of_one_round_has_no_deviation():
    summary = metrics.summarise([0.9487])
    assert summary.sd is None
    assert str(summary) == "94.87 (best 94.87 of 1)"
    assert json.loads(json.dumps(vars(summary)))["sd"] is None


# The paper's significance


def test_significance_of_the_paper():
    assert metrics.probability_better(0.967, 0.955) > 0.9999
    assert metrics.probability_better(0.955, 0.967) < 0.0001


def test_significance_vs_drawn_binomials():
    errors = np.random.default_rng(1).binomial(10_000, [[0.0405], [0.0400]], size=(2, 200_000))
    drawn = np.mean(errors[1] < errors[0]) + np.mean(errors[1] == errors[0]) / 2
    assert metrics.probability_better(0.96, 0.9595) == pytest.approx(drawn, abs=0.005)


@given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 10**6))
def test_either_is_better(ours, theirs, n_test):
    both = metrics.probability_better(ours, theirs, n_test) + metrics.probability_better(theirs, ours, n_test)
    assert both == pytest.approx(1)


def test_more_images_make_a_lead_surer():
    assert metrics.probability_better(0.97, 0.96, 100) < metrics.probability_better(0.97, 0.96, 10_000)


def test_always_right_against_always_wrong():
    assert metrics.probability_better(1, 0) == 1
    assert metrics.probability_better(1, 1) == 0.5


# Paired differences

ROUNDS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=12)


@given(ROUNDS)
def test_paired_vs_scipy_ttest_rel(rounds):
    first, second = np.array(rounds).T
    spread = (first - second).std(ddof=1)
    assume(spread > 1e-6)
    found, expected = metrics.paired(first, second), stats.ttest_rel(first, second)
    interval = expected.confidence_interval(0.95)
    assert found.mean - found.half_width == pytest.approx(interval.low, rel=1e-6, abs=1e-9)
    assert found.mean + found.half_width == pytest.approx(interval.high, rel=1e-6, abs=1e-9)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)
    assert found.rounds == len(rounds)


@given(ROUNDS)
def test_a_paired_difference_changes_its_sign_with_the_order(rounds):
    first, second = np.array(rounds).T
    one, other = metrics.paired(first, second), metrics.paired(second, first)
    assert (one.mean, one.half_width, one.p) == (-other.mean, other.half_width, other.p)
    mirrored = {"better": "worse", "worse": "better"}
    assert other.verdict == mirrored.get(one.verdict, one.verdict)


def test_what_is_common_to_a_round_cancels(rng):
    """Rounds that differ by points, methods by a tenth: unpaired intervals would hide it."""
    hard = rng.normal(0, 0.02, 8)
    found = metrics.paired(0.951 + hard, 0.950 + hard)
    assert found.verdict == "better"
    assert found.text == "+0.10 ± 0.00"


@pytest.mark.parametrize(
    ("first", "second", "verdict", "p"),
    [
        ([0.95], [0.90], "one round cannot tell", None),
        ([0.95, 0.95], [0.95, 0.95], "cannot be told apart", 1.0),
        ([0.95, 0.96], [0.96, 0.95], "cannot be told apart", 1.0),
        ([0.75, 0.75], [0.5, 0.5], "better", 0.0),
        ([0.5, 0.5], [0.75, 0.75], "worse", 0.0),
    ],
)
def test_verdicts_of_simple_cases(first, second, verdict, p):
    found = metrics.paired(first, second)
    assert found.verdict == verdict
    assert found.p == (None if p is None else pytest.approx(p))


def test_no_difference_has_no_negative_sign():
    assert metrics.paired([0.95], [0.95 + 1e-9]).text == "+0.00"


# Bad input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metrics.accuracy([1, 2], [1, 2, 3]), r"\(2,\) true and \(3,\) predicted"),
        (lambda: metrics.accuracy([], []), "n >= 1"),
        (lambda: metrics.confusion_matrix([0, 3], [0, 1], 3), "truth must be whole numbers of 0 … 2, got 0 … 3"),
        (lambda: metrics.confusion_matrix([0, 1], [0, -1], 3), "predicted .* got -1 … 0"),
        (lambda: metrics.confusion_matrix([0.0], [0.0], 3), "float64"),
        (lambda: metrics.n_weights(0, 5), "n_inputs .* got 0"),
        (lambda: metrics.n_weights(5, 2.5), "n_hidden .* got 2.5"),
        (lambda: metrics.summarise([]), r"got \(0,\)"),
        (lambda: metrics.summarise([94.9, 95.1]), "got 94.9 … 95.1"),
        (lambda: metrics.summarise([np.nan]), "got nan"),
        (lambda: metrics.probability_better(96.7, 95.5), "0 <= ours <= 1, got 96.7"),
        (lambda: metrics.probability_better(0.9, None), "theirs .* got None"),
        (lambda: metrics.probability_better(0.9, 0.8, 0), "n_test .* got 0"),
        (lambda: metrics.paired([0.9, 0.8], [0.9]), r"got \(2,\) and \(1,\)"),
        (lambda: metrics.paired([], []), r"got \(0,\)"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ParameterError, match=message):
        call()
