"""Two evaluated runs: paired where they read the same images."""

from types import SimpleNamespace

import numpy as np
import pytest

from dasksvd.datasets.description import Description
from dasksvd.evaluate import Metrics
from dasksvd.parameters import Settings
from dasksvd.runs.differences import Evaluated, difference, same_images
from dasksvd.statistics import paired_shares, unpaired_shares

N = 300


def evaluated(wrong, n=N, *, data="digits", seed=3, part="held-out images", classes=(0, 1), own=()):
    """A run that reads some of n images wrong."""
    what = Description(Settings(t=5, I=1, seed=seed), data, list(classes), 40, 9, held_out=n)
    run = SimpleNamespace(description=what, own_data=lambda: own)
    confusion = [[n // 2, len(wrong)], [0, n - n // 2 - len(wrong)]]
    lines = [[place, 0, 1, 0.1, 0.9] for place in wrong]
    rest = {"alpha": 0.0, "beta": 0.0, "error": 0.1, "weights": 9, "epochs": 1, "seconds": 1.0}
    metrics = Metrics("modern", 5, 2, 1, part=part, n_scored=n, accuracy=0.0, confusion=confusion, wrong=lines, **rest)
    return Evaluated(run, metrics)


def test_the_same_images_are_compared_one_by_one():
    """Oracle: the variance of the images' own differences, as many as there are."""
    first, second = evaluated(range(40)), evaluated(range(10, 70))
    found = difference(first, second)
    single = np.zeros(N)
    single[:10], single[40:70] = -1, 1  # read right by one only
    assert found.mean == pytest.approx(single.mean())
    assert found.half_width == pytest.approx(1.96 * single.std() / np.sqrt(N), rel=0.03)
    assert found == paired_shares(1 - 40 / N, 1 - 60 / N, N, both_wrong=30)
    assert difference(second, first).mean == -found.mean
    assert difference(second, first).half_width == found.half_width


def test_mistakes_that_were_not_kept_make_the_interval_wider():
    first, second = evaluated(range(40)), evaluated(range(10, 70))
    del first.metrics.wrong[20:]
    less, all_ = difference(first, second), difference(evaluated(range(40)), second)
    assert less.mean == all_.mean
    assert less.half_width > all_.half_width
    assert less == paired_shares(1 - 40 / N, 1 - 60 / N, N, both_wrong=10)


@pytest.mark.parametrize("change", [{"seed": 4}, {"part": "images that the atoms have seen, but not the classifier"}])
def test_other_images_of_the_same_data_are_two_samples(change):
    first, second = evaluated(range(40)), evaluated(range(10, 70), **change)
    assert not same_images(first, second)
    assert difference(first, second) == unpaired_shares(1 - 40 / N, N, 1 - 60 / N, N)


def test_more_images_are_another_sample():
    first, second = evaluated(range(40)), evaluated(range(10, 70), 2 * N)
    assert difference(first, second) == unpaired_shares(1 - 40 / N, N, 1 - 60 / (2 * N), 2 * N)


def test_accuracies_on_other_data_do_not_compare():
    first = evaluated(range(40))
    assert difference(first, evaluated(range(40), data="mnist")) is None
    assert difference(first, evaluated(range(40), classes=(0, 2))) is None
    assert difference(first, evaluated((), 0)) is None


def test_own_pictures_are_the_same_data_only_if_they_are_equal():
    pictures, labels = np.eye(4), np.array([0, 1, 0, 1])
    first = evaluated(range(40), data="own", own=(pictures, labels))
    assert same_images(first, evaluated(range(9), data="own", own=(pictures.copy(), labels.copy())))
    for own in ((pictures + 0.1, labels), (pictures, 1 - labels), (pictures[:3], labels[:3])):
        assert difference(first, evaluated(range(9), data="own", own=own)) is None
