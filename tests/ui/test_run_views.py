"""The views of the Runs page: what filters and ranges hide is hidden in all of them."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.exploring import fill
from dasksvd.errors import StoreError
from dasksvd.evaluate import Plan
from dasksvd.runs.evaluation import evaluate_run
from tests.ui.harness import APP, address, open_page, own_run, shown_by, texts
from ui.controls import run_edits
from ui.panels import run_charts, run_match, run_rows, run_views

THREE = ((0.1, 0), (0.2, 0), (0.3, 1))


@pytest.fixture
def three(home):
    """Three evaluated runs that differ in q and seed."""
    runs = [own_run(home, f"run {q}", q=q, seed=seed) for q, seed in THREE]
    for run in runs:
        evaluate_run(run, Plan("fixed", 5))
    return runs


def linked(**query):
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    for name, text in query.items():
        at.query_params[name] = text
    at.switch_page("pages/runs.py").run()
    assert not at.exception, at.exception
    return at


def names(at):
    return list(at.dataframe[0].value["name"])


def charts(at, component):
    found = [element.proto for element in at.get("bidi_component")]
    return [json.loads(proto.json) for proto in found if proto.component_name == component]


def test_a_comparison_filters_the_table_and_a_mistake_is_told(three):
    at = linked(find="q < 0.25 and data = digits and accuracy > 1")
    assert set(names(at)) == {"run 0.2", "run 0.1", "Reference, small digits"}
    at.text_input(key="find").set_value("q <").run()
    assert "value is missing" in at.warning[0].value
    assert names(at) == names(open_page("runs"))


@pytest.mark.parametrize("view", run_views.VIEWS)
def test_every_view_stands_in_the_link_and_shows_the_picked_runs(three, view):
    at = linked(view=view, picked="~".join(run.id for run in three))
    assert address(at).get("view", run_views.ATOMS) == view
    assert not at.error


def test_a_range_hides_runs_from_table_charts_and_atoms_alike(three):
    picked = "~".join(run.id for run in three)
    brush = "q:5:25"
    at = linked(view="lines", brush=brush, picked=picked)
    assert {"run 0.1", "run 0.2"} <= set(names(at))
    assert "run 0.3" not in names(at)
    chart = shown_by(at, "parallel_chart")
    axis = next(axis for axis in chart["axes"] if axis["name"] == "q")
    assert (axis["low"], axis["high"] < 1) == (0, True)
    assert sum(line["strong"] for line in chart["lines"]) == 3
    assert "1 picked run is hidden" in texts(at)
    (scores,) = charts(linked(view="scores", brush=brush, picked=picked), "series_chart")
    assert sum(len(series["points"]) for series in scores["series"]) == 2
    for curves in charts(linked(view="errors", brush=brush, picked=picked), "series_chart"):
        assert [series["name"] for series in curves["series"]] == ["run 0.1", "run 0.2"]
    walls = [wall["title"] for wall in charts(linked(brush=brush, picked=picked), "picture_wall")]
    assert [title.partition(":")[0] for title in walls] == ["run 0.1", "run 0.2"]
    at.button(key="clear_brush").click().run()
    assert "run 0.3" in names(at)
    assert "brush" not in address(at)


def test_what_the_table_is_sorted_by_stands_in_the_link_and_orders_the_charts(three):
    at = linked(sort="q", ascending="1", find='"run 0"')
    numbers = list(at.dataframe[0].value["q (%)"])
    assert numbers == sorted(numbers) == [10, 20, 30]
    (chart,) = charts(linked(sort="q", ascending="1", find='"run 0"', view="scores"), "series_chart")
    assert [point["label"] for point in chart["series"][0]["points"]] == ["run 0.1", "run 0.2", "run 0.3"]
    at.toggle(key="ascending").set_value(False).run()
    assert list(at.dataframe[0].value["q (%)"]) == [30, 20, 10]
    assert (address(at)["sort"], "ascending" in address(at)) == ("q", False)
    at.selectbox(key="sort").set_value("accuracy").run()
    accuracies = list(at.dataframe[0].value["accuracy"])
    assert accuracies == sorted(accuracies, reverse=True)


def test_runs_without_a_value_come_last_in_either_order():
    rows = {"a": {"q": 0.3}, "b": {}, "c": {"q": 10}, "d": {"q": None}, "e": {"q": 0.1}}
    assert list(run_rows.in_order(rows, "q", ascending=True)) == ["e", "a", "c", "b", "d"]
    assert list(run_rows.in_order(rows, "q", ascending=False)) == ["c", "a", "e", "b", "d"]
    assert list(run_rows.in_order(rows, "", ascending=True)) == [*rows]


def test_a_filter_shows_the_atoms_of_what_it_leaves_unless_runs_are_picked(three):
    def walls(**query):
        return [wall["title"].partition(":")[0].partition(" ·")[0] for wall in charts(linked(**query), "picture_wall")]

    assert walls(find='"run 0"', sort="q", ascending="1") == ["run 0.1", "run 0.2", "run 0.3"]
    assert walls(brush="q:5:25", find='"run 0"', sort="q") == ["run 0.2", "run 0.1"]
    assert walls(find='"run 0"', picked=three[2].id) == ["run 0.3"]
    assert "They differ in q" in texts(linked(find='"run 0"'))


def test_accuracies_have_the_intervals_of_the_table(three):
    at = linked(view="scores", picked="~".join(run.id for run in three))
    (chart,) = charts(at, "series_chart")
    table = at.dataframe[0].value.set_index("name")
    for point in chart["series"][0]["points"]:
        row = table.loc[point["hover"].partition("\n")[0]]
        assert point["value"] == pytest.approx(row["accuracy"])
        assert point["high"] - point["value"] == pytest.approx(row["±"])


def test_errors_are_those_of_the_run(three):
    at = linked(view="errors", picked="~".join(run.id for run in three))
    over, within = charts(at, "series_chart")
    for run, one, other in zip(three, over["series"], within["series"], strict=True):
        records = run.trajectory.records
        assert [point["value"] for point in one["points"]] == pytest.approx([record.errors[-1] for record in records])
        assert [point["value"] for point in other["points"]] == pytest.approx(records[0].errors.tolist())


def test_a_run_matches_itself_under_another_name_and_the_count_is_told(home):
    own_run(home, "one"), own_run(home, "same"), own_run(home, "other", seed=9)
    one, same, other = (next(run for run in home if run.about.name == name) for name in ("one", "same", "other"))
    assert "**20 of 20**" in texts(linked(view="match", picked=f"{one.id}~{same.id}"))
    at = linked(view="match", picked=f"{one.id}~{other.id}", match_level="1")
    assert "**0 of 20**" in texts(at)
    assert len(charts(at, "picture_wall")) == 2
    assert [wall["n_columns"] for wall in charts(at, "picture_wall")] == [run_match.SHOWN] * 2


def test_what_mattered_says_when_there_are_too_few_runs(three):
    assert "4 different settings" in texts(linked(view="matter", find="digits"))


def test_what_mattered_finds_what_was_planted(home):
    """In synthetic runs t raises the accuracy; of the rest nothing is as large."""
    fill(home, 80)
    at = linked(view="matter", find="run and data = digits and not shipped")
    assert "**t mattered most" in texts(at)
    (figure,) = charts(at, "forest")
    assert figure["lines"][0]["label"] == "t"
    at.selectbox(key="matter_y").set_value("q").run()
    (cells,) = charts(at, "score_map")
    assert len(cells["cells"]) == 12
    assert {text for _, text in cells["y_ticks"]} == {"10", "20", "30", "40"}


def test_the_best_run_of_each_data_set_is_marked(three):
    frame = open_page("runs").dataframe[0].value
    for _, some in frame[frame["accuracy"].notna()].groupby("data"):
        assert set(some[some["best"] == "★"]["accuracy"]) == {some["accuracy"].max()}


def test_columns_can_be_chosen_and_stand_in_the_link(three):
    at = linked(columns="accuracy~weights")
    order = list(at.dataframe[0].proto.column_order)
    assert order == ["name", "accuracy", "weights"]
    at.toggle(key="differing").set_value(False).run()
    assert list(at.dataframe[0].proto.column_order) == order


def test_what_is_typed_into_the_table_is_kept(home):
    one, two = own_run(home, "one"), own_run(home, "two")
    ids = ["reference", one.id, two.id]
    run_edits.write(
        home, ids, {1: {"name": "first", "tags": "a, b"}, 2: {"note": "slow", "group": "g"}, 7: {"name": "x"}}
    )
    assert (one.about.name, one.about.tags, two.about.name) == ("first", ("a", "b"), "two")
    assert (two.about.note, two.about.group) == ("slow", "g")
    run_edits.write(home, ids, {1: {"tags": None}})
    assert (one.about.name, one.about.tags) == ("first", ())
    with pytest.raises(StoreError, match="shipped"):
        run_edits.write(home, ids, {0: {"name": "mine"}})


def test_tags_groups_and_notes_are_found_and_shown(home):
    run = own_run(home, "one")
    own_run(home, "two")
    assert "tags" not in open_page("runs").dataframe[0].proto.column_order
    home.annotate(run.id, tags=["slow", "odd"], group="g", note="why")
    for find in ("slow", "tags ~ odd", "tag ~ odd", "group = g", "why"):
        at = linked(find=find)
        assert names(at) == ["one"]
        assert {"tags", "group", "note"} <= set(at.dataframe[0].proto.column_order)


def test_several_runs_are_tagged_and_deleted_together_and_come_back_together(three, home):
    at = linked(picked="~".join(run.id for run in three))
    at.text_input(key="group_many").set_value("mine")
    at.text_input(key="tags_many").set_value("a, b").run()
    at.button(key="apply_many").click().run()
    assert [(run.about.group, run.about.tags) for run in three] == [("mine", ("a", "b"))] * 3
    home.pin(three[0].id)
    at.run()
    at.button(key="delete_many").click().run()
    assert [run.id for run in home] == [three[0].id]
    assert "Deleted: 2 runs" in texts(at)
    next(one for one in at.button if one.label == "Undo").click().run()
    assert {run.id for run in home} == {run.id for run in three}


def test_runs_of_one_value_are_spread_without_leaving_it():
    points = [run_charts.Point(at, value, value, value, "") for at, value in ((1, 3), (1, 2), (2, 1))]
    found = run_charts._spread(points)
    assert [point.value for point in found] == [2, 3, 1]
    assert all(abs(point.at - at) < 0.5 for point, at in zip(found, (1, 1, 2), strict=True))
    assert len({point.at for point in found}) == 3


def test_filters_know_every_parameter_by_name_and_symbol():
    known = {*run_rows.COLUMNS.numbers, *run_rows.COLUMNS.texts}
    assert {row.name for row in run_rows.SHOWN} <= known
    assert run_rows.COLUMNS.find("α") == "alpha"
    assert (run_rows.COLUMNS.find("t"), run_rows.COLUMNS.find("T"), run_rows.COLUMNS.find("I")) == ("t", "t", "I")


def test_the_best_are_those_with_the_highest_accuracy_on_the_same_data():
    told = (("a", "x", 90.0), ("b", "x", 95.0), ("c", "x", 93.0), ("d", "y", 50.0), ("e", "x", 95.0), ("f", "y", None))
    rows = {name: {"data": data, "accuracy": accuracy} for name, data, accuracy in told}
    assert run_rows.best_of(rows) == {"b", "d", "e"}


def test_what_is_found_out_about_runs_is_said_in_spanish(three):
    at = linked(lang="es", find="q <", picked="~".join(run.id for run in three))
    assert 'después de "<" falta un valor' in at.warning[0].value.replace("\\", "")
    assert "Se diferencian en q" in texts(at)
    at = linked(lang="es", view="lines", brush="accuracy:1:99")
    assert "tasa de acierto (%)" in [axis["title"] for axis in shown_by(at, "parallel_chart")["axes"]]
    assert "ajustes distintos" in texts(linked(lang="es", view="matter", find="digits"))
