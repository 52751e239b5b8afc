"""Whatever people have becomes the same data set, and what is wrong with it is said with the remedy."""

import re
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks import preview
from dasksvd import DataError
from dasksvd.datasets.intake import folders, look, take
from dasksvd.datasets.intake.examine import examine
from dasksvd.datasets.library import Library, key
from tests.datasets.intake.made import encoded, folder_zip, idx_members, npz, pictures_of, zipped
from tests.datasets.own_sets import own_set

NAMES = ["kind 0", "kind 1", "kind 2"]

#: Another grey for each picture of a class, and nothing in it.
PLAIN = {f"{name}/{n}.png": encoded(np.full((1, 1), 20 * n, np.uint8)) for name in ("a", "b") for n in range(1, 12)}
BLACK = {f"a/{n}.png": encoded(np.zeros((4, 4), np.uint8)) for n in range(12)}

DOT, LINE = encoded(np.eye(9) > 0), encoded(np.eye(20, 30) > 0)
WIDE = {f"wide/{n}.png": LINE for n in range(10)}
HIGH = {f"high/{n}.png": encoded(np.eye(30, 20) > 0) for n in range(10)}


def sources(folder):
    """The same 36 pictures in every way in which they can be brought."""
    data = own_set(3, 12, 16)
    files = idx_members(data)
    for name, content in idx_members(data, packed=False).items():
        (folder / name).write_bytes(content)
    return {
        "folders": (folder_zip(folder / "a.zip"),),
        "folders in folders": (
            zipped(folder / "b.zip", {f"my/x/{name}": one for name, one in pictures_of(data).items()}),
        ),
        "npz": (npz(folder / "a.npz", data, class_names=np.array(NAMES)),),
        "packed npz": (zipped(folder / "b.npz", _members(folder / "a.npz")),),
        "idx": tuple(folder / name for name in idx_members(data, packed=False)),
        "zip of idx": (zipped(folder / "c.zip", {f"MNIST/raw/{name}": one for name, one in files.items()}),),
    }  # fmt: skip


def _members(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def found_in(path, labels=None, **wish):
    """What is found in this process, which is quicker."""
    return examine(Path(path), labels, **{"whole": True} | wish)


# Laws of every source


@pytest.mark.parametrize("kind", ["folders", "folders in folders", "npz", "packed npz", "idx", "zip of idx"])
def test_every_source_gives_the_same_data_set(tmp_path, kind):
    files, expected = sources(tmp_path)[kind], own_set(3, 12, 16)
    findings, data = take(*files)
    again = take(*files)[1]
    assert findings.is_ready
    assert data.train_images.shape == (36, 16, 16)
    assert data.class_names == tuple(NAMES if "idx" not in kind else "012")
    assert findings.sizes == dict.fromkeys(map(str, data.class_names), 12)
    assert key(data) == key(again)
    for label in range(3):
        mine, theirs = (one.train_images[one.train_labels == label] for one in (data, expected))
        np.testing.assert_array_equal(mine, theirs)
    assert Library(tmp_path / ".data").add(data, "pets").sizes == (12, 12, 12)
    assert [example.class_name for example in findings.examples[:3]] == [*map(str, data.class_names[:1])] * 2 + [
        str(data.class_names[1])
    ]
    assert findings.examples[0].after.tobytes() in {image.tobytes() for image in data.train_images}


@pytest.mark.parametrize("side", [8, 16, 28, 32])
@pytest.mark.parametrize("k", [2, 50])
def test_two_and_fifty_classes_of_any_size(tmp_path, side, k):
    findings, data = found_in(folder_zip(tmp_path / "a.zip", k, 10), side=side)
    assert findings.is_ready
    assert data.train_images.shape == (10 * k, side, side)
    assert np.bincount(data.train_labels).tolist() == [10] * k
    assert data.class_names == tuple(f"kind {c}" for c in range(k))  # 2 before 10


def test_a_first_look_counts_all_and_decodes_some_of_each_class(tmp_path, monkeypatch):
    path = folder_zip(tmp_path / "a.zip", 3, 40)
    monkeypatch.setattr(folders, "_LOOK", 20 * (256 + folders._OPENING))
    calls = []
    first, data = found_in(path, whole=False, on_progress=lambda *share: calls.append(share))
    assert data is None
    assert first.sizes == dict.fromkeys(NAMES, 40)
    assert first.checked == 20
    assert {example.class_name for example in first.examples} == set(NAMES)
    assert found_in(path)[0].checked == 120
    monkeypatch.setattr(folders, "_LOOK", 0)
    least = found_in(path, whole=False)[0]
    assert least.checked == len(least.examples) == 3
    assert all(done <= total for done, total in calls)


@pytest.mark.skipif(sys.platform == "win32", reason="does not tell what a process has worked")
@pytest.mark.parametrize(("side", "kind"), [(28, "PNG"), (400, "JPEG")])
def test_a_first_look_at_ten_thousand_pictures_is_less_than_five_seconds_of_work(tmp_path, side, kind):
    """Of the processor's time: that of the clock depends on who else is at work."""
    import resource

    path = preview.zip_of(tmp_path / "a.zip", side, kind)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    findings = look(path)
    path.unlink()  # it is large
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert sum(findings.sizes.values()) == preview.COUNT
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert 0 < worked < preview.WANTED


def test_progress_is_told_from_the_other_process(tmp_path):
    shares = []
    assert look(folder_zip(tmp_path / "a.zip", 4, 60), on_progress=shares.append).is_ready
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] <= 1


