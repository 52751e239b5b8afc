"""K-SVD against dictlearn, numpy's SVD, and the laws of the sweep."""

import dictlearn
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dasksvd import KSVD
from dasksvd.method.ksvd import MAX_COHERENCE, learn, random_signals, replace_bad_atoms, update_atoms
from dasksvd.method.omp import SparseCodes, gram_matrix, pursue
from tests.conftest import unit_rows


def planted(seed, snr=None, n=1500, length=20, n_atoms=50, n_nonzero=3):
    """Aharon et al.: signals of few atoms of a random dictionary, with noise of ``snr`` dB."""
    rng = np.random.default_rng(seed)
    atoms = unit_rows(rng.standard_normal((n_atoms, length)))
    codes = np.zeros((n, n_atoms))
    for code in codes:
        code[rng.choice(n_atoms, n_nonzero, replace=False)] = rng.standard_normal(n_nonzero)
    signals = codes @ atoms
    if snr is not None:
        size = np.linalg.norm(signals, axis=1, keepdims=True) * 10 ** (-snr / 20)
        signals = signals + size * unit_rows(rng.standard_normal(signals.shape))
    return signals, atoms


def recovered(atoms, learned):
    return np.mean(1 - np.abs(atoms @ learned.T).max(axis=1) < 0.01)


@pytest.mark.parametrize(("snr", "floor"), [(20, 0.88), (None, 0.90)])
def test_planted_dictionary_is_recovered_no_worse_than_dictlearn(snr, floor):
    ours, theirs = [], []
    for seed in range(10):
        signals, atoms = planted(seed, snr)
        ksvd = KSVD(n_atoms=50, q=3, ksvd_iter=80, random_state=seed).fit(signals)
        peer = dictlearn.DictionaryLearning(50, n_nonzero_coefs=3, max_iter=80, random_state=seed).fit(signals)
        ours.append(recovered(atoms, ksvd.components_))
        theirs.append(recovered(atoms, peer.components_))
    assert np.mean(ours) >= floor
    assert np.mean(ours) >= np.mean(theirs)


def problem(seed, n=200, length=64, n_atoms=30, n_nonzero=5):
    rng = np.random.default_rng(seed)
    signals = rng.standard_normal((n, length)).astype(np.float32)
    atoms = unit_rows(rng.standard_normal((n_atoms, length))).astype(np.float32)
    return signals, atoms, pursue(signals, atoms, n_nonzero)


def squared_error(signals, atoms, codes):
    return np.square(signals.astype(float) - codes.dense(len(atoms)).astype(float) @ atoms).sum()


@given(seed=st.integers(0, 10**6), n=st.integers(1, 300), n_nonzero=st.integers(1, 12), exact=st.booleans())
def test_sweep_never_raises_the_error(seed, n, n_nonzero, exact):
    signals, atoms, codes = problem(seed, n=n, n_nonzero=n_nonzero)
    before = squared_error(signals, atoms, codes)
    remainder = update_atoms(signals, atoms, codes, exact=exact)
    after = squared_error(signals, atoms, codes)
    assert after <= before * (1 + 1e-5)
    np.testing.assert_allclose(np.linalg.norm(atoms, axis=1), 1, atol=1e-5)
    expected = signals - codes.dense(len(atoms)) @ atoms
    np.testing.assert_allclose(remainder, expected, atol=1e-4)


def slow_approximate_sweep(signals, atoms, codes):
    """Rubinstein's update, written out with dense float64 matrices."""
    signals, atoms, codes = signals.astype(float), atoms.astype(float), codes.astype(float)
    for j in range(len(atoms)):
        users = codes[:, j] != 0
        if not users.any():
            continue
        without = signals[users] - codes[users] @ atoms + np.outer(codes[users, j], atoms[j])
        atom = without.T @ codes[users, j]
        atoms[j] = atom / np.linalg.norm(atom)
        codes[users, j] = without @ atoms[j]
    return atoms, codes


def slow_exact_sweep(signals, atoms, codes):
    """Aharon's update with numpy's full singular value decomposition."""
    signals, atoms, codes = signals.astype(float), atoms.astype(float), codes.astype(float)
    for j in range(len(atoms)):
        users = codes[:, j] != 0
        if not users.any():
            continue
        without = signals[users] - codes[users] @ atoms + np.outer(codes[users, j], atoms[j])
        left, values, right = np.linalg.svd(without, full_matrices=False)
        sign = np.sign(right[0] @ atoms[j])
        atoms[j], codes[users, j] = sign * right[0], sign * values[0] * left[:, 0]
    return atoms, codes


@pytest.mark.parametrize(("exact", "oracle"), [(False, slow_approximate_sweep), (True, slow_exact_sweep)])
@pytest.mark.parametrize("n", [8, 150])  # fewer and more users than values, for the exact update
def test_sweep_vs_direct_formula(exact, oracle, n):
    signals, atoms, codes = problem(3, n=n)
    expected_atoms, expected_codes = oracle(signals, atoms, codes.dense(len(atoms)))
    update_atoms(signals, atoms, codes, exact=exact)
    np.testing.assert_allclose(atoms, expected_atoms, atol=2e-4)
    np.testing.assert_allclose(codes.dense(len(atoms)), expected_codes, atol=2e-3)


def test_error_falls_and_is_reported(digits):
    signals = digits[0][:600]
    seen = []
    learned = learn(signals, 64, 8, 12, np.random.default_rng(0), on_iteration=lambda k, error: seen.append((k, error)))
    assert [k for k, _ in seen] == list(range(1, 13))
    np.testing.assert_array_equal([error for _, error in seen], learned.errors)
    assert learned.errors[-1] < 0.9 * learned.errors[0]


