"""The digit reader: laws of its explanation, and what the shipped one must reach."""

from dataclasses import replace

import numpy as np
import pytest

import dasksvd
from dasksvd import ParameterError
from dasksvd.digit.reader import DEFAULT_MODEL, load_default_model, load_model
from dasksvd.errors import DamagedFile
from reproduce.distortion import change_width, distort, transform
from reproduce.reader_scores import DISTORTIONS
from tests.digit.trained import trained


@pytest.fixture(scope="module")
def small_model():
    """One network on codes of 100 non-zeros, and nothing beside them."""
    return replace(trained(steps=(100,), epochs=(30, 0), hidden=(60,), beside=""), networks=())


def test_a_small_model_reads_most_digits_it_has_not_seen(small_model):
    data = dasksvd.load_mnist()
    right = small_model.predict(data.train_images[3000:4000]) == data.train_labels[3000:4000]
    assert right.mean() > 0.85


def test_probabilities_sum_to_one(small_model):
    probabilities = small_model.predict_proba(dasksvd.load_mnist().train_images[:50])
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-5)
    assert probabilities.min() >= 0


def test_explanation_adds_up(small_model):
    image = dasksvd.load_mnist().train_images[7]
    explained = small_model.explain(image)
    signal = dasksvd.reduce_images(image[None])[0]
    np.testing.assert_array_equal(explained.signal, signal)
    # The pursuit's coefficients give the last step's picture.
    np.testing.assert_allclose(
        explained.coefficients @ small_model.atoms[explained.atoms], explained.steps[-1], atol=1e-4
    )
    # Each residual is what the step has left over, and no step makes it longer.
    np.testing.assert_allclose(
        explained.residuals[1:], np.linalg.norm(signal - explained.steps, axis=1), rtol=1e-6, atol=1e-6
    )
    assert explained.residuals[0] == pytest.approx(np.linalg.norm(signal))
    assert np.all(np.diff(explained.residuals) <= 1e-9)
    assert explained.class_energy.sum() == pytest.approx(1)
    np.testing.assert_allclose(explained.probabilities, small_model.predict_proba(image[None])[0], rtol=1e-5)


def test_steps_are_least_squares_fits(small_model):
    """Each step's picture is the best one that its atoms can give (oracle: numpy's lstsq)."""
    explained = small_model.explain(dasksvd.load_mnist().train_images[5])
    for count in (1, 7, len(explained.atoms)):
        atoms = small_model.atoms[explained.atoms[:count]].astype(float)
        best = atoms.T @ np.linalg.lstsq(atoms.T, explained.signal.astype(float), rcond=None)[0]
        np.testing.assert_allclose(explained.steps[count - 1], best, atol=1e-5)


def test_first_atom_is_the_best_matching_one(small_model):
    image = dasksvd.load_mnist().train_images[11]
    correlations = small_model.atoms @ dasksvd.reduce_images(image[None])[0]
    assert small_model.explain(image).atoms[0] == np.abs(correlations).argmax()


def test_a_blank_image_has_an_empty_explanation(small_model):
    explained = small_model.explain(np.zeros((28, 28), np.uint8))
    assert len(explained.atoms) == 0
    np.testing.assert_array_equal(explained.residuals, [0])
    np.testing.assert_array_equal(explained.class_energy, 0)
    assert explained.probabilities.sum() == pytest.approx(1)


def test_parts_and_rest_add_up_to_the_lead(small_model):
    """Oracle: logarithms of the probabilities, whose differences are those of the scores."""
    for image in dasksvd.load_mnist().train_images[20:30]:
        explained = small_model.explain(image)
        rival, winner = np.argsort(explained.probabilities)[-2:]
        parts, rest = small_model.lead_parts(explained, winner, rival)
        lead = np.log(explained.probabilities[winner].astype(float) / explained.probabilities[rival])
        assert parts.sum() + rest == pytest.approx(lead, abs=1e-3)


