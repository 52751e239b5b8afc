"""The table of runs: names, actions and what happens when a run is gone."""

import time

import psutil
import pytest
from streamlit.testing.v1 import AppTest

from dasksvd.evaluate import Plan
from dasksvd.parameters import Settings
from dasksvd.runs.archive import export_zip
from dasksvd.runs.evaluation import evaluate_run, read_metrics, read_plan, write_plan
from dasksvd.runs.folder import Status
from dasksvd.runs.store import Store
from dasksvd.runs.worker import describe
from dasksvd.statistics import share_text
from tests.ui.harness import APP, address, button, metrics, open_page, own_run, texts, twins
from tests.ui.test_page_atoms import shown
from ui import cache
from ui.panels import run_table


def pick(at, *runs):
    """Pick runs in the box."""
    return at.multiselect(key="picked").set_value([run.id for run in runs]).run()


def open_runs(*runs):
    return pick(open_page("runs"), *runs)


def test_a_name_stays_words_where_markdown_is_read(home):
    run = own_run(home, "![](http://example.org/x.png) $a$")
    at = open_page("runs")
    frame = at.multiselect(key="picked").set_value([cache.REFERENCE, run.id]).run().table[0].value
    assert frame.columns[1].replace("\u2060", "") == r"\!\[\]\(http\://example\.org/x\.png\) \$a\$"


def test_a_copy_is_evaluated_as_its_original(home):
    run = own_run(home)
    write_plan(run, Plan("modern", 12))
    at = open_runs(run)
    button(at, "Copy settings").click().run()
    copy = next(other for other in home if other.id != run.id)
    assert (copy.description, read_plan(copy)) == (run.description, Plan("modern", 12))
    at.switch_page("pages/train.py").run()
    assert button(at, "Start")


def test_an_import_is_shown_once(home):
    run = own_run(home)
    packed = export_zip(run)
    home.delete(run.id)
    at = open_page("runs")
    at.file_uploader[0].upload("run.zip", packed, "application/zip").run()
    button(at, "Import it").click().run()
    assert at.success[0].value == f"Imported as {next(iter(home)).id}."
    assert "Import it" not in [found.label for found in at.button]
    assert at.multiselect(key="picked").value == [next(iter(home)).id]
    assert not at.run().success


def test_runs_renames_pins_and_deletes_with_a_question(home):
    run = own_run(home, "old name")
    at = open_runs(run)
    at.text_input(key=f"name_{run.id}").set_value("new name")
    button(at, "Rename").click().run()
    button(at, "Pin").click().run()
    assert (run.about.name, run.about.pinned) == ("new name", True)
    button(at, "Delete it").click().run()  # what a pinned run's closed question would send
    assert "New name is pinned; unpin it first." in at.error[0].value
    button(at, "Unpin").click().run()
    evaluate_run(run, Plan(hidden=12))
    at.run()
    made = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.about.created)).replace("-", r"\-").replace(":", r"\:")
    accuracy = f"accuracy {100 * read_metrics(run).accuracy:.1f} % on held-out images"
    assert f"Delete **new name · digits · {made}** · {accuracy}?" in [text.value for text in at.markdown]
    button(at, "Delete it").click().run()
    assert not at.exception
    assert (list(home), [binned.id for binned in home.binned()]) == ([], [run.id])


@pytest.mark.parametrize("which", [0, 1])
def test_of_two_runs_of_one_name_the_chosen_one_is_renamed_pinned_and_deleted(home, which):
    runs = twins(home)
    run, other = runs[which], runs[1 - which]
    at = open_page("runs")
    box = at.multiselect(key="picked")
    assert sorted(label[-6:] for label in box.options[1:3]) == sorted(twin.id[-6:] for twin in runs)
    pick(at, run)
    button(at, "Pin").click().run()
    assert (run.about.pinned, other.about.pinned) == (True, False)
    button(at, "Unpin").click().run()
    at.text_input(key=f"name_{run.id}").set_value("renamed")
    button(at, "Rename").click().run()
    assert (run.about.name, other.about.name) == ("renamed", "twin")
    home.rename(run.id, "twin")
    at.run()
    assert at.multiselect(key="picked").value == [run.id]
    button(at, "Delete it").click().run()
    assert ([left.id for left in home], [gone.id for gone in home.binned()]) == ([other.id], [run.id])


def test_a_button_drawn_for_one_run_never_hits_another(home):
    run, other = twins(home)
    at = open_runs(run)
    home.delete(run.id)  # by somebody else, meanwhile
    button(at, "Delete it").click().run()
    assert not at.exception
    assert [left.id for left in home] == [other.id]


def test_a_deleted_run_is_taken_back_and_the_bin_emptied(home):
    run = own_run(home, "precious")
    at = open_runs(run)
    button(at, "Delete it").click().run()
    assert "No run of your own yet" in texts(at)
    assert any(text.value.startswith("Deleted: precious") for text in at.markdown)
    button(at, "Undo").click().run()
    assert ([back.id for back in home], at.multiselect(key="picked").value) == ([run.id], [run.id])
    assert "Undo" not in [found.label for found in at.button]
    button(at, "Delete it").click().run()
    button(at, "Empty the bin").click().run()
    assert (list(home), home.binned()) == ([], [])
    assert "Undo" not in [found.label for found in at.button]


