"""Proposed settings suit whatever data there are."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dasksvd import Settings
from dasksvd.datasets.dataset import as_signals
from dasksvd.datasets.library import SIDES
from dasksvd.datasets.parts import training_sizes
from dasksvd.datasets.proposal import ATOMS_PER_CLASS, MAX_ATOMS, proposed
from dasksvd.method.loop import iterate
from dasksvd.parameters import PRESETS
from tests.datasets.own_sets import own_set


@given(
    st.lists(st.integers(1, 5000), min_size=2, max_size=50),
    st.sampled_from(SIDES) | st.integers(2, 40),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from([0.0, 0.5]),
)
def test_proposals_can_run(sizes, side, preset, tau1):
    base = replace(PRESETS[preset], tau1=tau1)
    found = proposed(base, side**2, sizes)
    found.check_data(side**2, dict(enumerate(sizes)))
    assert replace(found, q=base.q, t=base.t, I=base.I, r_f=base.r_f) == base
    assert 0 < found.q <= base.q
    assert found.t <= base.t
    assert found.I <= base.I
    atoms = found.n_atoms(side**2)
    assert len(sizes) <= atoms <= max(MAX_ATOMS, ATOMS_PER_CLASS * len(sizes))
    assert atoms <= max(len(sizes), found.t * len(sizes) // 2)


@pytest.mark.parametrize(("length", "sizes"), [(256, [4000] * 10), (64, [120] * 10)])
def test_what_suits_the_data_stays(length, sizes):
    found = proposed(PRESETS["quick"], length, sizes)
    assert found == replace(PRESETS["quick"], t=min(150, sizes[0] // 2))


@pytest.mark.parametrize(
    ("k", "per_class", "side"),
    [(2, 10, 8), (2, 10, 32), (3, 30, 16), (50, 10, 8), (20, 10, 16), (10, 10, 16), (4, 10, 28)],
)
def test_proposals_find_an_atom_for_every_class(k, per_class, side):
    data = own_set(k, per_class, side)
    settings = replace(proposed(Settings(ksvd_iter=5), side**2, training_sizes(data.train_labels)), I=4)
    keep = np.concatenate([np.flatnonzero(data.train_labels == c)[: per_class * 4 // 5] for c in range(k)])
    records = list(iterate(as_signals(data.train_images)[keep], data.train_labels[keep], settings))
    assert len(records) == 4
