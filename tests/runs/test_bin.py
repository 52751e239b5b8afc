"""The bin of a store, and what killed processes leave."""

import os
import shutil
import time

import pytest

from dasksvd.errors import StoreError
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import Limits
from dasksvd.runs.status import Status
from dasksvd.search.job import Search
from dasksvd.search.plans import WeightsPlan


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


def test_what_an_import_left_counts_until_it_is_swept_up(store, saved):
    before = store.size()
    (store.root / ".import-1").mkdir()
    (store.root / ".import-1" / "data.npz").write_bytes(bytes(5000))
    assert store.size() == before + 5000
    os.utime(store.root / ".import-1", (0, 0))
    Jobs(store)
    assert store.size() == before