def test_a_run_taken_back_is_chosen_among_the_others(home):
    run, _ = twins(home)
    at = open_runs(run)
    button(at, "Delete it").click().run()
    assert at.multiselect(key="picked").value == []
    button(at, "Undo").click().run()
    assert not at.exception
    assert at.multiselect(key="picked").value == [run.id]


def test_another_visitor_restores_from_the_bin(home):
    run = own_run(home)
    cache.jobs().delete(run)
    at = open_page("runs")
    assert "Undo" not in [found.label for found in at.button]
    button(at, "Restore").click().run()
    assert [back.id for back in home] == [run.id]


def test_cancel_hits_the_run_that_is_watched(home):
    me = psutil.Process()
    at_work = Status(state="running", queued_at=1.0, pid=me.pid, process_started=me.create_time())
    runs = [home.create(describe(Settings(), "mnist"), "twin") for _ in range(2)]
    for run in runs:
        run.set_about(created=1_700_000_000.0)
        run.set_status(at_work)
    at = open_page("train")
    at.selectbox(key="watched").set_value(runs[0].id).run()
    newer = home.create(describe(Settings(), "mnist"), "twin")  # comes first in the list
    newer.set_status(at_work)
    at.run()
    assert at.selectbox(key="watched").value == runs[0].id
    button(at, "Cancel").click().run()
    assert [run.job.cancel_request.exists() for run in (*runs, newer)] == [True, False, False]
    for run in (*runs, newer):
        run.set_status(Status(state="cancelled"))


def test_cancel_hits_nothing_if_the_watched_run_is_gone(home):
    me = psutil.Process()
    runs = [home.create(describe(Settings(), "mnist"), "twin") for _ in range(2)]
    for run in runs:
        run.set_status(Status(state="running", queued_at=1.0, pid=me.pid, process_started=me.create_time()))
    at = open_page("train")
    at.selectbox(key="watched").set_value(runs[0].id).run()
    home.delete(runs[0].id)  # by hand, meanwhile
    button(at, "Cancel").click().run()
    assert not at.exception
    assert at.selectbox(key="watched").value == runs[1].id
    assert not runs[1].job.cancel_request.exists()
    runs[1].set_status(Status(state="cancelled"))


def test_the_choice_stays_with_a_run_whose_state_changes(home):
    runs = twins(home)
    at = open_page("train")
    at.selectbox(key="watched").set_value(runs[0].id).run()
    for state in ("failed", "cancelled", "finished"):
        runs[0].set_status(Status(state=state, queued_at=1.0))
        for _ in range(2):
            at.run()
            box = at.selectbox(key="watched")
            assert box.value == runs[0].id
            assert f"twin · {state} · " in next(label for label in box.options if box.format_func(box.value) == label)


def test_a_link_to_a_deleted_run_gets_a_sentence(home):
    own_run(home)
    at = AppTest.from_file(str(APP), default_timeout=60)
    at.query_params["run"] = "20200101-000000-abcdef"
    at.run()
    assert not at.exception
    assert "It was deleted, or it is on another server. The reference run is shown instead." in at.warning[0].value
    assert at.selectbox(key="run").value == cache.REFERENCE


def test_a_failing_action_is_not_taken_for_a_full_store(home, monkeypatch):
    run = own_run(home)

    def bug(*args):
        raise RuntimeError("a bug")

    monkeypatch.setattr(Store, "pin", bug)
    at = open_runs(run)
    button(at, "Pin").click().run()
    assert (len(at.exception), len(at.error)) == (1, 0)


def test_a_damaged_run_is_explained_and_the_reference_shown(home):
    run = own_run(home)
    run.record_path(0).write_bytes(b"")
    at = open_page()
    at.selectbox(key="run").set_value(run.id).run()
    assert not at.exception
    assert "This run cannot be shown: iteration_001.npz cannot be read" in at.error[0].value
    assert metrics(at)["Atoms selected"] == "200"
    at.switch_page("pages/runs.py").run()
    assert not at.exception


def test_a_run_that_vanished_does_not_break_a_page(home):
    run = own_run(home)
    content = export_zip(run)
    at = open_page()
    at.selectbox(key="run").set_value(run.id).run()
    home.delete(run.id)
    at.run()
    assert not at.exception
    assert metrics(at)["Atoms selected"] == "200"
    assert content[:2] == b"PK"