# What is wrong, and how to mend it


@pytest.mark.parametrize(
    ("make", "text", "remedy", "stops"),
    [
        (lambda p: folder_zip(p, 1), "only one class, kind 0", "at least two", True),
        (lambda p: zipped(p, {f"{n}.png": DOT for n in range(12)}), "only one class", "folder", True),
        (lambda p: zipped(p, {}), "no pictures", "Put the pictures", True),
        (lambda p: folder_zip(p, 51, 10), "51 classes, at most 50", "Take some out", True),
        (lambda p: folder_zip(p, 2, 9), r"at least 10 pictures; too few: kind 0 \(9\), kind 1 \(9\)", "Add", True),
        (lambda p: folder_zip(p, **{"kind 0/no.png": b"x"}), r"1 file .*: kind 0/no.png \(it is", "left out", 0),
        (lambda p: folder_zip(p, **{"notes.txt": b"x"}), "1 file outside of the folders: notes.txt", "left out", False),
        (lambda p: folder_zip(p, **{"kind 0/a.png": DOT}), "2 sizes, from 9×9 to 16×16", "16×16", 0),
        (lambda p: folder_zip(p, **{"kind 0/a.png": LINE}), "Not all pictures are square", "padded", 0),
        (lambda p: zipped(p, WIDE | HIGH), "2 sizes, from 20×30 to 30×20", "16×16", False),
        (lambda p: folder_zip(p, side=8), "All pictures are smaller than 16×16", "enlarged", False),
        (lambda p: zipped(p, PLAIN), "All pictures are the same, but for how bright", "different things", True),
        (lambda p: folder_zip(p, **BLACK), r"All pictures of a class are black: a\.", "exchange light", True),
    ],
)  # fmt: skip
def test_every_problem_has_a_remedy(tmp_path, make, text, remedy, stops):
    findings, data = found_in(make(tmp_path / "a.zip"))
    problem = next(one for one in findings.problems if re.search(text, one.text))
    assert remedy in problem.remedy
    assert problem.stops == bool(stops)
    assert findings.is_ready == (data is not None) == (not stops)
    assert data is None or sum(findings.sizes.values()) == len(data.train_labels)


