"""Evaluation of runs: laws of the scorer, its files, and the command line."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from dasksvd import balanced_split, evaluate, load_mnist, networks
from dasksvd.__main__ import main
from dasksvd.datasets.parts import mnist_parts
from dasksvd.digit.reader import load_model
from dasksvd.encoders import levels_of, soft, threshold
from dasksvd.errors import Cancelled, DamagedFile, ParameterError
from dasksvd.evaluate import Plan
from dasksvd.method import omp
from dasksvd.parameters import Settings, n_nonzero
from dasksvd.runs.evaluation import evaluate_run, read_metrics, read_plan, write_plan
from dasksvd.runs.folder import create_run, load_parts
from dasksvd.runs.soundness import check_sound
from dasksvd.runs.worker import compute, describe


@pytest.fixture
def evaluated(tmp_path):
    run = create_run(tmp_path / "run", describe(Settings(t=30, I=2, ksvd_iter=3, seed=3), "digits"))
    write_plan(run, Plan(hidden=12))
    compute(run)
    return run


def test_a_run_with_a_plan_ends_with_metrics(evaluated):
    metrics = read_metrics(evaluated)
    assert evaluated.status.state == "finished"
    assert (metrics.hidden, metrics.n_atoms, metrics.I, metrics.n_scored) == (12, 20, 2, 296)
    assert 0.5 < metrics.accuracy < 1
    assert metrics.part == "held-out images"
    assert 0 < metrics.error < 0.5


@pytest.mark.parametrize("field", ["part", "classifier", "encoder"])
def test_words_of_a_file_from_elsewhere_are_not_shown(evaluated, field):
    path = evaluated.folder / "metrics.json"
    path.write_text(json.dumps(asdict(read_metrics(evaluated)) | {field: "![](http://example.org)"}))
    with pytest.raises(DamagedFile):
        read_metrics(evaluated)


def test_numbers_agree_with_each_other_and_with_scikit_learn(rng):
    """Oracle: scikit-learn's confusion matrix, for a classifier that answers at random."""

    class Guess:
        classes_ = np.arange(4)

        def predict_proba(self, codes):
            return codes

        def predict(self, codes):
            return codes.argmax(axis=1)

    codes = rng.dirichlet(np.ones(4), 300)
    labels = rng.integers(0, 4, 300)
    scored = evaluate.score(Guess(), codes, labels, np.arange(300) + 7, 4)
    predicted = codes.argmax(axis=1)
    np.testing.assert_array_equal(scored["confusion"], confusion_matrix(labels, predicted))
    assert scored["accuracy"] == np.mean(predicted == labels)
    places = [place - 7 for place, *_ in scored["wrong"]]
    assert len(places) == min(200, np.sum(predicted != labels))
    assert all(predicted[i] != labels[i] for i in places)
    sure = [line[4] for line in scored["wrong"]]
    assert sure == sorted(sure, reverse=True)


def test_unexplained_energy_vs_direct_formula(rng):
    atoms, codes = rng.standard_normal((5, 9)), rng.standard_normal((20, 5))
    signals = rng.standard_normal((20, 9))
    expected = np.mean([np.sum((s - c @ atoms) ** 2) / np.sum(s**2) for s, c in zip(signals, codes, strict=True)])
    assert evaluate.unexplained(signals, codes, atoms) == pytest.approx(expected)


def test_validation_images_are_no_training_images():
    parts = mnist_parts(4)
    assert parts.train.shape == (40000, 256)
    assert parts.scored.shape == (10000, 256)
    data = load_mnist()
    np.testing.assert_array_equal(data.train_labels[parts.places], parts.scored_labels)
    training, _ = balanced_split(data.train_labels, 4000, 1000, np.random.default_rng(4))
    assert not set(training) & set(parts.places)


def test_a_run_on_mnist_gives_a_reader(saved):
    metrics = evaluate_run(saved, Plan(hidden=20))
    reader = load_model(saved.folder / "classifier.npz")
    parts = mnist_parts(saved.description.settings.seed)
    images = load_mnist().train_images[parts.places]
    assert np.mean(reader.predict(images) == parts.scored_labels) == pytest.approx(metrics.accuracy, abs=0.002)


