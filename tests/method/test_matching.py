"""Which atoms of one dictionary are in another."""

import numpy as np
import pytest

from dasksvd.errors import ParameterError
from dasksvd.method.matching import match


def test_shuffled_scaled_and_turned_atoms_are_found():
    rng = np.random.default_rng(0)
    atoms = rng.standard_normal((30, 16))
    order, sizes = rng.permutation(30), rng.uniform(0.1, 3, 30) * rng.choice([-1, 1], 30)
    index, cosine = match(atoms, (atoms * sizes[:, None])[order])
    np.testing.assert_array_equal(order[index], np.arange(30))
    np.testing.assert_allclose(cosine, np.sign(sizes))


def test_the_match_is_the_best_of_all_others():
    rng = np.random.default_rng(1)
    one, other = rng.standard_normal((5, 9)), rng.standard_normal((7, 9))
    index, cosine = match(one, other)
    for atom, place, value in zip(one, index, cosine, strict=True):
        each = [atom @ b / np.linalg.norm(atom) / np.linalg.norm(b) for b in other]
        assert place == np.argmax(np.abs(each))
        assert value == pytest.approx(each[place])


def test_atoms_of_other_pictures_are_refused():
    with pytest.raises(ParameterError, match="one length"):
        match(np.ones((2, 4)), np.ones((2, 9)))
    assert match(np.zeros((1, 4)), np.ones((2, 4)))[1] == 0