@pytest.mark.parametrize("images", [np.zeros((36, 8, 8)), np.linspace(0.1, 1, 36)[:, None, None] * np.eye(8)])
def test_arrays_that_no_run_could_learn_from_are_refused_before_they_are_kept(tmp_path, images):
    findings, data = found_in(npz(tmp_path / "a.npz", own_set(3, 12, 8), images=images), side=8)
    assert data is None
    assert [problem.stops for problem in findings.problems] == [True]


def test_some_black_pictures_of_a_class_are_no_problem(tmp_path):
    findings, _ = found_in(folder_zip(tmp_path / "a.zip", 2, **{"kind 0/black.png": BLACK["a/0.png"]}), side=8)
    assert findings.is_ready


def test_a_first_look_at_some_says_nothing_of_all(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "_LOOK", 0)
    path = folder_zip(tmp_path / "a.zip", 2, **BLACK)
    assert found_in(path, whole=False)[0].is_ready
    assert not found_in(path)[0].is_ready


def test_broken_pictures_do_not_count(tmp_path):
    members = pictures_of(own_set(2, 10, 16))
    members["kind 1/1.png"] = members["kind 1/1.png"][:150]
    for whole in (False, True):
        findings, data = found_in(zipped(tmp_path / "a.zip", members), whole=whole)
        assert findings.sizes == {"kind 0": 10, "kind 1": 9}
        assert data is None
        assert "too few: kind 1 (9)" in findings.problems[0].text
        assert "kind 1/1.png (it is damaged)" in findings.problems[1].text


def test_one_reason_of_many_files_is_said_once(tmp_path):
    photos = {f"kind 0/{n}.heic": b"\0\0\0\x18ftypheic" + bytes(n) for n in range(1, 9)}
    (problem,) = found_in(folder_zip(tmp_path / "a.zip", **photos))[0].problems
    assert problem.text.startswith("8 files are no pictures that can be read: kind 0/1.heic, kind 0/2.heic, ")
    assert problem.text.endswith("and 3 more (HEIC and AVIF cannot be read here: save as JPEG).")
    photos["kind 0/9.heic"] = b"x"
    (problem,) = found_in(folder_zip(tmp_path / "b.zip", **photos))[0].problems
    assert problem.text.count("(") == 5


def test_a_class_that_is_only_broken_pictures_is_none(tmp_path):
    findings, data = found_in(folder_zip(tmp_path / "a.zip", 2, **{f"odd/{n}.png": b"x" * n for n in range(1, 4)}))
    assert data.class_names == ("kind 0", "kind 1")
    assert "3 files" in findings.problems[0].text


def test_what_a_system_puts_into_a_zip_is_left_out_silently(tmp_path):
    litter = {"__MACOSX/kind 0/._1.png": b"x", "kind 0/.DS_Store": b"x", "kind 1/Thumbs.db": b"x"}
    assert found_in(folder_zip(tmp_path / "a.zip", **litter))[0].problems == []


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"images": None}, "no array with images; call it 'images'"),
        ({"labels": None}, "no array with labels"),
        ({"images": np.array([{}], object)}, "images of the npz file must be numbers"),
        ({"labels": np.zeros(5)}, r"one label for each of the 36 images, got shape \(5,\)"),
        ({"labels": np.full(36, 0.5)}, "whole numbers or texts"),
        ({"images": np.zeros((36, 10))}, "10 values are not square"),
        ({"images": np.zeros((36, 4, 4, 2))}, "1, 3 or 4 channels"),
        ({"images": np.full((36, 4, 4), np.nan)}, "no numbers"),
        ({"images": np.zeros((0, 4, 4))}, "images must be numbers of shape"),
    ],
)
def test_arrays_that_are_none_are_named(tmp_path, arrays, message):
    data = own_set(3, 12, 16)
    kept = {"images": data.train_images, "labels": data.train_labels} | arrays
    np.savez(tmp_path / "a.npz", **{name: array for name, array in kept.items() if array is not None})
    with pytest.raises(DataError, match=message):
        found_in(tmp_path / "a.npz")


