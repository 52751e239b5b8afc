"""The control "Rank atoms by": what it changes on the pages, and that searches and links carry it."""

import numpy as np
import pytest

from dasksvd.rankings import RANKINGS, uses_weights
from dasksvd.runs.reference import load_reference
from dasksvd.search.engine import Engine, search
from dasksvd.search.plans import SweepPlan, WeightsPlan
from tests.ui.harness import metrics, open_page, own_run, texts
from tests.ui.test_links import address, visit
from tests.ui.test_page_atoms import shown
from tests.ui.test_page_grid_search import at_work, cells, of_run, pick
from ui.texts import ranked_by


@pytest.mark.parametrize("name", list(RANKINGS))
def test_a_ranking_selects_again_on_every_page(home, name):
    at = visit("overview", alpha="0.3")
    at.selectbox(key="ranking").set_value(name).run()
    assert not at.exception
    run = load_reference()
    index = run.reselect(0.3, 0, ranking=name).index
    changed = int(np.sum(index != run.reselect(0, 0).index))
    assert metrics(at)["Differ from α = β = 0"] == str(changed)
    assert at.slider(key="alpha").disabled == at.slider(key="beta").disabled != uses_weights(name)
    at.switch_page("pages/atoms.py").run()
    assert at.header[0].value == f"Atom {index[0, 0]} of iteration 1: chosen for class 0"
    assert shown(at, "atom")["notes"][2][0].startswith("Rank 1 of ")
    at.switch_page("pages/measures.py").run()
    assert f"**{changed} of 200** selected atoms" in texts(at)
    chosen = {} if name == "combined" else {"ranking": name}
    assert address(at) == {"alpha": "0.3"} | chosen


def test_the_formula_has_the_weights_filled_in(home):
    at = visit("overview", alpha="0.3", beta="0.25")
    assert r"$m = 0.30\,m_{af} + 0.25\,m_{cm} + 0.45\,m_{re}$" in [caption.value for caption in at.caption]
    at.selectbox(key="ranking").set_value("mdcs").run()
    assert "$p^+ - p^*$: α and β are not used." in [caption.value for caption in at.caption]


def test_weights_are_kept_while_a_ranking_does_not_use_them(home):
    at = visit("overview", alpha="0.3", ranking="mdcs")
    at.selectbox(key="ranking").set_value("combined").run()
    assert (at.slider(key="alpha").value, at.slider(key="alpha").disabled) == (0.3, False)


def test_a_click_on_a_map_brings_the_ranking_it_was_searched_with(home):
    run = own_run(home)
    search(run, WeightsPlan(step=1, sizes=(1,), zoomed=(), seeds=1, ranking="worst"), Engine(n_jobs=1))
    at = of_run(run)
    at.selectbox(key="search_ranking").set_value("worst").run()
    at.segmented_control(key="map_size").set_value(1).run()
    pick(at, "triangle", cells(at, "triangle").index((1, 4)))
    assert not at.exception
    assert at.selectbox(key="ranking").value == "worst"
    assert [at.slider(key=key).value for key in ("alpha", "beta", "I")] == [1 / 6, 4 / 6, 1]


def test_the_search_form_follows_the_sidebar_until_it_is_set_itself(home):
    at = open_page("grid_search")
    at.selectbox(key="ranking").set_value("mdcs").run()
    assert at.selectbox(key="search_ranking").value == "mdcs"
    assert address(at) == {"ranking": "mdcs"}
    at.selectbox(key="search_ranking").set_value("worst").run()
    assert at.selectbox(key="ranking").value == "mdcs"
    assert address(at) == {"ranking": "mdcs", "search_ranking": "worst"}
    at.run()
    assert at.selectbox(key="search_ranking").value == "worst"


def test_the_search_form_begins_with_the_sidebars_ranking(home):
    at = visit("grid_search", ranking="mdcs")
    assert at.selectbox(key="search_ranking").value == "mdcs"
    assert "every point selects the same atoms" in texts(at)


@pytest.mark.parametrize(
    "plan",
    [WeightsPlan(step=4, sizes=(2,), zoomed=(2,), ranking="worst"), SweepPlan({"t": (31, 40)}, ranking="worst")],
)
def test_a_bare_link_shows_the_ranking_that_is_searched(home, plan):
    run = own_run(home)
    at_work(run, plan)
    assert of_run(run).selectbox(key="search_ranking").value == "worst"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("combined", 0.3, 0.25), "α = 0.30, β = 0.25"),
        (("worst", 0.3, 0), "Smallest combined measure, α = 0.30, β = 0.00"),
        (("mdcs", 0.3, 0.25), "MDCS, lead in use"),
    ],
)
def test_titles_name_the_weights_where_they_matter_and_the_ranking_unless_it_is_the_papers(arguments, text):
    assert ranked_by(*arguments) == text
