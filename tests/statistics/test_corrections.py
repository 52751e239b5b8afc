"""Holm's correction: what is clear among many tests."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dasksvd.statistics import Difference, corrected, holm, paired

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def differences(p_values):
    return [Difference(0.01, 0.02, p, 3) for p in p_values]


def rejected(p_values, level):
    """Holm's procedure as he wrote it: reject the smallest p-value while it is small enough, then stop at the first."""
    left, found = list(enumerate(p_values)), set()
    while left:
        place, smallest = min(left, key=lambda one: one[1])
        if not smallest * len(left) <= level:
            break
        found.add(place)
        left = [one for one in left if one[0] != place]
    return found


@given(P_VALUES, st.floats(0.001, 0.999))
def test_holm_vs_the_step_down_procedure(p_values, level):
    """Oracle: an adjusted p-value is the smallest level at which the procedure still rejects."""
    adjusted = holm(differences(p_values))
    assert {place for place, p in enumerate(adjusted) if p <= level} == rejected(p_values, level)


@given(P_VALUES)
def test_the_smallest_is_bonferronis_and_the_largest_at_least_its_own(p_values):
    adjusted = np.array(holm(differences(p_values)))
    order = np.argsort(p_values, kind="stable")
    assert adjusted[order[0]] == min(1, len(p_values) * min(p_values))
    assert np.all(np.diff(adjusted[order]) >= 0)
    assert np.all(adjusted >= p_values)
    assert np.all(adjusted <= np.minimum(1, len(p_values) * np.array(p_values)))


@given(P_VALUES, st.randoms())
def test_the_order_of_the_tests_does_not_matter(p_values, random):
    order = random.sample(range(len(p_values)), len(p_values))
    mixed = holm(differences([p_values[place] for place in order]))
    assert mixed == [holm(differences(p_values))[place] for place in order]


def test_what_is_no_test_does_not_count():
    alone = Difference(0.05, None, None, 1)
    assert holm([alone, *differences([0.01, 0.02]), alone]) == [None, 0.02, 0.02, None]
    found = corrected({"alone": alone, "tested": differences([0.04])[0]})
    assert found["alone"].verdict == "one round cannot tell"
    assert (found["tested"].verdict, found["tested"].family) == ("better", 1)
    assert holm([]) == []
    assert corrected({}) == {}


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=9))
def test_a_single_test_is_judged_as_without_a_table(rounds):
    one = paired(*np.array(rounds).T)
    (found,) = corrected({0: one}).values()
    assert found.verdict == one.verdict or abs(abs(one.mean) - one.half_width) < 1e-9  # at the very edge
    assert (found.mean, found.half_width, found.p, found.text) == (one.mean, one.half_width, one.p, one.text)


def test_a_verdict_among_many_has_the_sign_of_its_difference():
    table = {"up": Difference(0.01, 0.005, 0.001, 3), "down": Difference(-0.01, 0.005, 0.002, 3)}
    table |= {"lost": Difference(0.01, 0.009, 0.04, 3), "null": Difference(0.001, 0.009, 0.8, 3)}
    found = corrected(table)
    told = "cannot be told apart"
    assert [one.verdict for one in found.values()] == ["better", "worse", told, told]
    assert [key for key, one in found.items() if one.clear_alone] == ["lost"]


def test_a_table_without_any_difference_is_called_clear_in_5_of_100_cases_at_most(rng):
    """The single tests find something in most such tables."""
    draws = rng.normal(size=(2000, 20, 6))
    p_values = stats.ttest_1samp(draws, 0, axis=2).pvalue
    tables = [differences(row) for row in p_values]
    false = np.mean(
        [any(one.verdict == "better" for one in corrected(dict(enumerate(row))).values()) for row in tables]
    )
    assert false == pytest.approx(0.049, abs=0.015)
    assert np.mean(p_values.min(axis=1) < 0.05) > 0.5
