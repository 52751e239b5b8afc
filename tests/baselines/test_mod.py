"""MOD: the least-squares update and the learning loop around it."""

from functools import partial

import numpy as np
import pytest

from dasksvd.baselines import mod
from dasksvd.method import ksvd
from dasksvd.method.omp import pursue

learn = partial(ksvd.learn, update=mod.mod_update)


@pytest.fixture
def planted():
    """1,500 signals of 3 out of 50 Gaussian atoms of 20 values, 20 dB noise (Aharon and others)."""
    rng = np.random.default_rng(0)
    atoms = rng.standard_normal((50, 20))
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    codes = np.zeros((1500, 50))
    for code in codes:
        code[rng.choice(50, 3, replace=False)] = rng.standard_normal(3)
    clean = codes @ atoms
    noise = rng.standard_normal(clean.shape) * clean.std() / 10
    return (clean + noise).astype(np.float32), atoms


@pytest.fixture
def coded(planted):
    signals = planted[0]
    atoms = ksvd.random_signals(signals, 40, np.random.default_rng(1))
    return signals, atoms, pursue(signals, atoms, 3)


def test_update_vs_numpy_lstsq(coded):
    signals, atoms, codes = coded
    dense = codes.dense(40).astype(np.float64)
    expected = np.linalg.lstsq(dense, signals.astype(np.float64), rcond=None)[0]
    remainder = mod.mod_update(signals, atoms, codes)
    np.testing.assert_allclose(atoms, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-5)
    np.testing.assert_allclose(remainder, signals - dense @ expected, atol=1e-5)


def test_update_keeps_atoms_and_codes_in_step(coded):
    signals, atoms, codes = coded
    remainder = mod.mod_update(signals, atoms, codes)
    np.testing.assert_allclose(np.linalg.norm(atoms, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(signals - codes.dense(40) @ atoms, remainder, atol=1e-5)


def test_update_leaves_no_error_that_codes_could_explain(coded):
    signals, atoms, codes = coded
    dense = codes.dense(40)
    np.testing.assert_allclose(dense.T @ mod.mod_update(signals, atoms, codes), 0, atol=1e-3)


def test_update_lowers_the_error(coded):
    """For fixed codes no atoms are better, and random signals are not the best already."""
    signals, atoms, codes = coded
    before = np.square(signals - codes.dense(40) @ atoms).sum()
    assert np.square(mod.mod_update(signals, atoms, codes)).sum() < before


def test_dependent_codes_vs_pseudo_inverse():
    rng = np.random.default_rng(0)
    codes = rng.standard_normal((30, 4))
    codes = np.hstack([codes, codes[:, :2] - codes[:, 2:]])
    signals = rng.standard_normal((30, 7))
    np.testing.assert_allclose(mod.optimal_directions(signals, codes), np.linalg.pinv(codes) @ signals, atol=1e-8)


def test_unused_atom_stays(coded):
    signals, atoms, _ = coded
    lonely = np.concatenate([atoms, -atoms[:1]])  # OMP takes the first of two equal ones
    codes = pursue(signals, lonely, 3)
    assert not codes.dense(41)[:, 40].any()
    mod.mod_update(signals, lonely, codes)
    np.testing.assert_array_equal(lonely[40], -atoms[0])


def test_all_zero_signals_change_nothing(coded):
    atoms = coded[1]
    nothing = np.zeros((5, 20), np.float32)
    before = atoms.copy()
    np.testing.assert_array_equal(mod.mod_update(nothing, atoms, pursue(nothing, atoms, 3)), nothing)
    np.testing.assert_array_equal(atoms, before)


def test_learn_recovers_planted_atoms(planted):
    """Found if 1 − |⟨d, d̂⟩| < 0.01 (Aharon and others), as often as K-SVD finds them."""
    signals, truth = planted
    found = {}
    for method in (learn, ksvd.learn):
        learned = method(signals, 50, 3, 80, np.random.default_rng(0)).atoms
        found[method] = np.mean(np.abs(truth @ learned.T).max(axis=1) > 0.99)
    assert found[learn] >= 0.8
    assert found[learn] >= found[ksvd.learn] - 0.1


def test_learn_leaves_its_start_alone_and_repeats_itself(planted):
    signals, truth = planted
    initial = truth.astype(np.float32)
    kept = initial.copy()
    first, second = (learn(signals, 50, 3, 3, np.random.default_rng(0), initial=initial) for _ in range(2))
    np.testing.assert_array_equal(initial, kept)
    np.testing.assert_array_equal(first.atoms, second.atoms)


def test_learn_reports_and_stops(planted):
    seen = []
    learned = learn(
        planted[0], 50, 3, 80, np.random.default_rng(0), tol=0.02, on_iteration=lambda *step: seen.append(step)
    )
    assert 1 < len(learned.errors) < 80
    assert seen == list(enumerate(learned.errors.tolist(), start=1))
