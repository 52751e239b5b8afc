"""The shipped run and its compact file."""

from dataclasses import replace

import numpy as np

from dasksvd import PAPER
from dasksvd.datasets import mnist_split
from dasksvd.datasets.parts import describe
from dasksvd.method.sampling import draw
from dasksvd.parameters import MEASURED
from dasksvd.runs.reference import REFERENCE, ReferenceRun, load_reference, read_compact, write_compact


def test_compact_file_keeps_what_the_pages_show(tmp_path, small_run):
    path = tmp_path / "small.npz"
    write_compact(path, small_run.trajectory_)
    compact = read_compact(path)
    assert compact.settings == small_run.trajectory_.settings
    for ours, whole in zip(compact.records, small_run.trajectory_.records, strict=True):
        np.testing.assert_allclose(ours.atoms, whole.atoms, atol=1e-3)
        np.testing.assert_allclose(np.linalg.norm(ours.atoms, axis=1), 1, atol=1e-6)
        np.testing.assert_array_equal(ours.drawn, whole.drawn)
        np.testing.assert_array_equal(ours.odds, whole.odds)
        np.testing.assert_array_equal(ours.measures.top, whole.measures.top)
        np.testing.assert_allclose(ours.measures.re_lead, whole.measures.re_lead, atol=1e-5)
        np.testing.assert_allclose(ours.tables.p, whole.tables.p, rtol=1e-6)
    np.testing.assert_array_equal(compact.reselect(0.2, 0.3).index, small_run.reselect(0.2, 0.3).index)


def test_reference_run_is_the_papers():
    run = load_reference()
    assert run.settings == replace(PAPER, streams=1)  # made before there was a second version
    assert len(run.records) == 20
    assert run.reselect(0, 0).atoms.shape == (200, 256)
    assert REFERENCE.stat().st_size < 8 * 2**20
    last_errors = [record.errors[-1] for record in run.records]
    assert last_errors == sorted(last_errors)


def test_reference_run_describes_itself_as_a_run_of_its_settings_on_mnist(tmp_path):
    assert ReferenceRun(tmp_path).description == describe(MEASURED, "mnist")


def test_reference_run_drew_from_the_split_of_its_seed():
    """The first two iterations of the shipped run, drawn again from [seed, iteration]."""
    split = mnist_split(PAPER.seed)
    odds = np.full(len(split.train_labels), 1 / len(split.train_labels))
    for iteration, record in enumerate(load_reference().records[:2]):
        drawn = draw(odds, split.train_labels, 10, PAPER.t, np.random.default_rng([PAPER.seed, iteration]))
        np.testing.assert_array_equal(record.drawn, drawn)
        odds = record.odds
