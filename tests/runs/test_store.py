"""All runs of a place."""

import os
import shutil
import threading

import filelock
import numpy as np
import psutil
import pytest

from dasksvd import ParameterError, Settings
from dasksvd.datasets.description import Description
from dasksvd.errors import StoreError
from dasksvd.runs.folder import Run
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import Limits, deletable
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store
from dasksvd.search.job import Search
from tests.method.test_trajectory import assert_same_records


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


def test_a_bad_name_leaves_no_run(store, description):
    with pytest.raises(ParameterError, match="at most 80"):
        store.create(description, "x" * 81)
    assert list(store) == []


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
