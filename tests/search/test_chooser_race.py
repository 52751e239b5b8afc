"""A small ablation that is watched: the same seeds give the same scores, each as soon as it is known."""

import numpy as np
import pytest

from dasksvd.common.files import write_json
from dasksvd.datasets.parts import mnist_parts
from dasksvd.encoders import encode_by
from dasksvd.evaluate import train_network
from dasksvd.runs.reference import load_reference
from dasksvd.search import chooser_race


@pytest.fixture
def small(monkeypatch):
    for name, value in {"N_TRAIN": 1000, "N_SCORED": 200, "HIDDEN": 50, "MORE": 2, "MOST": 3}.items():
        monkeypatch.setattr(chooser_race, name, value)
    return load_reference(), mnist_parts(0)


def test_a_seed_scores_three_choices_of_atoms_on_the_same_images(small):
    reference, parts = small
    found = chooser_race.race(*small, 5)
    assert found == chooser_race.race(*small, 5)
    assert found != chooser_race.race(*small, 6)
    rng = np.random.default_rng(5)
    learned, scored = (
        rng.choice(len(part), n, replace=False) for part, n in ((parts.train, 1000), (parts.scored, 200))
    )
    atoms = reference.reselect(0, 0, 20, "worst").atoms
    codes, tested = (encode_by("omp", part, atoms, 40, 0) for part in (parts.train[learned], parts.scored[scored]))
    network = train_network("modern", codes, parts.train_labels[learned], hidden=50, seed=5)
    worst = np.mean(network.predict(tested) == parts.scored_labels[scored])
    assert found[chooser_race.CHOOSERS.index("worst")] == worst
    assert min(found) > 0.5


def test_seeds_are_added_one_by_one_until_there_are_enough(small, tmp_path):
    folder = tmp_path / "race"
    assert chooser_race.scores(folder).shape == (0, 3)
    counts = [len(chooser_race.scores(folder)) for _ in chooser_race.go_on(folder, *small)]
    assert counts == [1, 2]
    first = chooser_race.scores(folder)
    counts = [len(chooser_race.scores(folder)) for _ in chooser_race.go_on(folder, *small)]
    assert counts == [3]
    assert list(chooser_race.go_on(folder, *small)) == []
    again = chooser_race.scores(folder)
    np.testing.assert_array_equal(again[:2], first)
    assert len({tuple(row) for row in again}) == 3


@pytest.mark.parametrize("damaged", [{"scores": [[1, 2]]}, {"scores": "many"}, {"scores": [[1, 2, None]]}, {}])
def test_a_damaged_file_is_begun_anew(tmp_path, damaged):
    write_json(tmp_path / chooser_race.FILE, damaged)
    assert chooser_race.scores(tmp_path).shape == (0, 3)
