"""Two runs are compared."""

import pytest
from streamlit.testing.v1 import AppTest

from dasksvd.evaluate import Plan
from dasksvd.runs.evaluation import evaluate_run
from tests.ui.harness import APP, address, open_page, own_run, texts, twins
from ui import cache


def test_runs_compares_two_runs(home):
    first, second = own_run(home, "first"), own_run(home, "second", seed=4)
    evaluate_run(second, Plan(hidden=12))
    at = open_page("runs")
    at.selectbox(key="first_run").set_value(first.id)
    at.selectbox(key="second_run").set_value(second.id).run()
    assert not at.exception
    table = at.table[0].value
    assert list(table.columns) == ["first", "second"]
    assert list(table.index) == ["accuracy", "seed"]
    assert list(table.loc["seed"]) == ["3", "4"]
    assert table.loc["accuracy"].iloc[0] == "–"
    assert "held-out images" in table.loc["accuracy"].iloc[1]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_runs_compares_a_new_run_with_one_made_before_there_were_two_versions_of_random_numbers(home, order):
    runs = own_run(home, "old", streams=1), own_run(home, "new")
    at = open_page("runs")
    for place, which in zip(("first_run", "second_run"), order, strict=True):
        at.selectbox(key=place).set_value(runs[which].id)
    at.run()
    assert not at.exception
    table = at.table[0].value
    assert list(table.index) == ["accuracy", "random numbers, version"]
    assert list(table.loc["random numbers, version"]) == [str(1 + which) for which in order]


def compared(home, first, second):
    """The Runs page of a link that compares two runs."""
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    at.query_params["first_run"], at.query_params["second_run"] = first, second
    at.switch_page("pages/runs.py").run()
    assert not at.exception, at.exception
    return at


def test_a_run_compared_with_itself_gets_a_sentence_and_the_page_goes_on(home):
    run = own_run(home)
    for at in (compared(home, run.id, run.id), compared(home, cache.REFERENCE, cache.REFERENCE)):
        assert "Both are the same run. Choose another one to compare it with." in texts(at)
        assert "Import" in [line.value for line in at.header]
    at.selectbox(key="second_run").set_value(run.id).run()
    assert len(at.table) == 1


def test_a_link_compares_runs_by_their_ids(home):
    first, second = twins(home)
    at = compared(home, second.id, first.id)
    assert (at.selectbox(key="first_run").value, at.selectbox(key="second_run").value) == (second.id, first.id)
    assert [column[-6:] for column in at.table[0].value.columns] == [second.id[-6:], first.id[-6:]]
    assert list(at.table[0].value.loc["seed"]) == ["4", "3"]
    at.selectbox(key="second_run").set_value(cache.REFERENCE).run()
    assert address(at)["second_run"] == cache.REFERENCE


def test_a_link_that_compares_unknown_runs_gets_a_sentence(home):
    run = own_run(home)
    at = compared(home, "nothing", run.id)
    assert "The run in this link was not found" in at.warning[0].value
    assert (at.selectbox(key="first_run").value, at.selectbox(key="second_run").value) == (cache.REFERENCE, run.id)
    assert len(at.table) == 1
