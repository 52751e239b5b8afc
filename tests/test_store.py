"""Runs on disk."""

import numpy as np
import pytest
from test_trajectory import assert_same_records

from dasksvd import PAPER, ParameterError
from dasksvd.datasets import mnist_split
from dasksvd.sampling import draw
from dasksvd.store import (
    REFERENCE,
    create_run,
    load_reference,
    load_run,
    read_compact,
    save_record,
    write_atomically,
    write_compact,
    write_json,
)


@pytest.fixture
def saved(tmp_path, small_run):
    folder = tmp_path / "run"
    create_run(folder, small_run.trajectory_.settings, list(range(10)), "mnist")
    for iteration, record in enumerate(small_run.trajectory_.records):
        save_record(folder, iteration, record)
    return folder


def test_a_run_comes_back_bit_by_bit(saved, small_run):
    loaded = load_run(saved)
    assert loaded.settings == small_run.trajectory_.settings
    assert_same_records(loaded.records, small_run.trajectory_.records)
    np.testing.assert_array_equal(loaded.reselect(0.3, 0.3).atoms, small_run.reselect(0.3, 0.3).atoms)


def test_an_unfinished_run_has_the_iterations_it_finished(saved):
    (saved / "iteration_002.npz").unlink()
    assert len(load_run(saved).records) == 1


def test_a_run_is_not_overwritten(saved, small_run):
    with pytest.raises(ParameterError, match="already holds a run"):
        create_run(saved, small_run.trajectory_.settings, [], "mnist")


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "status.json"
    write_json(path, {"state": "old"})

    def fail(file):
        file.write(b"half a fi")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, fail)
    assert path.read_text() == '{\n  "state": "old"\n}\n'
    assert list(tmp_path.iterdir()) == [path]


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
    assert run.settings == PAPER
    assert len(run.records) == 20
    assert run.reselect(0, 0).atoms.shape == (200, 256)
    assert REFERENCE.stat().st_size < 8 * 2**20
    last_errors = [record.errors[-1] for record in run.records]
    assert last_errors == sorted(last_errors)


def test_reference_run_drew_from_the_split_of_its_seed():
    """The first iteration of the shipped run, drawn again from (seed, iteration)."""
    split = mnist_split(PAPER.seed)
    odds = np.full(len(split.train_labels), 1 / len(split.train_labels))
    drawn = draw(odds, split.train_labels, 10, PAPER.t, np.random.default_rng([PAPER.seed, 0]))
    np.testing.assert_array_equal(load_reference().records[0].drawn, drawn)
