"""The level of an encoder in searches, where 0 stands for the one that is chosen for the run, and in results."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

from dataclasses import replace

from dasksvd.evaluate import Plan
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.search.engine import Engine, search
from dasksvd.search.job import Search
from dasksvd.search.plans import SweepPlan, WeightsPlan, plan_id, plan_title
from tests.ui.harness import home, metrics, open_page, own_run, texts  # noqa: F401
from tests.ui.test_links import visit
from tests.ui.test_page_grid_search import searches, shown_map

SOFT = WeightsPlan(step=1, sizes=(2,), zoomed=(2,), seeds=1, papers_regions=True, encoder="soft")
SOFT_LINK = {"coarse_step": "1", "sizes": "2", "seeds": "1", "encoder": "soft"}


def test_it_is_part_of_the_search(home):
    run = own_run(home)
    for plan in (SOFT, replace(SOFT, level=0.35)):
        Search(run).set_plan(plan)
        at = visit("grid_search", run=run.id, search=plan_id(plan))
        assert at.number_input(key="level").value == plan.level
        assert searches(at).value == plan_id(plan)
    at.selectbox(key="encoder").set_value("omp").run()
    assert at.number_input(key="level").disabled
    assert f"New: {plan_title(replace(SOFT, encoder='omp'))}" in searches(at).options


def test_a_search_with_the_chosen_one_is_shown_where_0_is_set(home):
    run = own_run(home)
    at = visit("grid_search", run=run.id, **SOFT_LINK)
    assert "This run has not been searched yet" in texts(at)
    search(run, replace(SOFT, zoomed=()), Engine(n_jobs=1))
    at = visit("grid_search", run=run.id, **SOFT_LINK)
    assert "not been searched" not in texts(at)
    assert not at.exception
    assert shown_map(at, "triangle")["cells"]


def test_a_sweep_too(home):
    run = own_run(home)
    plan = SweepPlan({"tau1": (0.3, 0.5)}, seeds=1, encoder="soft")
    search(run, plan, Engine(n_jobs=1))
    Search(run).set_plan(plan)
    at = visit("grid_search", run=run.id, search=plan_id(plan))
    assert not at.exception
    assert (at.selectbox(key="encoder").value, at.number_input(key="level").value) == ("soft", 0)
    assert "Every point has its scores" in texts(at)


def test_one_that_cannot_be_is_told(home):
    at = visit("grid_search", run=own_run(home).id, **SOFT_LINK, level="0.99")
    assert "λ must be between 0 and 0.95, not 0.99." in [error.value for error in at.error]
    assert "This cannot be searched: λ must be" in at.warning[0].value


def test_the_result_of_a_run_says_what_made_its_codes(home):
    """Oracle: the metrics."""
    run = own_run(home)
    for plan, words in (
        (Plan(hidden=12), "from codes by “Orthogonal matching pursuit”, 20.0 % non-zeros"),
        (Plan(hidden=12, encoder="soft", level=0.3), "from codes by “Soft threshold of unit signals”, λ = 0.3, "),
        (Plan(hidden=12, encoder="soft"), ", the best of 6, "),
    ):
        measured = evaluate_run(run, plan)
        (told,) = [line for line in open_page("train").markdown if "Accuracy" in line.value]
        assert words in told.help
        assert f"{100 * measured.nonzeros:.1f} % non-zeros" in told.help


def test_features_that_do_not_rebuild_an_image_are_not_measured_by_what_they_leave(home):
    run = own_run(home)
    shown = {}
    for plan in (Plan(hidden=12), Plan(hidden=12, encoder="soft", level=0.3)):
        measured = evaluate_run(run, plan)
        shown[plan.encoder] = metrics(visit("accuracy", run=run.id, tab="mistakes"))
    assert "Energy left unexplained" in shown["omp"]
    assert "Energy left unexplained" not in shown["soft"]
    assert shown["soft"]["Non-zeros of a code"] == f"{100 * measured.nonzeros:.1f} %"
