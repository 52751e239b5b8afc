"""The best atom of each class."""

import numpy as np
import pytest

from dasksvd import NoAtomForClass
from dasksvd.measures import Measures
from dasksvd.selection import best_atoms, owned


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


def test_each_class_gets_its_own_atom_with_the_largest_measure():
    measures = measures_of([0, 0, 1, 1], [0.9, 0.5, 0.2, 0.4], re=[0.1, 0.6, 0.3, 0.2])
    assert best_atoms(measures, 1, 0, "ab").tolist() == [0, 3]
    assert best_atoms(measures, 0, 0, "ab").tolist() == [1, 2]


def test_a_tie_goes_to_the_first_atom():
    measures = measures_of([1, 0, 0, 1], [0.5, 0.5, 0.5, 0.5])
    assert best_atoms(measures, 1, 0, "ab").tolist() == [1, 0]


def test_an_unused_atom_is_never_selected():
    # Unused atoms stand at class 0 with all measures 0 (D5); the used one is worse than 0 unclipped.
    measures = measures_of([0, 0, 1], [0, 0.3, 0.3], re=[0, -0.5, 0.2])
    assert best_atoms(measures, 0, 0, "ab").tolist() == [1, 2]


def test_a_class_whose_atoms_all_measure_zero_keeps_the_least_negative():
    measures = measures_of([0, 0, 1], [0.4, 0.3, 0.3], re=[-0.5, -0.1, 0.2])
    assert best_atoms(measures, 0, 0, "ab").tolist() == [1, 2]


def test_classes_without_an_atom_are_named():
    measures = measures_of([1, 1, 0], [0.5, 0.2, 0.0])
    with pytest.raises(NoAtomForClass, match="no atom is used most by class seven; raise t") as raised:
        best_atoms(measures, 0, 0, ["seven", "nine"])
    assert raised.value.classes == ["seven"]
    np.testing.assert_array_equal(owned(measures, 2), [[False, False, False], [True, True, False]])
