"""The grid search page under Streamlit's own test harness."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

import json
import time

import numpy as np
import pytest

from dasksvd.common.parallel import SCHEDULER
from dasksvd.parameters import Settings
from dasksvd.runs.reference import ReferenceRun, load_reference
from dasksvd.runs.status import Status
from dasksvd.search.comparison import compare
from dasksvd.search.engine import Engine, search
from dasksvd.search.job import Search
from dasksvd.search.lattice import coarse
from dasksvd.search.plans import SweepPlan, WeightsPlan, plan_id, plan_title
from dasksvd.search.sweep import sweep_key, sweep_scores
from dasksvd.search.weights import Choices, weight_rows, weight_scores
from dasksvd.statistics import pooled_noise, summarise
from reproduce import weights
from tests.ui.harness import address, home, metrics, open_page, own_run, texts  # noqa: F401
from tests.ui.test_links import id_of, send, visit
from ui import cache


def of_run(run):
    """The page, showing a run of one's own."""
    at = open_page("grid_search")
    at.selectbox(key="run").set_value(run.id).run()
    assert not at.exception, at.exception
    return at


def searches(at):
    """The box with the searches of the run."""
    (box,) = (box for box in at.selectbox if box.label == "Search of this run")
    return box


def test_the_first_visit_shows_stage_1_and_2_of_the_shipped_run(home):
    at = open_page("grid_search")
    assert ":small[The paper's: (0.00, 0.00)]" in texts(at)
    assert "Stage 2: a closer look at 20 atoms per class" in [header.value for header in at.header]
    table = at.dataframe[0].value
    stage_1, stage_2 = table[table["step"] == "1/6"], table[table["step"] == "1/100"]
    assert stage_1["atoms per class"].value_counts().to_dict() == {5: 28, 10: 28, 15: 28, 20: 28}
    assert set(stage_2["atoms per class"]) == {20}
    assert {(0.0, 0.0), (0.33, 0.17)} <= set(zip(stage_2["alpha"], stage_2["beta"], strict=True))
    assert table[table["atoms per class"] == 20]["networks"].min() >= 3


def cells(at, key):
    """Where the squares of a map lie, in the order in which the browser counts them."""
    (found,) = [map_ for map_ in at.get("bidi_component") if map_.proto.id == id_of(at, key)]
    return [(round(x), round(y)) for x, y, *_ in json.loads(found.proto.json)["cells"]]


def pick(at, key, cell):
    """Let the browser say that a square was clicked."""
    events = json.dumps([{"event": "picked", "value": cell}])
    return send(at, key, event="events", json_trigger_value=events)


@pytest.mark.parametrize("size", [10, 20])
def test_a_click_on_a_map_brings_its_weights_and_its_size_to_every_page(home, size):
    at = open_page("grid_search")
    at.segmented_control(key="map_size").set_value(size).run()
    pick(at, "triangle", cells(at, "triangle").index((1, 4)))
    assert [at.slider(key=key).value for key in ("alpha", "beta", "I")] == [1 / 6, 4 / 6, size]
    assert f"α = 0.17, β = 0.67 and {size} atoms per class are now set on every page." in texts(at)
    at.switch_page("pages/overview.py").run()
    run = load_reference()
    changed = int(np.sum(run.reselect(1 / 6, 4 / 6, size).index != run.reselect(0, 0, size).index))
    assert metrics(at)["Differ from α = β = 0"] == str(changed)
    assert metrics(at)["Atoms selected"] == str(10 * size)


@pytest.mark.parametrize("place", [28, -1, 1.5, True, "3", [3], None, {"3": 3}, 10**30, [1 / 6, 4 / 6]])
def test_a_forged_click_changes_nothing(home, place):
    at = open_page("grid_search")
    pick(at, "triangle", place)
    pick(at, "mini_10", place)
    assert not at.exception
    assert [at.slider(key=key).value for key in ("alpha", "beta", "I")] == [0, 0, 20]
    assert at.segmented_control(key="map_size").value == 20


def verdict(at):
    """The facts of the verdict by name, and the words under them."""
    told = [text.value for text in at.markdown]
    facts = [text.removeprefix(":small[").split("]  \n") for text in told if text.startswith(":small[")]
    (words,) = [text for text in told if "cannot be told from" in text and len(text) < 200]
    return {name: value.strip("*") for name, value in facts}, words