def test_a_part_is_what_a_small_change_of_its_coefficient_does(small_model):
    """Oracle: finite differences of the lead."""
    explained = small_model.explain(dasksvd.load_mnist().train_images[4])
    rival, winner = np.argsort(explained.probabilities)[-2:]
    first = explained.atoms[0]

    def lead(share):
        changed = explained.code.astype(np.float64)
        changed[first] *= share
        parts, rest = small_model.lead_parts(replace(explained, code=changed), winner, rival)
        return parts.sum() + rest

    parts, _ = small_model.lead_parts(explained, winner, rival)
    assert parts[first] == pytest.approx((lead(1 + 1e-6) - lead(1 - 1e-6)) / 2e-6, rel=1e-3)


class TestAnEncoderOfItsOwn:
    """The network of a model may read other codes than those of the pursuit; here soft-threshold features."""

    @pytest.fixture
    def model(self, small_model):
        return replace(small_model, encoder="soft", level=0.2)

    def test_the_answer_comes_from_its_codes(self, small_model, model):
        """Oracle: the encoder's formula and the network, step by step in float64."""
        images = dasksvd.load_mnist().train_images[:20]
        signals = dasksvd.reduce_images(images).astype(float)
        correlations = signals / np.linalg.norm(signals, axis=1, keepdims=True) @ model.atoms.T.astype(float)
        inputs = np.sign(correlations) * np.maximum(np.abs(correlations) - 0.2, 0) / model.scale
        first, first_bias, second, second_bias = model.weights
        scores = np.exp(np.maximum(inputs @ first + first_bias, 0) @ second + second_bias)
        expected = scores / scores.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model.predict_proba(images), expected, rtol=1e-3, atol=1e-6)
        explained = [model.explain(image).probabilities for image in images]
        np.testing.assert_allclose(explained, expected, rtol=1e-3, atol=1e-6)
        assert np.abs(expected - small_model.predict_proba(images)).max() > 0.05

    def test_the_pursuit_is_told_as_ever(self, small_model, model):
        image = dasksvd.load_mnist().train_images[7]
        ours, usual = model.explain(image), small_model.explain(image)
        for name in ("atoms", "coefficients", "residuals", "steps", "class_energy"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(usual, name))
        np.testing.assert_array_equal(usual.code[usual.atoms], usual.coefficients)

    def test_parts_and_rest_add_up_to_the_lead(self, model):
        for image in dasksvd.load_mnist().train_images[20:30]:
            explained = model.explain(image)
            rival, winner = np.argsort(explained.probabilities)[-2:]
            parts, rest = model.lead_parts(explained, winner, rival)
            lead = np.log(explained.probabilities[winner].astype(float) / explained.probabilities[rival])
            assert parts.sum() + rest == pytest.approx(lead, abs=1e-3)
            assert not parts[explained.code == 0].any()

    def test_without_some_atoms_their_features_count_as_zero(self, model):
        image = dasksvd.load_mnist().train_images[12]
        small = model.restricted(5, 3)
        kept = [np.flatnonzero(np.all(model.atoms == atom, axis=1))[0] for atom in small.atoms]
        code = np.zeros((1, len(model.atoms)), np.float32)
        code[0, kept] = model.explain(image).code[kept]
        explained = small.explain(image)
        np.testing.assert_allclose(model.read_codes(code)[0], explained.probabilities, rtol=1e-4, atol=1e-6)
        assert len(explained.atoms) == 5

    def test_it_comes_back_from_its_file(self, model, tmp_path):
        model.save(tmp_path / "model.npz")
        loaded = load_model(tmp_path / "model.npz")
        assert (loaded.encoder, loaded.level) == ("soft", 0.2)
        images = dasksvd.load_mnist().train_images[:50]
        np.testing.assert_array_equal(loaded.predict_proba(images), model.predict_proba(images))

    @pytest.mark.parametrize(("encoder", "level"), [("soft", 0.0), ("soft", 1.5), ("threshold", 0.2), ("oracle", 0.2)])
    def test_a_file_of_an_impossible_encoder_is_damaged(self, model, tmp_path, encoder, level):
        replace(model, encoder=encoder, level=level).save(tmp_path / "model.npz")
        with pytest.raises(DamagedFile, match=r"model\.npz: .*(level|unknown encoder)"):
            load_model(tmp_path / "model.npz")


