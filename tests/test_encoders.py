"""Laws of every registered encoder, and a slow version of each as its oracle."""

import numpy as np
import pytest
from sklearn.decomposition import sparse_encode
from sklearn.linear_model import orthogonal_mp

from dasksvd import ParameterError
from dasksvd.encoders import ENCODERS, check_level, encode_by, levels_of, levels_to_try, register, soft, threshold
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


def slow_soft(signal, atoms, level):
    """Oracle: the formula, atom by atom, in float64."""
    unit = signal / np.sqrt(np.sum(signal**2))
    correlations = [float(np.dot(unit, atom)) for atom in atoms]
    return np.array([np.sign(value) * max(abs(value) - level, 0.0) for value in correlations])


SLOW = {"omp": slow_omp, "threshold": slow_threshold, "soft": slow_soft}
COUNTING = [name for name in ENCODERS if not levels_of(name)]
#: For encoders that have one.
LEVEL = 0.25


@pytest.fixture(scope="module")
def problem():
    """Signals (40, 16) and atoms (24, 16), float32."""
    rng = np.random.default_rng(11)
    return np.float32(rng.standard_normal((40, 16))), np.float32(unit_rows(rng.standard_normal((24, 16))))


def test_every_encoder_has_an_oracle():
    assert set(SLOW) == set(ENCODERS)


@pytest.mark.parametrize("name", ENCODERS)
class TestEveryEncoder:
    def test_a_signal_of_zeros_has_a_code_of_zeros(self, name, problem):
        signals, atoms = problem
        mixed = signals.copy()
        mixed[::2] = 0
        codes = encode_by(name, mixed, atoms, 4, LEVEL)
        assert not codes[::2].any()
        assert codes[1::2].any(axis=1).all()

    def test_shape_and_type(self, name, problem):
        codes = encode_by(name, problem[0].astype(float), problem[1], 4, LEVEL)
        assert codes.shape == (40, 24)
        assert codes.dtype == np.float32

    def test_a_signal_turned_round_has_its_code_turned_round(self, name, problem):
        signals, atoms = problem
        there, back = (encode_by(name, sign * signals, atoms, 4, LEVEL) for sign in (1, -1))
        np.testing.assert_allclose(back, -there, rtol=1e-5)

    def test_a_code_does_not_depend_on_the_other_signals(self, name, problem):
        signals, atoms = problem
        together = encode_by(name, signals, atoms, 4, LEVEL)
        alone = np.concatenate([encode_by(name, signal[None], atoms, 4, LEVEL) for signal in signals])
        np.testing.assert_allclose(together, alone, rtol=1e-6)

    def test_no_signals_have_no_codes(self, name, problem):
        assert encode_by(name, problem[0][:0], problem[1], 3, LEVEL).shape == (0, 24)

    @pytest.mark.parametrize("spoil", [lambda signals: signals * np.nan, lambda signals: signals[:, 1:]])
    def test_signals_that_cannot_be_coded_are_refused(self, name, spoil, problem):
        with pytest.raises(ParameterError, match=r"finite in float32|same length"):
            encode_by(name, spoil(problem[0]), problem[1], 3, LEVEL)


@pytest.mark.parametrize("name", COUNTING)
class TestEncodersThatCount:
    @pytest.mark.parametrize("count", [1, 5, 24])
    def test_codes_vs_a_slow_version(self, name, count, problem):
        signals, atoms = problem
        count = min(count, 16) if name == "omp" else count  # further atoms depend on the chosen ones
        codes = ENCODERS[name].value(signals, atoms, count)
        expected = [SLOW[name](signal, atoms.astype(float), count) for signal in signals.astype(float)]
        np.testing.assert_allclose(codes, expected, atol=2e-3)

    @pytest.mark.parametrize("count", [1, 3, 24])
    def test_number_of_non_zeros(self, name, count, problem):
        codes = ENCODERS[name].value(*problem, count)
        assert 0 < np.count_nonzero(codes, axis=1).max() <= count

    @pytest.mark.parametrize("factor", [2.0**-30, -1.0, 2.0**40])
    def test_a_signal_times_a_number_has_its_code_times_that_number(self, name, factor, problem):
        signals, atoms = problem
        once, often = (ENCODERS[name].value(np.float32(scale) * signals, atoms, 4) for scale in (1.0, factor))
        np.testing.assert_allclose(often, np.float32(factor) * once, rtol=1e-5)

    @pytest.mark.parametrize(("count", "message"), [(0, "n_nonzero must be"), (25, "at most the number of atoms")])
    def test_impossible_numbers_of_non_zeros_are_refused(self, name, count, message, problem):
        with pytest.raises(ParameterError, match=message):
            ENCODERS[name].value(*problem, count)


