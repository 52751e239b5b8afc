"""A ranking of one's own in ten lines, followed to every place where one can be chosen."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

import json

import numpy as np
import pytest

import dasksvd
from dasksvd.__main__ import main
from dasksvd.runs.folder import Run
from dasksvd.search.lattice import Point
from dasksvd.search.weights import Choices, weight_rows, weight_scores
from tests.ui.harness import home, open_page, own_run, texts  # noqa: F401

#: The example of docs/EXTENDING.md.
EXAMPLE = '''
import dasksvd

@dasksvd.rankings.register("often", title="Used most often", formula="p^+", uses_weights=False)
def often(tables, measures, rng):
    """The share of the class's signals that use the atom."""
    return tables.p.max(axis=0)
'''


@pytest.fixture
def often():
    """Registered while the test runs."""
    exec(EXAMPLE, {})
    yield "often"
    dasksvd.rankings.RANKINGS.unregister("often")


def by_hand(record, label):
    """The oracle: the owned atom that the class uses most often, in plain Python."""
    shares = {}
    for atom, column in enumerate(record.tables.p.T):
        if all(column[label] > share for c, share in enumerate(column) if c != label):
            shares[atom] = column[label]
    return max(shares, key=shares.get)


def expected(trajectory):
    n_classes = len(trajectory.classes)
    return [[by_hand(record, label) for label in range(n_classes)] for record in trajectory.records]


def test_the_example_is_short():
    assert len(EXAMPLE.strip().splitlines()) <= 10


def test_reselecting_and_the_estimator_take_it(often, small_run, digits):
    trajectory = small_run.trajectory_
    np.testing.assert_array_equal(trajectory.reselect(0, 0, ranking=often).index, expected(trajectory))
    np.testing.assert_array_equal(small_run.reselect(0.3, 0.3, ranking=often).index, expected(trajectory))
    fitted = dasksvd.DASKSVD(**{**small_run.get_params(), "ranking": often}).fit(*digits)
    np.testing.assert_array_equal(fitted.components_, small_run.reselect(0, 0, ranking=often).atoms)


@pytest.mark.parametrize("command", ["train", "grid", "sweep"])
def test_the_commands_offer_it(often, command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert often in capsys.readouterr().out


def test_a_run_is_trained_searched_and_swept_with_it(often, tmp_path, capsys):
    folder = str(tmp_path / "run")
    small = ["--preset", "quick", "--data", "digits", "--t", "30", "--I", "2", "--ksvd_iter", "2"]
    assert main(["train", *small, "--ranking", often, "--out", folder]) == 0
    run = Run(tmp_path / "run")
    assert json.loads((run.folder / "settings.json").read_text())["settings"]["ranking"] == often
    np.testing.assert_array_equal(run.trajectory.reselect(0, 0).index, expected(run.trajectory))
    one = ["--seeds", "1", "--jobs", "1"]
    assert main(["grid", folder, "--stage", "1", "--step", "1", "--sizes", "2", *one, "--ranking", often]) == 0
    assert "2 atoms per class: R1 (0.00, 0.00)" in capsys.readouterr().out
    choices = Choices(run.trajectory, often)
    (row, *_) = weight_rows(choices, weight_scores(run), [Point(0, 0, 1)], [2], "modern")
    assert row.summary.rounds == 1
    assert main(["sweep", folder, "--vary", "q=0.1", *one]) == 0  # ranks as the run does
    assert main(["sweep", folder, "--vary", "q=0.1", *one, "--ranking", "mdcs"]) == 0
    keys = json.loads((run.folder / "sweep.json").read_text())["scores"]
    assert {key.rpartition("/")[2] for key in keys} == {often, "mdcs"}


def test_the_sidebar_and_the_search_form_offer_it(often, home):
    run = own_run(home)
    at = open_page("measures")
    at.selectbox(key="run").set_value(run.id).run()
    assert "Used most often" in at.selectbox(key="ranking").options
    at.selectbox(key="ranking").set_value(often).run()
    assert not at.exception
    assert "$p^+$: α and β are not used." in texts(at)
    assert at.slider(key="alpha").disabled
    assert at.slider(key="beta").disabled
    changed = int(np.sum(np.array(expected(run.trajectory)) != run.trajectory.reselect(0, 0).index))
    assert f"At Used most often, **{changed} of 20** selected atoms" in texts(at)
    at.switch_page("pages/grid_search.py").run()
    assert not at.exception
    assert at.selectbox(key="search_ranking").value == often
    assert "every point selects the same atoms" in texts(at)
