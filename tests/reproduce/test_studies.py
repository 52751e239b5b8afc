"""What is chosen beforehand, what is done to images, and what is told of codes: laws on made-up numbers."""

import numpy as np
import pytest

from dasksvd.common.files import read_json
from dasksvd.datasets.reduction import reduce_images
from reproduce import curves, page, results, robustness, scoring, studies, tuning
from reproduce.scoring import coherence, psnr, share_nonzero


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """No results yet."""
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    tuning._stored.cache_clear()
    yield tmp_path
    tuning._stored.cache_clear()


def test_the_best_candidate_is_chosen_when_all_have_been_tried(empty):
    candidates = (0.1, 0.2, 0.3)
    for candidate, accuracy in zip(candidates, (0.91, 0.95, 0.93), strict=True):
        assert tuning.chosen("soft", "ksvd") is None
        tuning.note("soft", "ksvd", candidate, accuracy, candidates)
    assert tuning.chosen("soft", "ksvd") == 0.2
    stored = read_json(empty / "tuning.json")
    assert stored["command"] == "python -m reproduce tuning"
    assert stored["soft"]["ksvd"]["scores"] == {"0.1": 0.91, "0.2": 0.95, "0.3": 0.93}


def test_of_equal_candidates_the_first_is_chosen_and_pairs_are_kept(empty):
    candidates = ((0.1, 1.0), (0.3, 1.9))
    for candidate in reversed(candidates):
        tuning.note("methods", "lc-ksvd2, noise", candidate, 0.9, candidates)
    assert list(tuning.chosen("methods", "lc-ksvd2, noise")) == [0.1, 1.0]


def test_only_what_has_no_score_is_tried(empty):
    tuning.note("soft", "ksvd", 0.1, 0.9, (0.1, 0.2))
    assert list(tuning.missing("soft", {"ksvd": (0.1, 0.2), "mod": (0.1,)})) == [("ksvd", 0.2), ("mod", 0.1)]


def test_every_tuned_method_has_the_same_budget():
    assert {len(candidates) for kind in ("methods", "soft") for candidates in studies.wanted(kind).values()} == {5}
    starts = studies.wanted("scg")
    assert {len(candidates) for candidates in starts.values()} == {4}
    needed = [*studies.size_tasks(1), *studies.method_tasks(1), *studies.ablation_tasks(1)]
    assert {f"{one.method}/{one.I}/{one.hidden}" for one in needed if one.classifier == "scg"} == set(starts)


def test_a_network_without_chosen_initial_weights_is_refused(empty):
    task = scoring.Task(0, "raw-16", 20, 10, "scg")
    seen = scoring.Features(*(np.zeros((1, 4), np.float32) for _ in range(3)))

    class Anything:
        split = None

    with pytest.raises(ValueError, match="tuning-scg"):
        scoring.train(task, seen, Anything())


@pytest.fixture(scope="module")
def pictures():
    rng = np.random.default_rng(0)
    images = np.zeros((40, 28, 28), np.uint8)
    images[:, 8:20, 10:18] = rng.integers(1, 256, (40, 12, 8))
    return images


def test_noise_has_its_size_and_missing_pixels_their_share(pictures):
    signals, rng = reduce_images(pictures), np.random.default_rng(1)
    added = robustness.TO_SIGNALS["noise"][0](signals, 0.3, rng) - signals
    assert added.std() == pytest.approx(0.3, rel=0.05)
    full = np.ones((200, 256), np.float32)
    left = robustness.TO_SIGNALS["missing pixels"][0](full, 0.25, rng)
    assert left.mean() == pytest.approx(0.75, abs=0.01)
    assert set(np.unique(left)) == {0, 1}


@pytest.mark.parametrize("side", [3, 9, 16])
def test_a_square_is_covered_at_places_that_differ(side):
    left = robustness.TO_SIGNALS["occlusion"][0](np.ones((50, 256), np.float32), side, np.random.default_rng(2))
    covered = left.reshape(50, 16, 16) == 0
    assert (covered.sum(axis=(1, 2)) == side**2).all()
    assert (covered.any(axis=2).sum(axis=1) == side).all()
    assert len(np.unique(covered.reshape(50, -1), axis=0)) > 10 or side == 16


