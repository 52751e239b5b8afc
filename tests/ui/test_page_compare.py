"""Runs are compared."""

import pytest
from streamlit.testing.v1 import AppTest

from dasksvd.evaluate import Plan
from dasksvd.parameters import TABLE
from dasksvd.runs.differences import Evaluated, difference, same_images
from dasksvd.runs.evaluation import evaluate_run, read_metrics
from dasksvd.statistics import corrected
from tests.ui.harness import APP, address, open_page, own_run, texts, twins
from ui import cache
from ui.panels import compare, run_rows


def picked(*ids):
    """The Runs page with some runs picked."""
    at = open_page("runs")
    at.multiselect(key="picked").set_value(list(ids)).run()
    assert not at.exception
    return at


def walls(at):
    return [element for element in at.get("bidi_component") if "Selected atoms of the run" in element.proto.json]


def test_runs_compares_two_runs(home):
    first, second = own_run(home, "first"), own_run(home, "second", seed=4)
    evaluate_run(second, Plan(hidden=12))
    at = picked(first.id, second.id)
    table = at.table[0].value
    assert list(table.columns) == ["first", "second"]
    assert list(table.index) == ["accuracy", "seed"]
    assert list(table.loc["seed"]) == ["3", "4"]
    assert table.loc["accuracy"].iloc[0] == "–"
    assert "of 296 held-out images" in table.loc["accuracy"].iloc[1]
    assert len(walls(at)) == 2


def test_accuracies_are_compared_with_intervals(home):
    """The first two have read the same images, the third others; the shipped run has learned from other data."""
    runs = [own_run(home, "one"), own_run(home, "same split", tau1=1.0), own_run(home, "other split", seed=4)]
    for run, hidden in zip(runs, (3, 12, 12), strict=True):
        evaluate_run(run, Plan(hidden=hidden))
    at = picked(*(run.id for run in runs), cache.REFERENCE)
    table = at.table[0].value
    first, *others = (Evaluated(run, read_metrics(run)) for run in runs)
    leads = [difference(one, first) for one in others]
    told = corrected(dict(enumerate(leads)))
    assert [same_images(one, first) for one in others] == [True, False]
    expected = ["–", *(f"{one.text}, {one.verdict}" for one in told.values()), "–"]
    assert list(table.loc["difference to the first"]) == expected
    assert "± " in expected[1]
    assert "as one of 2 tests" in texts(at)
    assert "Better or worse" not in texts(picked(runs[1].id, runs[0].id))
    swapped = picked(runs[1].id, runs[0].id).table[0].value.loc["difference to the first"].iloc[1]
    assert swapped.startswith(difference(first, others[0]).text)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_runs_compares_a_new_run_with_one_made_before_there_were_two_versions_of_random_numbers(home, order):
    runs = own_run(home, "old", streams=1), own_run(home, "new")
    at = picked(*(runs[which].id for which in order))
    table, title = at.table[0].value, TABLE["streams"].title
    assert list(table.index) == ["accuracy", title]
    assert list(table.loc[title]) == [str(1 + which) for which in order]


def test_four_runs_are_compared_and_five_of_a_link_too(home):
    runs = [own_run(home, f"run {seed}", seed=seed) for seed in range(4)]
    at = picked(*(run.id for run in runs))
    assert list(at.table[0].value.loc["seed"]) == ["0", "1", "2", "3"]
    assert len(walls(at)) == 4
    at = linked(cache.REFERENCE, *(run.id for run in runs))
    assert at.multiselect(key="picked").value == [cache.REFERENCE, *(run.id for run in runs)]
    assert len(walls(at)) == 5


def linked(*ids):
    """The Runs page of a link that compares runs."""
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    at.query_params["picked"] = "~".join(ids)
    at.switch_page("pages/runs.py").run()
    assert not at.exception, at.exception
    return at


def test_a_run_compared_with_itself_is_one_run(home):
    run = own_run(home)
    at = linked(run.id, run.id)
    assert at.multiselect(key="picked").value == [run.id]
    assert len(walls(at)) == 1
    assert "settings are the same" not in texts(at)
    assert "Rename" in [button.label for button in at.button]


def test_a_link_compares_runs_by_their_ids(home):
    first, second = twins(home)
    at = linked(second.id, first.id)
    assert at.multiselect(key="picked").value == [second.id, first.id]
    assert [column[-6:] for column in at.table[0].value.columns] == [second.id[-6:], first.id[-6:]]
    assert list(at.table[0].value.loc["seed"]) == ["4", "3"]
    at.multiselect(key="picked").set_value([cache.REFERENCE, first.id]).run()
    assert address(at)["picked"] == f"{cache.REFERENCE}~{first.id}"


def test_a_link_that_compares_unknown_runs_gets_a_sentence(home):
    run = own_run(home)
    at = linked("nothing", run.id)
    assert "The run in this link was not found" in at.warning[0].value
    assert at.multiselect(key="picked").value == [run.id]


def test_a_run_without_atoms_is_compared_by_its_settings(home):
    run = own_run(home)
    copy = home.copy(run.id, "copy")
    at = picked(run.id, copy.id)
    assert "has no atoms yet" in texts(at)
    assert r"Their settings are the same\." in texts(at)
    assert len(walls(at)) == 1


def test_the_compared_walls_follow_the_weights(home):
    first, second = own_run(home, "first"), own_run(home, "second", seed=4)
    at = picked(first.id, second.id)
    before = [element.proto.json for element in walls(at)]
    at.slider(key="alpha").set_value(1.0).run()
    assert not at.exception
    assert all(now.proto.json != then for now, then in zip(walls(at), before, strict=True))


def test_settings_are_called_by_their_symbols_in_the_table_of_parameters():
    assert [run_rows.title(name) for name in ("q", "tau1", "ksvd_iter", "data")] == [
        "q (%)",
        TABLE["tau1"].symbol,
        TABLE["ksvd_iter"].title,
        "data",
    ]


def test_the_more_runs_are_side_by_side_the_fewer_of_their_atoms_are_shown(home):
    run = own_run(home, "mine")
    for others, title in (((), "Reference run: 20 per class"), ((run.id,), "Reference run: 20 per class")):
        assert any(title in wall.proto.json for wall in walls(picked(cache.REFERENCE, *others)))
    ids = [own_run(home, f"run {seed}", seed=seed).id for seed in range(3)]
    (first, *_) = walls(picked(cache.REFERENCE, *ids))
    assert f"Reference run: {compare.MOST_ATOMS[4]} of 20 per class" in first.proto.json
    assert list(compare.MOST_ATOMS) == list(range(1, compare.IN_A_ROW + 1))
