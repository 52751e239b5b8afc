"""What a data set is stands in the registry alone, and what it says there holds for the data."""

import json
import subprocess
import sys

import numpy as np
import pytest

from dasksvd import DataSet, ParameterError, Settings
from dasksvd.__main__ import main
from dasksvd.datasets import DATASETS, load, register
from dasksvd.datasets.dataset import as_signals
from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import (
    HELD_OUT,
    SEEN,
    VALIDATION,
    check_description,
    describe,
    learning_part,
    n_pictures,
    part_name,
    pictures_at,
    places,
    preset,
    scored_on_test_images,
    scoring_parts,
    shape_of,
    signals_at,
)
from dasksvd.datasets.registry import OWN, facts_of
from dasksvd.errors import DamagedFile
from dasksvd.runs.folder import Run, create_run

IMAGES, LABELS = np.arange(12 * 6, dtype=np.uint8).reshape(12, 2, 3), np.arange(12) % 3


@pytest.fixture
def toy():
    """Register a data set for one test."""
    yield lambda found, **facts: register("toy", title="Toy", **facts)(lambda: found)
    if "toy" in DATASETS:
        DATASETS.unregister("toy")


# Laws of every registered data set


@pytest.mark.parametrize("data", DATASETS)
def test_a_data_set_is_read_once_and_its_facts_hold(data):
    found, facts = load(data), facts_of(data)
    assert load(data) is found
    if facts.reduced:
        assert found.train_images.shape[1:] in ((28, 28), (16, 16))
    if facts.gives_reader:
        assert facts.reduced
        assert found.train_images.shape[1:] == (28, 28)
        assert found.class_names == tuple(range(10))
    if facts.older_runs:
        assert len(found.test_labels) <= len(found.train_labels)
    if facts.split is not None:
        assert sum(facts.split) <= np.bincount(found.train_labels).min()


@pytest.mark.parametrize("data", DATASETS)
def test_a_run_learns_and_is_scored_on_disjoint_signals_of_the_described_size(data):
    description = describe(preset("quick", data), data)
    check_description(description)
    signals, labels = learning_part(description)
    parts, (length, sizes) = scoring_parts(description), shape_of(data)
    assert signals.shape == (description.n_signals, description.signal_length) == (sum(sizes), length)
    assert signals.dtype == parts.scored.dtype == np.float32
    assert np.bincount(labels).tolist() == sizes
    split = places(data, description.settings.seed, description.held_out > 0, load(data).train_labels)
    assert not set(split.learned) & set(split.scored)
    np.testing.assert_array_equal(split.scored, parts.places)
    np.testing.assert_array_equal(signals_at(data, split.learned[:50]), signals[:50])
    assert split.scored.max() < n_pictures(description) <= len(load(data).train_labels)
    assert parts.name == part_name(description) in (VALIDATION, HELD_OUT)


@pytest.mark.parametrize("data", DATASETS)
def test_a_shown_picture_is_the_image_that_was_scored(data):
    description = describe(preset("quick", data), data)
    parts = scoring_parts(description)
    shown = pictures_at(description, parts.places[:9], parts.name)
    images = load(data).train_images[parts.places[:9]]
    np.testing.assert_allclose(shown * (255 if images.dtype == np.uint8 else 1), images.reshape(9, -1), rtol=1e-6)


def test_titles_tell_data_sets_apart():
    titles = [entry.title for entry in DATASETS.entries()]
    assert len({*titles}) == len(titles) == len(DATASETS) > 1


def test_listing_data_sets_waits_for_no_compiler_and_no_solver():
    script = "import sys, dasksvd; list(dasksvd.datasets.DATASETS.entries()); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"numba", "sklearn", "scipy"} & set(done.stdout.split())


# A data set without any facts


def test_nothing_need_be_said_of_a_data_set(toy):
    toy(DataSet(IMAGES, LABELS))
    description = describe(Settings(t=2, r_f=0.5), "toy")
    assert description == Description(Settings(t=2, r_f=0.5), "toy", [0, 1, 2], 9, 6, 3)  # 1 of 4 is held out
    np.testing.assert_allclose(signals_at("toy", np.arange(12)), IMAGES.reshape(12, 6) / 255, rtol=1e-6)
    assert part_name(description) == HELD_OUT
    assert preset("quick", "toy").t == 3  # so few are all drawn


def test_images_of_any_size_are_only_reduced_if_that_is_said(toy):
    images = np.zeros((12, 28, 28), np.uint8)
    toy(DataSet(images, LABELS))
    assert shape_of("toy")[0] == signals_at("toy", LABELS).shape[1] == 784
    toy(DataSet(images, LABELS), reduced=True)
    assert shape_of("toy")[0] == signals_at("toy", LABELS).shape[1] == 256


def test_signals_are_taken_as_they_are(toy, rng):
    signals = rng.random((12, 5))
    toy(DataSet(signals, LABELS, class_names=["a", "b", "c"]))
    np.testing.assert_array_equal(signals_at("toy", np.arange(12)), np.float32(signals))
    description = describe(Settings(t=2, r_f=0.6), "toy")
    assert (description.signal_length, description.classes) == (5, ["a", "b", "c"])
    np.testing.assert_array_equal(pictures_at(description, [3], HELD_OUT), np.float32(signals[[3]]))


