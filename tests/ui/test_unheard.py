"""What the server has set reaches the browser, whatever is clicked meanwhile."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

from streamlit.proto.WidgetStates_pb2 import WidgetStates

from dasksvd.search.job import Search
from dasksvd.search.plans import WeightsPlan, plan_id, plan_title
from tests.ui.harness import home, open_page, own_run  # noqa: F401
from tests.ui.test_links import id_of, visit
from tests.ui.test_page_grid_search import searches


def said(at):
    """Which of some controls the last run has told their values."""
    controls = [at.slider(key="alpha"), at.selectbox(key="coarse_step"), at.number_input(key="seeds")]
    return [control.proto.set_value for control in controls]


def test_a_value_is_said_until_the_browser_speaks_of_its_control(home):
    at = open_page("grid_search")
    assert said(at) == 3 * [True]
    for _ in range(2):  # it has none of the controls yet
        at._run(WidgetStates())
        assert said(at) == 3 * [True]
        assert (at.selectbox(key="coarse_step").value, at.number_input(key="seeds").value) == (6, 3)
    at.run()
    assert said(at) == 3 * [False]


def test_a_control_that_is_moved_fast_is_not_set_back(home):
    at = open_page("grid_search")
    at.slider(key="alpha").set_value(0.5).run()
    assert not at.slider(key="alpha").proto.set_value
    assert at.slider(key="alpha").value == 0.5


def test_a_slider_with_another_end_is_a_new_one(home):
    runs = [own_run(home, f"of {I}", I=I) for I in (2, 3)]
    at = visit(run=runs[0].id)
    at.run()
    assert not at.slider(key="I").proto.set_value
    at.selectbox(key="run").set_value(runs[1].id).run()
    before = at._tree.get_widget_states()
    slider = id_of(at, "I")
    others = [state for state in before.widgets if state.id != slider]
    at._run(WidgetStates(widgets=others))
    assert at.slider(key="I").proto.set_value
    at.run()
    assert not at.slider(key="I").proto.set_value


def test_a_message_from_before_a_click_does_not_undo_it(home):
    run = own_run(home)
    plan = WeightsPlan(step=2, sizes=(1, 2), zoomed=(2,), seeds=2, papers_regions=True)
    Search(run).set_plan(plan)
    at = visit("grid_search", run=run.id, search=plan_id(plan))
    at.run()
    old_box = next(state for state in at._tree.get_widget_states().widgets if state.string_value == plan_title(plan))
    at.segmented_control(key="search_over").set_value("others").run()
    now = at._tree.get_widget_states()
    others = [state for state in now.widgets if not state.string_value.startswith("New: ")]
    at._run(WidgetStates(widgets=[*others, old_box]))
    assert at.segmented_control(key="search_over").value == "others"
    assert searches(at).value == ""
