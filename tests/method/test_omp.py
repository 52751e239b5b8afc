"""Orthogonal matching pursuit against scikit-learn, dictlearn and the laws it must obey."""

import subprocess
import sys
import textwrap

import dictlearn
import numba
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.linear_model import orthogonal_mp_gram

from dasksvd import ParameterError, encode
from dasksvd.method.omp import pursue
from tests.conftest import unit_rows


@pytest.fixture(scope="module")
def random_problem():
    rng = np.random.default_rng(1)
    return rng.standard_normal((300, 40)), unit_rows(rng.standard_normal((70, 40))), 12


@pytest.fixture(scope="module")
def mnist_problem(digits):
    rng = np.random.default_rng(2)
    signals, _ = digits
    atoms = signals[rng.permutation(len(signals))[:256]] + 0.02 * rng.standard_normal((256, 256))
    return signals[:300].astype(float), unit_rows(atoms), 51


def sklearn_codes(signals, atoms, n_nonzero):
    return orthogonal_mp_gram(atoms @ atoms.T, atoms @ signals.T, n_nonzero_coefs=n_nonzero).T


def dictlearn_codes(signals, atoms, n_nonzero):
    return dictlearn.sparse_encode(signals, atoms, algorithm="omp", n_nonzero_coefs=n_nonzero)


@pytest.mark.parametrize("oracle", [sklearn_codes, dictlearn_codes])
@pytest.mark.parametrize("problem", ["random_problem", "mnist_problem"])
def test_encode_vs_sklearn_and_dictlearn(problem, oracle, request):
    signals, atoms, n_nonzero = request.getfixturevalue(problem)
    ours, theirs = encode(signals, atoms, n_nonzero), oracle(signals, atoms, n_nonzero)
    same = np.all((ours != 0) == (theirs != 0), axis=1)
    # float32 may break a tie that float64 sees; such a code is another one, not a worse one.
    assert same.mean() >= 0.99
    np.testing.assert_allclose(ours[same], theirs[same], atol=2e-3)
    errors = [np.linalg.norm(signals - codes @ atoms, axis=1) for codes in (ours, theirs)]
    np.testing.assert_allclose(errors[0], errors[1], rtol=0.05, atol=1e-4)


def test_residual_is_orthogonal_to_the_active_atoms(mnist_problem):
    signals, atoms, n_nonzero = mnist_problem
    codes = encode(signals, atoms, n_nonzero)
    correlations = (signals - codes @ atoms) @ atoms.T
    assert np.abs(correlations[codes != 0]).max() < 1e-4


def test_all_atoms_reach_least_squares(rng):
    signals, atoms = rng.standard_normal((20, 30)), unit_rows(rng.standard_normal((12, 30)))
    solution = np.linalg.lstsq(atoms.T, signals.T, rcond=None)[0].T
    np.testing.assert_allclose(encode(signals, atoms, 12), solution, atol=1e-4)


def test_permuted_atoms_permute_the_codes(random_problem, rng):
    signals, atoms, n_nonzero = random_problem
    order = rng.permutation(len(atoms))
    expected = encode(signals, atoms, n_nonzero)[:, order]
    np.testing.assert_allclose(encode(signals, atoms[order], n_nonzero), expected, atol=1e-4)


def test_duplicate_atoms_are_used_once(random_problem):
    signals, atoms, n_nonzero = random_problem
    doubled = np.concatenate([atoms, atoms])
    codes = encode(signals, doubled, n_nonzero)
    first, second = codes[:, : len(atoms)], codes[:, len(atoms) :]
    np.testing.assert_array_equal(second, 0)  # a tie goes to the first atom
    np.testing.assert_array_equal(first, encode(signals, atoms, n_nonzero))


def test_zero_signal_has_a_zero_code(random_problem):
    _, atoms, n_nonzero = random_problem
    codes = encode(np.zeros((3, atoms.shape[1])), atoms, n_nonzero)
    np.testing.assert_array_equal(codes, 0)


def test_stops_when_the_signal_is_explained(rng):
    atoms = unit_rows(rng.standard_normal((50, 100)))
    true = np.zeros((40, 50))
    for code in true:
        code[rng.choice(50, 2, replace=False)] = rng.uniform(1, 2, 2)
    codes = encode(true @ atoms, atoms, 30)
    assert np.count_nonzero(codes, axis=1).max() <= 6
    np.testing.assert_allclose(codes, true, atol=1e-5)


def test_stops_when_all_atoms_are_dependent(rng):
    plane = rng.standard_normal((2, 30))
    atoms = unit_rows(rng.standard_normal((9, 2)) @ plane)
    codes = encode(rng.standard_normal((25, 30)), atoms, 9)
    assert np.isfinite(codes).all()
    assert np.count_nonzero(codes, axis=1).max() == 2


def test_a_code_does_not_depend_on_its_batch(mnist_problem):
    signals, atoms, n_nonzero = mnist_problem
    together = encode(signals, atoms, n_nonzero)
    alone = np.concatenate([encode(signal[None], atoms, n_nonzero) for signal in signals[:20]])
    np.testing.assert_array_equal(alone, together[:20])
    np.testing.assert_array_equal(encode(signals[::-1], atoms, n_nonzero), together[::-1])


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two processor cores")
def test_one_and_two_threads_give_the_same_bits(mnist_problem):
    signals, atoms, n_nonzero = mnist_problem
    results = []
    for threads in (1, 2):
        numba.set_num_threads(threads)
        results.append(encode(signals, atoms, n_nonzero))
    np.testing.assert_array_equal(*results)


