"""Runs on disk: one by one and all together."""

import json
import os
import shutil
import threading
import time
from dataclasses import replace

import filelock
import numpy as np
import psutil
import pytest

from dasksvd import ParameterError, Settings
from dasksvd.datasets.description import Description
from dasksvd.errors import DamagedFile, StoreError
from dasksvd.runs.folder import Run, create_run
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import Limits, deletable
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store
from dasksvd.search.job import Search
from dasksvd.search.plans import WeightsPlan
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


def test_rename_pin_delete(store, saved):
    store.rename(saved.id, "  Tuesday's\nlecture ")
    store.pin(saved.id)
    assert (saved.about.name, saved.about.pinned) == ("Tuesday's lecture", True)
    with pytest.raises(ParameterError, match="at most 80 characters, got 81"):
        store.rename(saved.id, "x" * 81)
    store.delete(saved.id)
    assert list(store) == []
    assert list(store.root.iterdir()) == []


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "/etc", ".hidden", "x" * 99, "a\x00b"])
def test_no_path_from_a_users_text(store, name):
    with pytest.raises(StoreError, match="is not the id of a run"):
        store.run(name)


def test_an_absent_run_is_named(store):
    with pytest.raises(StoreError, match="there is no run abc in"):
        store.run("abc")


def test_newest_first_and_oldest_idle_unpinned_are_offered_for_deletion(store, description):
    me = psutil.Process()
    at_work = Status(state="running", pid=me.pid, process_started=me.create_time())
    runs = [store.create(description, str(number)) for number in range(5)]
    for number, run in enumerate(runs):
        run.set_about(created=100.0 + number, pinned=number == 0)
        run.set_status({1: at_work, 2: Status(state="running")}.get(number, Status(state="finished")))
    assert [line.about.name for line in store.listing()] == ["4", "3", "2", "1", "0"]
    # The third says it runs, but has no process: it died.
    assert [run.about.name for run in deletable(store)] == ["2", "3", "4"]


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


@pytest.mark.parametrize("name", ["settings.json", "status.json"])
@pytest.mark.parametrize("content", ["", "{}", '{"state": "flying", "settings": {"q": 99.5}}', '{"pid": "x"}'])
def test_a_run_with_damaged_small_files_is_listed_with_the_reason_and_hurts_no_other(
    store, saved, description, name, content
):
    other = store.create(description, "other")
    (saved.folder / name).write_text(content)
    lines = {line.run.id: line for line in store.listing()}
    assert name in lines[saved.id].problem
    assert lines[other.id].problem == ""
    assert lines[other.id].about.name == "other"
    Jobs(store).start_waiting()
    Jobs(store).delete(saved)
    assert [run.id for run in store] == [other.id]


@pytest.mark.parametrize("name", ["settings.json", "status.json", "about.json", "log.txt"])
def test_a_folder_in_the_place_of_a_file_hurts_no_other(store, saved, description, name):
    other = store.create(description, "other")
    (saved.folder / name).unlink(missing_ok=True)
    (saved.folder / name).mkdir()
    jobs = Jobs(store, places=0)
    jobs.start_waiting()
    assert {line.run.id for line in store.listing()} == {saved.id, other.id}
    assert jobs.job(saved).state in ("failed", "finished")


@pytest.mark.parametrize("value", ['"pid": -1', '"seconds": NaN', '"queued_at": 1e999', '"errors": ["x"]'])
def test_impossible_numbers_in_a_status_are_damage(store, saved, value):
    (saved.folder / "status.json").write_text(f'{{"state": "queued", {value}}}')
    assert "status.json" in store.listing()[0].problem
    assert saved.status.state == "failed"
    Jobs(store, places=1).start_waiting()


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


def test_a_bad_name_leaves_no_run(store, description):
    with pytest.raises(ParameterError, match="at most 80"):
        store.create(description, "x" * 81)
    assert list(store) == []


def test_left_overs_of_killed_processes_are_swept_up_later(store, saved):
    for name in (".new-1", ".import-2", ".deleted-3"):
        (store.root / name).mkdir()
    store.sweep_up()
    assert len(list(store.root.glob(".*-*"))) == 3  # perhaps still at work
    for path in store.root.glob(".*-*"):
        os.utime(path, (0, 0))
    store.sweep_up()
    assert not list(store.root.glob(".*-*"))
    assert [run.id for run in store] == [saved.id]


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


