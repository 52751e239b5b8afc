"""Every page under Streamlit's own test harness, with the shipped run and with a run of one's own."""

import json
import time
from pathlib import Path
from urllib.parse import parse_qs

import numpy as np
import psutil
import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test

from dasksvd import cost
from dasksvd.common.progress import clock
from dasksvd.evaluate import Plan, evaluate_run, read_metrics, read_plan, write_plan
from dasksvd.parameters import PRESETS, Settings
from dasksvd.runs.archive import export_zip
from dasksvd.runs.folder import Status
from dasksvd.runs.reference import load_metrics, load_reference
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute, describe
from reproduce import report
from ui import cache, navigation

APP = Path(__file__).parents[2] / "app.py"
PAGES = tuple(navigation.PAGES)


class SettledPagesManager(PagesManager):
    """A server that has run the app before; the harness pretends a fresh one in every run."""

    def __init__(self, *args, **kwargs):
        PagesManager.uses_pages_directory = False
        super().__init__(*args, **kwargs)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty store of the server's own."""
    monkeypatch.setattr(app_test, "PagesManager", SettledPagesManager)
    monkeypatch.setenv("DASKSVD_HOME", str(tmp_path / "home"))
    for cached in (cache.store, cache.jobs, cache._trajectory):
        cached.clear()
    yield Store(tmp_path / "home")
    for child in cache.jobs()._children:
        child.wait(timeout=60)
    for cached in (cache.store, cache.jobs, cache._trajectory):
        cached.clear()


def open_page(name="overview"):
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    at.switch_page(f"pages/{name}.py").run()
    assert not at.exception, at.exception
    return at


def own_run(home, name="mine", seed=3, **changes):
    run = home.create(describe(Settings(t=30, I=2, ksvd_iter=2, seed=seed, **changes), "digits"), name)
    compute(run)
    return run


def metrics(at):
    return {metric.label: metric.value for metric in at.metric}


def texts(at):
    return " ".join(element.value for kind in (at.markdown, at.caption, at.header, at.info) for element in kind)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_makes_a_claim_and_explains_itself(home, name):
    at = open_page(name)
    assert len(at.title) == 1
    assert "**" in at.markdown[0].value
    assert "What am I looking at?" in [expander.label for expander in at.expander]
    assert not at.error
    assert not at.warning


def first_atom(run):
    """The atom that iteration 1 gave to class 0, and its measures."""
    atom, measures = int(run.trajectory.reselect(0, 0).index[0, 0]), run.trajectory.records[0].measures
    return atom, measures.re[atom], measures.second[atom]


def headers(at):
    return [line.value for line in at.header]


#: What each page says of a run of two iterations on the small digits.
OWN_RUN_SHOWS = {
    "overview": lambda at, run: (
        (metrics(at)["Atoms selected"], metrics(at)["Atoms to choose from"]) == ("20", "128")
        and at.slider(key="method_step").max == 2
    ),
    "train": lambda at, run: "Finished in" in at.get("progress")[0].proto.text and "Not evaluated." in texts(at),
    "atoms": lambda at, run: (
        f"Atom {first_atom(run)[0]} of iteration 1: chosen for class 0" in headers(at)
        and metrics(at)["$m_{re}$"] == f"{first_atom(run)[1]:.3f}"
    ),
    "measures": lambda at, run: (
        f"Atom {first_atom(run)[0]}: class 0 against {first_atom(run)[2]}" in headers(at)
        and "**0 of 20** selected atoms" in texts(at)
    ),
    "grid_search": lambda at, run: "Estimated time for what is missing" in texts(at),
    "accuracy": lambda at, run: "This run has not been evaluated." in texts(at),
    "draw": lambda at, run: "cannot read drawings" in texts(at),
    "runs": lambda at, run: "2 / 2" in set(at.dataframe[0].value["done"]),
}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_shows_a_run_of_ones_own(home, name):
    run = own_run(home)
    at = open_page(name)
    at.selectbox(key="run").set_value(run.id).run()
    at.switch_page(f"pages/{name}.py").run()
    assert not at.exception
    assert at.selectbox(key="run").value == run.id
    assert OWN_RUN_SHOWS[name](at, run)


def test_a_link_to_a_page_of_a_fresh_server_shows_the_whole_app(home, monkeypatch):
    monkeypatch.setattr(app_test, "PagesManager", PagesManager)
    at = open_page("atoms")
    assert at.title[0].value == "One atom per class and iteration"
    assert at.slider(key="alpha").value == 0


