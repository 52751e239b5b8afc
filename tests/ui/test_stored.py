"""What pages remember of the measured results follows from the files as they are now."""

import os

import numpy as np
import pytest

from reproduce import report, results
from tests import measured
from ui import stored
from ui.panels import verdict


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    return tmp_path


def write(folder, seed):
    measured.write(folder, "ablation", measured.ablation(2, np.random.default_rng(seed)), 2)
    path = results.results_path("ablation")
    os.utime(path, ns=(10**18 + seed, 10**18 + seed))  # two writes may be of one moment


@pytest.mark.parametrize("find", [report.rows, report.ablation])
def test_a_file_that_was_written_again_is_read_again(folder, find):
    args = ("ablation",) if find is report.rows else ()
    answers = []
    for seed in (1, 2):
        write(folder, seed)
        answers.append(stored.computed("ablation", find, *args))
        assert answers[-1] == find(*args)
        assert stored.computed("ablation", find, *args) is answers[-1]
    assert answers[0] != answers[1]


def test_other_results_give_other_verdicts(folder):
    nothing = stored.computed_from_all(verdict.judged)
    write(folder, 1)
    something = stored.computed_from_all(verdict.judged)
    assert [one.verdict for one in nothing] != [one.verdict for one in something]
    assert stored.computed_from_all(verdict.judged) is something


def test_functions_of_one_name_do_not_share_what_is_remembered(folder):
    write(folder, 1)
    assert stored.computed("ablation", results.command, "ablation").endswith("--rounds 2")
    assert stored.computed("ablation", command, "ablation") == "mine"


def command(study):
    """A namesake of :func:`reproduce.results.command`."""
    return "mine"
