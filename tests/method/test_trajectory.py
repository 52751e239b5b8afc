"""The loop: what it records, that it can be continued, and that weights only rank again."""

import dataclasses
import re

import numpy as np
import pytest

from dasksvd import DASKSVD, NoAtomForClass, ParameterError, Settings
from dasksvd.common.progress import RunProgress
from dasksvd.method import loop
from dasksvd.method.loop import iterate
from dasksvd.method.trajectory import Trajectory
from dasksvd.runs.reference import load_reference

SMALL = Settings(t=40, I=3, r_f=0.25, ksvd_iter=4)


def arrays_of(record):
    plain = {name: value for name, value in vars(record).items() if name not in ("tables", "measures")}
    return plain | vars(record.tables) | vars(record.measures)


def assert_same_records(first, second):
    assert len(first) == len(second)
    for one, other in zip(first, second, strict=True):
        for name, value in arrays_of(one).items():
            np.testing.assert_array_equal(value, arrays_of(other)[name], err_msg=name)


def test_records_hold_what_the_loop_did(small_run, digits):
    X, y = digits
    odds = np.full(len(X), 1 / len(X))
    for record in small_run.trajectory_.records:
        assert record.atoms.shape == (64, 256)
        assert record.errors.shape == (4,)
        assert record.tables.p.shape == record.tables.q.shape == record.tables.r.shape == (10, 64)
        np.testing.assert_array_equal(np.bincount(y[record.drawn]), 40)
        np.testing.assert_allclose(np.linalg.norm(record.atoms, axis=1), 1, atol=1e-5)
        odds[record.drawn] *= 0.5
        odds /= odds.sum()
        np.testing.assert_allclose(record.odds, odds)


def test_noise_grows_from_iteration_to_iteration(small_run):
    last_errors = [record.errors[-1] for record in small_run.trajectory_.records]
    assert last_errors == sorted(last_errors)


def test_same_seed_same_bits_other_seed_other_atoms(small_run, digits):
    X, y = digits
    again = DASKSVD(**small_run.get_params()).fit(X, y)
    other = DASKSVD(**{**small_run.get_params(), "random_state": 1}).fit(X, y)
    assert_same_records(again.trajectory_.records, small_run.trajectory_.records)
    assert not np.array_equal(other.components_, small_run.components_)


@pytest.mark.parametrize("done", [0, 1, 2, 3])
def test_a_continued_run_ends_like_an_undisturbed_one(small_run, digits, done):
    X, y = digits
    records = small_run.trajectory_.records
    rest = list(iterate(X, y, SMALL, done=records[:done]))
    assert_same_records(records[:done] + rest, records)


def test_progress_counts_every_ksvd_iteration(digits):
    X, y = digits
    seen = []
    records = list(iterate(X, y, SMALL, on_progress=seen.append))
    assert [(step.iteration, step.ksvd_iteration) for step in seen] == [(i, k) for i in range(3) for k in range(1, 5)]
    assert seen[-1] == RunProgress(2, 4, records[-1].errors[-1])


def test_structured_dictionary_grows_iteration_by_iteration(small_run):
    whole = small_run.reselect(0.2, 0.3)
    assert whole.atoms.shape == (30, 256)
    assert whole.index.shape == whole.scores.shape == (3, 10)
    np.testing.assert_array_equal(whole.classes, np.tile(np.arange(10), 3))
    for I in (1, 2):
        np.testing.assert_array_equal(small_run.reselect(0.2, 0.3, I).atoms, whole.atoms[: 10 * I])


def test_selected_atoms_have_the_largest_measure_of_their_class(small_run):
    selection = small_run.reselect(0.5, 0.25)
    for record, chosen, scores in zip(small_run.trajectory_.records, selection.index, selection.scores, strict=True):
        m = record.measures.combined(0.5, 0.25)
        for label, atom in enumerate(chosen):
            assert m[atom] == scores[label] == m[record.measures.top == label].max()


@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 0.0), (0.0, 1.0), (1 / 3, 1 / 6)])
def test_reselecting_equals_a_fresh_run_with_those_weights(small_run, digits, alpha, beta):
    X, y = digits
    fresh = DASKSVD(**{**small_run.get_params(), "alpha": alpha, "beta": beta}).fit(X, y)
    np.testing.assert_array_equal(small_run.reselect(alpha, beta).atoms, fresh.components_)


def test_weights_change_the_selection(small_run):
    assert not np.array_equal(small_run.reselect(1, 0).index, small_run.reselect(0, 0).index)


def test_bad_reselection_is_named(small_run):
    with pytest.raises(ParameterError, match="at most the iterations of the run, got 4 of 3"):
        small_run.reselect(0, 0, I=4)
    with pytest.raises(ParameterError, match="alpha"):
        small_run.reselect(2, 0)


