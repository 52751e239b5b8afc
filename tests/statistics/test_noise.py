"""The noise between networks, and what it hides."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from dasksvd.statistics import Noise, pooled_noise, summarise


def test_the_interval_of_a_difference_vs_scipys_two_sample_t_test(rng):
    """Oracle: with two groups alone, the pooled standard deviation is that of Student's two-sample test."""
    first, second = rng.normal(0.96, 0.002, 5), rng.normal(0.955, 0.002, 4)
    noise = pooled_noise([summarise(first), summarise(second)])
    found = noise.difference(summarise(first), summarise(second))
    oracle = stats.ttest_ind(first, second)
    low, high = oracle.confidence_interval(0.95)
    assert found.p == pytest.approx(oracle.pvalue)
    assert found.half_width == pytest.approx((high - low) / 2)
    assert found.mean == pytest.approx((high + low) / 2)


def test_the_interval_of_a_mean_covers_it_in_95_of_100_cases(rng):
    noise = Noise(0.01, 1000)
    means = rng.normal(0.9, 0.01, (4000, 5)).mean(axis=1)
    assert np.mean(np.abs(means - 0.9) < noise.half_width(5)) == pytest.approx(0.95, abs=0.012)


def test_a_gap_at_the_noise_floor_is_where_points_begin_to_differ():
    noise, here = Noise(0.001, 30), summarise([0.95, 0.95, 0.95])
    for factor, verdict in ((0.99, "cannot be told apart"), (1.01, "better")):
        there = replace(here, mean=0.95 + factor * noise.floor(3))
        assert noise.difference(there, here).verdict == verdict


def test_no_dictionary_with_two_networks_has_no_noise():
    assert pooled_noise([]) is None
    assert pooled_noise([summarise([0.9]), summarise([0.8])]) is None
