"""Odds, draws and degradation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dasksvd import ParameterError
from dasksvd.method.sampling import check_varied, degrade, draw, lower_odds


@given(
    n=st.integers(1, 50),
    share=st.floats(0, 1),
    tau1=st.floats(0, 1),
    seed=st.integers(0, 10**6),
)
def test_odds_sum_to_one_and_the_drawn_lose_exactly_tau1(n, share, tau1, seed):
    rng = np.random.default_rng(seed)
    odds = rng.random(n) + 0.01
    odds /= odds.sum()
    drawn = rng.permutation(n)[: int(share * (n - 1))]
    after = lower_odds(odds, drawn, tau1)
    assert after.sum() == pytest.approx(1)
    others = np.setdiff1d(np.arange(n), drawn)
    # Relative to a signal that was not drawn, renormalising cancels out.
    np.testing.assert_allclose(after[drawn] / after[others[0]], tau1 * odds[drawn] / odds[others[0]])
    np.testing.assert_allclose(after[others] / after[others[0]], odds[others] / odds[others[0]])


def test_tau1_one_means_no_memory():
    odds = np.full(8, 1 / 8)
    np.testing.assert_array_equal(lower_odds(odds, np.array([1, 5]), 1.0), odds)


def test_tau1_zero_means_never_again():
    labels = np.repeat([0, 1], 30)
    odds = np.full(60, 1 / 60)
    seen = []
    for seed in range(3):
        drawn = draw(odds, labels, 2, 10, np.random.default_rng(seed))
        seen.extend(drawn.tolist())
        odds = lower_odds(odds, drawn, 0.0)
    assert sorted(seen) == list(range(60))
    np.testing.assert_array_equal(odds, 0)
    with pytest.raises(ParameterError, match="only 0 signals of class 0 can still be drawn, t = 10"):
        draw(odds, labels, 2, 10, np.random.default_rng(0))


def test_draw_takes_t_distinct_signals_of_each_class(rng):
    labels = rng.integers(0, 4, 400)
    drawn = draw(np.full(400, 1 / 400), labels, 4, 25, rng)
    assert len(np.unique(drawn)) == 100
    np.testing.assert_array_equal(labels[drawn], np.repeat(np.arange(4), 25))


def test_draws_follow_the_odds(rng):
    """One draw per class: the frequencies are the odds, within four standard errors."""
    odds = np.array([0.4, 0.3, 0.2, 0.1, 0.5, 0.5])
    labels = np.array([0, 0, 0, 0, 1, 1])
    repeats = 4000
    drawn = np.concatenate([draw(odds / odds.sum(), labels, 2, 1, rng) for _ in range(repeats)])
    frequencies = np.bincount(drawn, minlength=6) / repeats
    spread = np.sqrt(odds * (1 - odds) / repeats)
    assert np.all(np.abs(frequencies - odds) < 4 * spread)


def test_a_drawn_signal_becomes_rarer(rng):
    labels = np.zeros(40, int)
    odds = lower_odds(np.full(40, 1 / 40), np.arange(20), 0.5)
    drawn = np.concatenate([draw(odds, labels, 1, 1, rng) for _ in range(3000)])
    assert np.mean(drawn < 20) == pytest.approx(1 / 3, abs=0.035)


def test_first_iteration_is_clean(rng):
    signals = rng.random((5, 30), dtype=np.float32)
    np.testing.assert_array_equal(degrade(signals, 0, 0.1, "std", rng), signals)


@pytest.mark.parametrize("noise", ["std", "variance"])
def test_noise_grows_linearly_and_with_the_signals_own_spread(noise, rng):
    signals = np.repeat(rng.random((4, 50), dtype=np.float32) * [[0.1], [0.5], [1], [2]], 400, axis=1).astype(
        np.float32
    )
    spread = signals.std(axis=1) if noise == "std" else signals.var(axis=1)
    for iteration in (1, 7, 19):
        added = degrade(signals, iteration, 0.1, noise, rng) - signals
        np.testing.assert_allclose(added.std(axis=1), iteration * 0.1 * spread, rtol=0.03)
        assert np.all(np.abs(added.mean(axis=1)) < 4 * iteration * 0.1 * spread / np.sqrt(signals.shape[1]))


def test_tau2_zero_adds_nothing(rng):
    signals = rng.random((5, 30), dtype=np.float32)
    np.testing.assert_array_equal(degrade(signals, 7, 0.0, "std", rng), signals)


LABELS = np.arange(60) % 3


def varied(rng, n=60, length=9):
    return rng.standard_normal((n, length)).astype(np.float32)


def test_signals_that_are_all_zero_are_named():
    with pytest.raises(ParameterError, match="all signals are zero, so there is nothing to learn from; check how"):
        check_varied(np.zeros((60, 9), np.float32), LABELS, "abc")


def test_classes_whose_signals_are_all_zero_are_named(rng):
    signals = varied(rng) * (LABELS == 1)[:, None]
    with pytest.raises(ParameterError, match="all signals of class six, nine are zero, and a zero signal uses no atom"):
        check_varied(signals, LABELS, ["six", "one", "nine"])


@pytest.mark.parametrize("picture", ["flat", "varied"])
def test_signals_that_are_all_the_same_are_named(picture, rng):
    one = np.full((1, 9), 0.3, np.float32) if picture == "flat" else varied(rng, 1)
    with pytest.raises(ParameterError, match="all 60 signals are the same, so every class uses the same atom"):
        check_varied(np.repeat(one, 60, axis=0), LABELS, "abc")


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e15])
def test_signals_that_differ_in_size_only_are_named(scale, rng):
    sizes = rng.standard_normal((60, 1))
    sizes[::7] = 0
    signals = (scale * sizes * varied(rng, 1)).astype(np.float32)
    with pytest.raises(ParameterError, match="all 60 signals are the same but for their size"):
        check_varied(signals, LABELS, "abc")


@pytest.mark.parametrize("odd", [0, 30, 1399])
def test_one_signal_that_differs_is_enough_wherever_it_stands(odd, rng):
    signals = np.repeat(varied(rng, 1), 1400, axis=0)
    signals[odd, 4] += 0.01
    check_varied(signals, np.arange(1400) % 3, "abc")


def test_one_signal_that_is_not_zero_is_enough_for_a_class(rng):
    signals = varied(rng)
    signals[3::3] = 0
    check_varied(signals, LABELS, "abc")