def shown_map(at, key="triangle"):
    (found,) = [map_ for map_ in at.get("bidi_component") if map_.proto.id == id_of(at, key)]
    return json.loads(found.proto.json)


@pytest.mark.parametrize("size", [5, 10, 15, 20])
def test_the_verdict_and_the_marks_are_those_of_the_shown_size(home, size):
    at = visit("grid_search", map_size=str(size))
    plan, run = weights.PLAN, ReferenceRun(home.root)
    found = compare(weight_rows(Choices(run.trajectory), weight_scores(run), coarse(6), [size], plan.scored_by))
    facts, words = verdict(at)
    assert facts[f"Best of 28: {found.best.point}"].startswith(f"{100 * found.best.summary.mean:.2f} ± ")
    assert facts["Gap"] == f"{found.gap.text} points"
    assert f"{len(found.alike)} other points cannot be told from the best" in words
    assert ("more than noise" in words) == (found.gap.verdict == "better")
    assert ("clear alone, but not as one of" in words) == getattr(found.gap, "clear_alone", False)
    marked = {(x, y) for x, y, *_, alike in shown_map(at)["cells"] if alike}
    assert marked == {(point.i, point.j) for point in found.alike}
    assert f"{size} per class" in shown_map(at)["title"]


def test_a_small_map_shows_its_size_large_and_the_address_says_so(home):
    at = open_page("grid_search")
    pick(at, "mini_10", 0)
    assert at.segmented_control(key="map_size").value == 10
    assert "10 per class" in shown_map(at)["title"]
    assert [shown_map(at, f"mini_{size}")["chosen"] for size in (5, 10, 15, 20)] == [False, True, False, False]
    assert address(at) == {"map_size": "10"}
    assert at.slider(key="I").value == 20  # only a cell sets the size of other pages


def test_each_size_has_its_own_colours_until_one_scale_is_wanted(home):
    at = open_page("grid_search")
    own = [shown_map(at, f"mini_{size}")["limits"] for size in (5, 20)]
    assert own[0] != own[1]
    at.toggle(key="own_scale").set_value(False).run()
    common = {tuple(shown_map(at, key)["limits"]) for key in ("mini_5", "mini_20", "triangle")}
    assert common == {(own[0][0], own[1][1])}


def test_an_unsearched_run_says_so_with_the_button_and_no_map(home):
    at = of_run(own_run(home))
    assert "**This run has not been searched yet.** A search over 28 points at 2 sizes takes about 0:" in texts(at)
    assert not at.button(key="search_button").disabled
    assert not [found for found in at.get("bidi_component") if json.loads(found.proto.json).get("pickable")]


def test_the_searches_of_a_run_can_be_opened_from_a_box_and_by_their_names(home):
    run = own_run(home)
    plans = [
        WeightsPlan(step=2, sizes=(1, 2), zoomed=(2,), seeds=2, papers_regions=True),
        SweepPlan({"t": (25, 30)}, 0.5, 0.25, seeds=2),
    ]
    for plan in plans:
        Search(run).set_plan(plan)
    at = of_run(run)
    box = searches(at)
    assert set(box.options) == {f"New: {plan_title(WeightsPlan(sizes=(1, 2), zoomed=(2,)))}", *map(plan_title, plans)}
    box.set_value(plan_id(plans[0])).run()
    assert at.selectbox(key="coarse_step").value == 2
    assert (at.number_input(key="seeds").value, at.multiselect(key="sizes").value) == (2, [1, 2])
    assert address(at)["search"] == plan_id(plans[0])
    searches(at).set_value(plan_id(plans[1])).run()
    assert at.multiselect(key="values_t_x").value == ["25", "30"]
    assert [at.slider(key=key).value for key in ("alpha", "beta")] == [0.5, 0.25]
    assert address(at)["search"] == plan_id(plans[1])
    for plan in plans:
        linked = visit("grid_search", run=run.id, search=plan_id(plan))
        assert searches(linked).value == plan_id(plan)
        assert address(linked)["search"] == plan_id(plan)
    moved = visit("grid_search", run=run.id, search=plan_id(plans[0]), coarse_step="4")
    assert moved.selectbox(key="coarse_step").value == 4  # what the link says itself counts more
    assert "search" not in address(moved)


