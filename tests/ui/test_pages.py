"""Every page with the shipped run and with a run of one's own, and the form of Train."""

import json
import re
import time

import numpy as np
import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test

from dasksvd import cost
from dasksvd.common.progress import clock
from dasksvd.datasets import DATASETS
from dasksvd.evaluate import Plan
from dasksvd.parameters import PRESETS, Settings
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.folder import Status
from dasksvd.runs.reference import load_reference
from dasksvd.runs.worker import describe
from tests.ui.harness import APP, PAGES, address, headers, metrics, open_page, own_run, texts
from ui import cache


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


#: What each page says of a run of two iterations on the small digits.
OWN_RUN_SHOWS = {
    "overview": lambda at, run: (
        (metrics(at)["Atoms selected"], metrics(at)["To choose from"]) == ("20", "128")
        and at.slider(key="method_step").max == 2
    ),
    "train": lambda at, run: "Finished in" in texts(at) and "Not evaluated." in texts(at),
    "atoms": lambda at, run: (
        f"Atom {first_atom(run)[0]} of iteration 1: chosen for class 0" in headers(at)
        and re.search(rf"m_{{re}} = .* = {first_atom(run)[1]:.3f}", texts(at))
    ),
    "measures": lambda at, run: (
        f"Atom {first_atom(run)[0]}: class 0 against {first_atom(run)[2]}" in headers(at)
        and "**0 of 20** selected atoms" in texts(at)
    ),
    "grid_search": lambda at, run: "This run has not been searched yet." in texts(at),
    "accuracy": lambda at, run: "This run has not been evaluated." in texts(at),
    "lessons": lambda at, run: "A digit as a sum of few pictures" in texts(at),  # the same whatever one looks at
    "draw": lambda at, run: at.selectbox(key="reader").value == "default_model",  # whatever run one looks at
    "steps": lambda at, run: "**200** signals of MNIST" in texts(at),  # its sample has its own choice of data
    "runs": lambda at, run: list(at.dataframe[0].value[["done", "I"]].iloc[1]) == [1, 2],
}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_shows_a_run_of_ones_own(home, name):
    run = own_run(home)
    at = open_page("overview")
    at.selectbox(key="run").set_value(run.id).run()
    at.switch_page(f"pages/{name}.py").run()
    assert not at.exception
    assert address(at)["run"] == run.id
    if name == "accuracy":  # the run acts on one of its tabs
        at.session_state["tab"] = "Mistakes"
        at.run()
    assert OWN_RUN_SHOWS[name](at, run)


def shown_figure(at, alt):
    """What the light figure with that beginning of its description shows."""
    found = [json.loads(element.proto.json) for element in at.get("bidi_component")]
    return next(data for data in found if data.get("alt", "").startswith(alt))


def test_a_link_to_a_page_of_a_fresh_server_shows_the_whole_app(home, monkeypatch):
    monkeypatch.setattr(app_test, "PagesManager", PagesManager)
    at = open_page("atoms")
    assert at.title[0].value == "One atom per class and iteration"
    assert at.slider(key="alpha").value == 0


def test_overview_is_full_on_the_first_visit(home):
    at = open_page()
    assert metrics(at) == {"Atoms selected": "200", "To choose from": "5,120", "Differ from α = β = 0": "0"}
    assert "seed 0" in texts(at)


def test_weights_choose_again_on_every_page(home):
    at = open_page("measures")
    at.slider(key="alpha").set_value(0.6).run()
    run = load_reference()
    changed = int(np.sum(run.reselect(0.6, 0).index != run.reselect(0, 0).index))
    assert changed > 0
    assert f"**{changed} of 200** selected atoms" in texts(at)
    at.switch_page("pages/overview.py").run()
    assert metrics(at)["Differ from α = β = 0"] == str(changed)


def test_weights_outside_the_triangle_are_explained_not_raised(home):
    at = open_page()
    at.slider(key="alpha").set_value(0.75)
    at.slider(key="beta").set_value(0.5).run()
    assert not at.exception
    assert (at.slider(key="alpha").value, at.slider(key="beta").value) == (0.75, 0.25)
    assert "so β went down to 0.25" in texts(at)


def test_train_runs_a_run_to_its_end(home):
    at = open_page("train")
    at.selectbox(key="data").set_value("digits").run()
    at.number_input(key="quick_t_digits").set_value(30)
    at.number_input(key="quick_I_digits").set_value(2)
    at.number_input(key="quick_ksvd_iter").set_value(2)
    at.text_input(key="name").set_value("from the page").run()
    assert "Estimated time: about" in texts(at)
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
    at.switch_page("pages/atoms.py").run()
    assert any(label.startswith("from the page · finished · ") for label in at.selectbox(key="run").options)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_run_on_every_data_set(home, name):
    at = open_page("train")
    at.segmented_control(key="preset").set_value(name).run()
    for data in reversed(list(DATASETS)):  # the default last
        at.selectbox(key="data").set_value(data).run()
        assert not at.warning
        assert not at.button(key="run_button").disabled
    assert at.number_input(key=f"{name}_t").value == PRESETS[name].t