def test_numbers_in_the_table_are_numbers_and_accuracies_say_of_what(home):
    run = own_run(home, "mine", q=6)
    measured = evaluate_run(run, Plan(hidden=12))
    frame = open_page("runs").dataframe[0].value
    kinds = {name: frame[name].dtype.kind for name in ("accuracy", "done", "q (%)", "t", "τ1", "I", "α", "created")}
    assert set(kinds.values()) <= set("fiM"), kinds
    assert kinds["created"] == "M"
    mine = frame.iloc[1]
    assert (mine["name"], mine["accuracy"], mine["measured on"]) == ("mine", 100 * measured.accuracy, "held-out images")
    assert mine["±"] == pytest.approx(float(share_text(measured.accuracy, measured.n_scored).split("± ")[1]), abs=0.06)
    assert mine["q (%)"] == pytest.approx(100 * 6 / run.description.n_atoms, abs=0.006)
    assert frame.iloc[0]["measured on"] == "validation images"


def test_the_words_that_are_looked_for_reach_the_table_and_leave_the_picks(home):
    first, second = own_run(home, "apple pie"), own_run(home, "pear", seed=4)
    at = open_runs(first, second)
    on_digits = ["pear", "apple pie", "Reference, small digits"]
    for words, found in (("PIE apple", ["apple pie"]), ("digits", on_digits), (second.id, ["pear"])):
        at.text_input(key="find").set_value(words).run()
        assert list(at.dataframe[0].value["name"]) == found
        assert at.multiselect(key="picked").value == [first.id, second.id]
    at.text_input(key="find").set_value("no such run").run()
    assert not at.dataframe
    assert "No run is like this" in texts(at)


def test_rows_of_the_table_and_the_box_say_the_same(home):
    first, second = own_run(home, "first"), own_run(home, "second", seed=4)
    at = open_runs(first, second)
    names = list(at.dataframe[0].value["name"])
    rows = at.session_state["table_rows"]["selection"]["rows"]
    assert [names[row] for row in rows] == ["first", "second"]
    assert address(at)["picked"] == f"{first.id}~{second.id}"
    assert at.sidebar.slider(key="alpha")
    pick(at, first)
    assert at.session_state["table_rows"]["selection"]["rows"] == [names.index("first")]


def test_the_weights_choose_the_atoms_of_a_single_run_anew(home):
    at = open_runs(own_run(home, "first"))
    before = shown(at, "compare_0")
    assert before["title"].startswith("first")
    at.sidebar.slider(key="beta").set_value(1.0).run()
    assert shown(at, "compare_0")["picture"] != before["picture"]


def test_without_a_run_of_ones_own_the_shipped_one_is_shown(home):
    assert shown(open_page("runs"), "compare_0")["title"].startswith("Reference run")


def test_a_damaged_run_can_be_picked_and_deleted(home):
    run = own_run(home)
    (run.folder / "settings.json").write_text("{")
    at = open_runs(run)
    assert not at.exception
    assert "Draw with it" not in [found.label for found in at.button]
    button(at, "Delete it").click().run()
    assert list(home) == []


def test_a_run_opens_on_other_pages(home):
    run = own_run(home)
    at = open_runs(run)
    assert at.button(key="to_draw").disabled
    at.button(key="to_atoms").click().run()
    assert not at.exception
    assert at.title[0].value != "Runs you can come back to"
    assert address(at)["run"] == run.id


def columns_of(at):
    """The columns of the table that are shown, and what stands in empty cells."""
    proto = at.dataframe[0].proto
    return list(proto.column_order), proto.placeholder


def test_the_table_has_the_settings_in_which_its_runs_differ(home):
    alone, empty = columns_of(open_page("runs"))
    assert set(run_table.SETTINGS) & set(alone) == {"t"}  # that of the small digits
    assert empty == run_table.NOTHING
    assert "scroll the table sideways" not in texts(open_page("runs"))
    own_run(home, "mine", q=0.1)
    at = open_page("runs")
    frame, (shown, _) = at.dataframe[0].value, columns_of(at)
    differ = [name for name in run_table.SETTINGS if len(set(frame[name])) > 1]
    assert [name for name in shown if name in run_table.SETTINGS] == differ
    assert {"q (%)", "t", "I"} <= set(differ)
    assert "scroll the table sideways" in texts(at)
    at.text_input(key="find").set_value("mine").run()
    assert not set(run_table.SETTINGS) & set(columns_of(at)[0])


def test_a_picked_run_has_all_its_settings_and_what_is_unusual_is_bold(home):
    run = own_run(home, "mine", tau2=0.1, q=0.3)
    facts = open_runs(run).table[0].value.iloc[:, 0]
    assert len(facts) == 1 + len(run_table.SHOWN)
    assert facts["q (%) · non-zeros per signal"] == "**30**"
    assert facts["τ2 · noise growth"] == r"0\.1"
    assert "**" not in "".join(open_page("runs").table[0].value.iloc[:, 0])


def test_a_run_without_atoms_says_so_and_has_its_settings(home):
    run = home.create(describe(Settings(), "mnist"), "waiting")
    at = open_runs(run)
    assert "no finished iteration yet" in texts(at)
    assert len(at.table[0].value) == 1 + len(run_table.SHOWN)
