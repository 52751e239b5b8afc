"""Laws of every registered encoder, and a slow version of each as its oracle."""

import numpy as np
import pytest
from sklearn.linear_model import orthogonal_mp

from dasksvd import ParameterError
from dasksvd.encoders import ENCODERS, threshold
from tests.conftest import unit_rows


def slow_omp(signal, atoms, n_nonzero):
    """Oracle: scikit-learn's pursuit, in float64."""
    return orthogonal_mp(atoms.T, signal, n_nonzero_coefs=n_nonzero)


def slow_threshold(signal, atoms, n_nonzero):
    """Oracle: the formula, atom by atom, in float64."""
    correlations = [float(np.dot(signal, atom)) for atom in atoms]
    sizes = sorted((abs(value) for value in correlations), reverse=True)
    limit = sizes[n_nonzero] if n_nonzero < len(sizes) else 0.0
    return np.array([np.sign(value) * max(abs(value) - limit, 0.0) for value in correlations])


SLOW = {"omp": slow_omp, "threshold": slow_threshold}


@pytest.fixture(scope="module")
def problem():
    """Signals (40, 16) and atoms (24, 16), float32."""
    rng = np.random.default_rng(11)
    return np.float32(rng.standard_normal((40, 16))), np.float32(unit_rows(rng.standard_normal((24, 16))))


def test_every_encoder_has_an_oracle():
    assert set(SLOW) == set(ENCODERS)


@pytest.mark.parametrize("name", ENCODERS)
class TestEveryEncoder:
    @pytest.mark.parametrize("count", [1, 5, 24])
    def test_codes_vs_a_slow_version(self, name, count, problem):
        signals, atoms = problem
        count = min(count, 16) if name == "omp" else count  # further atoms depend on the chosen ones
        codes = ENCODERS[name].value(signals, atoms, count)
        expected = [SLOW[name](signal, atoms.astype(float), count) for signal in signals.astype(float)]
        np.testing.assert_allclose(codes, expected, atol=2e-3)

    @pytest.mark.parametrize("count", [1, 3, 24])
    def test_shape_type_and_number_of_non_zeros(self, name, count, problem):
        signals, atoms = problem
        codes = ENCODERS[name].value(signals.astype(float), atoms, count)
        assert codes.shape == (40, 24)
        assert codes.dtype == np.float32
        assert np.count_nonzero(codes, axis=1).max() <= count
        assert np.count_nonzero(codes[:, :]) > 0

    def test_a_signal_of_zeros_has_a_code_of_zeros(self, name, problem):
        signals, atoms = problem
        mixed = signals.copy()
        mixed[::2] = 0
        codes = ENCODERS[name].value(mixed, atoms, 4)
        assert not codes[::2].any()
        assert codes[1::2].any(axis=1).all()

    @pytest.mark.parametrize("factor", [2.0**-30, -1.0, 2.0**40])
    def test_a_signal_times_a_number_has_its_code_times_that_number(self, name, factor, problem):
        signals, atoms = problem
        once, often = (ENCODERS[name].value(np.float32(scale) * signals, atoms, 4) for scale in (1.0, factor))
        np.testing.assert_allclose(often, np.float32(factor) * once, rtol=1e-5)

    def test_a_code_does_not_depend_on_the_other_signals(self, name, problem):
        signals, atoms = problem
        together = ENCODERS[name].value(signals, atoms, 4)
        alone = np.concatenate([ENCODERS[name].value(signal[None], atoms, 4) for signal in signals])
        np.testing.assert_allclose(together, alone, rtol=1e-6)

    @pytest.mark.parametrize(("count", "message"), [(0, "n_nonzero must be"), (25, "at most the number of atoms")])
    def test_impossible_numbers_of_non_zeros_are_refused(self, name, count, message, problem):
        with pytest.raises(ParameterError, match=message):
            ENCODERS[name].value(*problem, count)

    def test_no_signals_have_no_codes(self, name, problem):
        assert ENCODERS[name].value(problem[0][:0], problem[1], 3).shape == (0, 24)


def test_many_signals_are_coded_block_by_block(problem, monkeypatch):
    signals, atoms = problem
    whole = threshold(signals, atoms, 4)
    monkeypatch.setattr("dasksvd.encoders._ROWS", 7)
    np.testing.assert_allclose(threshold(signals, atoms, 4), whole, rtol=1e-6)


def test_tied_correlations_leave_fewer_non_zeros():
    atoms = np.eye(3, dtype=np.float32)
    np.testing.assert_array_equal(threshold([[3.0, -2.0, 2.0]], atoms, 2), [[1, 0, 0]])


def test_codes_too_large_for_float32_are_refused():
    atom = np.full((1, 4), 0.5, np.float32)
    with pytest.raises(ParameterError, match="too large for float32"):
        threshold(np.full((1, 4), 3e38), atom, 1)


def test_an_unknown_name_is_told_with_the_known_ones():
    with pytest.raises(ParameterError, match="unknown encoder 'oracle'; known are omp, threshold"):
        ENCODERS["oracle"]
