"""Runs on kept pictures share them; they travel with an exported run, and nothing else is taken for them."""

import io
import json
import shutil
import zipfile

import numpy as np
import pytest

from dasksvd import Settings
from dasksvd.__main__ import main
from dasksvd.datasets.dataset import as_signals
from dasksvd.datasets.description import Description
from dasksvd.datasets.library import FACTS, PICTURES
from dasksvd.datasets.parts import describe_own, learning_part, pictures_at, places, scoring_parts
from dasksvd.errors import DamagedFile, ParameterError, StoreError
from dasksvd.evaluate import Plan
from dasksvd.runs.archive import export_zip, import_zip
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.folder import Run, own_arrays
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import Limits
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute
from tests.datasets.own_sets import own_set
from tests.method.test_trajectory import assert_same_records

TINY = Settings(t=10, I=2, ksvd_iter=2, r_f=0.25)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


def new_run(store, data=None, name="pets"):
    data = own_set() if data is None else data
    kept = store.library.add(data, name)
    return store.create(describe_own(TINY, store.library.load(kept.key), kept.key), f"on {name}")


@pytest.fixture
def run(store):
    run = new_run(store)
    compute(run)
    evaluate_run(run, Plan(hidden=8))
    return run


def test_a_run_learns_from_kept_pictures_and_is_scored_on_others(run):
    what, (images, labels) = run.description, own_arrays(run)
    signals, learned = learning_part(what, (images, labels))
    parts = scoring_parts(what, (images, labels))
    split = places("own", what.settings.seed, True, labels)
    assert (len(signals), len(parts.scored)) == (what.n_signals, what.held_out) == (48, 12)
    np.testing.assert_array_equal(signals, as_signals(images)[split.learned])
    np.testing.assert_array_equal(learned, labels[split.learned])
    assert not set(split.learned) & set(parts.places)
    shown = pictures_at(what, parts.places[:3], parts.name, (images, labels))
    np.testing.assert_array_equal(shown, as_signals(images[parts.places[:3]]))
    assert signals.dtype == shown.dtype == np.float32
    assert run.problem() == ""


def test_kept_pictures_and_those_in_a_runs_own_folder_give_the_same_atoms(store, run):
    images, labels = own_arrays(run)
    what = run.description
    values = {**what.as_dict(), "settings": what.settings}
    del values["pictures"]
    older = store.create(Description(**values), signals=as_signals(images), labels=labels)
    compute(older)
    assert_same_records(older.trajectory.records, run.trajectory.records)


def test_runs_share_their_pictures(store, run):
    copy = store.copy(run.id)
    assert copy.description == run.description
    assert not list(store.root.glob("[!.]*/*pictures*"))
    assert not list(store.root.rglob("data.npz"))
    assert own_arrays(copy)[0] is own_arrays(run)[0]


def test_kept_pictures_count_once_for_the_quota(store):
    before = store.size()
    new_run(store)
    first = store.size() - before
    new_run(store)
    assert first > own_set().train_images.nbytes > store.size() - before - first
    jobs = Jobs(store, limits=Limits(quota=store.size() + 100))
    with pytest.raises(StoreError, match="the runs use"):
        jobs.add_data(own_set(seed=1), "cars")
    assert [kept.name for kept in store.library.listing()] == ["pets"]


def test_a_data_set_is_removed_only_when_no_run_needs_it(store, run):
    jobs = Jobs(store)
    with pytest.raises(StoreError, match="pets is needed by 1 run and 0 in the bin: on pets"):
        jobs.remove_data("pets")
    jobs.delete(run)
    with pytest.raises(StoreError, match="0 runs and 1 in the bin"):
        jobs.remove_data("pets")
    assert own_arrays(store.binned()[0])[0].shape == (60, 8, 8)
    jobs.empty_bin()
    jobs.remove_data("pets")
    assert store.library.listing() == []


def test_a_run_with_a_copy_of_its_own_needs_nothing(store, run):
    home = store.library.folder(run.description.pictures)
    for name in (FACTS, PICTURES):
        shutil.copyfile(home / name, run.folder / name)
    store.remove_data("pets")
    assert own_arrays(Run(run.folder))[0].shape == (60, 8, 8)


CHANGES = [{"held_out": 11, "n_signals": 49}, {"classes": ["a", "b", "c"]}, {"signal_length": 81}]


@pytest.mark.parametrize("changes", CHANGES)
def test_a_description_that_is_not_of_its_pictures_is_damage(store, changes):
    run = new_run(store)
    path = run.folder / "settings.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    with pytest.raises(DamagedFile, match=r"settings\.json does not describe its pictures"):
        Run(run.folder).own_data()


def test_a_run_without_its_pictures_is_damaged_and_says_so(store, run):
    shutil.rmtree(store.library.root)
    assert "pictures.json is missing" in Run(run.folder).problem()
    assert Run(run.folder).trajectory.reselect(0, 0).atoms.shape == (6, 64)
    with pytest.raises(StoreError, match="not in the store"):
        store.create(run.description)