def test_codes_follow_the_scale_and_sign_of_the_signal(random_problem):
    signals, atoms, n_nonzero = random_problem
    codes = encode(signals, atoms, n_nonzero)
    np.testing.assert_array_equal(encode(-4 * signals, atoms, n_nonzero), -4 * codes)


def test_support_is_in_the_order_of_the_pursuit(mnist_problem):
    signals, atoms = (np.float32(array) for array in mnist_problem[:2])
    long, short = pursue(signals, atoms, 20), pursue(signals, atoms, 5)
    np.testing.assert_array_equal(long.support[:, :5], short.support)
    np.testing.assert_array_equal(long.support[:, 0], np.abs(signals @ atoms.T).argmax(axis=1))


@settings(max_examples=400)
@given(
    n=st.integers(0, 6),
    length=st.integers(1, 90),
    n_atoms=st.integers(1, 140),
    share=st.floats(0, 1),
    seed=st.integers(0, 2**32 - 1),
    scale=st.sampled_from([1e-18, 1e-3, 1.0, 1e12]),
)
# More non-zeros than dimensions, or an error larger than the signal, when only float32 was used.
@example(n=6, length=80, n_atoms=115, share=1.0, seed=779259058, scale=1e-3)
@example(n=6, length=68, n_atoms=138, share=1.0, seed=4107960876, scale=1.0)
@example(n=5, length=73, n_atoms=128, share=1.0, seed=362293323, scale=1e-18)
@example(n=3, length=66, n_atoms=104, share=0.8, seed=1985511373, scale=1.0)
@example(n=3, length=71, n_atoms=110, share=1.0, seed=381860957, scale=1e12)
@example(n=3, length=57, n_atoms=79, share=0.8, seed=12547819, scale=1e-18)
def test_any_problem_gives_sparse_finite_codes_that_explain(n, length, n_atoms, share, seed, scale):
    rng = np.random.default_rng(seed)
    signals = rng.standard_normal((n, length)) * scale
    atoms = unit_rows(rng.standard_normal((n_atoms, length)) + 1e-9)
    n_nonzero = max(1, round(share * n_atoms))
    codes = encode(signals, atoms, n_nonzero)
    assert codes.shape == (n, n_atoms)
    assert np.isfinite(codes).all()
    assert np.all(np.count_nonzero(codes, axis=1) <= min(n_nonzero, length))
    errors = np.linalg.norm(signals - codes.astype(float) @ atoms, axis=1)
    assert np.all(errors <= np.linalg.norm(signals, axis=1) * (1 + 1e-5))


GOOD = np.eye(4, dtype=np.float32)


@pytest.mark.parametrize(
    ("signals", "atoms", "n_nonzero", "message"),
    [
        (np.ones((2, 4)), GOOD, 5, "got 5 for 4 atoms"),
        (np.ones((2, 4)), GOOD, 0, "at least 1, got 0"),
        (np.ones((2, 4)), GOOD, 2.0, "whole number"),
        (np.ones((2, 4)), GOOD, True, "whole number"),
        (np.ones(4), GOOD, 1, r"signals must have shape .* got \(4,\)"),
        (np.ones((2, 3)), GOOD, 1, "same length, got 3 and 4"),
        (np.full((2, 4), np.nan), GOOD, 1, r"signals must be finite .* got 8 NaN .* first at \(0, 0\)"),
        (np.full((2, 4), 1e300), GOOD, 1, "finite in float32"),
        (np.array([[1, np.inf, 0, 0]]), GOOD, 1, r"first at \(0, 1\)"),
        (np.ones((2, 4)), np.full((3, 4), np.inf), 1, "atoms must be finite"),
        (np.ones((2, 4)), np.zeros((3, 4)), 1, "length 1, got 0 for atom 0"),
        (np.ones((2, 4)), GOOD * [[1], [1], [2], [1]], 1, "length 1, got 2 for atom 2"),
        (np.ones((2, 4)), np.empty((0, 4)), 1, "at least one row"),
        (np.array([["a"] * 4]), GOOD, 1, "real numbers, got dtype <U1"),
        (np.ones((2, 4), complex), GOOD, 1, "real numbers, got dtype complex128"),
    ],
)
def test_bad_input_is_named(signals, atoms, n_nonzero, message):
    with pytest.raises(ParameterError, match=message):
        encode(signals, atoms, n_nonzero)


def test_eight_python_threads_under_the_workqueue_layer(tmp_path):
    """Numba's `workqueue` layer aborts the process when two threads enter parallel kernels."""
    script = """
        import threading
        import numba, numpy as np
        from dasksvd import encode
        from dasksvd.common.compiled import SMALL_WORK

        rng = np.random.default_rng(0)
        atoms = rng.standard_normal((256, 256))
        atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
        signals = rng.standard_normal((400, 256))
        assert signals.size * 256 > SMALL_WORK
        expected = encode(signals, atoms, 40)
        assert numba.threading_layer() == "workqueue"
        wrong = []

        def work():
            for _ in range(6):
                if not np.array_equal(encode(signals, atoms, 40), expected):
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print("wrong:", len(wrong))
    """
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        env={"NUMBA_THREADING_LAYER": "workqueue", "NUMBA_NUM_THREADS": "2", "PATH": "", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout == "wrong: 0\n"