def test_a_link_to_a_search_that_the_run_does_not_have_says_so(home):
    at = visit("grid_search", search="deadbeef")
    assert "This run has no search of the name in this link" in at.info[0].value
    assert address(at) == {}


def at_work(run, plan):
    """Let a search of a run wait in a queue that has no place."""
    cache.jobs().places = 0
    job = Search(run)
    job.set_plan(plan)
    job.job.set_status(Status(state="queued", queued_at=5.0))


def test_a_bare_link_shows_the_lattice_that_is_searched(home):
    run = own_run(home)
    at_work(run, WeightsPlan(step=10, fine_step=50, sizes=(2,), zoomed=(2,), classifier="scg", seeds=4))
    at = of_run(run)
    assert (at.selectbox(key="coarse_step").value, at.selectbox(key="fine_step").value) == (10, 50)
    assert (at.multiselect(key="sizes").value, at.selectbox(key="network").value) == ([2], "scg")
    assert at.number_input(key="seeds").value == 4
    at.selectbox(key="coarse_step").set_value(4).run()
    assert at.selectbox(key="coarse_step").value == 4  # a visitor may look at another one


def test_a_bare_link_shows_the_sweep_that_is_searched(home):
    run = own_run(home)
    at_work(run, SweepPlan({"tau1": (0.25, 0.6), "t": (31, 40)}, alpha=0.5, beta=0.25))
    at = of_run(run)
    assert at.segmented_control(key="search_over").value == "others"
    assert (at.selectbox(key="sweep_x").value, at.selectbox(key="sweep_y").value) == ("tau1", "t")
    assert at.multiselect(key="values_tau1_x").value == ["0.25", "0.6"]
    assert at.multiselect(key="values_t_y").value == ["31", "40"]
    assert (at.slider(key="alpha").value, at.slider(key="beta").value) == (0.5, 0.25)


@pytest.mark.parametrize("seeds", [0, 21, 2.5])
def test_too_many_networks_are_told_and_cannot_be_searched(home, seeds):
    at = open_page("grid_search")
    at.number_input(key="seeds").set_value(seeds).run()
    assert f"The number of networks must be a whole number between 1 and 20, not {seeds}." in at.error[0].value
    assert "search_button" not in [button.key for button in at.button]


def test_a_search_runs_as_a_job_to_its_end(home):
    run = own_run(home)
    at = of_run(run)
    at.selectbox(key="coarse_step").set_value(4)
    at.number_input(key="seeds").set_value(1).run()
    assert "A search over 15 points at 2 sizes takes about 0:0" in texts(at)
    at.button(key="search_button").click().run()
    assert not at.exception
    assert not at.error
    job = Search(home.run(run.id))
    started = time.monotonic()
    while job.status.state != "finished":
        assert time.monotonic() - started < 120, job.status
        time.sleep(0.2)
    at.run()
    assert not at.exception
    assert "Every point has its scores; nothing is left to compute." in texts(at)
    assert ":small[Best of 15: " in texts(at)
    assert "One network per point cannot tell how large the noise is" in texts(at)
    table = at.dataframe[0].value
    assert set(table["atoms per class"]) == {1, 2}
    assert len(table[(table["step"] == "1/4") & (table["atoms per class"] == 1)]) == 15


def test_a_search_that_was_just_started_is_no_new_one_any_more(home):
    run = own_run(home)
    at = of_run(run)
    cache.jobs().places = 0
    assert [label.startswith("New: ") for label in searches(at).options] == [True]
    at.button(key="search_button").click().run()
    assert not at.exception
    assert Search(home.run(run.id)).status.state == "queued"
    assert [label.startswith("New: ") for label in searches(at).options] == [False]


def test_a_half_finished_search_shows_what_there_is_and_can_be_resumed(home):
    run = own_run(home)
    plan = WeightsPlan(step=6, sizes=(1, 2), zoomed=(2,), seeds=3)
    job = Search(run)
    job.set_plan(plan)
    search(run, WeightsPlan(step=1, sizes=(1, 2), zoomed=(), seeds=3), Engine(n_jobs=1))
    job.job.set_status(Status(state="running", iteration=6, total=100, pid=2**22 - 1, process_started=1.0))
    cache.jobs().places = 0
    at = of_run(run)
    assert "Best of" not in texts(at)
    assert "points have scores. Estimated time for what is missing" in texts(at)
    assert 6 <= len(at.dataframe[0].value) < 2 * 28  # the corners, and what chooses the same atoms
    at.button(key="search_resume").click().run()
    assert job.status.state == "queued"
    at.button(key="search_cancel").click().run()
    assert job.status.state == "cancelled"
    assert len(weight_scores(run).entries) >= 3


