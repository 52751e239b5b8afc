"""Settings that cannot be wrong."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dasksvd import PRESETS, ParameterError, Settings
from dasksvd.parameters import check_weights, n_nonzero

MNIST_SIZES = dict.fromkeys(range(10), 4000)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("q", 0, "at least 1, got 0"),
        ("q", 0.0, "0 < q <= 1"),
        ("q", 1.5, "0 < q <= 1 .* got 1.5"),
        ("q", True, "got True"),
        ("q", "many", "got 'many'"),
        ("t", 0, "t must be a whole number of at least 1, got 0"),
        ("t", 2.5, "whole number"),
        ("tau1", -0.1, "0 <= tau1 <= 1, got -0.1"),
        ("tau1", 1.1, "got 1.1"),
        ("tau2", 1.0, "0 <= tau2 < 1, got 1.0"),
        ("tau2", math.nan, "got nan"),
        ("I", 0, "I must be a whole number of at least 1"),
        ("alpha", -0.1, "0 <= alpha <= 1"),
        ("beta", math.inf, "got inf"),
        ("r_f", 0, "r_f > 0, got 0"),
        ("r_f", math.inf, "got inf"),
        ("ksvd_iter", 0, "ksvd_iter must be"),
        ("noise", "pink", "noise must be 'std' or 'variance', got 'pink'"),
        ("re_sign", 1, "re_sign must be 'paper' or 'code', got 1"),
        ("exact", "yes", "exact must be False or True"),
        ("seed", -1, "at least 0, got -1"),
        ("seed", 2**63, r"seed must be below 2\*\*63, got 9223372036854775808"),
    ],
)
def test_a_wrong_value_is_named(name, value, message):
    with pytest.raises(ParameterError, match=message):
        Settings(**{name: value})


def test_weights_outside_the_triangle_are_named():
    with pytest.raises(ParameterError, match=r"alpha \+ beta must be at most 1, got 0.7 \+ 0.5 = 1.2"):
        Settings(alpha=0.7, beta=0.5)


def test_a_rounding_error_beyond_the_triangle_is_forgiven_and_no_more():
    assert check_weights(0.5, 0.5 + 1e-10) == (0.5, 0.5 + 1e-10)
    with pytest.raises(ParameterError, match="at most 1"):
        check_weights(0.5, 0.5 + 1e-8)


@given(steps=st.integers(1, 100), data=st.data())
def test_every_lattice_point_is_inside_the_triangle(steps, data):
    a = data.draw(st.integers(0, steps))
    b = data.draw(st.integers(0, steps - a))
    assert check_weights(a / steps, b / steps) == (a / steps, b / steps)


def test_sparsity_of_the_paper():
    assert n_nonzero(0.2, 256) == 51
    assert [n_nonzero(0.2, atoms) for atoms in (50, 100, 150, 200)] == [10, 20, 30, 40]
    assert n_nonzero(0.001, 50) == 1
    assert n_nonzero(1.0, 50) == 50
    assert n_nonzero(1, 50) == 1
    assert n_nonzero(np.int64(3), 50) == 3
    with pytest.raises(ParameterError, match="q = 51 for 50 atoms"):
        n_nonzero(51, 50)


@given(percent=st.integers(1, 100))
def test_whole_percents_of_a_hundred_atoms_are_exact(percent):
    assert n_nonzero(percent / 100, 100) == percent


@pytest.mark.parametrize(
    ("settings", "length", "sizes", "message"),
    [
        (Settings(t=60, r_f=0.1), 256, {"a": 100, "b": 50}, "t = 60, class b has 50"),
        (Settings(tau1=0.0, t=500, I=20), 256, MNIST_SIZES, r"20 \* 500 = 10000, class 0 has 4000"),
        (Settings(), 256, {"a": 4000}, "at least two classes"),
        (Settings(r_f=0.01), 256, MNIST_SIZES, r"0.01 \* 256 = 3 atoms .* for 10 classes"),
        (Settings(t=20), 256, MNIST_SIZES, r"20 \* 10 = 200 signals for .* = 256 atoms"),
        (Settings(q=300), 256, MNIST_SIZES, "q = 300 for 256 atoms"),
    ],
)
def test_settings_that_do_not_fit_the_data_are_named(settings, length, sizes, message):
    with pytest.raises(ParameterError, match=message):
        settings.check_data(length, sizes)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_presets_fit_mnist_and_survive_json(preset):
    preset.check_data(256, MNIST_SIZES)
    assert Settings.from_dict(preset.as_dict()) == preset


def test_unknown_settings_are_named():
    with pytest.raises(ParameterError, match="unknown settings: gamma, kappa"):
        Settings.from_dict({"kappa": 1, "gamma": 2, "q": 3})


@pytest.mark.parametrize(
    ("settings", "length", "sizes"),
    [
        (Settings(t=50, r_f=0.1), 256, {"a": 100, "b": 50}),  # the whole smallest class
        (Settings(t=8), 16, {"a": 8, "b": 9}),  # as many atoms as drawn signals
        (Settings(t=8), 3, dict.fromkeys("abc", 8)),  # as many atoms as classes
        (Settings(q=16, t=8), 16, {"a": 8, "b": 9}),  # as many non-zeros as atoms
        (Settings(t=8), 2, {"a": 8, "b": 9}),  # the shortest signals
        (Settings(seed=2**63 - 1), 256, MNIST_SIZES),
    ],
)
def test_settings_at_the_edge_of_what_the_data_allow_are_fine(settings, length, sizes):
    settings.check_data(length, sizes)


@pytest.mark.parametrize(
    ("settings", "length", "sizes", "message"),
    [
        (Settings(t=8), 1, {"a": 8, "b": 9}, "at least 2 values, got n_features=1"),
        (Settings(t=8), 17, {"a": 8, "b": 9}, r"8 \* 2 = 16 signals for .* 17 atoms"),
        (Settings(t=8), 2, dict.fromkeys("abc", 8), "2 atoms .* for 3 classes"),
    ],
)
def test_settings_just_beyond_that_are_named(settings, length, sizes, message):
    with pytest.raises(ParameterError, match=message):
        settings.check_data(length, sizes)


@pytest.mark.parametrize(
    ("preset", "expected"), [("quick", (150, 10, 20)), ("classroom", (400, 20, 30)), ("paper", (500, 20, 50))]
)
def test_presets_are_what_the_documentation_says(preset, expected):
    assert (PRESETS[preset].t, PRESETS[preset].I, PRESETS[preset].ksvd_iter) == expected


def test_best_is_the_papers_run_fine_tuned():
    assert PRESETS["best"] == replace(PRESETS["paper"], fine_tune=25)


def test_a_count_of_nonzeros_must_fit_the_atoms_that_are_fine_tuned():
    """Before anything is learned: the selected atoms are known only at the end."""
    settings = Settings(q=30, I=2)
    settings.check_data(256, MNIST_SIZES)
    with pytest.raises(ParameterError, match="q = 30 for 20 atoms"):
        replace(settings, fine_tune=1).check_data(256, MNIST_SIZES)


def test_atoms_are_rounded_to_the_nearest_number():
    assert [Settings(r_f=r_f).n_atoms(10) for r_f in (0.01, 0.84, 0.86, 1.0, 1.25)] == [1, 8, 9, 10, 12]


def test_tau1_zero_is_fine_when_signals_suffice():
    Settings(tau1=0, t=200, I=20).check_data(256, MNIST_SIZES)  # 20 * 200 are all 4000
