"""A test part that own data bring: found in every kind of file, kept with them, and used for the final score only."""

import gzip
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from dasksvd.datasets.dataset import DataSet, as_signals
from dasksvd.datasets.intake.examine import examine
from dasksvd.datasets.library import FACTS, Library, key, n_test_of
from dasksvd.datasets.parts import describe_own, training_sizes
from dasksvd.datasets.proposal import proposed
from dasksvd.digit.reader import load_reader
from dasksvd.errors import DataError, StoreError
from dasksvd.evaluate import Plan
from dasksvd.parameters import Settings
from dasksvd.runs.archive import export_zip, import_zip
from dasksvd.runs.evaluation import evaluate_run, read_metrics
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute
from tests.datasets.intake.made import encoded, idx_members, npz, pictures_of, zipped
from tests.datasets.own_sets import own_set

NAMES = ["0", "1", "2"]
DATA, TEST = own_set(3, 12, 16, names=NAMES), own_set(3, 5, 16, seed=7, names=NAMES)
BOTH = DataSet(DATA.train_images, DATA.train_labels, TEST.train_images, TEST.train_labels, NAMES)


def below(folder, members):
    return {f"{folder}/{name}": content for name, content in members.items()}


def inside(folder, members):
    """The same with the folder of the part below that of the class."""
    return {name.replace("/", f"/{folder}/"): content for name, content in members.items()}


def of_arrays(path, names):
    return npz(path, DATA, **dict(zip(names, (TEST.train_images, TEST.train_labels), strict=True)))


FILES = {
    "folders": lambda path: zipped(path, below("train", pictures_of(DATA)) | below("test", pictures_of(TEST))),
    "deep folders": lambda path: zipped(
        path, below("my/Training", pictures_of(DATA)) | below("my/Testing", pictures_of(TEST))
    ),
    "inside": lambda path: zipped(path, inside("train", pictures_of(DATA)) | inside("test", pictures_of(TEST))),
    "npz": lambda path: of_arrays(path.with_suffix(".npz"), ("test_images", "test_labels")),
    "keras": lambda path: of_arrays(path.with_suffix(".npz"), ("x_test", "y_test")),
    "idx": lambda path: zipped(
        path, idx_members(DATA) | {name.replace("train", "t10k"): one for name, one in idx_members(TEST).items()}
    ),
}


def as_multiset(images, labels):
    return sorted((int(label), image.tobytes()) for image, label in zip(images, labels, strict=True))


@pytest.mark.parametrize("kind", FILES)
def test_every_kind_of_file_can_bring_one(tmp_path, kind):
    findings, data = examine(FILES[kind](tmp_path / "a.zip"), whole=True)
    assert (findings.n_test, findings.sizes) == (15, dict.fromkeys(NAMES, 12))
    assert as_multiset(data.train_images, data.train_labels) == as_multiset(DATA.train_images, DATA.train_labels)
    assert as_multiset(data.test_images, data.test_labels) == as_multiset(TEST.train_images, TEST.train_labels)


def test_classes_called_train_and_test_are_classes(tmp_path):
    """Pictures of trains, and of tests."""
    images = own_set(2, 12, 16, names=["test", "train"])
    findings, data = examine(zipped(tmp_path / "a.zip", pictures_of(images)), whole=True)
    assert (findings.n_test, n_test_of(data)) == (0, 0)
    assert findings.sizes == {"test": 12, "train": 12}


def test_some_pictures_outside_of_the_parts_leave_all_of_them_together(tmp_path):
    members = below("train", pictures_of(DATA)) | below("test", pictures_of(TEST)) | below("more", pictures_of(TEST))
    assert examine(zipped(tmp_path / "a.zip", members))[0].n_test == 0


