"""The best atom of each class."""

import numpy as np
import pytest

from dasksvd.errors import NoAtomForClass
from dasksvd.method.measures import ClassTables, Measures, weighted
from dasksvd.method.selection import ADVICE, best_atoms, owned, rank, why_no_atom


def measures_of(top, af, cm=None, re=None):
    af = np.array(af, float)
    zeros = np.zeros(len(af))
    return Measures(
        top=np.array(top),
        second=1 - np.array(top),
        af=af,
        cm_lead=zeros if cm is None else np.array(cm, float),
        re_lead=zeros if re is None else np.array(re, float),
    )


def best(measures, alpha, beta, classes):
    """The atoms that the paper's ranking selects."""
    tables = ClassTables(*(np.zeros((2, len(measures.af))) for _ in range(3)))
    scores = rank("combined", tables, weighted(measures, alpha, beta), np.random.default_rng(0))
    return best_atoms(measures, scores, classes)


def test_each_class_gets_its_own_atom_with_the_largest_measure():
    measures = measures_of([0, 0, 1, 1], [0.9, 0.5, 0.2, 0.4], re=[0.1, 0.6, 0.3, 0.2])
    assert best(measures, 1, 0, "ab").tolist() == [0, 3]
    assert best(measures, 0, 0, "ab").tolist() == [1, 2]


def test_a_tie_goes_to_the_first_atom():
    measures = measures_of([1, 0, 0, 1], [0.5, 0.5, 0.5, 0.5])
    assert best(measures, 1, 0, "ab").tolist() == [1, 0]


def test_an_unused_atom_is_never_selected():
    # Unused atoms stand at class 0 with all measures 0 (D5); the used one is worse than 0 unclipped.
    measures = measures_of([0, 0, 1], [0, 0.3, 0.3], re=[0, -0.5, 0.2])
    assert best(measures, 0, 0, "ab").tolist() == [1, 2]


def test_a_class_whose_atoms_all_measure_zero_keeps_the_least_negative():
    measures = measures_of([0, 0, 1], [0.4, 0.3, 0.3], re=[-0.5, -0.1, 0.2])
    assert best(measures, 0, 0, "ab").tolist() == [1, 2]


def test_classes_without_an_atom_are_named():
    measures = measures_of([1, 1, 0], [0.5, 0.2, 0.0])
    assert "class 0, 1, 2, 3, 4 and 45 more; raise t" in str(NoAtomForClass(range(50)))
    with pytest.raises(NoAtomForClass, match="no atom is used most by class seven; raise t") as raised:
        best(measures, 0, 0, ["seven", "nine"])
    assert raised.value.classes == ["seven"]
    np.testing.assert_array_equal(owned(measures, 2), [[False, False, False], [True, True, False]])


def test_signals_that_use_most_atoms_are_told_which_q_would_leave_a_choice():
    p = np.full((3, 40), 0.9)
    text = why_no_atom(p, np.array([1, 2]), "abc", n_nonzero=40)
    assert text == (
        "q is the reason: with q = 40 of 40 atoms a signal uses 90% of them, so that all classes use the same ones; "
        "lower q to about 8 (a share of 0.2)"
    )


def test_two_classes_that_use_the_same_atoms_are_both_named():
    p = np.array([[0.5, 0.0, 0.1], [0.0, 0.5, 0.1], [0.0, 0.5, 0.1]])
    text = why_no_atom(p, np.array([1, 2]), ["zero", "six", "nine"], n_nonzero=1)
    assert text.startswith("class six uses every atom exactly as often as class nine; if their signals are the same")


def test_a_class_that_uses_nothing_is_named():
    p = np.array([[0.5, 0.2], [0.0, 0.0]])
    assert why_no_atom(p, np.array([1]), ["zero", "six"], 2).startswith("no drawn signal of class six uses any atom")


@pytest.mark.parametrize(
    ("n_nonzero", "advice"), [(2, ADVICE), (1, "raise t (more signals), r_f (more atoms) or ksvd_iter")]
)
def test_where_nothing_more_is_known_only_what_can_be_changed_is_advised(n_nonzero, advice):
    p = np.array([[0.5, 0.2], [0.4, 0.1]])
    assert why_no_atom(p, np.array([1]), "ab", n_nonzero) == advice


def test_few_atoms_are_not_blamed_on_a_q_that_cannot_be_lowered_to_the_usual_share():
    p = np.array([[0.9, 0.8], [0.8, 0.7]])
    assert why_no_atom(p, np.array([1]), "ab", n_nonzero=1).startswith("raise t")
