"""LC-KSVD2 and D-KSVD."""

import numpy as np
import pytest
from dictlearn.classification import LCDLClassifier
from sklearn.linear_model import Ridge
from sklearn.utils.estimator_checks import parametrize_with_checks

import dasksvd
from dasksvd import encoders
from dasksvd.baselines import joint_ksvd
from dasksvd.baselines.lcksvd import DKSVD, LCKSVD2
from dasksvd.datasets import to_signals
from dasksvd.method import ksvd
from dasksvd.method.omp import pursue

SMALL = {"n_atoms": 50, "q": 5, "ksvd_iter": 5, "init_iter": 3, "random_state": 0}


@pytest.fixture(scope="module")
def digits8():
    """600 training digits of 8×8 pixels with a mean squared length of one, and 297 to test."""
    data = dasksvd.load_digits_8x8()
    train, test = to_signals(data.train_images[:600]), to_signals(data.test_images)
    scale = np.sqrt(np.square(train, dtype=np.float64).sum() / len(train))
    return (train / scale).astype(np.float32), data.train_labels[:600], test / scale, data.test_labels


@pytest.fixture(scope="module")
def fitted(digits8):
    return LCKSVD2(**SMALL, consistency=1.0, classification=2.0).fit(*digits8[:2])


def published_stack(signals, labels, atom_classes, a, b):
    """[X, √a·Q, √b·H] as Jiang, Lin and Davis write it."""
    one_hot = np.eye(atom_classes.max() + 1, dtype=np.float32)[labels]
    return np.hstack([signals, np.sqrt(a) * one_hot[:, atom_classes], np.sqrt(b) * one_hot]).astype(np.float32)


def published_error(signals, labels, atoms, transform, classifier, a, b, n_nonzero):
    """Root mean square length of the stacked signals' errors on stacked atoms."""
    stack = published_stack(signals, labels, joint_ksvd.share_atoms(len(atoms), classifier.shape[1]), a, b)
    stacked_atoms = np.hstack([atoms, np.sqrt(a) * transform, np.sqrt(b) * classifier])
    stacked_atoms /= np.linalg.norm(stacked_atoms, axis=1, keepdims=True)
    codes = dasksvd.encode(stack, stacked_atoms, n_nonzero)
    return np.sqrt(np.square(stack - codes @ stacked_atoms).sum() / len(stack))


# The method


@pytest.mark.parametrize("n_atoms", [50, 53])
def test_short_stack_gives_what_the_published_stack_gives(digits8, n_atoms):
    """Oracle: K-SVD on [X, √a·Q, √b·H] from ridge-regressed initial matrices, written out."""
    signals, labels = digits8[:2]
    a, b, n_nonzero = 0.5, 2.0, 5
    atom_classes = joint_ksvd.share_atoms(n_atoms, 10)
    short = joint_ksvd.learn(
        signals, labels, atom_classes, a * np.bincount(atom_classes) + b, n_nonzero, 3, np.random.default_rng(0)
    )

    rng = np.random.default_rng(0)
    atoms = joint_ksvd.class_wise_atoms(signals, labels, atom_classes, n_nonzero, 20, rng)
    stack = published_stack(signals, labels, atom_classes, a, b)
    targets = stack[:, 64:]
    ridge = Ridge(1.0, fit_intercept=False).fit(pursue(signals, atoms, n_nonzero).dense(n_atoms), targets)
    initial = np.hstack([atoms, ridge.coef_.T])
    initial /= np.linalg.norm(initial, axis=1, keepdims=True)
    long = ksvd.learn(stack, n_atoms, n_nonzero, 3, rng, initial=initial)
    lengths = np.linalg.norm(long.atoms[:, :64], axis=1, keepdims=True)

    np.testing.assert_allclose(short.errors, long.errors * np.sqrt(stack.shape[1]), rtol=1e-4)
    np.testing.assert_allclose(short.atoms, long.atoms[:, :64] / lengths, atol=2e-3)
    transform, classifier = np.split(long.atoms[:, 64:] / lengths, [n_atoms], axis=1)
    np.testing.assert_allclose(short.classifier, classifier / np.sqrt(b), atol=5e-3)
    np.testing.assert_allclose(short.classifier[:, atom_classes], transform / np.sqrt(a), atol=5e-3)


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (0.1, 0.1)])
def test_lcksvd2_vs_dictlearn(digits8, a, b):
    """The same objective and the same accuracy, up to the random start; means of three seeds."""
    signals, labels, test, truth = digits8
    ours, theirs = [], []
    for seed in range(3):
        mine = LCKSVD2(50, 5, a, b, ksvd_iter=10, init_iter=5, random_state=seed).fit(signals, labels)
        matrices = mine.components_, mine.code_transform_, mine.classifier_
        ours.append((published_error(signals, labels, *matrices, a, b, 5), mine.score(test, truth)))
        peer = LCDLClassifier(
            5,
            alpha=b,  # dictlearn's α and β are the publication's β and α
            beta=a,
            init_method="trained",
            n_nonzero_coefs=5,
            max_iter=10,
            init_iter=5,
            ridge_gamma=1.0,
            random_state=seed,
        ).fit(signals, labels)
        matrices = peer.dictionary_, peer.consistency_.T, peer.classifier_.T
        theirs.append((published_error(signals, labels, *matrices, a, b, 5), peer.score(test, truth)))
    (our_error, our_accuracy), (their_error, their_accuracy) = np.mean(ours, axis=0), np.mean(theirs, axis=0)
    assert our_error == pytest.approx(their_error, rel=0.05)
    assert our_accuracy > their_accuracy - 0.03
    assert our_accuracy > 0.8


