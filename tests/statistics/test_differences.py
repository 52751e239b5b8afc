"""The paper's significance, paired and unpaired differences."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from dasksvd import ParameterError, statistics

# The paper's significance


def test_significance_of_the_paper():
    assert statistics.probability_better(0.967, 0.955) > 0.9999
    assert statistics.probability_better(0.955, 0.967) < 0.0001


def test_significance_vs_drawn_binomials():
    errors = np.random.default_rng(1).binomial(10_000, [[0.0405], [0.0400]], size=(2, 200_000))
    drawn = np.mean(errors[1] < errors[0]) + np.mean(errors[1] == errors[0]) / 2
    assert statistics.probability_better(0.96, 0.9595) == pytest.approx(drawn, abs=0.005)


@given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 10**6))
def test_either_is_better(ours, theirs, n_test):
    both = statistics.probability_better(ours, theirs, n_test) + statistics.probability_better(theirs, ours, n_test)
    assert both == pytest.approx(1)


def test_more_images_make_a_lead_surer():
    assert statistics.probability_better(0.97, 0.96, 100) < statistics.probability_better(0.97, 0.96, 10_000)


def test_always_right_against_always_wrong():
    assert statistics.probability_better(1, 0) == 1
    assert statistics.probability_better(1, 1) == 0.5


# Paired differences

ROUNDS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=12)


@given(ROUNDS)
def test_paired_vs_scipy_ttest_rel(rounds):
    first, second = np.array(rounds).T
    spread = (first - second).std(ddof=1)
    assume(spread > 1e-6)
    found, expected = statistics.paired(first, second), stats.ttest_rel(first, second)
    interval = expected.confidence_interval(0.95)
    assert found.mean - found.half_width == pytest.approx(interval.low, rel=1e-6, abs=1e-9)
    assert found.mean + found.half_width == pytest.approx(interval.high, rel=1e-6, abs=1e-9)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)
    assert found.rounds == len(rounds)


@given(ROUNDS)
def test_a_paired_difference_changes_its_sign_with_the_order(rounds):
    first, second = np.array(rounds).T
    one, other = statistics.paired(first, second), statistics.paired(second, first)
    assert (one.mean, one.half_width, one.p) == (-other.mean, other.half_width, other.p)
    mirrored = {"better": "worse", "worse": "better"}
    assert other.verdict == mirrored.get(one.verdict, one.verdict)


def test_what_is_common_to_a_round_cancels(rng):
    """Rounds that differ by points, methods by a tenth: unpaired intervals would hide it."""
    hard = rng.normal(0, 0.02, 8)
    found = statistics.paired(0.951 + hard, 0.950 + hard)
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
    found = statistics.paired(first, second)
    assert found.verdict == verdict
    assert found.p == (None if p is None else pytest.approx(p))


def test_no_difference_has_no_negative_sign():
    assert statistics.paired([0.95], [0.95 + 1e-9]).text == "+0.00"


@given(st.lists(st.floats(0, 1), min_size=2, max_size=9), st.lists(st.floats(0, 1), min_size=2, max_size=9))
def test_unpaired_vs_scipy_welch(first, second):
    assume(min(np.std(first), np.std(second)) > 1e-3)  # scipy warns of equal values
    expected = stats.ttest_ind(first, second, equal_var=False)
    interval = expected.confidence_interval(0.95)
    found = statistics.unpaired(statistics.summarise(first), statistics.summarise(second))
    assert found.mean == pytest.approx(np.mean(first) - np.mean(second))
    assert found.half_width == pytest.approx((interval.high - interval.low) / 2, rel=1e-6)
    assert found.p == pytest.approx(expected.pvalue, abs=1e-9)


def test_one_round_without_partner_cannot_tell():
    one, many = statistics.summarise([0.9]), statistics.summarise([0.8, 0.81])
    assert statistics.unpaired(one, many).verdict == "one round cannot tell"
    same = statistics.summarise([0.8, 0.8])
    assert statistics.unpaired(same, same).verdict == "cannot be told apart"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: statistics.probability_better(96.7, 95.5), "0 <= ours <= 1, got 96.7"),
        (lambda: statistics.probability_better(0.9, None), "theirs .* got None"),
        (lambda: statistics.probability_better(0.9, 0.8, 0), "n_test .* got 0"),
        (lambda: statistics.paired([0.9, 0.8], [0.9]), r"got \(2,\) and \(1,\)"),
        (lambda: statistics.paired([], []), r"got \(0,\)"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ParameterError, match=message):
        call()
