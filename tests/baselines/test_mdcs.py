"""MDCS: the two-class measure, its extension, and the selection by it."""

import numpy as np
import pytest

import dasksvd
from dasksvd.baselines.mdcs import best_atoms_by_mdcs, mdcs, reselect_by_mdcs
from dasksvd.method.measures import ClassTables, measure
from dasksvd.method.trajectory import Record


def tables_of(p):
    p = np.array(p, float)
    return ClassTables(p, np.zeros_like(p), np.zeros_like(p))


def record_of(p):
    tables = tables_of(p)
    return Record(np.eye(tables.p.shape[1]), np.empty(0), np.empty(0), tables, measure(tables), np.empty(0))


@pytest.fixture
def trajectory(small_run):
    return small_run.trajectory_


def test_two_classes_give_the_absolute_difference():
    p = np.random.default_rng(0).random((2, 30))
    np.testing.assert_array_equal(mdcs(tables_of(p)), np.abs(p[0] - p[1]))


def test_more_classes_give_largest_minus_second_largest():
    p = np.random.default_rng(0).random((5, 30))
    ordered = np.sort(p, axis=0)
    np.testing.assert_array_equal(mdcs(tables_of(p)), ordered[-1] - ordered[-2])


def test_it_is_the_activation_measure_without_division(trajectory):
    for record in trajectory.records:
        np.testing.assert_allclose(mdcs(record.tables), record.measures.af * record.tables.p.max(axis=0), atol=1e-12)


def test_it_prefers_the_atom_in_frequent_use():
    record = record_of([[0.9, 0.1, 0.0], [0.6, 0.0, 0.5]])
    assert record.measures.af[:2].argmax() == 1
    assert best_atoms_by_mdcs(record).tolist() == [0, 2]


def test_a_tie_goes_to_the_first_atom():
    assert best_atoms_by_mdcs(record_of([[0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5]])).tolist() == [0, 2]


def test_each_class_gets_the_best_of_its_own(trajectory):
    for record in trajectory.records:
        leads = mdcs(record.tables)
        for label, chosen in enumerate(best_atoms_by_mdcs(record)):
            own = record.tables.p.argmax(axis=0) == label
            assert own[chosen]
            assert leads[chosen] == leads[own].max() > 0


def test_reselect_stacks_the_iterations(trajectory):
    selection = reselect_by_mdcs(trajectory)
    assert selection.atoms.shape == (30, 256)
    for number, record in enumerate(trajectory.records):
        rows = slice(10 * number, 10 * (number + 1))
        np.testing.assert_array_equal(selection.atoms[rows], record.atoms[selection.index[number]])
        np.testing.assert_array_equal(selection.scores[number], mdcs(record.tables)[selection.index[number]])
        assert selection.classes[rows].tolist() == list(range(10))


def test_class_without_an_atom_is_named():
    with pytest.raises(dasksvd.NoAtomForClass, match="class seven"):
        best_atoms_by_mdcs(record_of([[0.5, 0.2], [0.5, 0.1]]), ["three", "seven"])


def test_one_class_is_an_error():
    with pytest.raises(dasksvd.ParameterError, match="got 1"):
        mdcs(tables_of([[0.5, 0.2]]))
