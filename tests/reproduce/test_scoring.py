"""What the scorer hands to a network: which images, which codes, which atoms, for every method and ablation.

The expected atoms are written out here from the method's own functions and the expected codes come from
scikit-learn's pursuit, so that neither shares code with the reproduction.
"""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import orthogonal_mp

from dasksvd import balanced_split, load_mnist, networks, reduce_images
from dasksvd.baselines import src
from dasksvd.method.loop import iterate
from dasksvd.method.omp import encode
from reproduce import studies, tuning
from reproduce.dictionaries import FAMILIES, METHODS, atoms_of
from reproduce.rounds import Round
from reproduce.scoring import Task, score
from tests.reproduce.expected import (
    CHANGED,
    LEVELS,
    NUMBER,
    SIZE,
    SMALL,
    WEIGHTED,
    best_owned,
    expected_atoms,
    m,
)

#: Rows that are compared with scikit-learn's slow pursuit.
ROWS = slice(None, None, 1999)
RAW = ("raw-16", "raw-28")


class Recorder:
    """A network that remembers what it is given and reads every image as a three."""

    made: list["Recorder"]

    def __init__(self, hidden, random_state):
        self.hidden, self.random_state, self.read = hidden, random_state, []
        self.n_iter_ = 1
        Recorder.made.append(self)

    def fit(self, X, y, X_val, y_val):
        self.X, self.y, self.X_val, self.y_val = X, y, X_val, y_val
        return self

    def predict(self, X):
        self.read.append(X)
        return np.full(len(X), 3)


def read_besides_validation(network):
    """The features of the test images: what was read and is not the validation part."""
    (features,) = [X for X in network.read if X is not network.X_val]
    return features


@pytest.fixture(scope="module")
def parts():
    """Training and validation places of the round, from MNIST's own labels."""
    return balanced_split(load_mnist().train_labels, 4000, 1000, np.random.default_rng(NUMBER))


@pytest.fixture(scope="module")
def images(parts):
    """The round's training, validation and test images as they are."""
    data = load_mnist()
    return [data.train_images[parts[0]], data.train_images[parts[1]], data.test_images]


@pytest.fixture(scope="module")
def learning(parts, images):
    """The signals and labels that a dictionary may be learned from."""
    return reduce_images(images[0]), load_mnist().train_labels[parts[0]]


@pytest.fixture(scope="module")
def round_(tmp_path_factory):
    return Round(NUMBER, cache=tmp_path_factory.mktemp("cache"), settings=SMALL)


def choice(kind, name):
    """What the scorer is told to have been chosen: the first candidate, and one start for all."""
    if kind == "soft":
        return 0.3
    return 2 if name == "one auxiliary dictionary" else FAMILIES[name].candidates[0] if name in FAMILIES else None


@pytest.fixture(autouse=True)
def chosen_beforehand(monkeypatch):
    monkeypatch.setattr(tuning, "chosen", choice)


def dictionary(round_, method):
    return atoms_of(round_, method, choice("methods", method))


@pytest.fixture(scope="module")
def recorded(round_):
    """A function that scores a method by a recorder, once."""
    found = {}

    def record(method, I=SIZE, encoder="omp"):
        if (method, I, encoder) not in found:
            Recorder.made = []
            networks.register("recorder", title="Recorder")(Recorder)
            try:
                result = score(Task(NUMBER, method, I, 17, "recorder", encoder), round_)
            finally:
                networks.NETWORKS.unregister("recorder")
            (network,) = Recorder.made
            found[method, I, encoder] = network, result
        return found[method, I, encoder]

    return record


@pytest.fixture(scope="module")
def records(round_, learning):
    """A function that gives the records of a trajectory with changed settings, by the loop itself."""
    found = {}

    def learn(**changes):
        key = tuple(sorted(changes.items()))
        if key not in found:
            found[key] = list(iterate(*learning, replace(round_.settings, **changes)))
        return found[key]

    return learn


CERTAIN = [*CHANGED, *WEIGHTED, "mdcs", "worst own atom", *LEVELS, "mod"]
BY_CHANCE = [
    "random own atom",
    "any atoms",
    "one auxiliary dictionary",
    "constant noise",
    "k-means",
    "random images",
    "gaussian",
    "das-ksvd, fine-tuned",
    "random images, fine-tuned",
    "gaussian, fine-tuned",
]


def test_every_method_is_followed():
    assert {*CERTAIN, *BY_CHANCE} == set(METHODS)
    assert {task.method for task in studies.method_tasks(1) + studies.ablation_tasks(1)} == {*METHODS, *RAW}