def test_a_run_in_another_place_has_a_copy(store, run, tmp_path, monkeypatch):
    monkeypatch.setenv("DASKSVD_HOME", str(store.root))
    options = [
        "--q",
        "0.2",
        "--t",
        "10",
        "--I",
        "2",
        "--r_f",
        "0.25",
        "--ksvd_iter",
        "2",
        "--out",
        str(tmp_path / "away"),
    ]
    assert main(["train", "--data", "pets", *options]) == 0
    away = Run(tmp_path / "away")
    assert_same_records(away.trajectory.records, run.trajectory.records)
    assert (away.folder / PICTURES).exists()
    back = import_zip(Store(tmp_path / "third"), io.BytesIO(export_zip(away)))
    assert own_arrays(back)[0].shape == (60, 8, 8)
    assert main(["train", "--data", "pets", *options[:-1], str(store.root / "here")]) == 0
    assert not (store.root / "here" / PICTURES).exists()


def test_the_command_line_takes_settings_that_suit_the_pictures(store, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DASKSVD_HOME", str(store.root))
    store.library.add(own_set(side=16), "pets")
    assert main(["train", "--data", "Pets", "--preset", "quick", "--ksvd_iter", "2", "--out", str(tmp_path / "a")]) == 0
    assert "q = 0.1, t = 16, r_f = 0.09, to suit these pictures" in capsys.readouterr().err
    assert Run(tmp_path / "a").description.settings == Settings(q=0.1, t=16, I=10, r_f=0.09, ksvd_iter=2)
    assert main(["train", "--data", "boats", "--out", str(tmp_path / "b")]) == 2
    assert capsys.readouterr().err.endswith("known are mnist, fashion_mnist, digits, pets\n")


# From one store to another


def test_pictures_travel_there_and_back(store, run, tmp_path):
    content = export_zip(run)
    other = Store(tmp_path / "other")
    back = import_zip(other, io.BytesIO(content))
    assert [kept.name for kept in other.library.listing()] == ["pets"]
    assert sorted(path.name for path in back.folder.iterdir() if path.name in (PICTURES, FACTS)) == []
    for mine, theirs in zip(own_arrays(back), own_arrays(run), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert_same_records(back.trajectory.records, run.trajectory.records)
    import_zip(other, io.BytesIO(content))
    assert len(other.library.listing()) == 1
    assert export_zip(back).count(PICTURES.encode()) == content.count(PICTURES.encode())


def changed(content, **changes):
    """A zip with other members; None removes one."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members |= {name.replace("_json", ".json").replace("_npz", ".npz"): value for name, value in changes.items()}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, value in members.items():
            if value is not None:
                archive.writestr(name, value)
    return buffer.getvalue()


@pytest.mark.parametrize("known", [False, True], ids=["a new data set", "one that is known here"])
def test_an_imported_run_must_bring_the_pictures_that_it_names(store, run, tmp_path, known):
    other, theirs = Store(tmp_path / "other"), Store(tmp_path / "theirs")
    foreign = new_run(theirs, own_set(seed=1))
    facts, images = (theirs.library.folder(foreign.description.pictures) / name for name in (FACTS, PICTURES))
    if known:
        other.library.add(own_set(), "pets")
    before = other.library.listing()
    content = export_zip(run)
    settings = json.loads((run.folder / "settings.json").read_text())
    for spoiled in (
        {PICTURES: None},
        {FACTS: None},
        {PICTURES: None, FACTS: None},
        {PICTURES: images.read_bytes()},
        {PICTURES: images.read_bytes(), FACTS: facts.read_bytes()},
        {"settings.json": json.dumps(settings | {"held_out": 11, "n_signals": 49}).encode()},
        {"settings.json": json.dumps(settings | {"classes": ["a", "b", "c"]}).encode()},
        {"settings.json": json.dumps(settings | {"pictures": "0" * 32}).encode()},
        {"settings.json": json.dumps(settings | {"pictures": "../../x"}).encode()},
        {"settings.json": json.dumps({**settings, "data": "digits"}).encode()},
        {"data.npz": b"x"},
    ):
        with pytest.raises(StoreError):
            import_zip(other, io.BytesIO(changed(content, **spoiled)))
        assert other.library.listing() == before
        assert list(other) == []


def test_only_a_run_on_kept_pictures_brings_some(store, run, tmp_path):
    images, labels = own_arrays(run)
    older = store.create(Description(TINY, "own", ["a", "b", "c"], 60, 64), signals=as_signals(images), labels=labels)
    library = store.library.folder(run.description.pictures)
    content = changed(export_zip(older), **{PICTURES: (library / PICTURES).read_bytes()})
    with pytest.raises(StoreError, match=r"pictures\.npz has no place in it"):
        import_zip(Store(tmp_path / "other"), io.BytesIO(content))


def test_the_sum_of_pictures_is_for_own_pictures_only():
    with pytest.raises(ParameterError, match="must be the sum of own pictures"):
        Description(TINY, "digits", [0, 1], 48, 64, 12, "0" * 32)
    assert "pictures" not in Description(TINY, "own", ["a", "b"], 48, 64, 12).as_dict()
    with pytest.raises(DamagedFile):
        Run.description.fget(Run("/nowhere"))