def test_evaluation_can_be_cancelled_and_resumed(tmp_path, monkeypatch):
    run = create_run(tmp_path / "run", describe(Settings(t=30, I=2, ksvd_iter=3, seed=3), "digits"))
    write_plan(run, Plan())
    real = omp.encode

    def ask_to_stop(*args):
        run.job.cancel_request.touch()
        return real(*args)

    monkeypatch.setattr(omp, "encode", ask_to_stop)
    with pytest.raises(Cancelled):
        compute(run)
    assert run.status.state == "cancelled"
    assert run.n_finished() == 2
    assert read_metrics(run) is None
    monkeypatch.setattr(omp, "encode", real)
    compute(run)
    assert read_metrics(run) is not None


@pytest.mark.parametrize(
    "change",
    [
        {"accuracy": "high"},
        {"level": 1.5},
        {"nonzeros": "many"},
        {"tried": [[0.3, 0.5]]},
        {"confusion": [[1]]},
        {"wrong": [[10**9, 0, 1, 0.1, 0.9]]},
        {"wrong": [[0, 0, 11, 0.1, 0.9]]},
        {"part": "x" * 200},
        {"unknown": 1},
    ],
)
def test_odd_metrics_are_damage(evaluated, change):
    values = asdict(read_metrics(evaluated)) | change
    (evaluated.folder / "metrics.json").write_text(json.dumps(values), encoding="utf-8")
    with pytest.raises(DamagedFile, match=r"metrics\.json"):
        read_metrics(evaluated)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ({"classifier": "oracle"}, "unknown network 'oracle'; known are modern, fixed, scg"),
        ({"encoder": "oracle"}, "unknown encoder 'oracle'; known are omp, threshold, soft"),
        ({"level": 0.3}, "the encoder omp has no level"),
        ({"encoder": "soft", "level": 1.0}, "level must be a number with 0 < level < 1"),
        ({"hidden": -1}, "hidden must be"),
        ({"hidden": 10**6}, "hidden must be at most 5000"),
    ],
)
def test_impossible_plans_are_refused(plan, message):
    with pytest.raises(ParameterError, match=message):
        Plan(**plan)


def test_command_line(evaluated, capsys):
    assert main(["evaluate", str(evaluated.folder), "--hidden", "15"]) == 0
    assert "of 296 held-out images are read right by MLP-20-15-10" in capsys.readouterr().out
    evaluated.record_path(1).unlink()
    assert main(["evaluate", str(evaluated.folder)]) == 2
    assert "1 of 2 iterations" in capsys.readouterr().err


def test_the_same_run_gives_the_same_numbers(evaluated):
    first = read_metrics(evaluated)
    second = evaluate_run(evaluated, Plan(hidden=12))
    assert replace(first, seconds=0) == replace(second, seconds=0)


def test_the_encoder_is_named_only_where_it_is_not_the_usual_one(evaluated):
    """Files of runs from before there was a choice do not name it, and those of today that use OMP look the same."""
    path = evaluated.folder / "metrics.json"
    assert "encoder" not in json.loads(path.read_text())
    assert read_metrics(evaluated).encoder == "omp"
    other = evaluate_run(evaluated, Plan(hidden=12, encoder="threshold"))
    assert json.loads(path.read_text())["encoder"] == "threshold"
    assert read_metrics(evaluated) == other


def test_another_encoder_gives_other_codes_to_the_network(evaluated):
    """Oracle: the encoder itself, by the energy that its codes leave unexplained."""
    run, plan = evaluated, Plan(hidden=12, encoder="threshold")
    metrics = evaluate_run(run, plan)
    parts, atoms = load_parts(run), run.trajectory.reselect(0, 0).atoms
    codes = threshold(parts.scored, atoms, n_nonzero(run.description.settings.q, len(atoms)))
    assert metrics.error == pytest.approx(evaluate.unexplained(parts.scored, codes, atoms))
    assert metrics.accuracy > 0.3