def test_a_class_that_never_gets_an_atom_ends_in_an_error_that_names_it(digits, monkeypatch):
    X, y = digits
    attempts = []
    real = loop.measure

    def without_class_seven(tables, re_sign):
        attempts.append(1)
        measures = real(tables, re_sign)
        return dataclasses.replace(measures, af=np.where(measures.top == 7, 0, measures.af))

    monkeypatch.setattr(loop, "measure", without_class_seven)
    with pytest.raises(NoAtomForClass, match="no atom is used most by class seven"):
        next(
            iterate(
                X, y, SMALL, classes=["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
            )
        )
    assert len(attempts) == 1 + 10  # D9


@pytest.mark.parametrize("q", [1.0, 64])
def test_where_q_is_the_reason_the_error_says_so_and_its_advice_helps(q, digits):
    X, y = digits
    settings = Settings(q=q, t=30, I=1, r_f=0.25, ksvd_iter=2)
    reason = r"q is the reason: with q = 64 of 64 atoms a signal uses (9.|100)% of them"
    with pytest.raises(NoAtomForClass, match=reason) as raised:
        next(iterate(X, y, settings))
    advised = int(re.search(r"lower q to about (\d+) \(a share of 0.2\)", str(raised.value))[1])
    assert advised == 12
    assert next(iterate(X, y, dataclasses.replace(settings, q=advised))).restarts == 0


def test_classes_with_the_same_signals_are_told_so(rng):
    pictures = rng.standard_normal((40, 16))
    X, y = np.concatenate([pictures, pictures, pictures + 3]), np.repeat([0, 1, 2], 40)
    with pytest.raises(
        NoAtomForClass, match="class cat uses every atom exactly as often as class dog; if their"
    ) as raised:
        next(iterate(X, y, Settings(q=2, t=40, ksvd_iter=3), classes=["cat", "dog", "fish"]))
    assert raised.value.classes == ["cat", "dog"]


@pytest.mark.parametrize(("value", "message"), [(0.0, "all signals are zero"), (0.7, "all 60 signals are the same")])
def test_data_without_anything_to_learn_are_refused_before_the_first_draw(value, message):
    X, y = np.full((60, 16), value), np.arange(60) % 3
    with pytest.raises(ParameterError, match=message):
        next(iterate(X, y, Settings(q=2, t=10), on_progress=lambda _: pytest.fail("something was learned")))


def test_a_restart_draws_anew_and_leaves_the_odds_of_the_given_up_draw_alone(digits, monkeypatch):
    X, y = digits
    real = loop.measure
    seen = []

    def fail_once(tables, re_sign):
        seen.append(tables)
        measures = real(tables, re_sign)
        return dataclasses.replace(measures, af=measures.af * (len(seen) > 1))

    undisturbed = next(iterate(X, y, SMALL))
    monkeypatch.setattr(loop, "measure", fail_once)
    record = next(iterate(X, y, SMALL))
    assert record.restarts == 1
    assert not np.array_equal(record.drawn, undisturbed.drawn)
    assert np.count_nonzero(record.odds < record.odds.max()) == len(record.drawn)


def test_few_signals_and_atoms_still_give_every_class_an_atom(digits):
    """Restarts (D9) at work: 31 atoms for ten classes do not always suffice at the first draw."""
    X, y = digits
    restarts = 0
    for seed in range(5):
        settings = Settings(t=10, I=2, r_f=0.12, ksvd_iter=2, seed=seed)
        records = list(iterate(X, y, settings))
        restarts += sum(record.restarts for record in records)
        assert Trajectory(settings, range(10), records).reselect(0, 0).atoms.shape == (20, 256)
    assert restarts > 0


def test_the_closest_atoms_are_found_one_by_one_too():
    run = load_reference()
    wanted = run.records[2].atoms[57].astype(float)
    index, cosine = run.closest(2, 57)
    assert (index[2], cosine[2]) == (57, pytest.approx(1))
    for l in (0, 1, 9, 19):
        each = [wanted @ atom / np.linalg.norm(wanted) / np.linalg.norm(atom) for atom in run.records[l].atoms]
        best = max(range(len(each)), key=lambda atom: abs(each[atom]))
        assert index[l] == best
        assert cosine[l] == pytest.approx(each[best], abs=1e-5)


def test_the_opposite_of_an_atom_is_close_to_it_and_an_empty_one_is_not():
    record = load_reference().records[0]
    atoms = np.zeros_like(record.atoms)
    atoms[7] = -3 * record.atoms[11]
    run = Trajectory(load_reference().settings, range(10), [record, dataclasses.replace(record, atoms=atoms)])
    index, cosine = run.closest(0, 11)
    assert index.tolist() == [11, 7]
    assert cosine == pytest.approx([1, -1])