def test_a_class_that_only_the_test_has_is_refused(tmp_path):
    members = below("train", pictures_of(DATA)) | below("test", pictures_of(TEST))
    members |= {"test/dog/1.png": encoded(np.zeros((9, 9), np.uint8))}
    findings, data = examine(zipped(tmp_path / "a.zip", members), whole=True)
    assert data is None
    assert "too few: dog (0)" in " ".join(problem.text for problem in findings.problems)


UNFIT = {
    "fewer labels": ((TEST.train_images, TEST.train_labels[1:]), "must have as many labels as images"),
    "another size": ((TEST.train_images[:, 1:], TEST.train_labels), "images of different sizes"),
}


@pytest.mark.parametrize("name", UNFIT)
def test_a_test_part_that_does_not_fit_is_refused(tmp_path, name):
    test, message = UNFIT[name]
    path = npz(tmp_path / "a.npz", DATA, test_images=test[0], test_labels=test[1])
    with pytest.raises(DataError, match=message):
        examine(path)


def test_idx_files_of_a_test_alone_are_learned_from(tmp_path):
    files = {name.replace("train", "t10k"): gzip.decompress(one) for name, one in idx_members(DATA).items()}
    findings, data = examine(zipped(tmp_path / "a.zip", files), whole=True)
    assert (findings.n_test, len(data.train_images)) == (0, 36)


def test_the_library_keeps_it_and_its_sum_depends_on_it(tmp_path):
    library = Library(tmp_path / "library")
    kept, without = library.add(BOTH, "both"), library.add(DATA, "without")
    assert kept.key != without.key == key(DATA)
    assert kept.n_test == 15
    assert "n_test" not in json.loads((library.folder(without.key) / FACTS).read_text())  # as before there were any
    found = library.load(kept.key)
    np.testing.assert_array_equal(found.test_images, TEST.train_images)
    np.testing.assert_array_equal(found.test_labels, TEST.train_labels)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")


def finished(store, data, name):
    kept = Jobs(store, places=0).add_data(data, name)
    settings = proposed(Settings(ksvd_iter=3, I=3), 256, training_sizes(data.train_labels))
    run = store.create(describe_own(replace(settings, I=3), data, kept.key), name)
    compute(run)
    evaluate_run(run, Plan(hidden=12))
    run.set_status(Status(state="finished"))
    return run


def test_only_the_final_score_uses_it(store):
    """Oracles: the same run without the part, and the run's own reader, asked again."""
    run, without = finished(store, BOTH, "both"), finished(store, DATA, "without")
    found, other = read_metrics(run), read_metrics(without)
    np.testing.assert_array_equal(run.atoms, without.atoms)
    assert replace(found, n_tested=0, test_accuracy=0.0, seconds=0.0) == replace(other, seconds=0.0)
    answers = load_reader(run.folder / "classifier.npz").classify(as_signals(TEST.train_images)).argmax(axis=1)
    assert (found.n_tested, found.test_accuracy) == (15, np.mean(answers == TEST.train_labels))
    assert "n_tested" not in json.loads((without.folder / "metrics.json").read_text())


def test_it_travels_with_an_exported_run(store, tmp_path):
    run = finished(store, BOTH, "both")
    other = Store(tmp_path / "other")
    imported = import_zip(other, io.BytesIO(export_zip(run)))
    assert read_metrics(imported) == read_metrics(run)
    assert n_test_of(other.library.load(run.description.pictures)) == 15


@pytest.mark.parametrize(
    "change", [{"n_tested": 14}, {"n_tested": 0}, {"test_accuracy": 0.5}, {"test_accuracy": 2}, {"n_tested": True}]
)
def test_a_forged_final_score_is_refused(store, tmp_path, change):
    run = finished(store, BOTH, "both")
    path = run.folder / "metrics.json"
    values = json.loads(path.read_text()) | {"test_accuracy": 0.8}
    path.write_text(json.dumps(values | change))
    with pytest.raises(StoreError, match=r"metrics\.json"):
        import_zip(Store(tmp_path / "other"), io.BytesIO(export_zip(run)))