@pytest.mark.parametrize("method", [*METHODS, *RAW])
def test_a_network_learns_from_training_images_and_stops_by_validation_images(method, recorded, parts):
    labels = load_mnist().train_labels
    network, result = recorded(method)
    np.testing.assert_array_equal(network.y, labels[parts[0]])
    np.testing.assert_array_equal(network.y_val, labels[parts[1]])
    assert len(network.X) == 40000
    assert len(network.X_val) == 10000
    assert (network.hidden, network.random_state) == (17, NUMBER)
    # What it reads: the test images once, and the validation images for their own figure.
    assert sorted(len(X) for X in network.read) == [10000, 10000]
    assert result["test_accuracy"] == np.mean(load_mnist().test_labels == 3)
    assert result["val_accuracy"] == 0.1


@pytest.mark.parametrize("method", CERTAIN)
def test_codes_of_every_method_vs_sklearn_orthogonal_mp(method, recorded, records, learning, images):
    atoms = expected_atoms(method, records, *learning).astype(np.float64)
    network, _ = recorded(method)
    for given, pictures in zip((network.X, network.X_val, read_besides_validation(network)), images, strict=True):
        codes = orthogonal_mp(atoms.T, reduce_images(pictures[ROWS]).T.astype(np.float64), n_nonzero_coefs=4).T
        np.testing.assert_allclose(given[ROWS], codes, atol=2e-3)
        assert given.shape[1] == 30
        assert np.count_nonzero(given, axis=1).max() == 4  # 15 % of 30 atoms, rounded down


@pytest.mark.parametrize("method", BY_CHANCE)
def test_codes_of_random_dictionaries_rebuild_the_images_of_their_part(method, round_, recorded, images):
    atoms = dictionary(round_, method).astype(np.float64)
    network, _ = recorded(method)
    for given, pictures in zip((network.X, network.X_val, read_besides_validation(network)), images, strict=True):
        codes = orthogonal_mp(atoms.T, reduce_images(pictures[ROWS]).T.astype(np.float64), n_nonzero_coefs=4).T
        np.testing.assert_allclose(given[ROWS], codes, atol=2e-3)


def test_a_random_atom_is_one_of_its_class_and_iteration(round_, records):
    atoms = dictionary(round_, "random own atom").reshape(SIZE, 10, 256)
    others = 0
    for record, of_iteration in zip(records(), atoms, strict=True):
        places = [int(np.flatnonzero((record.atoms == atom).all(axis=1))[0]) for atom in of_iteration]
        p = record.tables.p[:, places]
        for digit in range(10):
            rivals = np.delete(p[:, digit], digit)
            assert p[digit, digit] > rivals.max()
        others += sum(place != best for place, best in zip(places, best_owned(record, m(record, 0, 0)), strict=True))
    assert others >= 10  # of 30: by chance, not the best one


def test_atoms_by_chance_are_those_of_their_iteration(round_, records):
    per_iteration = dictionary(round_, "any atoms").reshape(SIZE, 10, 256)
    for record, atoms in zip(records(), per_iteration, strict=True):
        assert all((record.atoms == atom).all(axis=1).any() for atom in atoms)
    of_one = dictionary(round_, "one auxiliary dictionary")
    assert all((records()[1].atoms == atom).all(axis=1).any() for atom in of_one)
    assert len(np.unique(of_one, axis=0)) == 10 * SIZE


def test_constant_noise_is_as_strong_as_the_growing_noise_on_average(round_, learning):
    """The sample of every iteration has the mean noise of all; oracle: K-SVD's error with so many atoms."""
    errors = [record.errors[-1] for record in round_.equally_noisy().records]
    growing = [record.errors[-1] for record in round_.trajectory().records]
    assert max(errors) - min(errors) < 0.2 * (max(growing) - min(growing))
    assert min(growing) < np.mean(errors) < max(growing)


@pytest.mark.parametrize("method", ["das-ksvd", "random images", "gaussian"])
def test_fine_tuned_atoms_are_other_atoms_of_length_one(method, round_):
    start, tuned = (dictionary(round_, name) for name in (method, f"{method}, fine-tuned"))
    np.testing.assert_allclose(np.linalg.norm(tuned, axis=1), 1, atol=1e-5)
    assert np.einsum("ij,ij->i", start, tuned).max() < 1 - 1e-3


def test_centres_are_unit_means_of_unit_signals(round_, learning):
    signals = learning[0] / np.linalg.norm(learning[0], axis=1, keepdims=True)
    atoms = dictionary(round_, "k-means")
    nearest = (signals @ atoms.T).argmax(axis=1)
    for number in range(0, 30, 7):
        mean = signals[nearest == number].mean(axis=0)
        assert atoms[number] @ mean / np.linalg.norm(mean) > 0.97


