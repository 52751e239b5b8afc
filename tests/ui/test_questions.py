"""The questions to guess: the right choice is right by the numbers behind it, and none comes twice in a row."""

import re

import numpy as np
import pytest

import dasksvd
from dasksvd.method.trace import trace
from dasksvd.runs.reference import load_reference
from tests.conftest import unit_rows
from ui import questions

CLASSES = [f"kind {label}" for label in range(10)]


@pytest.fixture(scope="module")
def run():
    return load_reference()


@pytest.fixture(scope="module")
def pursued(digits):
    signal, atoms = digits[0][3], unit_rows(digits[0][50::60][:60])
    return signal, atoms, trace(signal, atoms, 10)


def all_of(pool, seed=0):
    return [make(np.random.default_rng(seed)) for make in pool.values()]


def test_the_next_atom_is_the_one_that_the_pursuit_takes(pursued):
    """Oracle: the pursuit stopped after each step; the shown atoms are those with the largest inner products."""
    signal, atoms, found = pursued
    pool = questions.next_atoms(found, atoms, np.arange(60) % 10, signal)
    assert 3 <= len(pool) <= questions.N_STEPS
    for question in all_of(pool):
        step = int(question.name.split()[1])
        codes = dasksvd.encode(signal[None], atoms, step)[0] if step else np.zeros(60)
        longer = dasksvd.encode(signal[None], atoms, step + 1)[0]
        (taken,) = set(np.flatnonzero(longer)) - set(np.flatnonzero(codes))
        left = signal - codes @ atoms
        np.testing.assert_allclose(question.picture, left, atol=1e-3)
        similar = question.pictures @ left
        assert similar.argmax() == question.right
        np.testing.assert_allclose(np.sort(similar)[::-1], np.sort(np.abs(atoms @ left))[::-1][:5], atol=1e-3)
        assert abs(question.pictures[question.right] @ atoms[taken]) == pytest.approx(1, abs=1e-4)
        first, second = np.sort(similar)[::-1][:2]
        told = [float(number) for number in re.findall(r"\d+\.\d+", question.why)]
        assert told == pytest.approx([first, second], abs=2e-3)
        assert f"class {taken % 10};" in question.why


def test_steps_without_a_clear_answer_are_not_asked(pursued):
    signal, atoms, found = pursued
    asked = {int(name.split()[1]) for name in questions.next_atoms(found, atoms, np.arange(60), signal)}
    for step in range(questions.N_STEPS):
        second, first = np.sort(np.abs(found.correlations[step]))[-2:]
        assert (step in asked) == (first - second >= questions.CLEAR * first)


def test_another_drawing_has_other_questions(digits):
    atoms = unit_rows(digits[0][50::60][:60])
    pools = [questions.next_atoms(trace(x, atoms, 10), atoms, np.arange(60), x) for x in digits[0][[3, 900]]]
    assert not set(pools[0]) & set(pools[1])


def test_an_atom_belongs_to_the_class_with_the_largest_share_of_users(run):
    """Oracle: the measures' own ℓ⁺ and ℓ*."""
    record = run.records[4]
    found = all_of(questions.whose_atoms(record, 5, CLASSES))
    assert len(found) > 100
    for question in found:
        atom = int(question.name.split(":")[1])
        top, second = record.measures.top[atom], record.measures.second[atom]
        assert question.choices[question.right] == f"class {CLASSES[top]}"
        assert f"class {CLASSES[second]}" in question.choices
        assert len({*question.choices}) == questions.N_CHOICES
        np.testing.assert_array_equal(question.picture, record.atoms[atom])
        for share in (record.tables.p[top, atom], record.tables.p[second, atom]):
            assert f"{100 * share:.1f} %" in question.why
        assert f"m_af = {record.measures.af[atom]:.3f}" in question.why


def test_atoms_with_a_tie_are_not_asked(run):
    record = run.records[4]
    asked = {int(name.split(":")[1]) for name in questions.whose_atoms(record, 5, CLASSES)}
    assert asked == set(np.flatnonzero(record.measures.af >= questions.CLEAR))


def test_an_atom_is_from_its_own_iteration(run):
    """Oracle: the atoms of each iteration's record."""
    selection = run.reselect(0, 0, 20)
    for question in all_of(questions.which_iterations(selection, CLASSES, 0.1)):
        label, number = (int(part.split()[-1]) for part in question.name.split(","))
        assert question.choices[question.right] == f"iteration {number}"
        record = run.records[number - 1]
        np.testing.assert_array_equal(question.picture, record.atoms[selection.index[number - 1, label]])
        assert f"= {0.1 * (number - 1):.2g} times" in question.why
        shown = [int(choice.split()[1]) for choice in question.choices]
        assert len(shown) == questions.N_CHOICES
        assert len({*np.diff(shown)}) == 1


@pytest.mark.parametrize("count", range(1, 60))
def test_choices_of_iterations_are_spread_and_have_the_right_one(count):
    for wanted in range(count):
        shown = questions._spread(wanted, count)
        assert wanted in shown
        assert len(shown) == min(count, questions.N_CHOICES)
        assert 0 <= shown[0] <= shown[-1] < count
        assert shown == sorted({*shown})


def test_without_noise_or_with_one_iteration_nothing_tells_them_apart(run):
    assert questions.which_iterations(run.reselect(0, 0, 1), CLASSES, 0.1) == {}
    assert questions.which_iterations(run.reselect(0, 0, 5), CLASSES, 0.0) == {}


def test_no_question_comes_twice_in_a_row_and_all_of_them_come(pursued):
    signal, atoms, found = pursued
    pool = questions.next_atoms(found, atoms, np.arange(60), signal)
    rng, last, seen = np.random.default_rng(0), "", set()
    for _ in range(200):
        question = questions.pick(pool, last, rng)
        assert question.name != last
        last = question.name
        seen.add(last)
    assert seen == set(pool)


def test_where_there_is_no_other_question_there_is_none(pursued):
    signal, atoms, found = pursued
    (name, make), *_ = questions.next_atoms(found, atoms, np.arange(60), signal).items()
    assert questions.pick({name: make}, name, np.random.default_rng(0)) is None
    assert questions.pick({}, "", np.random.default_rng(0)) is None


def test_the_right_picture_stands_anywhere(pursued):
    signal, atoms, found = pursued
    make = next(iter(questions.next_atoms(found, atoms, np.arange(60), signal).values()))
    places = [make(np.random.default_rng(seed)).right for seed in range(60)]
    assert set(places) == set(range(questions.N_CHOICES))


def test_few_atoms_and_few_classes_give_fewer_choices(rng):
    atoms = unit_rows(rng.standard_normal((3, 16)))
    signal = (2 * atoms[0] + atoms[1]).astype(np.float32)
    found = all_of(questions.next_atoms(trace(signal, atoms, 2), atoms, [0, 1, 2], signal))
    assert all(len(question.choices) == len(question.pictures) == 3 for question in found)
