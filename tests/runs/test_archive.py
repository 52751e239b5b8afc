"""Runs in and out as zip files, friendly and hostile."""

import io
import json
import os
import shutil
import stat
import tomllib
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from dasksvd.datasets.description import Description
from dasksvd.datasets.intake.findings import MAX_BYTES
from dasksvd.errors import StoreError
from dasksvd.parameters import PAPER, Settings
from dasksvd.runs import archive
from dasksvd.runs.archive import MAX_ZIP_MB, export_zip, import_zip
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import Limits
from dasksvd.runs.reference import load_reference
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute, describe
from tests.method.test_trajectory import assert_same_records
from tests.runs.test_folder import damage_values

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def computed(tmp_path_factory):
    """Three iterations on the small digits, in a store of its own; not to be changed."""
    run = Store(tmp_path_factory.mktemp("computed")).create(describe(Settings(t=40, I=3, ksvd_iter=2), "digits"))
    run.set_about(name="first")
    compute(run)
    return run


@pytest.fixture
def saved(store, computed):
    """A copy of it in the test's store."""
    shutil.copytree(computed.folder, store.root / computed.id)
    return store.run(computed.id)


def test_there_and_back(store, saved, computed):
    back = import_zip(store, io.BytesIO(export_zip(saved)))
    assert back.id != saved.id
    assert_same_records(back.trajectory.records, computed.trajectory.records)
    assert back.description == saved.description
    assert (back.about.name, back.status.state) == ("first", "finished")
    assert len(store.listing()) == 2


def test_an_unfinished_run_comes_back_ready_to_resume(store, saved):
    saved.record_path(2).unlink()
    saved.set_status(Status(state="running", pid=os.getpid(), owner="someone"))
    back = import_zip(store, io.BytesIO(export_zip(saved)))
    assert (back.status.state, back.status.pid, back.status.owner) == ("cancelled", 0, "")
    assert back.n_finished() == 2


def test_a_run_that_is_gone_is_named(store, saved):
    store.delete(saved.id)
    with pytest.raises(StoreError, match=f"cannot read {saved.id}: No such file"):
        export_zip(saved)
    assert "cannot be read" in saved.problem()