def test_overview_is_full_on_the_first_visit(home):
    at = open_page()
    assert metrics(at) == {
        "Atoms selected": "200",
        "Other atoms than at α = β = 0": "0",
        "Atoms to choose from": "5,120",
    }
    assert "seed 0" in texts(at)


def test_weights_choose_again_on_every_page(home):
    at = open_page("measures")
    at.slider(key="alpha").set_value(0.6).run()
    run = load_reference()
    changed = int(np.sum(run.reselect(0.6, 0).index != run.reselect(0, 0).index))
    assert changed > 0
    assert f"**{changed} of 200** selected atoms" in texts(at)
    at.switch_page("pages/overview.py").run()
    assert metrics(at)["Other atoms than at α = β = 0"] == str(changed)


def test_weights_outside_the_triangle_are_explained_not_raised(home):
    at = open_page()
    at.slider(key="alpha").set_value(0.75)
    at.slider(key="beta").set_value(0.5).run()
    assert not at.exception
    assert (at.slider(key="alpha").value, at.slider(key="beta").value) == (0.75, 0.25)
    assert "so β went down to 0.25" in texts(at)


def test_atoms_shows_the_numbers_of_the_chosen_atom(home):
    at = open_page("atoms")
    run = load_reference()
    atom = int(run.reselect(0, 0).index[0, 0])
    measures = run.records[0].measures
    assert at.header[0].value == f"Atom {atom} of iteration 1: chosen for class 0"
    mine = np.flatnonzero((measures.top == 0) & (measures.af > 0))
    assert measures.re[atom] == measures.re[mine].max()
    assert metrics(at) == {
        "$m$": f"{measures.re[atom]:.3f}",
        "$m_{af}$": f"{measures.af[atom]:.3f}",
        "$m_{cm}$": f"{measures.cm[atom]:.3f}",
        "$m_{re}$": f"{measures.re[atom]:.3f}",
        "Rank in its class": f"1 of {len(mine)}",
        "ℓ⁺ against ℓ*": f"0 : {measures.second[atom]}",
    }


def test_measures_fills_in_the_formula(home):
    at = open_page("measures")
    run = load_reference()
    atom = int(run.reselect(0, 0).index[0, 0])
    record = run.records[0]
    plus, star = (record.tables.p[getattr(record.measures, which)[atom], atom] for which in ("top", "second"))
    assert at.latex[1].value.count(f"{plus:.3f}") == 2
    assert f"{star:.3f}" in at.latex[1].value
    assert f"{record.measures.af[atom]:.3f}" in at.latex[1].value


def test_train_runs_a_run_to_its_end(home):
    at = open_page("train")
    at.selectbox(key="data").set_value("digits").run()
    at.number_input(key="quick_t_digits").set_value(30)
    at.number_input(key="quick_I").set_value(2)
    at.number_input(key="quick_ksvd_iter").set_value(2)
    at.text_input(key="name").set_value("from the page").run()
    assert "Estimated time on this machine" in texts(at)
    at.button(key="run_button").click().run()
    assert not at.exception
    assert not at.error
    (run,) = home
    started = time.monotonic()
    while run.status.state != "finished":
        assert time.monotonic() - started < 60
        time.sleep(0.2)
    at.run()
    assert not at.exception
    assert (run.about.name, run.n_finished()) == ("from the page", 2)
    assert run.description.settings == Settings(t=30, I=2, ksvd_iter=2)
    assert any(label.startswith("from the page · finished · ") for label in at.selectbox(key="run").options)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_run_on_every_data_set(home, name):
    at = open_page("train")
    at.segmented_control(key="preset").set_value(name).run()
    for data in ("digits", "mnist"):
        at.selectbox(key="data").set_value(data).run()
        assert not at.warning
        assert not at.button(key="run_button").disabled
    assert at.number_input(key=f"{name}_t").value == PRESETS[name].t


def test_train_shows_the_shipped_run_until_there_is_one_of_ones_own(home):
    at = open_page("train")
    assert "Until then: the reference run" in [line.value for line in at.header]
    curves = [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]
    errors = next(chart for chart in curves if "error" in chart["layout"]["title"]["text"])
    records = load_reference().records
    # Noise cannot be learned: each curve lies above the one before.
    ends = [trace["name"] for trace in errors["data"]]
    assert ends == ["l = 1", "l = 7", "l = 14", "l = 20"]
    last = [trace["y"][-1] for trace in errors["data"]]
    assert last == [pytest.approx(records[number].errors[-1]) for number in (0, 6, 13, 19)]
    assert last == sorted(last)
    own_run(home)
    assert "Until then: the reference run" not in [line.value for line in open_page("train").header]


