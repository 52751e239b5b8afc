"""What reads pictures of any kind: its answers follow from its atoms and its network, and its file is not trusted."""

import numpy as np
import pytest

from dasksvd.datasets.dataset import as_signals
from dasksvd.digit.atom_reader import AtomReader
from dasksvd.digit.reader import DigitModel, load_model, load_reader
from dasksvd.errors import DamagedFile, ParameterError
from dasksvd.evaluate import Plan
from dasksvd.method.omp import encode
from dasksvd.parameters import Settings
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.folder import create_run, load_parts
from dasksvd.runs.worker import compute, describe
from tests.datasets.own_sets import own_set


@pytest.fixture(scope="module")
def reader():
    """Four classes of pictures of 8×8 pixels; the network is made up."""
    rng = np.random.default_rng(1)
    atoms = as_signals(own_set(4, 3).train_images)
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    shapes = (12, 5), (5,), (5, 4), (4,)
    weights = tuple(rng.normal(size=shape).astype(np.float32) for shape in shapes)
    return AtomReader(atoms, np.tile(np.arange(4), 3), 3, np.full(12, 2, np.float32), weights)


@pytest.fixture(scope="module")
def signals():
    return as_signals(own_set(4, 6, seed=5).train_images)


def test_the_answer_is_the_networks_on_the_code(reader, signals):
    for signal, code in zip(signals, encode(signals, reader.atoms, 3), strict=True):
        found = reader.explain_signal(signal)
        np.testing.assert_allclose(found.code, code, atol=1e-5)
        first, first_bias, second, second_bias = reader.weights
        score = np.maximum(code / 2 @ first + first_bias, 0) @ second + second_bias
        np.testing.assert_allclose(found.probabilities, np.exp(score) / np.exp(score).sum(), rtol=1e-3)
        np.testing.assert_allclose(found.steps[-1], code @ reader.atoms, atol=1e-4)
        assert found.class_energy.shape == found.probabilities.shape == (4,)
        assert (np.diff(found.residuals) <= 1e-6).all()


def test_a_black_picture_has_no_atoms_and_an_answer_all_the_same(reader):
    found = reader.explain_signal(np.zeros(64, np.float32))
    assert len(found.atoms) == len(found.steps) == 0
    assert found.probabilities.sum() == pytest.approx(1)


def test_a_signal_of_another_length_is_refused(reader):
    with pytest.raises(ParameterError, match=r"shape \(64,\), got \(256,\)"):
        reader.explain_signal(np.zeros(256, np.float32))


def test_it_comes_back_from_its_file_and_is_no_reader_of_digits(reader, signals, tmp_path):
    reader.save(tmp_path / "r.npz")
    found = load_reader(tmp_path / "r.npz")
    assert type(found) is AtomReader
    np.testing.assert_array_equal(found.classify(signals), reader.classify(signals))
    with pytest.raises(DamagedFile, match="does not read digits"):
        load_model(tmp_path / "r.npz")


@pytest.mark.parametrize("sizes", [(3, 64), (3, 64, 1), (3, 64, 10**6), (3, 63, 4), (13, 64, 4)])
def test_a_file_of_impossible_sizes_is_damaged(reader, tmp_path, sizes):
    reader.save(tmp_path / "r.npz")
    with np.load(tmp_path / "r.npz") as stored:
        arrays = {name: stored[name] for name in stored.files}
    np.savez(tmp_path / "r.npz", **arrays | {"sizes": np.array([12, 5, *sizes])})
    with pytest.raises(DamagedFile):
        load_reader(tmp_path / "r.npz")


def test_every_run_leaves_a_reader_of_its_own_pictures(tmp_path):
    """Oracle: the accuracy that the run's evaluation has measured."""
    run = create_run(tmp_path / "run", describe(Settings(t=30, I=2, ksvd_iter=2), "digits"))
    compute(run)
    metrics = evaluate_run(run, Plan(hidden=12))
    reader, parts = load_reader(run.folder / "classifier.npz"), load_parts(run)
    assert not isinstance(reader, DigitModel)
    answers = reader.classify(parts.scored).argmax(axis=1)
    assert np.mean(answers == parts.scored_labels) == pytest.approx(metrics.accuracy, abs=0.004)