def test_a_copy_has_the_settings_and_nothing_computed(store, saved):
    copy = store.copy(saved.id, "again")
    assert copy.description == saved.description
    assert (copy.id != saved.id, copy.about.name, copy.n_finished()) == (True, "again", 0)


def test_a_disk_that_cannot_be_written_gives_a_clear_error_and_leaves_earlier_runs(
    store, saved, description, monkeypatch, small_run
):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match=r"cannot write to .*home: No space left on device; free space or set"):
        store.create(description)
    monkeypatch.undo()
    assert [run.id for run in store] == [saved.id]
    assert_same_records(Run(saved.folder).trajectory.records, small_run.trajectory_.records)


def contents(run):
    """Every file of a run, its search's too."""
    return {path.relative_to(run.folder): path.read_bytes() for path in run.folder.rglob("*") if path.is_file()}


def test_a_deleted_run_comes_back_as_it_was_with_its_search(store, saved):
    Search(saved).set_plan(WeightsPlan(sizes=(1,), zoomed=(1,)))
    before, jobs = contents(saved), Jobs(store)
    jobs.delete(saved)
    assert list(store) == []
    with pytest.raises(StoreError, match="there is no run"):
        store.run(saved.id)
    assert [run.id for run in store.binned()] == [saved.id]
    back = jobs.restore(saved.id)
    assert (back.id, contents(back), store.binned()) == (saved.id, before, [])
    with pytest.raises(StoreError, match="no longer in the bin"):
        jobs.restore(saved.id)


def test_of_two_runs_of_one_name_the_one_that_is_meant_is_deleted(store, saved, description):
    twin = store.create(description, saved.about.name)
    Jobs(store).delete(twin)
    assert ([run.id for run in store], [run.id for run in store.binned()]) == ([saved.id], [twin.id])


def test_a_pinned_run_is_not_deleted_whoever_asks(store, saved):
    store.pin(saved.id)
    with pytest.raises(StoreError, match="first is pinned; unpin it first"):
        Jobs(store).delete(saved)
    assert [run.id for run in store] == [saved.id]
    store.pin(saved.id, False)
    Jobs(store).delete(saved)
    assert list(store) == []


def test_a_waiting_run_does_not_start_when_it_is_restored(store, saved):
    for job in saved.jobs:
        job.folder.mkdir(exist_ok=True)
        job.set_status(Status(state="queued", queued_at=1.0))
    jobs = Jobs(store, places=0)
    jobs.delete(saved)
    back = jobs.restore(saved.id)
    assert (back.status.state, Search(back).status.state) == ("cancelled", "cancelled")


def test_the_bin_is_emptied_by_age_and_on_request(store, description):
    runs = [store.create(description, str(number)) for number in range(3)]
    jobs = Jobs(store)
    for run in runs:
        jobs.delete(run)
    for days, run in zip((8, 5, 2), runs, strict=True):
        os.utime(store.root / ".bin" / run.id, (0, time.time() - days * 86400))
    assert [run.about.name for run in store.binned()] == ["2", "1", "0"]
    Jobs(store)  # a new server sweeps up
    assert [run.about.name for run in store.binned()] == ["2", "1"]
    assert store.bin_size() > 0
    jobs.empty_bin()
    assert (store.binned(), store.bin_size(), list((store.root / ".bin").iterdir())) == ([], 0, [])


def test_a_run_that_was_old_when_it_was_deleted_stays_in_the_bin(store, saved):
    os.utime(saved.folder, (0, 0))
    Jobs(store).delete(saved)
    Jobs(store)
    assert [run.id for run in store.binned()] == [saved.id]


def test_the_bin_holds_only_so_many_runs(store, description, monkeypatch):
    monkeypatch.setattr("dasksvd.runs.store.MAX_BINNED", 2)
    for number in range(4):
        run = store.create(description, str(number))
        store.discard(run.id)
        os.utime(store.root / ".bin" / run.id, (0, time.time() - 10 + number))
    assert [run.about.name for run in store.binned()] == ["3", "2"]