def test_train_explains_settings_that_cannot_run(home):
    at = open_page("train")
    at.number_input(key="quick_t").set_value(5).run()
    assert "These settings cannot run: there must be at least as many drawn signals as atoms" in at.warning[0].value
    assert at.button(key="run_button").disabled


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("q", 101, "q must be between 1 and 100 %, not 101"),
        ("t", 4001, "t must be a whole number between 1 and 4000, not 4001"),
        ("I", 0, "I must be a whole number between 1 and 200, not 0"),
        ("r_f", 4.5, "r_f must be between 0.05 and 4, not 4.5"),
        ("ksvd_iter", 2.5, "The number of K-SVD iterations must be a whole number between 1 and 200, not 2.5"),
        ("seed", -1, "The seed must be a whole number between 0 and 2147483648, not -1"),
        ("hidden", 2001, "h must be a whole number between 0 and 2000, not 2001"),
    ],
)
def test_train_names_the_range_of_a_number_outside_of_it(home, name, value, said):
    at = open_page("train")
    at.number_input(key=f"quick_{name}").set_value(value).run()
    assert [error.value for error in at.error] == [f"{said}."]
    assert at.button(key="run_button").disabled
    assert at.number_input(key=f"quick_{name}").value == value
    at.number_input(key=f"quick_{name}").set_value(at.number_input(key=f"quick_{name}").value * 0 + 2).run()
    assert not at.error


def test_train_refuses_a_second_waiting_run(home):
    busy = home.create(describe(Settings(), "mnist"), "busy")
    for _ in range(10):
        home.create(describe(Settings(), "mnist")).set_status(Status(queued_at=1.0))
    cache.jobs().places = 0
    at = open_page("train")
    at.button(key="run_button").click().run()
    assert "The queue is full (10 runs are waiting); try again in a few minutes." in at.error[0].value
    assert busy.n_finished() == 0


def test_every_visitor_may_have_a_run_waiting(home):
    cache.jobs().places = 0
    for _ in range(2):
        at = open_page("train")
        at.button(key="run_button").click().run()
        assert not at.error
        at.button(key="run_button").click().run()
        assert "You already have a run waiting; let it start, or cancel it." in at.error[0].value
    assert len(list(home)) == 2


def test_train_says_before_it_is_pressed_that_a_run_is_too_large(home):
    at = open_page("train")
    at.segmented_control(key="preset").set_value("paper").run()
    at.number_input(key="paper_I").set_value(200)
    at.number_input(key="paper_ksvd_iter").set_value(200).run()
    assert "this run would take about" in at.warning[0].value
    assert at.button(key="run_button").disabled


def test_train_announces_one_time_with_the_classifier_in_it(home, monkeypatch):
    """Oracle: the time model itself, at a known speed."""
    monkeypatch.setattr(cost, "this_machine", lambda: cost.MEASURED_ON)
    at = open_page("train")
    at.selectbox(key="quick_classifier").set_value("scg")
    at.number_input(key="quick_hidden").set_value(2000).run()
    expected = cost.run_cost(describe(PRESETS["quick"], "mnist"), "scg", 2000)
    (told,) = [line for line in at.caption if "Estimated time" in line.value]
    assert told.value == f"Estimated time on this machine: about {clock(expected.total)}."
    assert f"classifier {clock(expected.network)}" in told.help
    assert expected.total > 300


@pytest.mark.parametrize("query", [{"preset": ""}, {"look": ""}, {"quick_t": "inf"}, {"quick_seed": "1e999"}])
def test_a_broken_link_is_mended(home, query):
    at = AppTest.from_file(str(APP.parent / "tests" / "ui" / "train_alone.py"), default_timeout=60)
    for name, value in query.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    assert at.button(key="run_button").label == "Run"


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
    assert "Run to work on" in [box.label for box in at.selectbox]
    assert not at.run().success


def test_measures_shows_the_sign_that_the_run_was_started_with(home):
    run = own_run(home, re_sign="code")
    at = open_page("measures")
    at.selectbox(key="run").set_value(run.id).run()
    at.switch_page("pages/measures.py").run()
    record = run.trajectory.records[0]
    atom = int(run.trajectory.reselect(0, 0).index[0, 0])
    mine, theirs = (float(record.tables.r[c[atom], atom]) for c in (record.measures.top, record.measures.second))
    shown = at.latex[3].value
    assert rf"\frac{{{theirs:.3f} - {mine:.3f}}}{{{theirs:.3f}}}" in shown
    assert f"{(theirs - mine) / theirs:.3f}" in shown


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