def rezip(content, change):
    """The members of a zip as a dictionary, changed, and zipped again."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members.items():
            archive.writestr(name, value)
    return buffer.getvalue()


def npz_of(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def recompressed(content):
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    return buffer.getvalue()


def zip_of_many():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(6000):
            archive.writestr(f"{number}.npy", b"")
    return buffer.getvalue()


def settings_changed(members, **changes):
    values = json.loads(members["settings.json"])
    values["settings"] |= changes
    members["settings.json"] = json.dumps(values)


ATTACKS = {
    "path upwards": (lambda m: m.update({"../evil.json": b"{}"}), r"'../evil.json', which has no place"),
    "absolute path": (lambda m: m.update({"/tmp/evil": b"x"}), "has no place in a run"),
    "subfolder": (lambda m: m.update({"a/settings.json": b"x"}), "has no place in a run"),
    "code": (lambda m: m.update({"evil.py": b"x"}), "has no place in a run"),
    "bomb in json": (lambda m: m.update({"settings.json": b" " * 2**21}), "unpacks to 2,097,152 bytes"),
    "bomb in npz": (lambda m: m.update({"iteration_009.npz": bytes(2**26)}), "unpacks to 67,108,864 bytes"),
    "too many": (lambda m: m.update({f"iteration_{n:03d}.npz": b"" for n in range(1000)}), "at most 1000 are allowed"),
    "no settings": (lambda m: m.pop("settings.json"), "settings.json is missing"),
    "bad settings": (lambda m: settings_changed(m, q=7.5), "settings.json is not that of a run"),
    "other settings": (lambda m: settings_changed(m, t=41), "iteration_001.npz: drawn is int64 of shape"),
    "objects": (
        lambda m: m.update({"iteration_001.npz": npz_of(atoms=np.array([{}], dtype=object))}),
        "not a sound run: iteration_001.npz holds atoms.npy",
    ),
    "compressed arrays": (
        lambda m: m.update({"iteration_001.npz": recompressed(m["iteration_001.npz"])}),
        "is compressed",
    ),
    "endless list inside": (lambda m: m.update({"iteration_001.npz": zip_of_many()}), "lists too many files"),
    "huge atoms": (lambda m: settings_changed(m, r_f=1e308), "not a sound run"),
    "huge seed": (lambda m: settings_changed(m, seed=2**64), "seed must be below"),
    "bad about": (lambda m: m.update({"settings.json": b"[]", "about.json": b'{"created": 1e999}'}), "not a sound run"),
    "iterations after a gap": (lambda m: m.update({"iteration_005.npz": bytes(2**20)}), "not all before it"),
    "another name of an iteration": (
        lambda m: m.update({"iteration_0003.npz": m.pop("iteration_003.npz")}),
        "not all before it",
    ),
    "one iteration too many": (
        lambda m: m.update({"iteration_004.npz": m["iteration_003.npz"]}),
        "iteration_004.npz is one too many",
    ),
    "data beside bundled data": (lambda m: m.update({"data.npz": bytes(2**20)}), "data.npz has no place in it"),
    "classifier without metrics": (lambda m: m.update({"classifier.npz": b""}), "classifier.npz has no place in it"),
    "not a zip inside": (lambda m: m.update({"iteration_001.npz": b"nonsense"}), "iteration_001.npz cannot be read"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_zips_are_refused_and_leave_nothing(store, saved, attack, tmp_path):
    change, message = ATTACKS[attack]
    before = sorted(path for path in tmp_path.rglob("*"))
    with pytest.raises(StoreError, match=message):
        import_zip(store, io.BytesIO(rezip(export_zip(saved), change)))
    assert sorted(path for path in tmp_path.rglob("*")) == before


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused(store, method):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr("settings.json", b"{}")
    with pytest.raises(StoreError, match="packed in a way that is not accepted"):
        import_zip(store, buffer)


def test_no_flipped_byte_lets_another_exception_out(store, saved):
    """Whatever happens to the file on its way: a run, or StoreError, and nothing left behind."""
    for path in saved.folder.glob("iteration_*"):
        path.unlink()
    saved.set_status(Status(state="cancelled"))
    whole = export_zip(saved)
    for place in range(0, len(whole), 3):
        content = bytearray(whole)
        content[place] ^= 0xFF
        with suppress(StoreError):
            store.delete(import_zip(store, io.BytesIO(bytes(content))).id)
    assert [path.name for path in store.root.iterdir()] == [saved.id]


def test_import_respects_the_quota(store, saved):
    content = io.BytesIO(export_zip(saved))
    with pytest.raises(StoreError, match="delete some first"):
        Jobs(store, limits=Limits(quota=1000)).import_zip(content)
    assert Jobs(store).import_zip(content).n_finished() == 3


def test_an_import_must_fit_into_what_is_left_of_the_quota(store, saved):
    content, used = export_zip(saved), store.size()
    with pytest.raises(StoreError, match=r"and \d+\.\d MB more are needed; delete some first"):
        Jobs(store, limits=Limits(quota=used + 1000)).import_zip(io.BytesIO(content))
    assert [path.name for path in store.root.iterdir() if path.name != ".lock"] == [saved.id]


def test_what_only_lies_beside_a_run_is_not_exported(store, saved):
    for name in ("data.npz", "classifier.npz", "iteration_009.npz", "log.txt"):
        (saved.folder / name).write_bytes(bytes(1000))
    assert import_zip(store, io.BytesIO(export_zip(saved))).problem() == ""


def test_own_data_travel_there_and_back(store, rng):
    signals, labels = rng.random((90, 16), dtype=np.float32), np.arange(90) % 3
    description = Description(Settings(t=10, I=2, ksvd_iter=2), "own", ["cat", "dog", "cow"], 90, 16)
    run = store.create(description, "pets", signals=signals, labels=labels)
    compute(run)
    back = import_zip(store, io.BytesIO(export_zip(run)))
    np.testing.assert_array_equal(back.own_data()[0], signals)
    assert_same_records(back.trajectory.records, run.trajectory.records)


def save_paper_run(store):
    """The shipped run as one of the store's own, without its rounding to half precision undone."""
    run = store.create(describe(PAPER, "mnist"), "paper")
    for iteration, record in enumerate(load_reference().records):
        run.save_record(iteration, record.__class__(**vars(record) | {"errors": np.float64(record.errors)}))
    run.set_status(Status(state="finished"))
    return run


