"""Runs on disk."""

import numpy as np
import pytest
from test_trajectory import assert_same_records

from dasksvd import ParameterError
from dasksvd.store import create_run, load_run, save_record, write_atomically, write_json


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