class TestLevel:
    def test_the_level_that_reads_the_scored_part_best_is_kept(self, evaluated):
        """Oracle: an evaluation at each level by itself."""
        chosen = evaluate_run(evaluated, Plan(hidden=12, encoder="soft"))
        given = [evaluate_run(evaluated, Plan(hidden=12, encoder="soft", level=level)) for level in levels_of("soft")]
        assert chosen.tried == [[one.level, one.nonzeros, one.accuracy] for one in given]
        assert not any(one.tried for one in given)
        best = max(given, key=lambda one: one.accuracy)
        assert (chosen.accuracy, chosen.confusion) == (best.accuracy, best.confusion)
        assert chosen.level in levels_of("soft")

    def test_of_equally_good_levels_the_sparser_is_kept(self):
        tried = [evaluate.Tried(*one) for one in ((0.1, 0.8, 0.9), (0.2, 0.5, 0.95), (0.3, 0.4, 0.95), (0.4, 0.1, 0.9))]
        assert evaluate.best_level(tried) == evaluate.best_level(tried[::-1]) == (0.3, 0.4, 0.95)

    def test_non_zeros_are_those_of_the_scored_codes(self, evaluated):
        """Oracle: the encoders themselves."""
        scored, atoms = load_parts(evaluated).scored, evaluated.trajectory.reselect(0, 0).atoms
        metrics = evaluate_run(evaluated, Plan(hidden=12, encoder="soft", level=0.3))
        assert metrics.nonzeros == pytest.approx(np.mean(soft(scored, atoms, 0.3) != 0))
        assert evaluate_run(evaluated, Plan(hidden=12)).nonzeros == pytest.approx(4 / 20, abs=0.01)

    def test_it_is_written_down_and_read_again(self, evaluated):
        path = evaluated.folder / "metrics.json"
        assert not {"level", "tried"} & set(json.loads(path.read_text()))
        metrics = evaluate_run(evaluated, Plan(hidden=12, encoder="soft"))
        assert json.loads(path.read_text())["level"] == metrics.level
        assert read_metrics(evaluated) == metrics
        check_sound(evaluated)

    def test_metrics_from_before_know_of_none(self, evaluated):
        path = evaluated.folder / "metrics.json"
        values = json.loads(path.read_text())
        del values["nonzeros"]
        path.write_text(json.dumps(values))
        read = read_metrics(evaluated)
        assert (read.level, read.nonzeros, read.tried) == (0, 0, [])
        check_sound(evaluated)

    def test_a_run_on_mnist_gives_a_reader_of_such_codes(self, saved):
        metrics = evaluate_run(saved, Plan(hidden=20, encoder="soft", level=0.2))
        reader = load_model(saved.folder / "classifier.npz")
        assert (reader.encoder, reader.level) == ("soft", 0.2)
        parts = mnist_parts(saved.description.settings.seed)
        images = load_mnist().train_images[parts.places]
        assert np.mean(reader.predict(images) == parts.scored_labels) == pytest.approx(metrics.accuracy, abs=0.002)


@pytest.mark.parametrize(
    "plan", [Plan(), Plan("scg", 7), Plan("fixed", 9, "threshold"), Plan("modern", 9, "soft", 0.25)]
)
def test_a_plan_is_read_as_it_was_written(evaluated, plan):
    write_plan(evaluated, plan)
    assert read_plan(evaluated) == plan


def test_a_plan_from_before_encoders_means_omp(evaluated):
    (evaluated.folder / "plan.json").write_text('{"classifier": "scg", "hidden": 30}')
    assert read_plan(evaluated) == Plan("scg", 30, "omp")


def test_only_networks_that_a_reader_can_be_made_of_leave_one(saved):
    reader = saved.folder / "classifier.npz"
    evaluate_run(saved, Plan(hidden=5))
    assert reader.exists()
    evaluate_run(saved, Plan("fixed", hidden=5))
    assert not reader.exists()


def test_a_network_is_shown_validation_data_only_if_there_are_any_and_epochs_only_if_it_reports_them():
    told = {}

    @networks.register("silent", title="Silent")
    class Silent:
        def __init__(self, **options):
            told.update(options)

        def fit(self, X, y, X_val=None, y_val=None):
            told["fit"] = X, y, X_val, y_val
            return self

    X, y = np.zeros((3, 2)), np.zeros(3)
    try:
        evaluate.train_network("silent", X, y, hidden=4, seed=9, on_epoch=print)
        assert (told["hidden"], told["random_state"], told["fit"]) == (4, 9, (X, y, None, None))
        evaluate.train_network("silent", X, y, hidden=4, seed=9, validation=(X + 1, y), on_epoch=print)
        assert told["fit"][2] is not None
    finally:
        networks.NETWORKS.unregister("silent")
    seen = []
    X, y = np.random.default_rng(0).standard_normal((40, 2)), np.arange(40) % 2
    evaluate.train_network("fixed", X, y, hidden=3, seed=0, on_epoch=lambda *epoch: seen.append(epoch[0]))
    assert seen == list(range(1, 21))