def test_a_run_of_the_papers_size_fits_several_times_into_the_limit(store):
    run = save_paper_run(store)
    content = export_zip(run)
    assert 4 * 2**20 < len(content) < MAX_ZIP_MB * 2**20 / 4
    assert_same_records(import_zip(store, io.BytesIO(content)).trajectory.records, run.trajectory.records)


def test_the_server_takes_in_what_can_be_kept_and_no_more():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["maxUploadSize"] * 2**20 == MAX_BYTES > MAX_ZIP_MB * 2**20


def test_a_zip_that_could_not_have_been_sent_out_is_not_taken_in(store, saved, monkeypatch):
    """The server takes in larger files, of pictures."""
    content = export_zip(saved)
    jobs = Jobs(store, places=0)
    monkeypatch.setattr(archive, "MAX_ZIP_MB", len(content) / 2**20)
    jobs.import_zip(io.BytesIO(content))
    monkeypatch.setattr(archive, "MAX_ZIP_MB", (len(content) - 1) / 2**20)
    with pytest.raises(StoreError, match="copy its folder into the store instead"):
        jobs.import_zip(io.BytesIO(content))


def test_what_could_not_come_back_is_not_sent_out(saved, monkeypatch):
    monkeypatch.setattr(archive, "MAX_ZIP_MB", 0.01)
    with pytest.raises(StoreError, match=r"is larger than 0.01 MB; copy its folder in the store instead"):
        export_zip(saved)


def test_wrong_values_are_refused(store, saved):
    damage_values(saved)
    with pytest.raises(StoreError, match="atoms do not have length 1"):
        import_zip(store, io.BytesIO(export_zip(saved)))


def test_two_files_of_one_name_are_refused(store, saved):
    buffer = io.BytesIO(export_zip(saved))
    with zipfile.ZipFile(buffer, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("settings.json", "{}")
    with pytest.raises(StoreError, match="two files of one name"):
        import_zip(store, buffer)


def test_a_symbolic_link_is_refused(store):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        link = zipfile.ZipInfo("settings.json")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(StoreError, match=r"'settings.json', which has no place"):
        import_zip(store, buffer)


def test_a_zip_that_lies_about_its_size_is_refused(store):
    """The directory announces 10 bytes, the compressed stream holds ten million."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    stream = packed.compress(b" " * 10_000_000) + packed.flush()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("settings.json", b" " * 10_000_000)
    content = buffer.getvalue().replace((10_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert len(stream) < len(content) < 20_000
    with pytest.raises(StoreError, match=r"cannot import this file|larger than it announces"):
        import_zip(store, io.BytesIO(content))
    assert list(store) == []


@pytest.mark.parametrize("content", [b"", b"PK", b"hello" * 100])
def test_other_files_are_refused(store, content):
    with pytest.raises(StoreError, match="cannot import this file"):
        import_zip(store, io.BytesIO(content))


def test_a_run_that_nobody_has_started_is_new_where_it_is_imported(store):
    copy = store.create(describe(PAPER, "mnist"), "not started")
    back = import_zip(store, io.BytesIO(export_zip(copy)))
    assert (back.status.state, back.n_finished()) == ("new", 0)