def test_shifts_are_those_of_numpys_roll_and_turns_keep_the_middle(pictures):
    shifted = robustness.TO_IMAGES["shift"][0](pictures, 2, np.random.default_rng(3))
    rolled = [
        reduce_images(np.roll(pictures, (i, j), axis=(1, 2)))
        for i in (-2, 0, 2)
        for j in (-2, 0, 2)
        if (i, j) != (0, 0)
    ]
    for number, signal in enumerate(shifted):
        assert min(np.abs(signal - options[number]).max() for options in rolled) < 1e-6
    disc = np.zeros((4, 28, 28), np.uint8)
    rows, columns = np.ogrid[:28, :28]
    disc[:, (rows - 13.5) ** 2 + (columns - 13.5) ** 2 < 64] = 200
    turned = robustness.TO_IMAGES["rotation"][0](disc, 30, np.random.default_rng(4))
    assert np.abs(turned - reduce_images(disc)).mean() < 0.02


def test_facts_about_codes_vs_their_definitions():
    rng = np.random.default_rng(5)
    atoms = rng.standard_normal((6, 9)).astype(np.float32)
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    others = [[abs(float(atoms[i] @ atoms[j])) for j in range(6) if j != i] for i in range(6)]
    found = coherence(atoms)
    assert found["coherence"] == pytest.approx(max(map(max, others)), abs=1e-4)
    assert found["mean_coherence"] == pytest.approx(np.mean([max(one) for one in others]), abs=1e-4)
    assert share_nonzero(np.array([[0, 1, 2, 0], [0, 0, 0, 4]])) == 0.375
    assert psnr(np.zeros((2, 4)), np.full((2, 4), 0.1)) == 20.0


def test_energy_on_the_own_class():
    codes = np.zeros((2, 20), np.float32)
    codes[0, [3, 13, 4]] = 1, 2, -2  # class 3 has atoms 3 and 13
    assert curves.own_energy(codes, np.array([3, 0])) == pytest.approx((5 / 9 + 0) / 2, abs=1e-4)


def test_curves_are_measured_once_and_contain_the_papers_point(empty, monkeypatch):
    for parameter, values in curves.LEARNED.items():
        assert getattr(curves.PAPER, parameter) in values
    measured = []

    def pretend(parameter, value, number):
        measured.append((parameter, value, number))
        return {"parameter": parameter, "value": value, "round": number, "test_accuracy": 0.9}

    monkeypatch.setattr(curves, "measure_point", pretend)
    first = curves.measure_curves(1)
    next(first)
    first.close()
    total = sum(map(len, curves.CURVES.values()))
    assert [done for done, _, _ in curves.measure_curves(1)] == list(range(2, total + 1))
    assert len(set(measured)) == total


def test_the_page_tells_of_what_is_not_measured(empty):
    assert all(page.NOTHING in text.lower() for text in page.filled().values())
    assert "not measured" in page._claims()


def test_the_page_counts_the_rows_that_clothes_share_with_digits(empty):
    gaps = {  # to DAS-KSVD, with digits and with clothes
        "ksvd": (-0.01, -0.02),
        "no noise": (-0.02, 0.02),
        "ksvd, noise": (0.01, 0.0001),
        "random own atom": (0.0001, 0.0001),
        "mdcs": (0.01, None),
    }
    shared = {"I": 20, "hidden": 200, "classifier": "modern", "encoder": "omp", "weights": 1, "seconds": 1.0}
    wiggle = (0.0, 0.0004, -0.0004, 0.0002, -0.0002)
    for place, study in enumerate(("ablation", "fashion")):
        found = {"das-ksvd": 0.0} | {name: gap[place] for name, gap in gaps.items() if gap[place] is not None}
        rows = {
            f"{name}/{number}": shared
            | {"method": name, "round": number, "at_limit": False}
            | {"test_accuracy": 0.9 + gap + (wiggle[number] if gap else 0)}
            for name, gap in found.items()
            for number in range(5)
        }
        results.save_results(study, rows)
    assert page.PLACES["carries over"]() == (
        "Of 4 rows that both data sets have, 3 lie on the same side of DAS-KSVD. Clearly better or worse with digits: "
        "3; the same with clothes: 1; clearly the other way round: 1."
    )


def test_a_task_is_scored_and_learned_in_its_own_round(monkeypatch):
    asked = []
    monkeypatch.setattr(scoring, "round_of", lambda number, data: asked.append((number, data)))
    monkeypatch.setattr(scoring, "features", lambda task, round_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        scoring.score(scoring.Task(7, "ksvd", 20, 200, "modern", data="fashion_mnist"))
    monkeypatch.setattr(studies, "Round", lambda number, data: (number, data))
    monkeypatch.setattr(studies, "atoms_of", lambda round_, method, value: asked.append((*round_, method)))
    assert studies.learn(3, "mnist", "mod") == (3, "mod")
    assert asked == [(7, "fashion_mnist"), (3, "mnist", "mod")]