class TestSoft:
    @pytest.mark.parametrize("level", [0, 0.05, 0.3, 0.5, 1])
    def test_codes_vs_the_formula(self, level, problem):
        signals, atoms = problem
        expected = [slow_soft(signal, atoms.astype(float), level) for signal in signals.astype(float)]
        np.testing.assert_allclose(soft(signals, atoms, level), expected, atol=2e-7)

    @pytest.mark.parametrize("level", levels_of("soft"))
    def test_codes_of_unit_signals_vs_sklearn_sparse_encode(self, level, problem):
        signals, atoms = unit_rows(problem[0].astype(float)), problem[1].astype(float)
        expected = sparse_encode(signals, atoms, algorithm="threshold", alpha=level)
        np.testing.assert_allclose(soft(signals, atoms, level), expected, atol=2e-7)

    @pytest.mark.parametrize("factor", [1e-37, 2.0**-30, 7.3, 3e37])
    def test_a_signal_and_its_multiples_have_the_same_code(self, factor, problem):
        signals, atoms = problem
        np.testing.assert_allclose(soft(factor * signals.astype(float), atoms, 0.2), soft(*problem, 0.2), atol=2e-7)

    def test_a_higher_level_leaves_no_more_non_zeros_and_none_at_one(self, problem):
        counts = [np.count_nonzero(soft(*problem, level), axis=1) for level in (0, *levels_of("soft"), 1)]
        assert np.diff(counts, axis=0).max() <= 0
        assert counts[0].min() > counts[-1].max() == 0

    def test_a_correlation_that_meets_the_level_is_zero(self):
        """0.6 and 0.8 are no numbers of float64: what is above or below by rounding must not count."""
        codes = soft([[3.0, 4.0], [-3e-9, 4e-9], [30, -40]], np.eye(2), 0.6)
        np.testing.assert_array_equal(codes[:, 0], 0)
        np.testing.assert_allclose(codes[:, 1], [0.2, 0.2, -0.2], atol=1e-7)

    @pytest.mark.parametrize("level", [-0.1, 1.1, np.nan, "0.3", None, True])
    def test_impossible_levels_are_refused(self, level, problem):
        with pytest.raises(ParameterError, match="level must be a number with 0 <= level <= 1"):
            soft(*problem, level)


class TestLevels:
    def test_only_an_encoder_with_levels_is_given_one(self, problem):
        np.testing.assert_array_equal(encode_by("soft", *problem, 3, 0.4), soft(*problem, 0.4))
        np.testing.assert_array_equal(encode_by("threshold", *problem, 3, 0.4), threshold(*problem, 3))

    def test_an_encoder_of_a_users_own_gets_a_level_if_it_names_some(self, problem):
        register("toy", title="Toy", levels=(0.5,))(lambda signals, atoms, level: level)
        register("plain", title="Plain")(lambda signals, atoms, n_nonzero: n_nonzero)
        try:
            assert encode_by("toy", *problem, 3, 0.5) == 0.5
            assert encode_by("plain", *problem, 3, 0.5) == 3
        finally:
            ENCODERS.unregister("toy")
            ENCODERS.unregister("plain")

    def test_levels_go_from_dense_to_sparse_and_lie_between_0_and_1(self):
        for name in ENCODERS:
            assert list(levels_of(name)) == sorted(levels_of(name))
            assert all(0 < check_level(name, level) < 1 for level in levels_of(name))

    def test_what_is_tried(self):
        assert levels_to_try("soft", 0) == levels_of("soft")
        assert levels_to_try("soft", 0.15) == (0.15,)
        assert levels_to_try("omp", 0) == (0,)

    @pytest.mark.parametrize(
        ("name", "level", "message"),
        [
            ("omp", 0.3, "the encoder omp has no level, got 0.3"),
            ("soft", 1, "level must be a number with 0 < level < 1, or 0"),
            ("soft", -0.1, "level must be"),
            ("soft", float("nan"), "level must be"),
            ("soft", "0.3", "level must be"),
            ("oracle", 0, "unknown encoder"),
        ],
    )
    def test_impossible_levels_are_refused(self, name, level, message):
        with pytest.raises(ParameterError, match=message):
            check_level(name, level)


@pytest.mark.parametrize("name", ["threshold", "soft"])
def test_many_signals_are_coded_block_by_block(name, problem, monkeypatch):
    whole = encode_by(name, *problem, 4, LEVEL)
    monkeypatch.setattr("dasksvd.encoders._ROWS", 7)
    np.testing.assert_allclose(encode_by(name, *problem, 4, LEVEL), whole, rtol=1e-6)


def test_tied_correlations_leave_fewer_non_zeros():
    atoms = np.eye(3, dtype=np.float32)
    np.testing.assert_array_equal(threshold([[3.0, -2.0, 2.0]], atoms, 2), [[1, 0, 0]])


def test_codes_too_large_for_float32_are_refused():
    atom = np.full((1, 4), 0.5, np.float32)
    with pytest.raises(ParameterError, match="too large for float32"):
        threshold(np.full((1, 4), 3e38), atom, 1)


def test_an_unknown_name_is_told_with_the_known_ones():
    with pytest.raises(ParameterError, match="unknown encoder 'oracle'; known are omp, threshold, soft"):
        ENCODERS["oracle"]