def test_the_oldest_in_the_bin_make_room_when_the_quota_is_reached(store, saved, description):
    size = saved.size()
    for number in range(2):
        shutil.copytree(saved.folder, store.root / f"old-{number}")
        store.discard(f"old-{number}")
        os.utime(store.root / ".bin" / f"old-{number}", (0, time.time() - 100 + number))
    assert store.bin_size() == 2 * size
    Jobs(store, limits=Limits(quota=4 * size)).copy(saved)
    assert [run.id for run in store.binned()] == ["old-1", "old-0"]
    Jobs(store, limits=Limits(quota=2 * size + size // 2)).copy(saved)
    assert [run.id for run in store.binned()] == ["old-1"]
    with pytest.raises(StoreError, match="delete some first"):
        Jobs(store, limits=Limits(quota=size)).copy(saved)
    assert [run.id for run in store.binned()] == ["old-1"]  # nothing is lost for what fails anyway


def test_copies_respect_the_quota_with_their_data(store, rng):
    description = Description(Settings(t=5, I=1, r_f=0.5), "own", ["cat", "dog"], 400, 9)
    run = store.create(description, signals=rng.random((400, 9)), labels=np.arange(400) % 2)
    jobs = Jobs(store, limits=Limits(quota=run.size() + (run.folder / "data.npz").stat().st_size - 100))
    with pytest.raises(StoreError, match=r"and 0.0 MB more are needed; delete some first"):
        jobs.copy(run)
    assert [found.id for found in store] == [run.id]


def test_copies_wait_for_the_stores_lock(store, saved):
    jobs, made = Jobs(store), []
    thread = threading.Thread(target=lambda: made.append(jobs.copy(saved)))
    with filelock.FileLock(store.root / ".lock"):
        thread.start()
        thread.join(0.5)
        assert (made, [run.id for run in store]) == ([], [saved.id])
    thread.join(30)
    assert {run.id for run in store} == {saved.id, made[0].id}


def test_a_store_has_room_for_so_many_runs(store, saved):
    jobs = Jobs(store, limits=Limits(max_runs=2))
    jobs.copy(saved)
    with pytest.raises(StoreError, match="there are 2 runs already; delete some first, for example"):
        jobs.copy(saved)


def test_a_damaged_run_cannot_be_copied(store, saved):
    (saved.folder / "settings.json").write_text("[]")
    with pytest.raises(StoreError, match=r"cannot be copied: settings.json does not hold a JSON object"):
        Jobs(store).copy(Run(saved.folder))


def test_what_an_import_left_counts_until_it_is_swept_up(store, saved):
    before = store.size()
    (store.root / ".import-1").mkdir()
    (store.root / ".import-1" / "data.npz").write_bytes(bytes(5000))
    assert store.size() == before + 5000
    os.utime(store.root / ".import-1", (0, 0))
    Jobs(store)
    assert store.size() == before


def test_the_size_of_a_run_includes_its_search(saved):
    before = saved.size()
    Search(saved).job.folder.mkdir()
    (Search(saved).job.folder / "log.txt").write_bytes(bytes(5000))
    assert saved.size() == before + 5000


def test_strange_entries_are_not_runs(store, saved, tmp_path):
    (store.root / "notes.txt").write_text("hello")
    (store.root / ".import-x").mkdir()
    (store.root / "link").symlink_to(saved.folder)
    assert [run.id for run in store] == [saved.id]
    shutil.rmtree(store.root)
    assert store.listing() == []


def test_home_is_taken_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("DASKSVD_HOME", str(tmp_path / "elsewhere"))
    assert Store().root == tmp_path / "elsewhere"
    monkeypatch.delenv("DASKSVD_HOME")
    monkeypatch.chdir(tmp_path)
    assert Store().root == tmp_path / "runs"


@pytest.mark.parametrize("name", ["![x](http", "$a$", "<b>", "a" * 41, ""])
def test_a_class_name_that_would_become_a_link_or_a_formula_is_refused(name):
    with pytest.raises(ParameterError, match="a class's name may have at most 40 letters"):
        Description(Settings(), "own", ["cat", name], 100, 64)
    assert Description(Settings(), "own", ["Sieben, 7", "più-o_meno/1.5", 3], 100, 64).classes[2] == 3