def entries(run):
    plan = SweepPlan({"q": (0.15, 0.2, 0.3)}, seeds=3)
    return [sweep_scores(run).entries[sweep_key(one, plan)] for one in plan.points(run.description.settings)]


def test_a_sweep_is_shown_with_its_problems(home):
    run = own_run(home)
    search(run, SweepPlan({"q": (0.15, 0.2, 0.3)}, seeds=3), Engine(n_jobs=1))
    at = of_run(run)
    at.segmented_control(key="search_over").set_value("others").run()
    assert not at.exception
    table = at.dataframe[0].value
    assert list(table["q"].sort_values()) == [0.15, 0.2, 0.3]
    assert "nothing is left to compute" in texts(at)
    assert "What does q (" in at.header[0].value
    curve = shown_map(at, "sweep_curve")
    assert [at_ for at_, *_ in curve["points"]] == [0.15, 0.2, 0.3]
    assert all(low < value < high for _, value, low, high, *_ in curve["points"])
    assert sum(strong for *_, strong, _ in curve["points"]) == 1
    assert curve["current"] == run.description.settings.q
    groups = {at_: entry.accuracies.values() for at_, entry in zip((0.15, 0.2, 0.3), entries(run), strict=True)}
    means = {at_: summarise(list(found)) for at_, found in groups.items()}
    best = max(means, key=lambda at_: means[at_].mean)
    leads = pooled_noise(means.values()).leads(means.pop(best), means)
    assert {at_ for at_, *_, alike in curve["points"] if alike} == {
        at_ for at_, lead in leads.items() if lead.verdict == "cannot be told apart"
    }
    at.selectbox(key="sweep_y").set_value("tau2").run()
    assert not at.exception
    assert "has not been searched over these values yet" in texts(at) or "Estimated time" in texts(at)
    at.multiselect(key="values_q_x").set_value(["many"]).run()
    assert "This cannot be searched: 'many' is not a number that" in at.warning[0].value
    at.multiselect(key="values_q_x").set_value(["inf"]).run()
    assert not at.exception
    assert at.warning
    at.multiselect(key="values_q_x").set_value([]).run()
    assert "each parameter of a sweep needs at least one value" in at.warning[0].value
    at.selectbox(key="sweep_x").set_value("t").run()
    at.multiselect(key="values_t_x").set_value(["50.5"]).run()
    assert "'50.5' is not a number that this parameter can have" in at.warning[0].value


def test_the_scheduler_is_shown_and_cannot_be_changed(home, monkeypatch):
    monkeypatch.setenv(SCHEDULER, "tcp://10.0.0.1:8786")
    at = open_page("grid_search")
    field = next(field for field in at.text_input if field.label == "Computed on")
    assert field.value == "Dask cluster tcp://10.0.0.1:8786"
    assert field.disabled


def test_damaged_scores_are_explained(home):
    run = own_run(home)
    (run.folder / "grid.json").write_text("{")
    at = of_run(run)
    assert "The scores of this run cannot be read: grid.json is not valid JSON" in at.error[0].value
    assert not at.button(key="search_button").disabled


def test_a_full_queue_is_explained(home):
    run = own_run(home)
    cache.jobs().places = 0
    for seed in range(10):
        own_run(home, seed=seed).set_status(Status(queued_at=1.0))
    at = of_run(run)
    at.button(key="search_button").click().run()
    assert "The queue is full (10 runs are waiting)" in at.error[0].value
    assert Settings(t=30, I=2, ksvd_iter=2, seed=3) == run.description.settings


def test_the_page_says_whether_the_best_weights_repeat_on_other_trajectories(home):
    found = weights.stored_difference((0.0, 0.5))
    facts, words = verdict(open_page("grid_search"))
    assert facts[f"On {found.rounds} other trajectories"] == f"{found.text} points"
    assert found.verdict == "cannot be told apart"
    assert "does not repeat on other trajectories" in words
