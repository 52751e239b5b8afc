"""The half-steps of K-SVD and of the pursuit, against what learns and encodes, and the laws of each step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dasksvd import ParameterError, encode
from dasksvd.method import steps
from dasksvd.method.ksvd import MAX_COHERENCE, MIN_USERS, learn
from dasksvd.method.steps import Checked, Coded, Looked, Refitted, Renewed, Started, Users
from tests.conftest import unit_rows

#: Many atoms for few signals: some are hardly used and get replaced.
CROWDED = {"n": 60, "n_atoms": 40, "n_nonzero": 1}
USUAL = {"n": 200, "n_atoms": 16, "n_nonzero": 3}


def sample(digits, n):
    return digits[0][:: len(digits[0]) // n][:n]


def half_steps(digits, n, n_atoms, n_nonzero, n_iter=4, seed=0, exact=False):
    return list(steps.learn(sample(digits, n), n_atoms, n_nonzero, n_iter, np.random.default_rng(seed), exact=exact))


def of_kind(kind, found):
    return [step for step in found if isinstance(step, kind)]


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("size", [USUAL, CROWDED])
@pytest.mark.parametrize("seed", [0, 1])
def test_every_iteration_ends_with_the_bits_of_ksvd(digits, size, seed, exact):
    ends = of_kind(Checked, half_steps(digits, **size, seed=seed, exact=exact))
    for n_iter, end in enumerate(ends, 1):
        rng = np.random.default_rng(seed)
        expected = learn(sample(digits, size["n"]), size["n_atoms"], size["n_nonzero"], n_iter, rng, exact=exact)
        np.testing.assert_array_equal(end.atoms, expected.atoms)
        assert end.error == expected.errors[-1]


def test_signals_of_a_length_that_is_no_whole_block_end_alike(rng):
    signals = rng.standard_normal((90, 37)).astype(np.float32)
    end = of_kind(Checked, steps.learn(signals, 12, 3, 3, np.random.default_rng(4)))[-1]
    np.testing.assert_array_equal(end.atoms, learn(signals, 12, 3, 3, np.random.default_rng(4)).atoms)


def test_an_iteration_has_two_half_steps_for_every_atom_and_one_at_each_end(digits):
    found = half_steps(digits, **USUAL, n_iter=2)
    one = [Coded, *16 * [Users, Renewed], Checked]
    assert [type(step) for step in found] == [Started, *one, *one]
    assert [step.atom for step in of_kind(Renewed, found)] == 2 * list(range(16))


@given(seed=st.integers(0, 10**6), n=st.integers(5, 120), n_nonzero=st.integers(1, 6), exact=st.booleans())
def test_no_update_raises_the_error_and_each_explains_its_users_better(seed, n, n_nonzero, exact):
    signals = np.random.default_rng(seed).standard_normal((n, 32)).astype(np.float32)
    found = list(steps.learn(signals, 10, n_nonzero, 2, np.random.default_rng(seed), exact=exact))
    rounding = 1e-6 * np.square(signals).sum()
    for users, renewed in zip(of_kind(Users, found), of_kind(Renewed, found), strict=True):
        assert renewed.error <= renewed.error_before * (1 + 1e-5) + rounding
        fit = users.without - np.outer(renewed.coefficients, renewed.after)
        gain = np.square(users.without - np.outer(users.coefficients, renewed.before)).sum() - np.square(fit).sum()
        assert renewed.error_before - renewed.error == pytest.approx(gain, abs=1e-3 + 1e-5 * renewed.error)
        assert np.linalg.norm(renewed.after) == pytest.approx(1, abs=1e-5)


def test_an_update_is_the_power_step_or_the_singular_vector_of_its_users_error(digits):
    """Oracles: Rubinstein's formula, and numpy's singular value decomposition."""
    for exact in (False, True):
        found = half_steps(digits, **USUAL, n_iter=2, exact=exact)
        for users, renewed in zip(of_kind(Users, found), of_kind(Renewed, found), strict=True):
            if not len(users.users):
                continue
            E = users.without.astype(np.float64)
            direction = np.linalg.svd(E)[2][0] if exact else E.T @ users.coefficients
            direction /= np.linalg.norm(direction)
            assert abs(direction @ renewed.after) == pytest.approx(1, abs=1e-4)
            np.testing.assert_allclose(renewed.coefficients, E @ renewed.after, atol=1e-4)


def test_users_are_the_signals_that_have_the_atom_and_their_error_leaves_it_out(digits):
    found = half_steps(digits, **USUAL, n_iter=1)
    atoms, signals = found[0].atoms, sample(digits, USUAL["n"])
    codes = encode(signals, atoms, USUAL["n_nonzero"])
    first = of_kind(Users, found)[0]
    np.testing.assert_array_equal(first.users, np.flatnonzero(codes[:, 0]))
    np.testing.assert_allclose(first.coefficients, codes[first.users, 0], atol=1e-6)
    others = codes[first.users].copy()
    others[:, 0] = 0
    np.testing.assert_allclose(first.without, signals[first.users] - others @ atoms, atol=1e-5)
    np.testing.assert_array_equal(of_kind(Coded, found)[0].counts, (codes != 0).sum(axis=0))
    assert first.error == pytest.approx(np.square(signals - codes @ atoms).sum(), rel=1e-5)


def test_replaced_are_the_hardly_used_and_the_twins_by_signals_of_the_sample(digits):
    signals = sample(digits, CROWDED["n"])
    found = half_steps(digits, **CROWDED)
    assert sum(len(end.replaced) for end in of_kind(Checked, found)) > 10
    for end in of_kind(Checked, found):
        bad = (end.counts < MIN_USERS) | (end.coherence > MAX_COHERENCE)
        assert set(end.replaced) <= set(np.flatnonzero(bad))
        fresh = unit_rows(signals[end.signals])
        np.testing.assert_allclose(end.atoms[end.replaced], fresh, atol=1e-6)


def test_huge_signals_are_refused_with_what_to_do():
    with pytest.raises(ParameterError, match="multiply all signals"):
        next(steps.learn(np.full((9, 4), 1e30, np.float32), 2, 1, 1, np.random.default_rng(0)))


@pytest.fixture(scope="module")
def pursued(digits):
    """A digit on 30 other ones, q = 6: the signal, the atoms, and the half-steps."""
    signal, atoms = digits[0][7], unit_rows(digits[0][100::90][:30])
    found = list(steps.encode(signal, atoms, 6))
    return signal, atoms, found[::2], found[1::2]


def test_the_pursuit_ends_with_the_code_up_to_float32(pursued):
    signal, atoms, _, refits = pursued
    code = np.zeros(len(atoms))
    code[refits[-1].taken] = refits[-1].coefficients
    np.testing.assert_allclose(code, encode(signal[None], atoms, 6)[0], atol=1e-4)


def test_each_step_takes_the_largest_correlation_and_solves_its_small_system(pursued):
    signal, atoms, looks, refits = pursued
    residual = signal
    for step, (look, refit) in enumerate(zip(looks, refits, strict=True)):
        assert (type(look), type(refit)) == (Looked, Refitted)
        np.testing.assert_allclose(look.correlations, atoms @ residual, atol=1e-5)
        assert look.taken == np.abs(atoms @ residual).argmax() == refit.taken[step]
        chosen = atoms[refit.taken].astype(np.float64)
        np.testing.assert_allclose(refit.gram, chosen @ chosen.T, atol=1e-12)
        np.testing.assert_allclose(refit.gram @ refit.coefficients, refit.right, atol=1e-9)
        best = np.linalg.lstsq(chosen.T, signal.astype(np.float64))[0]
        np.testing.assert_allclose(refit.coefficients, best, atol=1e-9)
        residual = refit.residual
        np.testing.assert_allclose(chosen @ residual, 0, atol=1e-9)
    lengths = [np.linalg.norm(signal), *(np.linalg.norm(refit.residual) for refit in refits)]
    assert (np.diff(lengths) < 0).all()