def test_ridge_classifier_vs_sklearn_ridge(digits8):
    codes = dasksvd.encode(digits8[0], ksvd.random_signals(digits8[0], 30, np.random.default_rng(0)), 5)
    targets = np.eye(10)[digits8[1]]
    expected = Ridge(0.7, fit_intercept=False).fit(codes.astype(np.float64), targets).coef_.T
    np.testing.assert_allclose(joint_ksvd.ridge_classifier(codes, targets, 0.7), expected, atol=1e-5)


def test_dksvd_is_lcksvd2_without_consistency(digits8):
    alone = DKSVD(**SMALL, classification=3.0).fit(*digits8[:2])
    special = LCKSVD2(**SMALL, consistency=0, classification=3.0).fit(*digits8[:2])
    np.testing.assert_array_equal(alone.components_, special.components_)
    np.testing.assert_array_equal(alone.classifier_, special.classifier_)


def test_consistency_is_only_more_weight_on_the_classes(digits8, fitted):
    """Kviatkovsky and others (2017): with M_c atoms per class, a and b act as a·M_c + b."""
    same = DKSVD(**SMALL, classification=1.0 * 5 + 2.0).fit(*digits8[:2])
    np.testing.assert_array_equal(same.components_, fitted.components_)


def test_unit_of_the_signals_does_not_matter(digits8, fitted):
    signals, labels, test, _ = digits8
    bright = LCKSVD2(**fitted.get_params()).fit(256 * signals, labels)
    np.testing.assert_array_equal(bright.components_, fitted.components_)
    np.testing.assert_array_equal(bright.predict(256 * test), fitted.predict(test))


def test_names_of_the_classes_do_not_matter(digits8, fitted):
    names = np.array(list("abcdefghij"))
    named = LCKSVD2(**fitted.get_params()).fit(digits8[0], names[digits8[1]])
    np.testing.assert_array_equal(named.predict(digits8[2]), names[fitted.predict(digits8[2])])
    assert named.atom_classes_.tolist() == sorted("abcdefghij" * 5)


def test_labels_draw_the_codes_to_their_class(digits8, fitted):
    """Codes times the transform are larger on the atoms of the right class, for unseen digits."""
    ideal = fitted.atom_classes_ == digits8[3][:, None]
    reached = fitted.transform(digits8[2]) @ fitted.code_transform_
    assert reached[ideal].mean() > 0.4
    assert abs(reached[~ideal].mean()) < 0.1


def test_error_falls_and_is_reported(digits8):
    seen = []
    fitted = LCKSVD2(**SMALL).fit(*digits8[:2], on_iteration=lambda *step: seen.append(step))
    assert [iteration for iteration, _ in seen] == [1, 2, 3, 4, 5]
    assert [error for _, error in seen] == fitted.errors_.tolist()
    assert fitted.errors_[-1] < fitted.errors_[0]


def test_result_has_the_promised_shapes(digits8, fitted):
    assert fitted.components_.shape == (50, 64)
    assert fitted.components_.dtype == fitted.classifier_.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(fitted.components_, axis=1), 1, atol=1e-5)
    assert fitted.classifier_.shape == (50, 10)
    assert fitted.transform(digits8[2]).shape == (297, 50)
    assert np.count_nonzero(fitted.transform(digits8[2]), axis=1).max() == 5