@pytest.mark.parametrize(
    "change",
    [
        lambda images: images / 255,
        lambda images: images.astype(np.float32),
        lambda images: images.astype(np.int64),
        lambda images: images.astype(np.uint16) * 257,
        lambda images: images[..., None],
        lambda images: images.reshape(36, -1),
        lambda images: np.asfortranarray(images),
        lambda images: np.repeat(images[..., None], 3, axis=3),
        lambda images: np.concatenate(
            [np.repeat(images[..., None], 3, axis=3), np.full((36, 16, 16, 1), 255, "u1")], 3
        ),
    ],
)
def test_arrays_of_other_types_and_shapes_are_the_same_pictures(tmp_path, change):
    data = own_set(3, 12, 16)
    found = found_in(npz(tmp_path / "a.npz", data, images=change(data.train_images)))[1]
    np.testing.assert_array_equal(found.train_images, data.train_images)
    np.testing.assert_array_equal(found.train_labels, data.train_labels)


def test_the_example_of_a_large_array_is_the_whole_picture_in_small(tmp_path):
    data = own_set(3, 12, 16)
    large = data.train_images.repeat(20, axis=1).repeat(20, axis=2)
    example = found_in(npz(tmp_path / "a.npz", data, images=large))[0].examples[0]
    assert example.before.shape == (96, 96, 3)
    small = np.asarray(Image.fromarray(example.before).convert("L").resize((16, 16))).astype(int)
    assert np.abs(small - example.after).mean() < 12


def test_other_arrays_are_left_out_and_named(tmp_path):
    data = own_set(3, 12, 16)
    findings, found = found_in(npz(tmp_path / "a.npz", data, x_test=data.train_images))
    assert len(found.train_labels) == 36
    assert findings.problems[0].text == "The npz file has other arrays: x_test."


def test_labels_can_be_texts_and_any_numbers(tmp_path):
    data = own_set(3, 12, 16)
    texts = np.array(["boot", "<b>", "a/b"])[data.train_labels]
    assert found_in(npz(tmp_path / "a.npz", data, labels=texts))[1].class_names == ("b", "a-b", "boot")
    numbers = np.array([2, 10, 9])[data.train_labels][:, None].astype(float)
    found = found_in(npz(tmp_path / "b.npz", data, labels=numbers))[1]
    assert found.class_names == ("2", "9", "10")
    np.testing.assert_array_equal(found.train_labels, np.array([0, 2, 1])[data.train_labels])


def test_too_many_labels_stop_before_anything_is_made(tmp_path):
    path = npz(tmp_path / "a.npz", own_set(3, 20, 8), labels=np.arange(60))
    findings, data = found_in(path)
    assert data is None
    assert "60 different labels" in findings.problems[0].text


def test_idx_files_are_paired(tmp_path):
    data, more = own_set(3, 12, 16), own_set(3, 12, 16, seed=1)
    files = idx_members(data) | {name.replace("train", "t10k"): one for name, one in idx_members(more).items()}
    both = found_in(zipped(tmp_path / "a.zip", files))[1]
    np.testing.assert_array_equal(both.train_labels, data.train_labels)
    np.testing.assert_array_equal(both.test_labels, more.train_labels)
    joined = {name.replace("t10k", "more"): one for name, one in files.items()}
    joined = found_in(zipped(tmp_path / "c.zip", joined))[1]
    assert joined.train_images.shape == (72, 16, 16)
    np.testing.assert_array_equal(joined.train_labels, np.concatenate([more.train_labels, data.train_labels]))
    with pytest.raises(DataError, match="come in pairs"):
        found_in(zipped(tmp_path / "b.zip", dict(list(files.items())[:3])))
    alone = tmp_path / "images.gz"
    alone.write_bytes(next(iter(files.values())))
    with pytest.raises(DataError, match="its labels are in another one"):
        found_in(alone)
