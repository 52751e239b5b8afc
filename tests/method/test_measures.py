"""The measures against their direct formulas and hand-made atoms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dasksvd import encode
from dasksvd.method.measures import ClassTables, Measures, class_tables, measure, own_residual, weighted
from tests.conftest import unit_rows


def direct_tables(signals, atoms, codes, labels, n_classes):
    """p, q and r as the paper defines them, with E_l^j computed the slow way."""
    signals, codes = signals.astype(float), codes.astype(float)
    shape = (n_classes, len(atoms))
    p, q, r = np.empty(shape), np.empty(shape), np.empty(shape)
    for c in range(n_classes):
        X, A = signals[labels == c], codes[labels == c]
        for j in range(len(atoms)):
            p[c, j] = np.mean(A[:, j] != 0)
            q[c, j] = np.mean(np.abs(A[:, j]))
            others = np.arange(len(atoms)) != j
            r[c, j] = np.linalg.norm(X - A[:, others] @ atoms[others]) ** 2 / len(X)
    return p, q, r


@pytest.mark.parametrize("data", ["random", "mnist"])
def test_tables_vs_direct_formulas(data, rng, digits):
    if data == "random":
        signals, labels = rng.standard_normal((90, 24)), np.arange(90) % 3
    else:
        chosen = np.isin(digits[1], [0, 1, 2]) & (rng.random(len(digits[1])) < 0.1)
        signals, labels = digits[0][chosen], digits[1][chosen]
    atoms = unit_rows(rng.standard_normal((16, signals.shape[1])))
    codes = encode(signals, atoms, 5)
    energy = np.square(signals - codes @ atoms).sum(axis=1)
    tables = class_tables(codes, energy, labels, 3)
    for ours, theirs in zip(
        (tables.p, tables.q, tables.r), direct_tables(signals, atoms, codes, labels, 3), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4)


@pytest.mark.parametrize("n_nonzero", [1, 8, 24])
def test_own_residual_vs_the_error_with_all_atoms(n_nonzero, rng, digits):
    """Oracle: the error itself. The tables give an upper bound, exact where an atom is used by at most one signal."""
    chosen = np.isin(digits[1], [0, 1, 2]) & (rng.random(len(digits[1])) < 0.1)
    signals, labels = digits[0][chosen], digits[1][chosen]
    atoms = unit_rows(rng.standard_normal((32, signals.shape[1])))
    codes = encode(signals, atoms, n_nonzero)
    energy = np.square(signals - codes @ atoms).sum(axis=1)
    direct = np.array([energy[labels == c].mean() for c in range(3)])
    tables = class_tables(codes, energy, labels, 3)
    found = own_residual(tables)
    assert np.all(found >= direct * (1 - 1e-6))
    assert np.all(found <= tables.r.min(axis=1))
    np.testing.assert_allclose(found, direct, rtol=0.01)
    exact = tables.p.min(axis=1) * np.bincount(labels)[:3] <= 1
    np.testing.assert_allclose(found[exact], direct[exact], rtol=1e-5)
    assert exact.any() == (n_nonzero < 24)


def test_own_residual_is_exact_where_every_atom_is_used_once():
    codes = np.array([[2.0, 0.0], [0.0, -3.0], [1.0, 0.0], [0.0, 4.0]])
    tables = class_tables(codes, np.array([1.0, 2.0, 5.0, 7.0]), np.array([0, 0, 1, 1]), 2)
    np.testing.assert_allclose(own_residual(tables), [1.5, 6.0])


def direct_measures(p, q, r, re_sign):
    """l+, l* and the three measures of one atom, class by class, in plain Python."""
    order = sorted(range(len(p)), key=lambda c: (-p[c], c))
    top, second = order[0], order[1]
    if p[top] == 0:
        return top, second, 0, 0, 0
    af = (p[top] - p[second]) / p[top]
    cm = (q[top] - q[second]) / q[top] if q[top] > 0 else 0
    if re_sign == "paper":
        re = (r[top] - r[second]) / r[top] if r[top] > 0 else 0
    else:
        re = (r[second] - r[top]) / r[second] if r[second] > 0 else 0
    return top, second, af, max(cm, 0), max(re, 0)


@given(seed=st.integers(0, 10**6), n_classes=st.integers(2, 10), re_sign=st.sampled_from(["paper", "code"]))
def test_measures_vs_direct_formulas(seed, n_classes, re_sign):
    rng = np.random.default_rng(seed)
    p = rng.integers(0, 4, (n_classes, 12)) / 4  # few values: ties and unused atoms occur
    q, r = rng.random(p.shape) * (p > 0), rng.random(p.shape)
    measures = measure(ClassTables(p, q, r), re_sign)
    for j in range(12):
        expected = direct_measures(p[:, j].tolist(), q[:, j].tolist(), r[:, j].tolist(), re_sign)
        ours = (measures.top[j], measures.second[j], measures.af[j], measures.cm[j], measures.re[j])
        np.testing.assert_allclose(ours, expected, atol=1e-12)
    for values in (measures.af, measures.cm, measures.re):
        assert np.all((values >= 0) & (values <= 1))


def tables_of(p):
    p = np.array(p, float)[:, None]
    return ClassTables(p, p, p)


def test_discriminative_atom_measures_high():
    measures = measure(tables_of([0.05, 0.04, 0.9, 0.1, 0.05, 0.06, 0.03, 0.02, 0.08, 0.05]))
    assert (measures.top[0], measures.second[0]) == (2, 3)
    assert measures.af[0] == pytest.approx((0.9 - 0.1) / 0.9)


def test_non_discriminative_atom_measures_low():
    measures = measure(tables_of([0.30, 0.28, 0.31, 0.29, 0.30, 0.27, 0.32, 0.31, 0.29, 0.30]))
    assert measures.top[0] == 6
    assert measures.af[0] == pytest.approx((0.32 - 0.31) / 0.32)


def test_tie_goes_to_the_smallest_class():
    measures = measure(tables_of([0.1, 0.5, 0.2, 0.5]))
    assert (measures.top[0], measures.second[0]) == (1, 3)
    assert measures.af[0] == 0


def test_unused_atom_measures_zero_even_where_its_classes_errors_differ():
    tables = ClassTables(np.zeros((2, 1)), np.zeros((2, 1)), np.array([[3.0], [1.0]]))
    measures = measure(tables)
    assert (measures.af[0], measures.cm[0], measures.re[0]) == (0, 0, 0)


def test_all_measures_compare_the_classes_chosen_by_p():
    tables = ClassTables(np.array([[0.8], [0.4]]), np.array([[1.0], [2.0]]), np.array([[2.0], [5.0]]))
    measures = measure(tables)
    assert measures.cm_lead[0] == pytest.approx(-1)
    assert measures.re_lead[0] == pytest.approx(-1.5)
    assert (measures.cm[0], measures.re[0]) == (0, 0)
    assert measure(tables, "code").re[0] == pytest.approx((5 - 2) / 5)


def test_weights_mix_the_measures():
    one = np.ones(1)
    measures = Measures(top=one, second=one, af=0.5 * one, cm_lead=0.25 * one, re_lead=0.125 * one)
    assert measures.combined(1, 0) == 0.5
    assert measures.combined(0, 1) == 0.25
    assert measures.combined(0, 0) == 0.125
    assert measures.combined(1 / 3, 2 / 3) == pytest.approx(0.5 / 3 + 0.5 / 3)


def test_unclipped_sums_may_be_negative_where_m_is_zero():
    measures = Measures(
        top=np.zeros(3), second=np.ones(3), af=np.full(3, 0.5), cm_lead=np.zeros(3), re_lead=np.array([0.1, -0.2, -0.1])
    )
    np.testing.assert_allclose(measures.combined(0, 0), [0.1, 0, 0])
    np.testing.assert_allclose(measures.unclipped(0, 0), [0.1, -0.2, -0.1])
    np.testing.assert_allclose(measures.unclipped(0.5, 0), [0.3, 0.15, 0.2])


def test_weighted_measures_are_the_same_measures_at_their_weights():
    one = np.ones(1)
    plain = Measures(top=one, second=one, af=0.5 * one, cm_lead=-0.25 * one, re_lead=0.125 * one)
    found = weighted(plain, 0.25, 0.5)
    assert (found.alpha, found.beta) == (0.25, 0.5)
    assert all(getattr(found, name) is value for name, value in vars(plain).items())
    assert found.m == plain.combined(0.25, 0.5) == 0.125 + 0.03125
    assert found.unclipped_m == 0.125 - 0.125 + 0.03125