def test_same_seed_same_result(digits8, fitted):
    again = LCKSVD2(**fitted.get_params()).fit(*digits8[:2])
    np.testing.assert_array_equal(again.components_, fitted.components_)
    other = LCKSVD2(**{**fitted.get_params(), "random_state": 1}).fit(*digits8[:2])
    assert not np.array_equal(other.components_, fitted.components_)


def test_share_atoms_differs_by_at_most_one():
    for n_atoms in range(4, 13):
        shares = np.bincount(joint_ksvd.share_atoms(n_atoms, 4), minlength=4)
        assert shares.sum() == n_atoms
        assert shares.max() - shares.min() <= 1


# Odd input


def test_class_of_empty_signals(digits8):
    signals, labels = digits8[0].copy(), digits8[1]
    signals[labels == 3] = 0
    fitted = DKSVD(**SMALL).fit(signals, labels)
    assert np.isfinite(fitted.classifier_).all()
    np.testing.assert_allclose(np.linalg.norm(fitted.components_, axis=1), 1, atol=1e-5)


def test_atom_without_signal_part_gets_its_first_direction_and_no_say():
    initial = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)
    stacked = np.array([[0.0, 0.0, 1.0], [0.6, 0.0, 0.8]], np.float32)
    atoms, classifier = joint_ksvd._unstack(stacked, initial, stretch=np.array([2.0], np.float32))
    np.testing.assert_allclose(atoms, [[1, 0], [1, 0]])
    np.testing.assert_allclose(classifier, [[0], [0.8 / 0.6 / 2]], rtol=1e-6)


def test_count_above_the_atoms_of_one_class_is_allowed(digits8):
    fitted = DKSVD(**{**SMALL, "q": np.int64(8)}).fit(*digits8[:2])
    assert np.count_nonzero(fitted.transform(digits8[2]), axis=1).max() == 8


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n_atoms": 9}, "n_atoms = 9 for 10 classes"),
        ({"n_atoms": 590}, "class .* has 5. signals for 59 of 590 atoms"),
        ({"q": 51}, "q = 51 for 50 atoms"),
        ({"q": 1.5}, "got 1.5"),
        ({"consistency": -1.0}, "consistency >= 0, got -1.0"),
        ({"classification": "high"}, "got 'high'"),
        ({"consistency": 0, "classification": 0}, "got 0 for every term"),
        ({"ksvd_iter": 0}, "at least 1, got 0"),
        ({"init_iter": 0}, "at least 1, got 0"),
        ({"ridge": 0}, "ridge > 0, got 0"),
        ({"random_state": -1}, "got -1"),
    ],
)
def test_wrong_parameter_is_named(digits8, wrong, message):
    with pytest.raises(dasksvd.ParameterError, match=message):
        LCKSVD2(**{**SMALL, **wrong}).fit(*digits8[:2])


def test_one_class_is_an_error(digits8):
    with pytest.raises(dasksvd.ParameterError, match="got 1 class"):
        DKSVD().fit(digits8[0][:20], np.zeros(20))


@pytest.mark.parametrize("kind", [LCKSVD2, DKSVD])
def test_codes_come_from_the_encoder_but_answers_from_omp(digits8, kind):
    """Oracle: the encoder itself, and the same estimator with OMP."""
    usual = kind(**SMALL).fit(*digits8[:2])
    soft = kind(**SMALL, encoder="soft", level=0.2).fit(*digits8[:2])
    np.testing.assert_array_equal(soft.transform(digits8[2]), encoders.soft(digits8[2], usual.components_, 0.2))
    np.testing.assert_array_equal(soft.decision_function(digits8[2]), usual.decision_function(digits8[2]))
    np.testing.assert_allclose(usual.decision_function(digits8[2]), usual.transform(digits8[2]) @ usual.classifier_)


# Fewer iterations and, since the checks have signals of two values, more than a fifth of the atoms.
CHECKED = [kind(q=2, ksvd_iter=5, init_iter=3, **by) for kind in (LCKSVD2, DKSVD) for by in ({}, {"encoder": "soft"})]


@parametrize_with_checks(CHECKED)
def test_sklearn_estimator(estimator, check):
    check(estimator)
