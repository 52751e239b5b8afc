"""One run on disk."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from dasksvd import ParameterError, Settings
from dasksvd.datasets.description import Description
from dasksvd.errors import DamagedFile
from dasksvd.runs.folder import Run, create_run
from tests.method.test_trajectory import assert_same_records


def test_a_run_comes_back_bit_by_bit(store, saved, small_run):
    again = store.run(saved.id)
    assert again.description == saved.description
    assert_same_records(again.trajectory.records, small_run.trajectory_.records)
    np.testing.assert_array_equal(again.trajectory.reselect(0.3, 0.3).atoms, small_run.reselect(0.3, 0.3).atoms)
    assert again.problem() == ""


def test_an_unfinished_run_has_the_iterations_it_finished(saved):
    saved.record_path(1).unlink()
    assert saved.n_finished() == 1
    assert len(saved.trajectory.records) == 1


def test_a_run_is_not_overwritten(saved, description):
    with pytest.raises(ParameterError, match="already holds a run"):
        create_run(saved.folder, description)


def damage_truncate(run):
    path = run.record_path(1)
    path.write_bytes(path.read_bytes()[:-100])


def damage_empty(run):
    run.record_path(1).write_bytes(b"")


def damage_swap(run):
    first, second = run.record_path(1), run.record_path(2)
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)


def damage_foreign(run):
    np.savez(run.record_path(1), atoms=np.zeros(3))


def damage_values(run):
    record = run.load_record(1)
    run.save_record(1, record.__class__(**vars(record) | {"atoms": record.atoms * 2}))


def measures_changed(run, **changes):
    record = run.load_record(1)
    measures = replace(record.measures, **{name: change(record.measures) for name, change in changes.items()})
    run.save_record(1, replace(record, measures=measures))


def damage_rival(run):
    measures_changed(run, second=lambda measures: measures.second + 10)


def damage_own_rival(run):
    measures_changed(run, second=lambda measures: measures.top)


def damage_class(run):
    measures_changed(run, af=lambda measures: np.where(measures.top == 3, 0.0, measures.af))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (damage_rival, "iteration_002.npz: measure_second points outside of 0 … 9"),
        (damage_own_rival, "iteration_002.npz: a class is its own rival"),
        (damage_class, "iteration_002.npz: a class has no atom"),
        (damage_truncate, "iteration_002.npz cannot be read"),
        (damage_empty, "iteration_002.npz cannot be read"),
        (damage_swap, "iteration_002.npz is iteration 3"),
        (damage_foreign, "iteration_002.npz holds atoms.npy"),
        (damage_values, "iteration_002.npz: atoms do not have length 1"),
    ],
)
def test_damage_is_noticed_and_what_is_sound_is_kept(saved, small_run, damage, reason):
    damage(saved)
    fresh = Run(saved.folder)
    assert reason in fresh.problem()
    with pytest.raises(DamagedFile, match=reason):
        _ = fresh.trajectory
    assert_same_records(fresh.sound_records(), small_run.trajectory_.records[:1])
    assert fresh.n_finished() == 1  # the rest is dropped and will be computed again


def test_iterations_of_other_settings_are_noticed_and_not_lost(store, saved, description):
    values = json.loads((saved.folder / "settings.json").read_text())
    values["settings"]["tau2"] = 0.2
    (saved.folder / "settings.json").write_text(json.dumps(values))
    changed = Run(saved.folder)
    assert changed.problem() == "iteration_001.npz belongs to another run or to other settings"
    with pytest.raises(DamagedFile, match=r"all 3 iterations belong to other settings than settings.json; restore"):
        changed.sound_records()
    assert changed.n_finished() == 3


def test_a_foreign_iteration_is_put_aside(store, saved, small_run):
    other = store.create(replace(saved.description, settings=replace(saved.description.settings, tau2=0.3)))
    other.save_record(1, small_run.trajectory_.records[1])
    shutil.copy(other.record_path(1), saved.record_path(1))
    assert "iteration_002.npz belongs to another run" in Run(saved.folder).problem()
    assert len(Run(saved.folder).sound_records()) == 1
    assert (saved.folder / "iteration_002.damaged").exists()


def test_one_iteration_too_many_is_damage(saved):
    shutil.copy(saved.record_path(2), saved.record_path(3))
    assert Run(saved.folder).problem() == "iteration_004.npz is one too many"


def test_a_missing_iteration_of_a_finished_run_is_damage(saved):
    saved.record_path(2).unlink()
    assert saved.problem() == "iteration_003.npz is missing"


def test_own_data_travel_with_the_run(store, rng):
    signals = rng.random((40, 9), dtype=np.float32)
    labels = np.arange(40) % 2
    description = Description(Settings(t=5, I=1), "own", ["cat", "dog"], 40, 9)
    run = store.create(description, signals=signals, labels=labels)
    np.testing.assert_array_equal(run.own_data()[0], signals)
    np.testing.assert_array_equal(run.own_data()[1], labels)
    copy = store.copy(run.id, "again")
    np.testing.assert_array_equal(copy.own_data()[0], signals)
    (run.folder / "data.npz").unlink()
    assert run.problem() == "data.npz is missing"


@pytest.mark.parametrize("name", ["![x](http", "$a$", "<b>", "a" * 41, ""])
def test_a_class_name_that_would_become_a_link_or_a_formula_is_refused(name):
    with pytest.raises(ParameterError, match="a class's name may have at most 40 letters"):
        Description(Settings(), "own", ["cat", name], 100, 64)
    assert Description(Settings(), "own", ["Sieben, 7", "più-o_meno/1.5", 3], 100, 64).classes[2] == 3


def test_one_run_always_tells_what_is_on_the_disk(store, saved, small_run):
    """Oracle: a Run that has never read anything."""
    known = small_run.trajectory_.records
    run = store.run(saved.id)
    whole = run.trajectory
    assert run.trajectory is whole  # nothing has changed, nothing is read again
    content = run.record_path(2).read_bytes()
    run.record_path(2).unlink()
    assert_same_records(run.trajectory.records, known[:2])
    run.record_path(2).write_bytes(content)
    assert_same_records(run.trajectory.records, known)
    damage_swap(run)
    assert run.problem() == Run(run.folder).problem() == "iteration_002.npz is iteration 3"
    damage_swap(run)
    assert run.problem() == ""
    assert_same_records(run.trajectory.records, known)


def test_one_run_notices_other_settings_and_other_data(store, saved, rng):
    assert saved.problem() == ""
    values = json.loads((saved.folder / "settings.json").read_text())
    (saved.folder / "settings.json").write_text(json.dumps(values | {"n_signals": 3999}))
    assert saved.description.n_signals == 3999
    assert "iteration_001.npz" in saved.problem()
    labels = np.arange(40) % 2
    what = Description(Settings(t=5, I=1), "own", ["cat", "dog"], 40, 9)
    own, other = (store.create(what, signals=rng.random((40, 9)), labels=labels) for _ in range(2))
    before = own._digest
    shutil.copy(other.folder / "data.npz", own.folder / "data.npz")
    assert own._digest.tolist() == other._digest.tolist() != before.tolist()
