"""What the scorer hands to a network: which images, which codes, which atoms, for every method and ablation.

The expected atoms are written out here from the method's own functions and the expected codes come from
scikit-learn's pursuit, so that neither shares code with the reproduction.
"""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import orthogonal_mp

from dasksvd import KSVD, LCKSVD2, QUICK, balanced_split, load_mnist, networks, reduce_images
from dasksvd.baselines.mod import mod_update
from dasksvd.method.ksvd import learn
from dasksvd.method.loop import iterate
from reproduce import tables
from reproduce.rounds import DICTIONARIES, Round
from reproduce.scoring import Task, score

NUMBER, SIZE = 3, 3
SMALL = replace(QUICK, t=40, I=SIZE, r_f=0.25, ksvd_iter=3, q=0.15, tau1=0.4, tau2=0.3)
#: Rows that are compared with scikit-learn's slow pursuit.
ROWS = slice(None, None, 1999)
RAW = ("raw-16", "raw-28")
#: Ablations that learn with other settings.
CHANGED = {
    "das-ksvd": {},
    "no noise": {"tau2": 0.0},
    "no memory": {"tau1": 1.0},
    "variance noise": {"noise": "variance"},
    "code's sign": {"re_sign": "code"},
}
#: Ablations that choose with other weights.
WEIGHTED = {"activation only": (1.0, 0.0), "magnitude only": (0.0, 1.0)}


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
    return Round(NUMBER, tmp_path_factory.mktemp("cache"), SMALL)


@pytest.fixture(scope="module")
def recorded(round_):
    """A function that scores a method by a recorder, once."""
    found = {}

    def record(method, I=SIZE):
        if (method, I) not in found:
            Recorder.made = []
            networks.register("recorder", title="Recorder")(Recorder)
            try:
                result = score(Task(NUMBER, method, I, 17, "recorder"), round_)
            finally:
                networks.NETWORKS.unregister("recorder")
            (network,) = Recorder.made
            found[method, I] = network, result
        return found[method, I]

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


def best_owned(record, value):
    """For each class the atom with the largest value among those it uses strictly most often; (10,)."""
    ordered = np.sort(record.tables.p, axis=0)
    strictly = ordered[-1] > ordered[-2]
    owner = record.tables.p.argmax(axis=0)
    return [max(np.flatnonzero(strictly & (owner == digit)), key=lambda j: value[j]) for digit in range(10)]


def chosen(records, value):
    """The structured dictionary that ranks by a value of each record's atoms."""
    return np.concatenate([record.atoms[best_owned(record, value(record))] for record in records])


def m(record, alpha, beta):
    """m, and where all three measures are cut at 0 the lead that was cut (D16)."""
    weights, measures = (alpha, beta, 1 - alpha - beta), record.measures
    cut = sum(weight * lead for weight, lead in zip(weights, (measures.af, measures.cm, measures.re), strict=True))
    leads = (measures.af, measures.cm_lead, measures.re_lead)
    return np.where(cut > 0, cut, sum(weight * lead for weight, lead in zip(weights, leads, strict=True)))


def p_lead(record):
    ordered = np.sort(record.tables.p, axis=0)
    return ordered[-1] - ordered[-2]


def expected_atoms(method, records, signals, labels):
    """The atoms of methods that follow from the data and the seed alone."""
    n_atoms = 10 * SIZE
    if method in CHANGED:
        return chosen(records(**CHANGED[method]), lambda record: m(record, 0, 0))
    if method in WEIGHTED:
        return chosen(records(), lambda record: m(record, *WEIGHTED[method]))
    if method == "mdcs":
        return chosen(records(), p_lead)
    options = {"n_atoms": n_atoms, "q": 0.15, "ksvd_iter": 3, "random_state": NUMBER}
    if method == "ksvd":
        return KSVD(**options).fit(signals).components_
    if method == "lc-ksvd2":
        return LCKSVD2(**options).fit(signals, labels).components_
    if method == "mod":
        rng = np.random.default_rng([NUMBER, 2**31])
        return learn(signals, n_atoms, 4, 3, rng, update=mod_update).atoms
    raise AssertionError(f"no expectation for {method}")


CERTAIN = [*CHANGED, *WEIGHTED, "mdcs", "ksvd", "lc-ksvd2", "mod"]
BY_CHANCE = ["random own atom", "random images", "gaussian"]


def test_every_method_is_followed():
    assert {*CERTAIN, *BY_CHANCE} == set(DICTIONARIES)
    assert {task.method for task in tables.method_tasks(1) + tables.ablation_tasks(1)} == {*DICTIONARIES, *RAW}


@pytest.mark.parametrize("method", [*DICTIONARIES, *RAW])
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
    atoms = DICTIONARIES[method](round_).astype(np.float64)
    network, _ = recorded(method)
    for given, pictures in zip((network.X, network.X_val, read_besides_validation(network)), images, strict=True):
        codes = orthogonal_mp(atoms.T, reduce_images(pictures[ROWS]).T.astype(np.float64), n_nonzero_coefs=4).T
        np.testing.assert_allclose(given[ROWS], codes, atol=2e-3)


def test_a_random_atom_is_one_of_its_class_and_iteration(round_, records):
    atoms = DICTIONARIES["random own atom"](round_).reshape(SIZE, 10, 256)
    others = 0
    for record, of_iteration in zip(records(), atoms, strict=True):
        places = [int(np.flatnonzero((record.atoms == atom).all(axis=1))[0]) for atom in of_iteration]
        p = record.tables.p[:, places]
        for digit in range(10):
            rivals = np.delete(p[:, digit], digit)
            assert p[digit, digit] > rivals.max()
        others += sum(place != best for place, best in zip(places, best_owned(record, m(record, 0, 0)), strict=True))
    assert others >= 10  # of 30: by chance, not the best one


def test_random_images_are_training_images_of_their_class(round_, learning):
    signals, labels = learning
    lengths = np.linalg.norm(signals, axis=1)
    atoms = DICTIONARIES["random images"](round_).reshape(SIZE, 10, 256)
    for digit in range(10):
        mine = signals[labels == digit] / lengths[labels == digit, None]
        likeness = np.abs(atoms[:, digit] @ mine.T).max(axis=1)
        np.testing.assert_allclose(likeness, 1, atol=1e-5)
    assert len(np.unique(atoms.reshape(-1, 256), axis=0)) == 30


@pytest.mark.parametrize("method", BY_CHANCE)
def test_chance_differs_from_round_to_round_and_not_within_one(method, round_, tmp_path):
    again = Round(NUMBER, round_.cache, SMALL)
    np.testing.assert_array_equal(DICTIONARIES[method](round_), DICTIONARIES[method](again))
    if method == "gaussian":
        assert not np.array_equal(
            DICTIONARIES[method](round_), DICTIONARIES[method](Round(NUMBER + 1, tmp_path, SMALL))
        )


def test_every_ablation_changes_the_dictionary(round_):
    base = DICTIONARIES["das-ksvd"](round_)
    same = [method for method in tables.ABLATED if np.array_equal(DICTIONARIES[method](round_), base)]
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
    settings = Round(7, tmp_path).settings
    assert (settings.q, settings.t, settings.tau1, settings.tau2, settings.I) == (0.2, 500, 0.5, 0.1, 20)
    assert (settings.r_f, settings.ksvd_iter, settings.noise, settings.re_sign) == (1.0, 50, "std", "paper")
    assert (settings.alpha, settings.beta, settings.seed, settings.exact) == (0.0, 0.0, 7, False)
