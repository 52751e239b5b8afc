"""The pursuit step by step, against scikit-learn and the laws of each step."""

import numpy as np
import pytest
from sklearn.linear_model import orthogonal_mp

from dasksvd import ParameterError, encode, load_default_model, load_mnist
from dasksvd.method.trace import trace
from tests.conftest import unit_rows

STEPS = 12


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(5)
    return rng.standard_normal(40), unit_rows(rng.standard_normal((70, 40)))


@pytest.fixture(scope="module")
def traced(problem):
    return trace(*problem, STEPS)


def test_every_step_refits_as_sklearn_orthogonal_mp_does(problem, traced):
    signal, atoms = problem
    for step in range(1, STEPS + 1):
        theirs = orthogonal_mp(atoms.T, signal, n_nonzero_coefs=step)
        assert set(np.flatnonzero(theirs)) == set(traced.atoms[:step])
        np.testing.assert_allclose(traced.coefficients[step - 1, :step], theirs[traced.atoms[:step]], atol=1e-5)
        assert not traced.coefficients[step - 1, step:].any()
        assert traced.residuals[step] == pytest.approx(np.linalg.norm(signal - theirs @ atoms), abs=1e-5)


def test_every_step_takes_the_atom_most_similar_to_the_residual_before_it(problem, traced):
    signal, atoms = problem
    left = signal
    for step, taken in enumerate(traced.atoms):
        np.testing.assert_allclose(traced.correlations[step], atoms @ left, atol=1e-5)
        assert np.abs(atoms @ left).argmax() == taken
        chosen = atoms[traced.atoms[: step + 1]]
        left = signal - np.linalg.lstsq(chosen.T, signal)[0] @ chosen


def test_candidates_are_the_largest_in_size_and_the_first_one_is_taken(traced):
    five = traced.candidates(5)
    assert five.shape == (STEPS, 5)
    np.testing.assert_array_equal(five[:, 0], traced.atoms)
    sizes = np.abs(np.take_along_axis(traced.correlations, five, axis=1))
    assert (np.diff(sizes, axis=1) <= 0).all()
    assert (np.sort(np.abs(traced.correlations), axis=1)[:, -5] == sizes[:, -1]).all()


def test_the_end_is_the_code(problem, traced):
    signal, atoms = problem
    code = np.zeros(len(atoms))
    code[traced.atoms] = traced.coefficients[-1]
    np.testing.assert_allclose(code, encode(signal[None], atoms, STEPS)[0], atol=1e-4)


@pytest.mark.parametrize("n_nonzero", [1, 20, 100])
def test_the_end_is_what_the_shipped_reader_explains(n_nonzero):
    model = load_default_model().restricted(n_nonzero, 20)
    for image in load_mnist().test_images[:10]:
        explained = model.explain(image)
        found = model.trace(explained)
        np.testing.assert_array_equal(found.atoms, explained.atoms)
        np.testing.assert_allclose(found.coefficients[-1], explained.coefficients, atol=2e-3)
        np.testing.assert_allclose(found.residuals, explained.residuals, atol=1e-5)
        # float32 takes the same atoms but where two are equally similar.
        sizes = np.abs(found.correlations)
        taken = sizes[np.arange(len(found.atoms)), found.atoms]
        assert (taken >= sizes.max(axis=1) - 1e-4).all()


def test_a_signal_of_nothing_has_no_steps(problem):
    _, atoms = problem
    found = trace(np.zeros(40), atoms, STEPS)
    assert (len(found.atoms), found.coefficients.shape, found.correlations.shape) == (0, (0, 0), (0, 70))
    assert found.residuals.tolist() == [0]


def test_more_steps_than_atoms_are_refused(problem):
    with pytest.raises(ParameterError, match="at most the number of atoms"):
        trace(*problem, 71)
