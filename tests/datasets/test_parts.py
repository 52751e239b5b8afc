"""One split for atoms, networks, searches and sweeps; runs made before it stay what they were."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dasksvd import DASKSVD, ParameterError, Settings, evaluate
from dasksvd.__main__ import main
from dasksvd.datasets import hold_out, load_digits_8x8, load_mnist, reduce_images, to_signals
from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import (
    HELD_OUT,
    SEEN,
    VALIDATION,
    describe_labels,
    learning_part,
    part_name,
)
from dasksvd.errors import DamagedFile
from dasksvd.evaluate import Plan
from dasksvd.method import loop, omp
from dasksvd.runs import worker
from dasksvd.runs.evaluation import evaluate_run, read_metrics, scored_images, write_plan
from dasksvd.runs.folder import Run, create_run, load_parts, own_arrays, places_of
from dasksvd.runs.reference import ReferenceRun
from dasksvd.runs.worker import compute, describe
from dasksvd.search import tasks
from dasksvd.search.engine import Engine, search
from dasksvd.search.plans import SweepPlan, WeightsPlan
from tests.method.test_trajectory import assert_same_records
from ui import cache

TINY = Settings(t=30, I=2, ksvd_iter=2, seed=4)
SIZES = (40, 25, 50)


def pictures(rng, sizes=SIZES, side=5):
    """Noisy copies of one picture per class, no two alike."""
    labels = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    centres = rng.integers(0, 200, (len(sizes), side, side))
    images = centres[labels] + rng.integers(0, 55, (len(labels), side, side))
    return np.uint8(images), labels


@pytest.fixture
def own(tmp_path, rng):
    """A new run on own pictures, not computed yet, made by the command line."""
    images, labels = pictures(rng)
    np.savez(tmp_path / "own.npz", images=images, labels=labels + 5)
    run = tmp_path / "own"
    arguments = ["--images", str(tmp_path / "own.npz"), "--t", "12", "--I", "2", "--ksvd_iter", "2"]
    assert main(["train", *arguments, "--out", str(run)]) == 0
    for path in run.glob("iteration_*"):
        path.unlink()
    return Run(run)


def old_own(folder, rng, sizes=SIZES, **changes):
    """A run on own pictures as it was made before there was a held-out part."""
    images, labels = pictures(rng, sizes)
    settings = Settings(**{"t": 12, "I": 2, "ksvd_iter": 2, "r_f": 0.5} | changes)
    description = Description(settings, "own", [f"c{c}" for c in range(len(sizes))], *to_signals(images).shape)
    return create_run(folder, description, to_signals(images), labels)


def old_digits(folder, settings=TINY):
    return create_run(folder, Description(settings, "digits", list(range(10)), 1500, 64))


def rows(signals):
    return {row.tobytes() for row in np.float32(signals)}


@given(st.lists(st.integers(0, 6), min_size=1, max_size=80), st.integers(0, 2**32))
def test_a_fifth_of_every_class_is_held_out_and_each_class_stays(labels, seed):
    labels = np.array(labels)
    train, held = hold_out(labels, np.random.default_rng(seed))
    np.testing.assert_array_equal(np.sort(np.concatenate([train, held])), np.arange(len(labels)))
    for label in np.unique(labels):
        kept, scored = (np.sum(labels[part] == label) for part in (train, held))
        assert kept >= 1
        assert scored == (0 if kept + scored == 1 else max(1, (kept + scored) // 5))


def test_the_seed_decides_who_is_held_out():
    labels = load_digits_8x8().train_labels
    first, again, other = (load_parts_of(seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert len(first) == len(other)
    assert 0.1 < np.mean(np.isin(first, other)) < 0.4  # by chance a fifth
    np.testing.assert_array_equal(np.bincount(labels[first]), np.bincount(labels) // 5)


@pytest.mark.parametrize("used", [7, [7, 0], [7, 1]])
def test_the_split_does_not_reuse_random_numbers_of_the_loop(used):
    """Oracle: the same split drawn with the numbers that an iteration of that seed begins with."""
    labels = load_digits_8x8().train_labels
    _, same_numbers = hold_out(labels, np.random.default_rng(used))
    assert np.mean(np.isin(load_parts_of(7), same_numbers)) < 0.4


def load_parts_of(seed):
    description = describe(replace(TINY, seed=seed), "digits")
    return tasks.scoring_parts(description).places


@pytest.fixture
def recorded(monkeypatch):
    """What atoms are learned from, and what evaluation, search and sweep code: training part, then scored part."""
    learned, coded = [], []

    def watch(module, name, seen):
        whole = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda signals, *args, **kw: seen.append(signals) or whole(signals, *args, **kw)
        )

    watch(worker, "iterate", learned)
    watch(tasks, "iterate", learned)
    watch(omp, "encode", coded)
    return learned, coded


@pytest.mark.parametrize("kind", ["own", "digits"])
def test_evaluation_search_and_sweep_score_on_the_same_signals_that_nothing_has_learned_from(
    kind, own, tmp_path, recorded
):
    learned, coded = recorded
    run = own if kind == "own" else create_run(tmp_path / "digits", describe(TINY, "digits"))
    write_plan(run, Plan(hidden=5))
    learned.clear()
    compute(run)
    evaluated = coded[:]
    search(run, WeightsPlan(step=1, sizes=(2,), zoomed=(), seeds=1), Engine(n_jobs=1))
    search(run, SweepPlan({"tau1": (0.25,)}), Engine(n_jobs=1))
    searched = coded[len(evaluated) :]
    assert len(learned) == 2
    trained, scored = (rows(part) for part in evaluated)
    assert len(scored) == pytest.approx(0.2 * len(trained | scored), rel=0.1)
    for atoms in learned:
        assert rows(atoms) == trained
    # The small digits hold a picture twice.
    assert len(trained & scored) <= (kind == "digits")
    assert len(searched) >= 4
    for train, score in zip(searched[::2], searched[1::2], strict=True):
        assert (rows(train), rows(score)) == (trained, scored)
    assert read_metrics(run).part == HELD_OUT


def test_every_class_of_small_own_data_is_scored(tmp_path, rng):
    images, labels = pictures(rng, (2, 3, 30))
    signals = to_signals(images)
    settings = Settings(t=1, I=1, ksvd_iter=1, r_f=0.12)
    description = describe_labels(settings, "own", ["a", "b", "c"], labels, 25)
    assert (description.n_signals, description.held_out) == (27, 8)
    run = create_run(tmp_path / "run", description, signals, labels)
    compute(run)
    metrics = evaluate_run(run, Plan(hidden=4))
    np.testing.assert_array_equal(np.sum(metrics.confusion, axis=1), [1, 1, 6])


def test_a_class_of_one_signal_is_refused_with_what_is_needed(rng):
    labels = np.array([0, 0, 0, 1, 2, 2])
    message = "every class needs at least 2 signals, one to learn from and one to be scored on; class cat has 1"
    with pytest.raises(ParameterError, match=message):
        describe_labels(Settings(t=1), "own", ["dog", "cat", "cow"], labels, 9)


def test_probabilities_stay_with_their_classes_when_the_network_lacks_one(rng):
    """Oracle: a network that knows the classes 0, 2 and 3 of four, and whose probabilities are its codes."""

    class Network:
        classes_ = np.array([0, 2, 3])

        def predict_proba(self, codes):
            return codes

        def predict(self, codes):
            return self.classes_[codes.argmax(axis=1)]

    codes = np.array([[0.1, 0.7, 0.2], [0.2, 0.1, 0.7], [0.6, 0.3, 0.1]])
    labels = np.array([3, 2, 1])
    scored = evaluate.score(Network(), codes, labels, np.arange(3), 4)
    told = {place: (true, said, of_true, of_said) for place, true, said, of_true, of_said in scored["wrong"]}
    assert told == {0: (3, 2, 0.2, 0.7), 1: (2, 3, 0.1, 0.7), 2: (1, 0, 0.0, 0.6)}


@pytest.mark.parametrize("kind", ["own", "digits"])
def test_a_run_made_before_learns_from_everything_and_says_so(kind, tmp_path, rng):
    """Oracle: DASKSVD fitted on all signals."""
    run = old_own(tmp_path / "run", rng) if kind == "own" else old_digits(tmp_path / "run")
    stored = json.loads((run.folder / "settings.json").read_text())
    assert "held_out" not in stored
    compute(Run(run.folder))
    settings = run.description.settings
    data = load_digits_8x8()
    signals, labels = run.own_data() if kind == "own" else (to_signals(data.train_images), data.train_labels)
    fresh = DASKSVD(t=settings.t, I=2, ksvd_iter=2, r_f=settings.r_f, random_state=settings.seed).fit(signals, labels)
    assert_same_records(Run(run.folder).trajectory.records, fresh.trajectory_.records)
    metrics = evaluate_run(Run(run.folder), Plan(hidden=5))
    assert metrics.part == SEEN == "images that the atoms have seen, but not the classifier"
    parts = load_parts(run)
    assert len(parts.train) + len(parts.scored) == len(labels)
    assert read_metrics(run) == metrics


def test_a_class_of_one_signal_in_a_run_made_before_is_learned_but_not_scored(tmp_path, rng):
    run = old_own(tmp_path / "run", rng, (1, 20, 30), t=1, I=1, r_f=0.12)
    compute(run)
    metrics = evaluate_run(run, Plan(hidden=4))
    np.testing.assert_array_equal(np.sum(metrics.confusion, axis=1), [0, 4, 6])
    assert 0 in load_parts(run).train_labels


def test_metrics_written_before_are_read_with_the_name_of_today(tmp_path, rng):
    run = old_own(tmp_path / "run", rng)
    compute(run)
    evaluate_run(run, Plan(hidden=5))
    path = run.folder / "metrics.json"
    path.write_text(path.read_text().replace(SEEN, "images kept from the classifier"))
    assert read_metrics(run).part == SEEN


@pytest.mark.parametrize("kind", ["own", "digits"])
def test_pictures_of_misread_signals_are_those_that_were_scored(kind, own, tmp_path):
    run = own if kind == "own" else create_run(tmp_path / "digits", describe(TINY, "digits"))
    parts = load_parts(run)
    np.testing.assert_allclose(scored_images(run, parts.places, parts.name), parts.scored)


def test_pictures_of_small_digits_scored_before_are_test_images(tmp_path):
    run, data = old_digits(tmp_path / "run"), load_digits_8x8()
    places = np.array([3, 296])
    np.testing.assert_allclose(scored_images(run, places, HELD_OUT), to_signals(data.test_images[places]))
    np.testing.assert_allclose(scored_images(run, places, SEEN), to_signals(data.train_images[places]))


@pytest.mark.parametrize("kind", ["own", "digits", "old own"])
def test_pictures_of_drawn_signals_are_what_ksvd_has_learned_from(kind, own, store, rng, monkeypatch):
    """Oracle: the sample that K-SVD got in the first iteration, which is without noise."""
    samples = []
    learn = loop.ksvd.learn
    monkeypatch.setattr(
        loop.ksvd, "learn", lambda sample, *args, **kw: samples.append(sample) or learn(sample, *args, **kw)
    )
    if kind == "old own":
        run = old_own(store.root / "a", rng)
    elif kind == "digits":
        run = create_run(store.root / "b", describe(TINY, "digits"))
    else:
        run = store.create(own.description, **dict(zip(("signals", "labels"), own.own_data(), strict=True)))
    compute(run)
    cache.store.clear()
    monkeypatch.setenv("DASKSVD_HOME", str(store.root))
    signals, labels = cache.signals(run.id, 0)
    cache.store.clear()
    np.testing.assert_array_equal(signals, samples[0])
    np.testing.assert_array_equal(
        labels, np.repeat(np.arange(len(run.description.classes)), run.description.settings.t)
    )


def test_drawn_digits_of_the_shipped_run_have_the_class_they_were_drawn_for(tmp_path):
    run = ReferenceRun(tmp_path)
    places = places_of(run)
    labels = load_mnist().train_labels
    for record in run.trajectory.records[:3]:
        np.testing.assert_array_equal(labels[places.learned[record.drawn]], np.repeat(np.arange(10), 500))
    assert part_name(run.description) == VALIDATION
    assert not set(places.learned) & set(places.scored)


def test_the_signals_of_mnist_keep_their_labels():
    """Oracle: the images themselves, found again by their bytes."""
    description = describe(Settings(), "mnist")
    signals, labels = learning_part(description)
    data = load_mnist()
    known = dict(zip((row.tobytes() for row in reduce_images(data.train_images)), data.train_labels, strict=True))
    some = slice(None, None, 97)
    assert [known[row.tobytes()] for row in signals[some]] == labels[some].tolist()


@pytest.mark.parametrize("kind", ["own", "digits"])
def test_a_copy_of_a_run_made_before_holds_a_part_out(kind, store, rng):
    old = old_own(store.root / "a", rng) if kind == "own" else old_digits(store.root / "a")
    copy = store.copy(old.id)
    assert copy.description.held_out > 0
    assert copy.description.n_signals + copy.description.held_out == old.description.n_signals
    for mine, theirs in zip(own_arrays(copy), own_arrays(old), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert store.copy(copy.id).description == copy.description


@pytest.mark.parametrize("moved", [1, -1])
def test_a_held_out_part_that_is_not_that_of_the_data_is_damage(own, moved):
    path = own.folder / "settings.json"
    values = json.loads(path.read_text())
    values |= {"held_out": values["held_out"] + moved, "n_signals": values["n_signals"] - moved}
    path.write_text(json.dumps(values))
    with pytest.raises(DamagedFile, match="cannot be the held-out part"):
        Run(own.folder).own_data()


@pytest.mark.parametrize("value", [-1, 1.5, True, "many"])
def test_an_odd_held_out_part_is_refused(value):
    with pytest.raises(ParameterError, match="held_out must be a whole number"):
        Description(Settings(), "own", ["a", "b"], 100, 64, value)