def test_a_split_of_its_own_is_drawn_by_the_seed(toy):
    toy(DataSet(IMAGES, LABELS), split=(2, 1))
    description = describe(Settings(t=2, r_f=0.5), "toy")
    assert (description.n_signals, description.held_out, n_pictures(description)) == (6, 0, 12)
    parts = scoring_parts(description)
    assert (parts.name, len(parts.train), len(parts.scored)) == (VALIDATION, 6, 3)


def test_another_data_set_under_the_same_name_is_used_at_once(toy):
    toy(DataSet(IMAGES, LABELS))
    description = describe(Settings(t=2, r_f=0.5), "toy")
    before = scoring_parts(description).train
    toy(DataSet(IMAGES + np.uint8(1), LABELS))
    np.testing.assert_allclose(scoring_parts(description).train, before + 1 / 255, rtol=1e-5)


def test_only_data_sets_with_older_runs_have_runs_without_a_held_out_part(toy):
    toy(DataSet(IMAGES, LABELS, IMAGES[:3], LABELS[:3]))
    older = Description(Settings(t=2, r_f=0.5), "toy", [0, 1, 2], 12, 6)
    with pytest.raises(DamagedFile, match="does not describe the data set toy"):
        check_description(older)
    assert not scored_on_test_images(older, HELD_OUT)
    toy(DataSet(IMAGES, LABELS, IMAGES[:3], LABELS[:3]), older_runs=True)
    check_description(older)
    assert scored_on_test_images(older, HELD_OUT)
    assert not scored_on_test_images(older, SEEN)


def test_an_older_run_scored_on_test_images_needs_a_data_set_that_has_some(toy):
    toy(DataSet(IMAGES, LABELS, IMAGES[3:6], LABELS[3:6]), older_runs=True)
    older = Description(Settings(t=2, r_f=0.5), "toy", [0, 1, 2], 12, 6)
    np.testing.assert_array_equal(pictures_at(older, [1], HELD_OUT), as_signals(IMAGES[[4]]))
    toy(DataSet(IMAGES, LABELS), older_runs=True)
    with pytest.raises(DamagedFile, match="the data set toy has no test images"):
        pictures_at(older, [1], HELD_OUT)
    np.testing.assert_array_equal(pictures_at(older, [1], SEEN), as_signals(IMAGES[[1]]))


# What is no data set


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((IMAGES[0], LABELS[:2]), r"needs images, uint8 .*, or signals, .*; got uint8 of shape \(2, 3\)"),
        ((IMAGES.astype(float), LABELS), r"got float64 of shape \(12, 2, 3\)"),
        ((np.full((12, 4), np.nan), LABELS), "finite floats"),
        ((IMAGES, LABELS[:-1]), r"labels must be 12 class numbers.* shape \(11,\)"),
        ((IMAGES, LABELS / 2), "class numbers, one of each image; got float64"),
        ((IMAGES, LABELS - 1), "class numbers"),
        ((IMAGES[:0], LABELS[:0]), "class numbers"),
        ((IMAGES, LABELS + 1), r"class numbers 0 … 3, each of them used; np\.unique"),
        ((IMAGES, LABELS, None, None, ["a", "b"]), "class numbers 0 … 1"),
        ((IMAGES, LABELS, None, None, list("abcd")), "class numbers 0 … 3"),
        ((IMAGES, LABELS, IMAGES), "needs test_images and test_labels"),
        ((IMAGES, LABELS, IMAGES[:, :1], LABELS), "same size and classes"),
        ((IMAGES, LABELS, IMAGES, LABELS + 1), "same size and classes"),
    ],
)
def test_bad_data_are_named(arguments, message):
    with pytest.raises(ParameterError, match=message):
        DataSet(*arguments)


def test_what_is_registered_must_give_a_data_set(toy):
    toy((IMAGES, LABELS))
    with pytest.raises(ParameterError, match="must be a DataSet, <lambda> gives a tuple"):
        load("toy")


def test_an_unknown_fact_lists_the_known_ones():
    message = "unknown fact 'reduce' of a data set; known are split, reduced, gives_reader, older_runs, word"
    with pytest.raises(ParameterError, match=message):
        register("toy", title="Toy", reduce=True)
    assert "toy" not in DATASETS


def test_the_name_of_own_pictures_is_taken():
    with pytest.raises(ParameterError, match="'own' is the name of a user's own pictures"):
        register(OWN, title="Mine")


KNOWN = "unknown data set 'clothes'; known are mnist, fashion_mnist, digits"


@pytest.mark.parametrize("ask", [lambda: describe(Settings(), "clothes"), lambda: facts_of("clothes")])
def test_an_unknown_name_lists_the_known_ones(ask):
    with pytest.raises(ParameterError, match=KNOWN):
        ask()


def test_an_unknown_name_on_the_command_line_lists_the_known_ones(tmp_path, capsys):
    assert main(["train", "--data", "clothes", "--out", str(tmp_path / "run")]) == 2
    assert capsys.readouterr().err == f"dasksvd: error: {KNOWN}\n"


def test_an_unknown_name_in_the_settings_of_a_run_is_damage(tmp_path):
    run = create_run(tmp_path / "run", describe(preset("quick", "digits"), "digits"))
    path = run.folder / "settings.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"data": "clothes"}))
    with pytest.raises(DamagedFile, match=KNOWN):
        _ = Run(run.folder).description