def test_residuals_of_classes_vs_the_definition(round_, images):
    """SRC written out: keep one class's coefficients, rebuild, measure what is left."""
    task = Task(NUMBER, "random images", SIZE, 0, "src")
    result = score(task, round_)
    atoms = dictionary(round_, "random images").astype(np.float64)
    signals = reduce_images(images[2][ROWS]).astype(np.float64)
    codes = orthogonal_mp(atoms.T, signals.T, n_nonzero_coefs=4).T
    left = [np.linalg.norm(signals - (codes * (np.arange(30) % 10 == digit)) @ atoms, axis=1) for digit in range(10)]
    expected = np.argmin(left, axis=0)
    codes_found = encode(signals.astype(np.float32), atoms.astype(np.float32), 4)
    found = src.predict(signals, codes_found, atoms, np.arange(30) % 10)
    np.testing.assert_array_equal(found, expected)
    assert result["test_accuracy"] > 0.5
    assert result["weights"] == 0


@pytest.mark.parametrize("encoder", ["threshold", "soft"])
def test_other_encoders_vs_their_formulas(encoder, round_, recorded, images):
    network, result = recorded("gaussian", encoder=encoder)
    signals = reduce_images(images[2][ROWS]).astype(np.float64)
    if encoder == "soft":
        signals /= np.linalg.norm(signals, axis=1, keepdims=True)
    c = signals @ dictionary(round_, "gaussian").astype(np.float64).T
    limit = 0.3 if encoder == "soft" else np.sort(np.abs(c), axis=1)[:, -5][:, None]
    expected = np.sign(c) * np.maximum(np.abs(c) - limit, 0)
    np.testing.assert_allclose(read_besides_validation(network)[ROWS], expected, atol=1e-5)
    share = np.count_nonzero(read_besides_validation(network)) / 300_000
    assert result["nonzeros"] == pytest.approx(share, abs=1e-4)


def test_random_images_are_training_images_of_their_class(round_, learning):
    signals, labels = learning
    lengths = np.linalg.norm(signals, axis=1)
    atoms = dictionary(round_, "random images").reshape(SIZE, 10, 256)
    for digit in range(10):
        mine = signals[labels == digit] / lengths[labels == digit, None]
        likeness = np.abs(atoms[:, digit] @ mine.T).max(axis=1)
        np.testing.assert_allclose(likeness, 1, atol=1e-5)
    assert len(np.unique(atoms.reshape(-1, 256), axis=0)) == 30


@pytest.mark.parametrize("method", BY_CHANCE)
def test_chance_differs_from_round_to_round_and_not_within_one(method, round_, tmp_path):
    again = Round(NUMBER, cache=round_.cache.parent, settings=SMALL)
    np.testing.assert_array_equal(dictionary(round_, method), dictionary(again, method))
    if method == "gaussian":
        assert not np.array_equal(
            dictionary(round_, method), dictionary(Round(NUMBER + 1, cache=tmp_path, settings=SMALL), method)
        )


def test_every_ablation_changes_the_dictionary(round_):
    base = dictionary(round_, "das-ksvd")
    same = [method for method in METHODS if np.array_equal(dictionary(round_, method), base)]
    assert same == ["das-ksvd"]


def test_raw_pixels_are_the_images_themselves(recorded, images):
    small, large = recorded("raw-16")[0], recorded("raw-28")[0]
    for given, pictures in zip((small.X, small.X_val, read_besides_validation(small)), images, strict=True):
        np.testing.assert_array_equal(given[ROWS], reduce_images(pictures[ROWS]))
    for given, pictures in zip((large.X, large.X_val, read_besides_validation(large)), images, strict=True):
        np.testing.assert_allclose(given[ROWS], pictures[ROWS].reshape(-1, 784) / 255, rtol=1e-6)


def test_fewer_iterations_are_the_beginning_of_the_dictionary(recorded, records, learning, images):
    atoms = expected_atoms("das-ksvd", records, *learning)[:20].astype(np.float64)
    network, result = recorded("das-ksvd", I=2)
    codes = orthogonal_mp(atoms.T, reduce_images(images[0][ROWS]).T.astype(np.float64), n_nonzero_coefs=3).T
    np.testing.assert_allclose(network.X[ROWS], codes, atol=2e-3)
    assert result["weights"] == 21 * 17 + 18 * 10


def test_rounds_of_the_reproduction_have_the_papers_settings(tmp_path):
    settings = Round(7, cache=tmp_path).settings
    assert (settings.q, settings.t, settings.tau1, settings.tau2, settings.I) == (0.2, 500, 0.5, 0.1, 20)
    assert (settings.r_f, settings.ksvd_iter, settings.noise, settings.re_sign) == (1.0, 50, "std", "paper")
    assert (settings.alpha, settings.beta, settings.seed, settings.exact) == (0.0, 0.0, 7, False)
