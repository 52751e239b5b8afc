"""What the page that steps through K-SVD is given, against the code that learns and encodes."""

import base64

import numpy as np
import pytest

from dasksvd.datasets import registry
from dasksvd.datasets.dataset import DataSet
from dasksvd.errors import ParameterError
from dasksvd.method import ksvd, steps
from dasksvd.method.steps import Checked, Coded, Looked, Refitted, Renewed, Users
from ui import taken_apart
from ui.components import half_steps

#: Signals, atoms, q: the usual sample, and one with so many atoms that some are hardly used.
SIZES = {"usual": (120, 16, 3), "crowded": (50, 30, 1)}


def numbers(text, kind="<f4"):
    return np.frombuffer(base64.b64decode(text), kind)


def pictures(sent):
    """Pictures as the browser unpacks them."""
    peaks, levels = numbers(sent["peaks"]), numbers(sent["levels"], np.int8)
    return levels.reshape(len(peaks), len(levels) // max(1, len(peaks))) * (peaks[:, None] / 127)


@pytest.fixture(scope="module")
def sample():
    return taken_apart.draw(registry.load("mnist"), "mnist", 120, seed=5)


@pytest.fixture(scope="module", params=[("usual", False), ("usual", True), ("crowded", False)], ids=str)
def made(request):
    (n, n_atoms, q), exact = SIZES[request.param[0]], request.param[1]
    sample = taken_apart.draw(registry.load("mnist"), "mnist", n, seed=5)
    return taken_apart.take_apart(sample, n_atoms, q, 5, exact=exact), n_atoms, q, exact


def half_steps_of(made):
    film, n_atoms, q, exact = made
    rng = np.random.default_rng(5)
    return list(steps.learn(film.sample.signals, n_atoms, q, taken_apart.N_ITER, rng, exact=exact))


def test_a_film_ends_with_the_bits_of_ksvd(made):
    film, n_atoms, q, exact = made
    learned = ksvd.learn(film.sample.signals, n_atoms, q, taken_apart.N_ITER, np.random.default_rng(5), exact=exact)
    np.testing.assert_array_equal(film.iterations[-1].checked.atoms, learned.atoms)
    assert [one.checked.error for one in film.iterations] == learned.errors.tolist()


def test_a_film_has_as_many_steps_as_the_core_has_half_steps(made):
    film, _, q, _ = made
    first = film.iterations[0]
    inside = len([one for one in half_steps_of(made) if isinstance(one, Coded | Users | Renewed | Checked)])
    coding = [2 * int(one.codes.counts.sum()) for one in film.iterations]
    assert film.last == inside + sum(coding)
    pursuits = [list(steps.encode(x, first.atoms, q)) for x in film.sample.signals[:40]]
    assert [len(found) for found in pursuits] == (2 * first.codes.counts[:40]).tolist()


def test_every_step_belongs_to_one_iteration(made):
    film = made[0]
    assert film.starts == [1, *(1 + np.cumsum([one.n_steps for one in film.iterations]))]
    assert film.iteration_of(0) == 0
    for number, (start, after) in enumerate(zip(film.starts, film.starts[1:], strict=False)):
        assert film.iteration_of(start) == film.iteration_of(after - 1) == number


def test_every_step_has_the_kind_of_its_half_step(made):
    film = made[0]
    assert film.kind_of(0) == "start"
    for start, one in zip(film.starts, film.iterations, strict=False):
        kinds = ["look", "fit"] * int(one.codes.counts.sum()) + ["coded"] + ["users", "renew"] * len(one.updates)
        assert [film.kind_of(start + place) for place in range(one.n_steps)] == [*kinds, "check"]


def test_the_codes_are_those_whose_users_the_core_counts(made):
    for one in made[0].iterations:
        support = [row[:n] for row, n in zip(one.codes.support, one.codes.counts, strict=True)]
        np.testing.assert_array_equal(np.bincount(np.concatenate(support), minlength=made[1]), one.coded.counts)
        assert [update.n_users for update in one.updates] == one.coded.counts.tolist()


def test_the_browser_gets_the_pursuits_of_the_core(made):
    film, _, q, _ = made
    one = film.iterations[2]
    sent = half_steps.message(film, 2)["codes"]
    similar = numbers(sent["correlations"]).reshape(-1, len(one.atoms))
    triangles, lengths = numbers(sent["coefficients"]), numbers(sent["lengths"])
    gram = numbers(sent["gram"]).reshape(len(one.atoms), -1)
    atom = triangle = 0
    for signal, count in enumerate(sent["counts"][:30]):
        found = list(steps.encode(film.sample.signals[signal], one.atoms, q))
        looks, refits = found[::2], found[1::2]
        assert len(looks) == count
        for s, (look, refit) in enumerate(zip(looks, refits, strict=True)):
            assert isinstance(look, Looked)
            assert isinstance(refit, Refitted)
            assert sent["taken"][atom + s] == look.taken
            np.testing.assert_allclose(similar[atom + s], look.correlations, atol=1e-5)
            start = triangle + s * (s + 1) // 2
            np.testing.assert_allclose(triangles[start : start + s + 1], refit.coefficients, atol=1e-5)
            np.testing.assert_allclose(gram[np.ix_(refit.taken, refit.taken)], refit.gram, atol=1e-5)
            np.testing.assert_allclose(similar[atom, refit.taken], refit.right, atol=1e-5)
            assert lengths[atom + signal + s + 1] == pytest.approx(np.linalg.norm(refit.residual), abs=1e-4)
        atom, triangle = atom + count, triangle + count * (count + 1) // 2


def test_the_browser_gets_the_updates_of_the_core(made):
    """And ‖Eᵀg‖ divides Eᵀg into the new atom; for the exact update it is the largest singular value of E."""
    film, n_atoms, _, exact = made
    second = half_steps_of(made)
    second = second[[type(one) for one in second].index(Checked) + 2 :][: 2 * n_atoms]
    for update, users, renewed in zip(half_steps.message(film, 1)["updates"], second[::2], second[1::2], strict=True):
        assert update["n"] == len(users.users)
        assert update["errors"] == (renewed.error_before, renewed.error)
        np.testing.assert_allclose(pictures(update["new"])[0], renewed.after, atol=2e-3)
        if not update["n"]:
            continue
        places = [users.users.tolist().index(signal) for signal in update["shown"]]
        assert np.abs(users.coefficients[places]).min() >= np.sort(np.abs(users.coefficients))[-len(places)]
        np.testing.assert_allclose(update["before"], users.coefficients[places])
        np.testing.assert_allclose(update["after"], renewed.coefficients[places])
        np.testing.assert_allclose(pictures(update["without"]), users.without[places], atol=0.02)
        if exact:
            assert update["length"] == pytest.approx(np.linalg.svd(users.without)[1][0], rel=1e-4)
        else:
            direction = users.without.T @ users.coefficients
            np.testing.assert_allclose(direction / update["length"], renewed.after, atol=1e-4)


def test_replaced_atoms_are_told_with_their_signals(made):
    film, n_atoms, _, _ = made
    for number, one in enumerate(film.iterations):
        check = half_steps.message(film, number)["check"]
        assert check["replaced"] == tuple(one.checked.replaced.tolist())
        signals = film.sample.signals[list(check["by"])]
        fresh = signals / np.linalg.norm(signals, axis=1, keepdims=True)
        np.testing.assert_allclose(pictures(check["fresh"]).reshape(fresh.shape), fresh, atol=5e-3)
    crowded = n_atoms == SIZES["crowded"][1]
    assert crowded == any(len(one.checked.replaced) for one in film.iterations)


def test_errors_so_far_are_those_after_coding_and_after_each_atom(made):
    film, n_atoms, _, _ = made
    told = half_steps.message(film, 3)["earlier"]
    found = half_steps_of(made)
    expected = [one.error for one in found if isinstance(one, Coded | Renewed)]
    assert list(told) == expected[: 3 * (n_atoms + 1)]


def test_a_sample_is_the_same_for_the_same_seed_and_has_no_signal_twice(sample):
    again, other = (taken_apart.draw(registry.load("mnist"), "mnist", 120, seed=seed) for seed in (5, 6))
    np.testing.assert_array_equal(sample.signals, again.signals)
    assert not np.array_equal(sample.signals, other.signals)
    assert len(np.unique(sample.signals, axis=0)) == 120


def test_a_small_data_set_gives_all_it_has(rng):
    data = DataSet(rng.random((30, 16)).astype(np.float32), np.arange(30) % 3)
    drawn = taken_apart.draw(data, registry.OWN, 200, 0)
    assert sorted(drawn.signals.tolist()) == sorted(data.train_images.tolist())
    film = taken_apart.take_apart(drawn, 32, 4, 0)
    assert len(film.iterations[-1].checked.atoms) == 32


def test_signals_that_are_no_square_pictures_are_refused(rng):
    data = DataSet(rng.random((30, 12)).astype(np.float32), np.arange(30) % 3)
    with pytest.raises(ParameterError, match="no square pictures"):
        taken_apart.draw(data, registry.OWN, 20, 0)
