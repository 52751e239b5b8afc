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
from tests.ui.harness import APP, button, metrics, open_page, own_run, texts, twins
from ui import cache


def test_a_name_stays_words_where_markdown_is_read(home):
    own_run(home, "![](http://example.org/x.png) $a$")
    frame = open_page("runs").table[0].value
    assert frame.columns[1] == r"\!\[\]\(http\://example\.org/x\.png\) \$a\$"


def test_a_copy_is_evaluated_as_its_original(home):
    run = own_run(home)
    write_plan(run, Plan("modern", 12))
    at = open_page("runs")
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
    assert "Run to change" in [box.label for box in at.selectbox]
    assert not at.run().success


def test_runs_renames_pins_and_deletes_with_a_question(home):
    run = own_run(home, "old name")
    at = open_page("runs")
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
    accuracy = f"accuracy {100 * read_metrics(run).accuracy:.1f} %"
    assert f"Delete **new name · finished · {made}** · {accuracy}?" in [text.value for text in at.markdown]
    button(at, "Delete it").click().run()
    assert not at.exception
    assert (list(home), [binned.id for binned in home.binned()]) == ([], [run.id])


@pytest.mark.parametrize("which", [0, 1])
def test_of_two_runs_of_one_name_the_chosen_one_is_renamed_pinned_and_deleted(home, which):
    runs = twins(home)
    run, other = runs[which], runs[1 - which]
    at = open_page("runs")
    box = at.selectbox(key="edited")
    assert sorted(label[-6:] for label in box.options) == sorted(twin.id[-6:] for twin in runs)
    box.set_value(run.id).run()
    button(at, "Pin").click().run()
    assert (run.about.pinned, other.about.pinned) == (True, False)
    button(at, "Unpin").click().run()
    at.text_input(key=f"name_{run.id}").set_value("renamed")
    button(at, "Rename").click().run()
    assert (run.about.name, other.about.name) == ("renamed", "twin")
    home.rename(run.id, "twin")
    at.run()
    assert at.selectbox(key="edited").value == run.id
    button(at, "Delete it").click().run()
    assert ([left.id for left in home], [gone.id for gone in home.binned()]) == ([other.id], [run.id])


def test_a_button_drawn_for_one_run_never_hits_another(home):
    run, other = twins(home)
    at = open_page("runs")
    at.selectbox(key="edited").set_value(run.id).run()
    home.delete(run.id)  # by somebody else, meanwhile
    button(at, "Delete it").click().run()
    assert not at.exception
    assert [left.id for left in home] == [other.id]


def test_a_deleted_run_is_taken_back_and_the_bin_emptied(home):
    run = own_run(home, "precious")
    at = open_page("runs")
    button(at, "Delete it").click().run()
    assert "No run of your own yet" in texts(at)
    assert any(text.value.startswith("Deleted: precious") for text in at.markdown)
    button(at, "Undo").click().run()
    assert ([back.id for back in home], at.selectbox(key="edited").value) == ([run.id], run.id)
    assert "Undo" not in [found.label for found in at.button]
    button(at, "Delete it").click().run()
    button(at, "Empty the bin").click().run()
    assert (list(home), home.binned()) == ([], [])
    assert "Undo" not in [found.label for found in at.button]


def test_a_run_taken_back_is_chosen_among_the_others(home):
    run, _ = twins(home)
    at = open_page("runs")
    at.selectbox(key="edited").set_value(run.id).run()
    button(at, "Delete it").click().run()
    assert at.selectbox(key="edited").value != run.id
    button(at, "Undo").click().run()
    assert not at.exception
    assert at.selectbox(key="edited").value == run.id


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
    own_run(home)

    def bug(*args):
        raise RuntimeError("a bug")

    monkeypatch.setattr(Store, "pin", bug)
    at = open_page("runs")
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