def test_reported_error_is_that_of_signals_and_codes():
    signals, atoms, codes = problem(5)
    learned = learn(signals, 30, 5, 1, np.random.default_rng(0), initial=atoms.copy())
    update_atoms(signals, atoms, codes)
    assert learned.errors[0] == pytest.approx(np.sqrt(squared_error(signals, atoms, codes) / signals.size), rel=1e-5)


def test_tol_stops_when_the_error_no_longer_falls(digits):
    signals = digits[0][:600]
    patient = KSVD(n_atoms=64, q=8, ksvd_iter=40, random_state=0).fit(signals)
    hasty = KSVD(n_atoms=64, q=8, ksvd_iter=40, tol=0.01, random_state=0).fit(signals)
    assert patient.n_iter_ == 40
    assert 1 < hasty.n_iter_ < 40
    falls = 1 - hasty.errors_[1:] / hasty.errors_[:-1]
    assert falls[-1] <= 0.01 < falls[:-1].min()
    np.testing.assert_array_equal(hasty.errors_, patient.errors_[: hasty.n_iter_])


def test_hardly_used_and_duplicate_atoms_become_the_worst_coded_signals():
    rng = np.random.default_rng(0)
    atoms = np.eye(6, 64, dtype=np.float32)
    atoms[4] = atoms[1]
    signals = rng.standard_normal((20, 64)).astype(np.float32)
    support = np.tile(np.array([0, 1, 2, 4, 5], np.int32), (20, 1))
    codes = SparseCodes(support, np.ones((20, 5), np.float32), np.full(20, 5, np.int32))
    codes.values[3:, 2] = 0  # atom 2 has three users left, atom 3 none
    energies = np.arange(20.0)
    assert replace_bad_atoms(atoms, signals, codes, energies).tolist() == [2, 3, 4]
    np.testing.assert_allclose(atoms[[2, 3, 4]], unit_rows(signals[[19, 18, 17]]), rtol=1e-6)
    np.testing.assert_array_equal(atoms[[0, 1, 5]], np.eye(6, 64)[[0, 1, 5]])


def test_copies_of_one_signal_are_not_taken_as_replacements_twice():
    atoms = np.eye(4, 64, dtype=np.float32)
    signals = np.zeros((12, 64), np.float32)
    signals[:, 10] = 1
    codes = SparseCodes(np.zeros((12, 1), np.int32), np.ones((12, 1), np.float32), np.ones(12, np.int32))
    assert replace_bad_atoms(atoms, signals, codes, np.ones(12)).tolist() == [1]
    assert np.abs(np.tril(atoms @ atoms.T, -1)).max() <= MAX_COHERENCE


def test_learned_atoms_are_distinct_unit_vectors(digits):
    atoms = KSVD(n_atoms=64, q=8, ksvd_iter=10, random_state=0).fit(digits[0][:600]).components_
    np.testing.assert_allclose(np.linalg.norm(atoms, axis=1), 1, atol=1e-5)
    assert np.abs(np.tril(atoms @ atoms.T, -1)).max() <= MAX_COHERENCE


def test_gram_matrix_vs_numpy(rng):
    atoms = unit_rows(rng.standard_normal((70, 33))).astype(np.float32)
    np.testing.assert_allclose(gram_matrix(atoms), atoms @ atoms.T, atol=1e-6)


def test_start_skips_blank_signals_and_fills_up_with_directions(rng):
    signals = np.zeros((10, 64), np.float32)
    signals[:3] = rng.standard_normal((3, 64))
    atoms = random_signals(signals, 5, rng)
    np.testing.assert_allclose(np.linalg.norm(atoms, axis=1), 1, atol=1e-5)
    assert np.sort(np.abs(atoms @ unit_rows(signals[:3]).T).max(axis=0)) == pytest.approx([1, 1, 1], abs=1e-5)


def test_blank_signals_alone_are_survived():
    learned = learn(np.zeros((40, 9), np.float32), 5, 2, 3, np.random.default_rng(0))
    assert np.isfinite(learned.atoms).all()
    np.testing.assert_array_equal(learned.errors, 0)


def test_a_small_coefficient_is_still_a_use():
    """Atom 1 is used by five signals, each time with a ten thousandth of the largest coefficient."""
    atoms = np.eye(4, 64, dtype=np.float32)[:2]
    signals = np.eye(6, 64, dtype=np.float32)[[0, 0, 0, 0, 0, 5]]
    support = np.tile(np.array([0, 1], np.int32), (6, 1))

    def replaced(share):
        values = np.tile(np.array([1, share], np.float32), (6, 1))
        codes = SparseCodes(support, values, np.full(6, 2, np.int32))
        return replace_bad_atoms(atoms.copy(), signals, codes, np.arange(6.0)).tolist()

    assert replaced(1e-4) == []
    assert replaced(1e-9) == [1]


def test_a_bad_atom_keeps_no_signal_from_its_place():
    """Atom 2 is not used, and the worst-coded signal points its way: it is the one that takes the place."""
    atoms = np.eye(3, 64, dtype=np.float32)
    signals = np.eye(5, 64, dtype=np.float32)[[0, 0, 0, 0, 1, 1, 1, 1, 2, 4]] * 3
    support = np.array([[0]] * 4 + [[1]] * 6, np.int32)
    codes = SparseCodes(support, np.full((10, 1), 3, np.float32), np.ones(10, np.int32))
    energies = np.array([0.0] * 8 + [9.0, 8.0])
    assert replace_bad_atoms(atoms, signals, codes, energies).tolist() == [2]
    np.testing.assert_array_equal(atoms[2], np.eye(3, 64)[2])