def twins(home):
    """Two runs of one name, made in the same minute, the later one first in lists."""
    runs = [own_run(home, "twin", seed=seed) for seed in (3, 4)]
    for number, run in enumerate(runs):
        run.set_about(created=1_700_000_000.0 + number)
    return runs


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
    assert "it was deleted, or it is on another server. The reference run is shown instead." in at.warning[0].value
    assert at.selectbox(key="run").value == cache.REFERENCE


def test_a_failing_action_is_not_taken_for_a_full_store(home, monkeypatch):
    own_run(home)

    def bug(*args):
        raise RuntimeError("a bug")

    monkeypatch.setattr(Store, "pin", bug)
    at = open_page("runs")
    button(at, "Pin").click().run()
    assert (len(at.exception), len(at.error)) == (1, 0)


def button(at, label):
    return next(found for found in at.button if found.label == label)


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


def test_train_ends_with_an_accuracy_and_one_click_to_look_at_it(home):
    run = own_run(home, "evaluated")
    measured = evaluate_run(run, Plan(hidden=12))
    at = open_page("train")
    assert metrics(at)["Accuracy"] == f"{100 * measured.accuracy:.1f} %"
    assert "on 296 held-out images, read by MLP-20-12-10" in texts(at)
    at.button(key="look_at").click().run()
    assert at.selectbox(key="run").value == run.id
    at.switch_page("pages/accuracy.py").run()
    assert not at.exception
    assert metrics(at)["Network"] == "MLP-20-12-10"
    assert metrics(at)["Accuracy"] == f"{100 * measured.accuracy:.1f} %"


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


def address(at):
    """What the address says after a run: the data of the component that writes it."""
    found = [element for element in at.get("bidi_component") if "stamp" in element.proto.json]
    newest = max((json.loads(element.proto.json) for element in found), key=lambda data: data["stamp"])
    return {name: values[-1] for name, values in parse_qs(newest["search"], keep_blank_values=True).items()}


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
        assert "This is one run twice: choose another one beside it." in texts(at)
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
    assert "The run of this link is not here" in at.warning[0].value
    assert (at.selectbox(key="first_run").value, at.selectbox(key="second_run").value) == (cache.REFERENCE, run.id)
    assert len(at.table) == 1


@pytest.mark.parametrize(("method", "name"), [("ksvd", "K-SVD"), ("lc-ksvd2", "LC-KSVD2")])
def test_accuracy_says_at_how_many_widths_the_paper_holds(home, method, name):
    at = open_page("accuracy")
    means = {(row.method, row.classifier, row.hidden): row.ours.mean for row in report.rows("table2")}
    for classifier, network in report.CLASSIFIER_NAMES.items():
        widths = [h for m, c, h in means if (m, c) == (method, classifier) and ("das-ksvd", c, h) in means]
        ahead = sum(means["das-ksvd", classifier, h] > means[method, classifier, h] for h in widths)
        said = f"at {ahead} of {len(widths)} widths with {network}"
        assert any(f"better than {name}'s" in text.value and said in text.value for text in at.markdown)


def test_accuracy_shows_the_shipped_classifiers_and_the_papers_numbers(home):
    at = open_page("accuracy")
    kept = load_metrics()
    assert metrics(at)["Accuracy"] == f"{100 * kept[20]['test']['accuracy']:.1f} %"
    at.segmented_control(key="size").set_value(5).run()
    assert metrics(at)["Accuracy"] == f"{100 * kept[5]['test']['accuracy']:.1f} %"
    assert metrics(at)["Network"] == "MLP-50-50-10"
    sizes = at.table[0].value
    for number, row in enumerate(report.rows("table1")):
        shown = sizes.iloc[number]
        assert shown["paper"].replace("\N{NO-BREAK SPACE}", " ") == f"{row.paper[0]:.2f} ± {row.paper[1]:.2f}"
        assert shown["ours"].startswith(f"{100 * row.ours.mean:.2f}")
        assert shown["rounds"] == row.ours.rounds


def test_the_size_is_kept_within_the_run(home):
    run = own_run(home)
    at = open_page("atoms")
    at.slider(key="I").set_value(7).run()
    at.selectbox(key="run").set_value(run.id).run()
    assert not at.exception
    assert at.slider(key="I").value == 2
    at.selectbox(key="run").set_value(cache.REFERENCE).run()
    assert at.slider(key="I").value == 20


def test_a_replay_goes_from_iteration_to_iteration(home):
    at = open_page("atoms")
    at.toggle(key="replay").set_value(True).run()
    shown = [at.slider(key="iteration").value]
    for _ in range(3):
        at.run()
        shown.append(at.slider(key="iteration").value)
    assert shown == sorted(shown)
    assert shown[-1] > shown[0]
    assert "times σ of each signal" in texts(at)
