"""A study on the Grid search page: what accuracy costs, how it came, the picked point and what leads on from it."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from dasksvd.search.engine import search
from dasksvd.search.job import Search
from dasksvd.search.outcomes import PRICES, best_of, front, outcomes, point_text
from dasksvd.search.study_plan import StudyPlan
from tests.search.small import HERE
from tests.ui.harness import APP, address, own_run, shown_by, texts
from ui import links
from ui.controls import study_form
from ui.panels import study_map

PLAN = StudyPlan({"I": (1, 2), "network": ("fixed", "modern"), "hidden": (0, 7)}, seeds=2)


@pytest.fixture
def studied(home):
    run = own_run(home, "studied")
    Search(run).set_plan(PLAN)
    search(run, PLAN, HERE)
    return run


def opened(run, **query):
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    told = study_form.as_texts(PLAN) | {"run": run.id, "search_over": "study"} | query
    for name, text in told.items():
        at.query_params[name] = text
    at.switch_page("pages/grid_search.py").run()
    assert not at.exception, at.exception
    return at


def chart(at):
    return shown_by(at, "series_chart")


def test_the_prices_of_all_points_are_shown_and_those_worth_it_stand_out(studied):
    found = outcomes(studied, PLAN)
    for name, price in PRICES.items():
        drawn = chart(opened(studied, study_view=name))
        points = [point for one in drawn["series"] for point in one["points"]]
        assert sorted(point["at"] for point in points) == pytest.approx(sorted(price.of(one) for one in found))
        worth = front(found, price)
        assert [point["value"] for point in drawn["series"][0]["points"]] == pytest.approx(
            [100 * one.summary.mean for one in worth]
        )


def test_the_history_never_falls(studied):
    drawn = chart(opened(studied, study_view=study_map.HISTORY))
    best = [point["value"] for point in drawn["series"][1]["points"]]
    assert best == sorted(best)
    assert best[-1] == pytest.approx(100 * best_of(outcomes(studied, PLAN)).summary.mean)


def test_a_clicked_point_tells_its_price_and_stands_in_the_link(studied):
    at = opened(studied)
    points = [point for one in chart(at)["series"] for point in one["points"]]
    at.session_state[study_map.KEY] = {"picked": [len(points) - 1, 1_700_000_000_000]}
    at.run()
    name = points[-1]["hover"].partition("\n")[0]
    assert address(at)["study_point"] == name
    assert f"**{name}**" in texts(at)
    one = next(one for one in outcomes(studied, PLAN) if point_text(PLAN, one.point) == name)
    assert f"{PRICES['products'].of(one):,.4g}" in texts(at)


def test_train_gets_the_settings_the_network_and_its_width(studied):
    name = "I = 1, network = modern, hidden units (0: as many as atoms) = 7"
    at = opened(studied, study_point=name)
    next(one for one in at.button if one.key == "study_to_train").click().run()
    assert not at.exception, at.exception
    told = address(at)
    assert (told["preset"], told["data"], told["paper_I_digits"], told["paper_hidden"]) == ("paper", "digits", "1", "7")
    shown = {one.key: one.value for one in (*at.selectbox, *at.number_input, *at.slider)}
    assert shown["paper_classifier"] == "modern"
    assert shown["paper_t_digits"] == 30
    at = opened(studied, study_point=name.replace("modern", "fixed"))
    next(one for one in at.button if one.key == "study_to_train").click().run()
    assert address(at)["paper_classifier"] == "fixed"


def test_a_wider_study_says_what_is_left_and_an_impossible_one_why(studied):
    at = opened(studied, axis_I="1, 2, 3")
    assert "8 of 12 points have scores" in texts(at)
    at = opened(studied, axis_hidden="-3")
    assert any("cannot be searched" in one.value for one in at.warning)


def test_links_to_a_study_describe_it(studied):
    told = study_form.as_texts(PLAN)
    assert json.loads(json.dumps(told)) == told
    assert told["axis_hidden"] == "0, 7"
    assert links.short(PLAN.minutes) == told["study_minutes"]