def test_the_file_of_a_model_that_reads_the_pursuit_does_not_name_an_encoder(small_model, tmp_path):
    small_model.save(tmp_path / "model.npz")
    load_model(DEFAULT_MODEL).save(tmp_path / "default.npz")
    assert (tmp_path / "default.npz").read_bytes() == DEFAULT_MODEL.read_bytes()
    with np.load(tmp_path / "model.npz") as stored:
        assert not {"encoder", "level"} & set(stored.files)


def test_a_restricted_model_takes_fewer_atoms_and_keeps_the_network(small_model):
    image = dasksvd.load_mnist().train_images[12]
    small = small_model.restricted(5, 3)
    assert len(small.atoms) == 30
    np.testing.assert_array_equal(np.bincount(small.atom_classes), np.full(10, 3))
    explained = small.explain(image)
    assert len(explained.atoms) == 5
    # The whole network on the same code, with zeros for the missing atoms.
    kept = [np.flatnonzero(np.all(small_model.atoms == atom, axis=1))[0] for atom in small.atoms]
    code = np.zeros((1, len(small_model.atoms)), np.float32)
    code[0, np.array(kept)[explained.atoms]] = explained.coefficients
    np.testing.assert_allclose(small_model.read_codes(code)[0], explained.probabilities, rtol=1e-4, atol=1e-6)


def test_an_unrestricted_model_is_the_model_itself(small_model):
    images = dasksvd.load_mnist().train_images[:20]
    whole = small_model.restricted(small_model.n_nonzero, 20)
    np.testing.assert_array_equal(whole.predict_proba(images), small_model.predict_proba(images))


@pytest.mark.parametrize(("n_nonzero", "per_class"), [(0, 5), (5, 0), (2.5, 5)])
def test_a_restriction_to_nothing_is_refused(small_model, n_nonzero, per_class):
    with pytest.raises(ParameterError):
        small_model.restricted(n_nonzero, per_class)


def test_wrong_shape_is_named(small_model):
    with pytest.raises(ParameterError, match=r"shape \(28, 28\), got \(16, 16\)"):
        small_model.explain(np.zeros((16, 16), np.uint8))


def test_a_model_comes_back_bit_by_bit(small_model, tmp_path):
    small_model.save(tmp_path / "model.npz")
    loaded = load_model(tmp_path / "model.npz")
    images = dasksvd.load_mnist().train_images[:100]
    np.testing.assert_array_equal(loaded.predict_proba(images), small_model.predict_proba(images))


def test_distortion_is_seeded_and_changes_every_image():
    images = dasksvd.load_mnist().train_images[:40]
    once, again = (distort(images, np.random.default_rng(1)) for _ in range(2))
    np.testing.assert_array_equal(once, again)
    assert np.all(np.any(once != images, axis=(1, 2)))


def test_no_distortion_changes_nothing():
    image = dasksvd.load_mnist().train_images[3]
    np.testing.assert_array_equal(transform(image), image)
    np.testing.assert_array_equal(change_width(image, 0), image)


def test_width_changes_the_amount_of_ink():
    image = dasksvd.load_mnist().train_images[3].astype(int)
    assert change_width(image, -1).sum() < image.sum() < change_width(image, 1).sum()


def test_turning_there_and_back_keeps_the_digit():
    image = dasksvd.load_mnist().train_images[3]
    back = transform(transform(image, angle=15), angle=-15)
    assert np.corrcoef(back.ravel(), image.ravel())[0, 1] > 0.95


@pytest.fixture(scope="module")
def test_set():
    data = dasksvd.load_mnist()
    return data.test_images, data.test_labels


def accuracy(images, labels):
    return np.mean(load_default_model().predict(images) == labels)


def test_shipped_model_reads_the_test_set(test_set):
    assert accuracy(*test_set) >= 0.988
    assert DEFAULT_MODEL.stat().st_size < 4_000_000


@pytest.mark.parametrize("name", DISTORTIONS)
def test_shipped_model_is_robust(name, test_set):
    images, labels = test_set
    distorted = np.stack([DISTORTIONS[name](image) for image in images])
    assert accuracy(distorted, labels) >= accuracy(images, labels) - 0.01