def test_train_shows_the_shipped_run_until_there_is_one_of_ones_own(home):
    at = open_page("train")
    assert "What you will see" in texts(at)
    assert at.selectbox(key="watched").value == cache.REFERENCE
    assert shown_figure(at, "Mosaic")["title"].startswith("Atoms: 20 per class")
    errors, records = shown_figure(at, "Error after each"), load_reference().records
    assert [name for name, _ in errors["legend"]] == ["l = 1", "l = 10", "l = 20"]
    # Noise cannot be learned: each curve lies above the one before.
    last = [spot["value"] for spot in errors["spots"] if spot["at"] == 50]
    assert last == [pytest.approx(records[number].errors[-1]) for number in (0, 9, 19)]
    assert last == sorted(last)
    own_run(home)
    assert "What you will see" not in texts(open_page("train"))


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
    assert told.value == f"Estimated time: about {clock(expected.total)}."
    assert f"classifier {clock(expected.network)}" in told.help
    assert expected.total > 300


def test_train_announces_the_wait_for_the_runs_before(home, monkeypatch):
    """Oracle: the time model; what waits takes its whole time, one after the other."""
    monkeypatch.setattr(cost, "this_machine", lambda: cost.MEASURED_ON)
    cache.jobs().places = 0
    quick = describe(PRESETS["quick"], "mnist")
    for _ in range(2):
        home.create(quick).set_status(Status(queued_at=1.0))
    at = open_page("train")
    wait, own = 2 * cost.run_cost(quick).total, cost.run_cost(quick, Plan().classifier).total
    (told,) = [line for line in at.caption if "Estimated time" in line.value]
    assert told.value == f"Estimated time: about {clock(wait + own)}, {clock(wait)} of it in the queue."
    assert f"In the queue {clock(wait)}, start" in told.help


def test_train_shows_a_run_at_once_and_its_atoms_one_column_after_the_other(home):
    """The wall has its final size from the start, so that it fills up instead of changing its scale."""
    cache.jobs().places = 0
    at = open_page("train")
    at.button(key="run_button").click().run()
    (run,) = home
    assert at.selectbox(key="watched").value == run.id
    assert at.get("progress")[0].proto.text == "Waiting, place 1 in the queue"
    assert at.button(key=f"cancel_{run.id}").label == "Cancel"
    wall = shown_figure(at, "Mosaic")
    assert (wall["title"], wall["n_rows"], wall["n_columns"]) == (
        "Atoms so far: 0 of 10 per class (α = 0.00, β = 0.00)",
        10,
        10,
    )
    assert not any(text for row in wall["hover"] for text in row)
    half = own_run(home, "half")
    half.record_path(1).unlink()
    half.set_status(Status(state="cancelled", ended=(1.5,)))
    at.run().selectbox(key="watched").set_value(half.id).run()
    wall = shown_figure(at, "Mosaic")
    assert (wall["title"][:28], wall["n_columns"]) == ("Atoms so far: 1 of 2 per cla", 2)
    assert [bool(text) for text in wall["hover"][0]] == [True, False]
    error = half.trajectory.records[0].errors
    assert at.code[0].value == f"iteration 1: error {error[0]:.4f} → {error[-1]:.4f}, 1.5 s"


@pytest.mark.parametrize("query", [{"preset": ""}, {"look": ""}, {"quick_t": "inf"}, {"quick_seed": "1e999"}])
def test_a_broken_link_is_mended(home, query):
    at = AppTest.from_file(str(APP.parent / "tests" / "ui" / "train_alone.py"), default_timeout=60)
    for name, value in query.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    assert at.button(key="run_button").label == "Run"


def test_train_ends_with_an_accuracy_and_doors_to_other_pages(home):
    run = own_run(home, "evaluated")
    measured = evaluate_run(run, Plan(hidden=12))
    at = open_page("train")
    (told,) = [line for line in at.markdown if "Accuracy" in line.value]
    assert told.value.startswith(f"**Accuracy {100 * measured.accuracy:.1f} % ± ")
    assert "on 296 held-out images. Finished in" in told.value
    assert "Read by MLP-20-12-10" in told.help
    assert at.button(key="to_draw").label == "Read a picture"  # 8×8 pixels are too few for a drawing
    at.button(key="to_grid_search").click().run()
    assert address(at)["run"] == run.id
    at.switch_page("pages/accuracy.py").run()
    assert address(at)["run"] == run.id
    assert not at.exception
    at.session_state["tab"] = "Mistakes"
    at.run()
    assert metrics(at)["Network"] == "MLP-20-12-10"
    assert metrics(at)["Accuracy, held-out images"] == f"{100 * measured.accuracy:.1f} %"
