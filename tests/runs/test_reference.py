"""The shipped run and its compact file."""

from dataclasses import replace

import numpy as np
import pytest

from dasksvd import PAPER
from dasksvd.commands.options import find_run
from dasksvd.common.files import read_json
from dasksvd.datasets import load, mnist_split
from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import describe, learning_part, part_name, preset, signals_of
from dasksvd.digit.reader import load_reader
from dasksvd.method.loop import iterate
from dasksvd.method.sampling import draw
from dasksvd.parameters import MEASURED
from dasksvd.runs.reference import (
    REFERENCE,
    REFERENCE_ID,
    SHIPPED,
    ReferenceRun,
    load_metrics,
    load_reference,
    metrics_path,
    read_compact,
    readers_of,
    trajectory_path,
    write_compact,
)
from dasksvd.search.job import find_base


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


@pytest.mark.parametrize("run_id", SHIPPED)
def test_shipped_runs_describe_themselves_as_runs_of_the_papers_settings(tmp_path, run_id):
    what = ReferenceRun(tmp_path, run_id).description
    usual = replace(preset("paper", what.data), streams=what.settings.streams)
    assert what == describe(usual, what.data)
    assert what.settings == load_reference(run_id).settings
    assert list(what.classes) == list(load_reference(run_id).classes)


def test_the_first_shipped_run_is_that_of_the_measured_settings(tmp_path):
    assert ReferenceRun(tmp_path).description == describe(MEASURED, "mnist")


@pytest.mark.parametrize("run_id", SHIPPED)
def test_shipped_runs_are_whole_and_small(run_id):
    run = load_reference(run_id)
    k, length = len(run.classes), SHIPPED[run_id].description.signal_length
    assert run.reselect(0, 0).atoms.shape == (20 * k, length)
    assert trajectory_path(run_id).stat().st_size < 8 * 2**20


def test_the_small_run_is_what_its_settings_give():
    """Its first iteration, learned again: the same draw, and as small an error; the bits are those of one machine."""
    what = SHIPPED["reference-small"].description
    again = next(iter(iterate(*learning_part(what), what.settings)))
    kept = load_reference("reference-small").records[0]
    np.testing.assert_array_equal(kept.drawn, again.drawn)
    np.testing.assert_allclose(kept.errors[0], again.errors[0], rtol=1e-3)
    np.testing.assert_allclose(kept.errors, again.errors, rtol=0.05)


@pytest.mark.parametrize("run_id", SHIPPED)
def test_metrics_of_shipped_runs_are_of_their_data_and_their_reader(run_id):
    """Oracle: the test images, coded and read again by the shipped classifier of the largest size."""
    what, kept = SHIPPED[run_id].description, load_metrics(run_id)
    assert list(kept) == [5, 10, 15, 20]
    for found in kept.values():
        assert found["validation"]["part"] == part_name(what)
        assert found["test"]["part"] == "test images"
        assert np.trace(found["test"]["confusion"]) / found["test"]["n_scored"] == found["test"]["accuracy"]
    (path, *_), data = readers_of(run_id), load(what.data)
    some = slice(0, 1000)
    answers = load_reader(path).classify(signals_of(what.data, data.test_images[some])).argmax(axis=1)
    wrong = {line[0] for line in kept[20]["test"]["wrong"]}
    missed = np.flatnonzero(answers != data.test_labels[some])
    assert {place for place in wrong if place < 1000} <= set(missed.tolist())


@pytest.mark.parametrize("run_id", [run_id for run_id in SHIPPED if run_id != REFERENCE_ID])
def test_metrics_say_what_made_them(run_id):
    told = read_json(metrics_path(run_id))
    assert told["command"] == "python -m reproduce other-references"
    assert Description.from_dict(told["description"]) == SHIPPED[run_id].description
    assert {"python", "numpy", "numba"} <= set(told["versions"])


def test_a_shipped_run_is_found_by_its_id_and_searched_in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("DASKSVD_HOME", str(tmp_path))
    for run_id in SHIPPED:
        run = find_run(run_id)
        assert (run.id, find_base(run.folder).id) == (run_id, run_id)
        assert bool(run.shipped_scores()) == (run_id == REFERENCE_ID)


def test_reference_run_drew_from_the_split_of_its_seed():
    """The first two iterations of the shipped run, drawn again from [seed, iteration]."""
    split = mnist_split(PAPER.seed)
    odds = np.full(len(split.train_labels), 1 / len(split.train_labels))
    for iteration, record in enumerate(load_reference().records[:2]):
        drawn = draw(odds, split.train_labels, 10, PAPER.t, np.random.default_rng([PAPER.seed, iteration]))
        np.testing.assert_array_equal(record.drawn, drawn)
        odds = record.odds
