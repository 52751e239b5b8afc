"""The whole loop against a slow, independent version in float64, with every parameter away from its default."""

from dataclasses import fields, replace

import numpy as np
import pytest

from dasksvd import Settings
from dasksvd.method.loop import iterate
from dasksvd.method.trajectory import Trajectory
from tests.method import slow_das_ksvd as slow

#: Decisions closer than this may go otherwise in float32; the seeds are such that none is.
COMFORTABLE = 2e-5
CASES = {
    "all other": Settings(
        q=2, t=22, tau1=0.3, tau2=0.35, I=3, alpha=0.2, beta=0.3, r_f=1.25, ksvd_iter=2,
        noise="variance", re_sign="code", exact=True, seed=6, ranking="worst",
    ),
    "share": Settings(q=0.25, t=18, tau1=0.8, tau2=0.6, I=3, beta=1.0, r_f=0.8, ksvd_iter=3, re_sign="code", seed=59),
    "variance": Settings(q=3, t=25, tau1=0.1, tau2=0.9, I=3, alpha=1.0, r_f=1.0, ksvd_iter=2, noise="variance", seed=4),
    "exact": Settings(q=2, t=20, tau1=0.6, tau2=0.2, I=3, r_f=1.5, ksvd_iter=3, exact=True, seed=10),
    "never again": Settings(q=1, t=14, tau1=0.0, tau2=0.3, I=3, r_f=1.2, ksvd_iter=2, re_sign="code", seed=9),
    "restarts": Settings(q=1, t=9, tau1=0.4, tau2=0.2, I=3, r_f=0.3, ksvd_iter=2, noise="variance", seed=58),
    "old streams": Settings(q=2, t=16, tau1=0.7, tau2=0.5, I=3, r_f=1.1, ksvd_iter=2, seed=6, streams=1),
}  # fmt: skip


@pytest.fixture(scope="module")
def data():
    """Signals of three classes of unequal size and spread, in mixed order, some of them nearly alike."""
    rng = np.random.default_rng(11)
    labels = rng.permutation(np.repeat([0, 1, 2], [45, 60, 52]))
    middles = rng.standard_normal((3, 4, 12))
    signals = middles[labels, rng.integers(4, size=len(labels))] * rng.uniform(0.5, 3, (len(labels), 1))
    signals += 0.4 * rng.standard_normal(signals.shape)
    signals[1::6] = signals[0::6][: len(signals[1::6])] * 0.7 + 0.01 * rng.standard_normal(signals[1::6].shape)
    return signals.astype(np.float32), labels


@pytest.fixture(scope="module", params=CASES)
def both(request, data):
    """Settings, the loop's records, the slow version's, and how close its decisions were."""
    settings, watch = CASES[request.param], slow.Watch()
    return settings, list(iterate(*data, settings)), slow.follow(*data, settings, watch), watch


def test_no_decision_of_these_runs_is_so_close_that_float32_could_take_another(both):
    assert both[-1].smallest > COMFORTABLE


def test_draws_odds_and_restarts_vs_slow(both):
    _, ours, theirs, _ = both
    assert len(ours) == len(theirs) == 3
    for mine, slowly in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine.drawn, slowly.drawn)
        np.testing.assert_allclose(mine.odds, slowly.odds, rtol=1e-12)
        assert mine.restarts == slowly.restarts


def test_atoms_and_errors_of_ksvd_vs_slow(both):
    for mine, slowly in zip(both[1], both[2], strict=True):
        np.testing.assert_allclose(mine.atoms, slowly.atoms, atol=2e-4)
        np.testing.assert_allclose(mine.errors, slowly.errors, rtol=1e-4)


def test_supports_and_tables_vs_slow(both):
    """P counts non-zeros: equal to the last bit, so every support is the same size in every class."""
    for mine, slowly in zip(both[1], both[2], strict=True):
        np.testing.assert_array_equal(mine.tables.p, slowly.p)
        np.testing.assert_allclose(mine.tables.q, slowly.q, rtol=1e-3, atol=1e-5)
        np.testing.assert_allclose(mine.tables.r, slowly.r, rtol=1e-4)


def test_measures_vs_slow(both):
    for mine, slowly in zip(both[1], both[2], strict=True):
        np.testing.assert_array_equal(mine.measures.top, slowly.top)
        np.testing.assert_array_equal(mine.measures.second, slowly.second)
        for name in ("af", "cm_lead", "re_lead"):
            expected = getattr(slowly, name)
            np.testing.assert_allclose(getattr(mine.measures, name), expected, rtol=1e-3, atol=1e-3, err_msg=name)


def test_selected_atoms_vs_slow(both):
    settings, ours, theirs, _ = both
    selection = Trajectory(settings, range(3), ours).reselect(settings.alpha, settings.beta)
    np.testing.assert_array_equal(selection.index, [record.chosen for record in theirs])
    np.testing.assert_allclose(selection.scores, [record.scores for record in theirs], atol=1e-3)
    expected = np.concatenate([record.atoms[record.chosen] for record in theirs])
    np.testing.assert_allclose(selection.atoms, expected, atol=2e-4)


def test_the_cases_contain_restarts_and_replaced_atoms_of_both_kinds(data):
    watches = {name: slow.Watch() for name in CASES}
    records = {name: slow.follow(*data, settings, watches[name]) for name, settings in CASES.items()}
    assert sum(watch.little_used for watch in watches.values()) > 10
    assert watches["share"].alike > 0
    assert min(record.restarts for record in records["restarts"]) > 0


#: I is how often the loop turns; fine-tuning follows it.
NOT_IN_THE_LOOP = ("I", "fine_tune")


@pytest.mark.parametrize("name", [field.name for field in fields(Settings) if field.name not in NOT_IN_THE_LOOP])
def test_the_slow_version_notices_every_parameter(name, data):
    """Else a loop that ignores a parameter could pass: each one, set back to its default, changes a record."""
    settings = CASES["old streams" if name == "streams" else "all other"]
    default = {"t": 15, "ksvd_iter": 3, "q": 3}.get(name, getattr(Settings(), name))
    assert getattr(settings, name) != default
    before, after = (slow.follow(*data, one, slow.Watch()) for one in (settings, replace(settings, **{name: default})))
    assert any(differ(one, other) for one, other in zip(before, after, strict=True))


def differ(one, other):
    """Whether two records differ by more than the comparisons above would let pass."""
    pairs = [(getattr(one, name), getattr(other, name)) for name in vars(one)]
    same_shape = all(np.shape(first) == np.shape(second) for first, second in pairs)
    return not same_shape or any(not np.allclose(first, second, rtol=2e-3, atol=2e-3) for first, second in pairs)
