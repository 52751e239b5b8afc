"""The noise of networks and of trajectories, told apart by the analysis of variance."""

import numpy as np
import pytest
from scipy import stats

from dasksvd import ParameterError
from dasksvd.statistics import Noise, pooled_noise, summarise, variance_components

#: Networks of each trajectory.
BALANCED, UNBALANCED = [3] * 10, [2, 5, 3, 1, 4, 3, 6, 2, 3, 1]


def drawn(rng, sizes, networks=0.002, trajectories=0.003):
    """Accuracies around 0.95 with known standard deviations of both sources."""
    return [0.95 + rng.normal(0, trajectories) + rng.normal(0, networks, size) for size in sizes]


def by_hand(groups):
    """The classical estimator, written out: both mean squares by sums over single accuracies."""
    every = [value for group in groups for value in group]
    n, a, grand = len(every), len(groups), sum(every) / len(every)
    inside = sum((value - sum(group) / len(group)) ** 2 for group in groups for value in group) / (n - a)
    across = sum((sum(group) / len(group) - grand) ** 2 for group in groups for _ in group) / (a - 1)
    n0 = (n - sum(len(group) ** 2 for group in groups) / n) / (a - 1)
    return inside, max(0, (across - inside) / n0)


@pytest.mark.parametrize("sizes", [BALANCED, UNBALANCED])
def test_components_vs_the_estimator_written_out(rng, sizes):
    groups = drawn(rng, sizes)
    found, (networks, trajectories) = variance_components(groups), by_hand(groups)
    assert found.between_networks**2 == pytest.approx(networks)
    assert found.between_trajectories**2 == pytest.approx(trajectories)


@pytest.mark.parametrize("sizes", [BALANCED, UNBALANCED])
def test_the_mean_squares_vs_scipys_analysis_of_variance(rng, sizes):
    groups = drawn(rng, sizes)
    found = variance_components(groups)
    assert found.between.value / found.within.value == pytest.approx(stats.f_oneway(*groups).statistic)


@pytest.mark.parametrize("sizes", [BALANCED, UNBALANCED])
@pytest.mark.parametrize("true", [(0.002, 0.003), (0.003, 0.001), (0.002, 0.0)])
def test_known_components_are_found_on_average(rng, sizes, true):
    """Unbiased where a negative estimate is not cut at 0, so mean squares are averaged."""
    found = [variance_components(drawn(rng, sizes, *true)) for _ in range(3000)]
    within = np.mean([one.within.value for one in found])
    between = np.mean([one.between.value - one.within.value for one in found]) / found[0].networks
    assert within == pytest.approx(true[0] ** 2, rel=0.05)
    assert between == pytest.approx(true[1] ** 2, rel=0.1, abs=2e-7)


@pytest.mark.parametrize("sizes", [BALANCED, UNBALANCED])
@pytest.mark.parametrize("networks", [1, 3, 10])
def test_two_means_without_a_difference_stay_below_the_floor_in_95_of_100_cases(rng, sizes, networks):
    """Two new experiments of 8 trajectories each, with noise estimated from a third one."""
    below = []
    for _ in range(1500):
        noise = variance_components(drawn(rng, sizes)).noise(networks)
        first, second = (np.mean(np.stack(drawn(rng, [networks] * 8))) for _ in range(2))
        below.append(abs(first - second) < noise.floor(8))
    assert 0.93 < np.mean(below) < 0.985


@pytest.mark.parametrize(("sizes", "networks"), [(BALANCED, 3), (BALANCED, 1), (UNBALANCED, 3)])
def test_the_interval_of_the_noise_covers_it_in_95_of_100_cases(rng, sizes, networks):
    true = np.sqrt(0.003**2 + 0.002**2 / networks)
    intervals = np.array([variance_components(drawn(rng, sizes)).noise(networks).interval for _ in range(2000)])
    assert np.mean((intervals[:, 0] < true) & (true < intervals[:, 1])) == pytest.approx(0.95, abs=0.025)


def test_a_balanced_mean_has_the_noise_of_the_trajectories_means(rng):
    """With as many networks as were measured, no model is needed: the means' own standard deviation is the noise."""
    groups = drawn(rng, BALANCED)
    noise, means = variance_components(groups).noise(3), [group.mean() for group in groups]
    assert noise.sd == pytest.approx(np.std(means, ddof=1))
    assert noise.freedom == pytest.approx(9)


def test_more_networks_leave_the_noise_of_the_trajectories():
    found = variance_components([[0.950, 0.952], [0.960, 0.962], [0.955, 0.957]])
    floors = [found.noise(networks).sd for networks in (1, 2, 5, 100)]
    assert floors == sorted(floors, reverse=True)
    assert floors[-1] == pytest.approx(found.between_trajectories, rel=0.01)


def test_trajectories_that_differ_less_than_their_networks_have_no_component_of_their_own(rng):
    groups = [[0.94, 0.96], [0.941, 0.959], [0.942, 0.958]]
    found = variance_components(groups)
    assert found.between_trajectories == 0
    pooled = pooled_noise([summarise(group) for group in groups])
    assert (found.noise(1).sd, found.noise(1).freedom) == (pytest.approx(pooled.sd), pooled.freedom)


def test_the_interval_of_a_noise_vs_chi_square():
    low, high = Noise(0.002, 9).interval
    assert low == pytest.approx(0.002 * np.sqrt(9 / stats.chi2.ppf(0.975, 9)))
    assert high == pytest.approx(0.002 * np.sqrt(9 / stats.chi2.ppf(0.025, 9)))


@pytest.mark.parametrize("groups", [[], [[0.9, 0.8]], [[0.9], [0.8]]])
def test_one_source_alone_cannot_be_split(groups):
    assert variance_components(groups) is None


@pytest.mark.parametrize("groups", [[[0.9, 0.8], []], [[[0.9]], [[0.8]]]])
def test_bad_input_is_named(groups):
    with pytest.raises(ParameterError, match="n_networks >= 1"):
        variance_components(groups)
