"""What mattered: a planted parameter is found, noise is not, and what the data cannot tell is said."""

import numpy as np
import pytest
import scipy.stats

from dasksvd.common.language import speaking
from dasksvd.search.importance import _same_means, cells, curve, half_width, sentence, what_mattered

NAMES = ("a", "b", "c")


def grid(seeds=3):
    return [
        {"a": a, "b": b, "c": c, "seed": s}
        for a in (0, 1, 2, 3)
        for b in ("x", "y", "z")
        for c in (1, 5, 9)
        for s in range(seeds)
    ]


def noisy(effect, settings, seed=0):
    rng = np.random.default_rng(seed)
    return [0.9 + effect(one) + 0.002 * rng.standard_normal() for one in settings]


def test_the_planted_parameters_are_found_and_the_others_are_not():
    settings = grid()
    answer = what_mattered(settings, noisy(lambda one: 0.01 * one["a"] + 0.015 * (one["b"] == "y"), settings), NAMES)
    assert [one.name for one in answer.importances] == ["a", "b", "c"]
    assert [one.is_clear for one in answer.importances] == [True, True, False]
    assert answer.explained > 0.5
    assert all(one.low < one.mean < one.high for one in answer.importances)
    assert sentence(answer, {"a": "α"}) == "α mattered most, then b; the other one cannot be told from nothing."


def test_noise_alone_is_called_noise():
    settings = grid()
    for seed in range(3):
        answer = what_mattered(settings, noisy(lambda one: 0, settings, seed), NAMES)
        assert not any(one.is_clear for one in answer.importances)
        assert "the rest is noise" in answer.problem
        assert "cannot tell" in sentence(answer, {})


def test_seeds_of_one_setting_are_never_split():
    """Each setting has a level that nothing explains: a forest that has seen one seed would know the others."""
    rng = np.random.default_rng(0)
    settings = [{"a": a, "b": 0.0, "seed": s} for a in rng.random(20) for s in range(5)]
    levels = {one["a"]: rng.standard_normal() for one in settings}
    scores = [0.9 + 0.01 * levels[one["a"]] for one in settings]
    answer = what_mattered(settings, scores, ("a",))
    assert answer.n_settings == 20
    assert answer.explained < 0.5


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ([{"a": 1}] * 20, "no parameter changed"),
        ([{"a": a} for a in range(5) for _ in range(9)], "5 different settings"),
    ],
)
def test_too_little_is_said_to_be_too_little(settings, words):
    answer = what_mattered(settings, noisy(lambda one: 0.01 * one["a"], settings), ("a",))
    assert words in answer.problem
    assert answer.importances == ()
    assert words in sentence(answer, {})


def test_an_answer_is_said_in_the_language_of_whoever_asks():
    """It may be kept for others: only its numbers are."""
    answer = what_mattered([{"a": a} for a in range(5)], [0.1, 0.2, 0.3, 0.4, 0.5], ("a",))
    assert "5 different settings" in sentence(answer, {})
    with speaking("es"):
        assert "5 ajustes distintos" in sentence(answer, {})
    settings = grid()
    answer = what_mattered(settings, noisy(lambda one: 0.01 * one["a"] + 0.015 * (one["b"] == "y"), settings), NAMES)
    with speaking("es"):
        assert sentence(answer, {"a": "α"}) == "α es lo que más importó, luego b; el otro no se distingue de nada."


def small_grid():
    return [{"a": a, "b": b, "c": c, "seed": s} for a in (1, 2, 3) for b in (0, 1) for c in (0, 1) for s in range(3)]


def test_what_is_plain_in_a_dozen_settings_is_told():
    """Forests alone cannot be sure of it: each has seen but seven of the twelve settings."""
    settings = small_grid()
    levels = {1: 0.76, 2: 0.88, 3: 0.92}
    rng = np.random.default_rng(0)
    answer = what_mattered(settings, [levels[one["a"]] + 0.03 * rng.standard_normal() for one in settings], NAMES)
    assert answer.importances[0].low < 0
    assert answer.importances[0].p < 0.001
    assert sentence(answer, {}) == "a mattered most; the other 2 cannot be told from nothing."


def test_an_analysis_of_variance_vs_scipy_and_rarely_finds_what_is_not_there():
    settings = small_grid()
    wrong = 0
    for seed in range(40):
        scores = np.random.default_rng(seed).standard_normal(len(settings))
        found = _same_means(np.array([[one[name] for name in NAMES] for one in settings], float), scores)
        wrong += min(found) < 0.05
    assert wrong <= 6  # at most 5 % of 40, and chance
    means = scores.reshape(12, 3).mean(axis=1)
    columns = [[one[name] for one in settings[::3]] for name in NAMES]
    raw = [scipy.stats.f_oneway(*(means[np.array(c) == value] for value in set(c))).pvalue for c in columns]
    assert min(found) == pytest.approx(min(1, 3 * min(raw)))  # Holm: the smallest counts as often as there are tests
    unique = np.arange(36.0)[:, None]
    assert _same_means(unique, scores) == [1.0]  # each value once: nothing to compare


def test_equal_scores_cannot_tell():
    assert "the same" in what_mattered(grid(), [0.9] * len(grid()), NAMES).problem


def test_what_never_changed_and_what_changed_together_is_named():
    settings = [one | {"twin": 10 - one["a"], "still": 3} for one in grid()]
    answer = what_mattered(settings, noisy(lambda one: 0.01 * one["a"], settings), (*NAMES, "twin", "still"))
    assert answer.never == ("still",)
    assert answer.together == (("a", "twin"),)
    assert answer.importances[0].name == "a with twin"
    assert sentence(answer, {}).startswith("a with twin mattered most")


def test_values_that_never_repeat_change_together_only_in_one_order():
    rng = np.random.default_rng(0)
    settings = [{"a": a, "b": b, "turned": -a} for a, b in rng.random((30, 2))]
    answer = what_mattered(settings, noisy(lambda one: 0.02 * one["a"], settings), ("a", "b", "turned"))
    assert answer.together == (("a", "turned"),)


def test_the_same_data_give_the_same_answer():
    settings = grid()
    scores = noisy(lambda one: 0.01 * one["a"], settings)
    assert what_mattered(settings, scores, NAMES) == what_mattered(settings, scores, NAMES)


def test_curves_and_cells_have_what_was_measured_and_nothing_else():
    settings = [{"a": 0, "b": 0}, {"a": 0, "b": 0}, {"a": 0, "b": 1}, {"a": 1, "b": 1}]
    scores = [0.5, 0.7, 0.9, 0.4]
    assert {value: one.mean for value, one in curve(settings, scores, "a").items()} == pytest.approx({0: 0.7, 1: 0.4})
    found = cells(settings, scores, ("a", "b"))
    assert set(found) == {(0, 0), (0, 1), (1, 1)}
    assert found[0, 0].mean == pytest.approx(0.6)
    assert half_width(found[0, 1]) is None
    assert half_width(found[0, 0]) == pytest.approx(12.706 * np.std([0.5, 0.7], ddof=1) / 2**0.5, rel=1e-3)


def test_the_importances_are_shares_of_the_variance():
    """Without noise and interaction they are those of the effects, as far as a forest can learn them."""
    settings = [{"a": a, "b": b} for a in range(6) for b in range(6)]
    scores = [0.5 + 0.02 * one["a"] + 0.01 * one["b"] for one in settings]
    found = {one.name: one.mean for one in what_mattered(settings, scores, ("a", "b")).importances}
    assert found["a"] == pytest.approx(0.8, abs=0.15)
    assert found["b"] == pytest.approx(0.2, abs=0.15)
