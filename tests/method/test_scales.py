"""The unit of the signals does not matter, and every entry point takes the same inputs."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

from dasksvd import DASKSVD, KSVD, LCKSVD2, ParameterError, encode
from dasksvd.baselines.mod import mod_update
from dasksvd.method.ksvd import learn
from dasksvd.method.omp import SMALLEST
from tests.conftest import unit_rows

#: Powers of two by which digits, whose largest value is about one, just stay within float32.
EXPONENTS = [-125, -100, -67, -30, -24, 24, 33, 64, 100, 127]


@pytest.fixture(scope="module")
def sample(digits):
    return digits[0][::10], digits[1][::10]


@pytest.fixture(scope="module")
def learned(sample):
    return learn(sample[0], 48, 6, 6, np.random.default_rng(0))


# Learning


@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("exact", [False, True])
def test_atoms_are_the_same_at_any_scale_and_errors_follow_it(sample, exponent, exact):
    scaled = np.ldexp(sample[0], exponent)
    assert np.isfinite(scaled).all()
    first = learn(sample[0], 48, 6, 3, np.random.default_rng(0), exact=exact)
    seen = []
    other = learn(
        scaled, 48, 6, 3, np.random.default_rng(0), exact=exact, on_iteration=lambda _, error: seen.append(error)
    )
    # At the lower end the signals themselves have lost digits.
    np.testing.assert_allclose(other.atoms, first.atoms, atol=0 if exponent > -100 else 1e-3)
    np.testing.assert_allclose(other.errors, np.ldexp(first.errors, exponent), rtol=0 if exponent > -100 else 1e-3)
    assert seen == other.errors.tolist()


@pytest.mark.parametrize("scale", [1e-30, 1e-8, 1e9, 1e19, 1e30])
def test_estimators_learn_the_same_at_any_scale(sample, scale):
    X, y = sample[0].astype(float), sample[1]
    models = [
        KSVD(n_atoms=40, q=5, ksvd_iter=3, random_state=0),
        DASKSVD(t=20, I=2, r_f=0.25, q=5, ksvd_iter=3, random_state=0),
        LCKSVD2(n_atoms=40, q=5, ksvd_iter=3, init_iter=2, random_state=0),
    ]
    scale = float(2.0 ** np.round(np.log2(scale)))
    for model in models:
        plain = model.fit(X, y)
        atoms, codes = plain.components_, plain.transform(X)
        errors = plain.trajectory_.records[-1].errors if isinstance(plain, DASKSVD) else plain.errors_
        scaled = model.fit(scale * X, y)
        np.testing.assert_allclose(scaled.components_, atoms, atol=1e-6)
        np.testing.assert_allclose(scaled.transform(scale * X) / scale, codes, atol=1e-5)
        if isinstance(scaled, DASKSVD):
            np.testing.assert_allclose(scaled.trajectory_.records[-1].errors, scale * errors, rtol=1e-5)
        elif isinstance(scaled, KSVD):
            np.testing.assert_allclose(scaled.errors_, scale * errors, rtol=1e-5)
        else:  # relative to the signals
            np.testing.assert_allclose(scaled.errors_, errors, rtol=1e-5)


def test_tables_and_progress_of_a_scaled_run_are_in_its_unit(sample):
    X, y = sample
    seen = {1: [], 2.0**70: []}
    tables = {}
    for scale in seen:
        model = DASKSVD(t=20, I=1, r_f=0.25, q=5, ksvd_iter=2, random_state=0)
        model.fit(scale * X.astype(float), y, on_progress=lambda step, scale=scale: seen[scale].append(step.error))
        tables[scale] = model.trajectory_.records[0].tables
    np.testing.assert_allclose(seen[2.0**70], 2.0**70 * np.array(seen[1]), rtol=1e-6)
    np.testing.assert_array_equal(tables[2.0**70].p, tables[1].p)
    np.testing.assert_allclose(tables[2.0**70].q, 2.0**70 * tables[1].q, rtol=1e-6)
    np.testing.assert_allclose(tables[2.0**70].r, 2.0**140 * tables[1].r, rtol=1e-6)


@pytest.mark.parametrize("factor", [1e10, 1e20, 1e28])
def test_one_huge_signal_does_not_spoil_the_rest(sample, learned, factor):
    """The others are coded about as well on the atoms as without it; it costs a few atoms."""
    signals = sample[0].copy()
    signals[7] *= np.float32(factor)
    atoms = learn(signals, 48, 6, 6, np.random.default_rng(0)).atoms
    np.testing.assert_allclose(np.linalg.norm(atoms, axis=1), 1, atol=1e-5)
    rest = np.delete(sample[0], 7, axis=0)
    error, plain = (np.linalg.norm(rest - encode(rest, found, 6) @ found) for found in (atoms, learned.atoms))
    assert error <= 1.1 * plain


def test_mod_learns_the_same_at_any_scale(sample):
    scales = np.float32(1), np.float32(2.0**90)
    first, other = (learn(scale * sample[0], 48, 6, 2, np.random.default_rng(0), update=mod_update) for scale in scales)
    np.testing.assert_allclose(other.atoms, first.atoms, atol=1e-4)
    np.testing.assert_allclose(other.errors, 2.0**90 * first.errors, rtol=1e-4)


def test_noise_by_variance_beyond_its_range_is_an_error(sample):
    with pytest.raises(ParameterError, match=r"between 9.5e-07 and 1.1e\+15, got 1e\+20"):
        DASKSVD(t=20, I=2, r_f=0.25, q=5, noise="variance").fit(sample[0] * 1e20, sample[1])


def test_classifier_that_float32_cannot_hold_is_an_error(sample):
    with pytest.raises(ParameterError, match="does not fit float32; multiply all signals"):
        LCKSVD2(n_atoms=40, q=5, ksvd_iter=1, init_iter=1).fit(sample[0] * 1e38, sample[1])


# Codes


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_codes_follow_the_scale(sample, learned, exponent):
    codes = encode(sample[0], learned.atoms, 6).astype(float)
    if exponent == 127:  # the largest coefficients exceed 2
        with pytest.raises(ParameterError, match=r"the codes of signal \d+ are too large for float32"):
            encode(np.ldexp(sample[0], exponent), learned.atoms, 6)
    else:
        scaled = encode(np.ldexp(sample[0], exponent), learned.atoms, 6).astype(float)
        np.testing.assert_allclose(np.ldexp(scaled, -exponent), codes, atol=0 if exponent > -100 else 1e-4)


def test_signals_of_all_scales_are_coded_side_by_side(sample, learned):
    signals = sample[0][: len(EXPONENTS) - 1]
    exponents = np.array(EXPONENTS[:-1])[:, None]
    together = encode(np.ldexp(signals, exponents), learned.atoms, 6).astype(float)
    np.testing.assert_allclose(np.ldexp(together, -exponents), encode(signals, learned.atoms, 6), atol=1e-5)


@pytest.mark.parametrize("scale", [1e-39, 1e-42, 1e-45, 1e-60, 1e-300])
def test_what_float32_cannot_hold_in_full_is_an_error(sample, learned, scale):
    signals = sample[0].astype(float)
    signals[3] *= scale
    for call in (lambda: encode(signals, learned.atoms, 6), lambda: KSVD(n_atoms=40).fit(signals)):
        with pytest.raises(ParameterError, match=r"at least 1.18e-38, .* row 3 has not"):
            call()


def test_the_smallest_full_number_is_enough(learned):
    signal = np.full((1, 256), SMALLEST)
    codes = encode(signal, learned.atoms, 6).astype(float) / SMALLEST
    np.testing.assert_allclose(codes, encode(np.ones((1, 256)), learned.atoms, 6), atol=1e-5)


# Kinds of input

NUMBERS = unit_rows(np.random.default_rng(0).random((40, 4)) + 0.1)
LABELS = np.arange(40) % 2
FITTED = {
    model.__class__.__name__: model.fit(NUMBERS, LABELS)
    for model in (
        KSVD(n_atoms=4, q=2, ksvd_iter=2, random_state=0),
        DASKSVD(t=10, I=1, r_f=1.5, q=1, ksvd_iter=2, random_state=0),
        LCKSVD2(n_atoms=4, q=2, ksvd_iter=2, init_iter=2, random_state=0),
    )
}
ENTRIES = {
    "encode": lambda X: encode(X, np.eye(4), 2),
    **{f"{name}.fit": lambda X, name=name: clone(FITTED[name]).fit(X, LABELS).components_ for name in FITTED},
    **{f"{name}.transform": lambda X, name=name: FITTED[name].transform(X) for name in FITTED},
}
ACCEPTED = {
    "float32": NUMBERS.astype(np.float32),
    "columns first": np.asfortranarray(NUMBERS),
    "list": NUMBERS.tolist(),
    "table": pd.DataFrame(NUMBERS),
    "table of objects": pd.DataFrame(NUMBERS).astype(object),
    "objects": NUMBERS.astype(object),
    "nothing masked": np.ma.masked_array(NUMBERS),
}
REFUSED = {
    "sparse matrix": (sparse.csr_matrix(NUMBERS), "a sparse csr_matrix; use its .toarray"),
    "sparse array": (sparse.coo_array(NUMBERS), "a sparse coo_array; use its .toarray"),
    "matrix": (NUMBERS.view(np.matrix), "an np.matrix; use np.asarray"),
    "masked": (np.ma.masked_less(NUMBERS, 0.3), "masked values; fill or drop them"),
    "complex": (NUMBERS + 0j, "dtype complex128"),
    "words": (NUMBERS.astype(str), "dtype <U"),
    "words as objects": (NUMBERS.astype(str).astype(object), "dtype object"),
    "a thing among numbers": (np.where(NUMBERS > 0.5, {}, NUMBERS), "not 'dict'"),
    "dates": (NUMBERS.astype("datetime64[s]"), "dtype datetime64"),
    "ragged": ([*NUMBERS.tolist()[:-1], [1.0]], "inhomogeneous"),
}


@pytest.mark.parametrize("kind", ACCEPTED)
@pytest.mark.parametrize("entry", ENTRIES)
def test_every_entry_accepts_the_same(entry, kind):
    np.testing.assert_allclose(ENTRIES[entry](ACCEPTED[kind]), ENTRIES[entry](NUMBERS), atol=1e-6)


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize("entry", ENTRIES)
def test_every_entry_refuses_the_same_in_the_same_words(entry, kind):
    values, message = REFUSED[kind]
    name = "signals" if entry == "encode" else "X"
    with pytest.raises(ParameterError, match=f"^{name} must be a dense array of real numbers, got .*{message}"):
        ENTRIES[entry](values)


@pytest.mark.parametrize("hole", [None, np.nan, np.inf, 1e39])
@pytest.mark.parametrize("entry", ENTRIES)
def test_every_entry_names_the_place_of_a_hole_in_the_same_words(entry, hole):
    values = NUMBERS.astype(object)
    values[2, 1] = hole
    name = "signals" if entry == "encode" else "X"
    with pytest.raises(ParameterError, match=rf"^{name} must be finite in float32, got 1 NaN .* first at \(2, 1\)$"):
        ENTRIES[entry](values)
