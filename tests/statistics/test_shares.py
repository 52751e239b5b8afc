"""Shares of signals: intervals of one and of the difference of two."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dasksvd import ParameterError
from dasksvd.statistics import paired_shares, share_half_width, share_text, unpaired_shares


@given(st.integers(1, 5000), st.data())
def test_the_interval_of_a_share_vs_scipys_wilson_interval(n, data):
    right = data.draw(st.integers(0, n))
    low, high = stats.binomtest(right, n).proportion_ci(0.95, "wilson")
    assert share_half_width(right / n, n) == pytest.approx((high - low) / 2, rel=1e-5)
    assert share_text(right / n, n).endswith(f"± {50 * (high - low):.1f}")


def readings(rng, n, errors, together):
    """Which of n signals two readers read wrong: a share of the mistakes is made by both."""
    both = rng.random((2000, n)) < together * min(errors)
    return [both | (rng.random((2000, n)) < (error - together * min(errors))) for error in errors]


def covered(found, true):
    return np.mean([abs(one.mean - true) < one.half_width for one in found])


@pytest.mark.parametrize("errors", [(0.04, 0.05), (0.3, 0.2), (0.01, 0.01)])
@pytest.mark.parametrize("n", [100, 1000])
def test_the_interval_of_two_readings_covers_the_difference_in_95_of_100_cases(rng, n, errors):
    for together in (0.0, 0.7):
        first, second = readings(rng, n, errors, together)
        true = second.mean() - first.mean()
        counts = [(1 - a.mean(), 1 - b.mean(), n, int((a & b).sum())) for a, b in zip(first, second, strict=True)]
        assert 0.94 <= covered([paired_shares(*one) for one in counts], true) <= 1
        # What is not known of the mistakes in common makes the interval wider, never too narrow.
        assert 0.94 <= covered([paired_shares(*one[:3], one[3] // 2) for one in counts], true) <= 1


@pytest.mark.parametrize(("errors", "sizes"), [((0.04, 0.05), (1000, 300)), ((0.0, 0.02), (200, 200))])
def test_the_interval_of_readings_of_other_signals_covers_the_difference_in_95_of_100_cases(rng, errors, sizes):
    wrong = [rng.binomial(n, error, 4000) for n, error in zip(sizes, errors, strict=True)]
    found = [
        unpaired_shares(1 - a / sizes[0], sizes[0], 1 - b / sizes[1], sizes[1]) for a, b in zip(*wrong, strict=True)
    ]
    assert 0.94 <= covered(found, errors[1] - errors[0]) <= 1


def test_the_same_signals_vs_mcnemars_test():
    """Oracle: McNemar's z for many signals, from those that only one reads right."""
    only_first, only_second, both, n = 160, 100, 300, 10_000
    found = paired_shares(1 - (both + only_second) / n, 1 - (both + only_first) / n, n, both)
    z = (only_first - only_second) / np.sqrt(only_first + only_second)
    assert found.mean == pytest.approx(0.006)
    assert found.p == pytest.approx(2 * stats.norm.sf(z), rel=0.1)
    assert found.half_width == pytest.approx(found.mean / z * 1.96, rel=0.02)


COUNTS = st.tuples(st.integers(1, 500), st.integers(0, 500), st.integers(0, 500)).map(
    lambda one: (one[0], min(one[1], one[0]), min(one[2], one[0]))
)


@given(COUNTS, st.data())
def test_a_difference_changes_its_sign_with_the_order_and_its_width_with_what_is_common(counts, data):
    n, a, b = counts
    both = data.draw(st.integers(0, min(a, b)))
    one, other = paired_shares(1 - a / n, 1 - b / n, n, both), paired_shares(1 - b / n, 1 - a / n, n, both)
    assert (one.mean, one.half_width, one.p) == (-other.mean, pytest.approx(other.half_width), pytest.approx(other.p))
    assert one.half_width <= paired_shares(1 - a / n, 1 - b / n, n).half_width + 1e-12
    assert (one.p < 0.05) == (one.verdict != "cannot be told apart")
    apart = unpaired_shares(1 - a / n, n, 1 - b / n, n)
    assert apart.mean == one.mean
    assert (apart.p < 0.05) == (apart.verdict != "cannot be told apart")


def test_more_mistakes_than_signals_must_share_some():
    assert paired_shares(0.2, 0.3, 100) == paired_shares(0.2, 0.3, 100, 50)
    assert paired_shares(0.2, 0.3, 100).half_width > paired_shares(0.2, 0.3, 100, 60).half_width


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_shares(0.9, 0.8, 100, 11), r"both_wrong must lie in 0 … 10, got 11"),
        (lambda: paired_shares(0.9, 0.8, 100, -1), r"both_wrong must lie in 0 … 10, got -1"),
        (lambda: paired_shares(90, 0.8, 100), "0 <= first <= 1, got 90"),
        (lambda: paired_shares(0.9, 0.8, 0), "n .* got 0"),
        (lambda: unpaired_shares(0.9, 100, 1.8, 100), "0 <= second <= 1, got 1.8"),
        (lambda: unpaired_shares(0.9, 100, 0.8, 0), "n_second .* got 0"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ParameterError, match=message):
        call()
