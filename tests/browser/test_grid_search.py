"""The grid search in a real browser: a click on a cell changes the weights everywhere."""

import re
import time

import numpy as np
import pytest
from playwright.sync_api import expect

from dasksvd.parameters import Settings
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.reference import load_reference
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute, describe
from dasksvd.search.engine import Engine, search
from dasksvd.search.job import Search
from dasksvd.search.plans import SweepPlan, WeightsPlan
from tests.browser.test_first_screen import LOOK, PROJECTOR, check_texts, outside

OTHERS, WEIGHTS = "other parameters", "weights α, β"


@pytest.fixture
def searched(home):
    """A small run whose weights are being searched, which takes longer than a test."""
    run = Store(home).create(describe(Settings(t=30, I=2, ksvd_iter=2, seed=7), "digits"), "at work")
    compute(run)
    waiting = Search(run)
    waiting.set_plan(WeightsPlan(step=14, fine_step=200, sizes=(1, 2), zoomed=(2,), seeds=12))
    waiting.job.set_status(Status(queued_at=time.time()))  # the server starts it
    yield run
    Jobs(Store(home)).cancel(waiting)


def over_cell(page, key, x, y):
    """Move the pointer over the cell in column x and row y of a map; return its middle on the screen."""
    stage = page.locator(f".st-key-{key} .stage")
    expect(stage.locator(f"[data-x='{x}'][data-y='{y}'] rect")).to_have_count(1)
    # In one go: new data draw all squares anew, so one that was found before may be gone.
    middle = stage.evaluate(
        """(stage, [x, y]) => {
            const square = stage.querySelector(`[data-x="${x}"][data-y="${y}"] rect`);
            square.scrollIntoView({ block: "center" });
            const box = square.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }""",
        [x, y],
    )
    page.mouse.move(*middle)
    expect(page.locator(f".st-key-{key} .tip")).to_be_visible()
    return middle


def click_cell(page, key, x, y):
    """Click the cell in column x and row y of a map."""
    page.mouse.click(*over_cell(page, key, x, y))


def shown_weights(page):
    """The weights that the sidebar's sliders show, α first."""
    return page.get_by_test_id("stSidebar").get_by_test_id("stSliderThumbValue")


def test_a_click_makes_the_weights_current_on_every_page(new_page, settle):
    page = new_page("/grid_search")
    click_cell(page, "triangle", 1, 4)
    formula = page.get_by_test_id("stSidebar").get_by_text("0.17", exact=True).first
    expect(formula).to_be_visible()
    settle(page)
    values = shown_weights(page)
    expect(values.nth(0)).to_have_text("0.17")
    expect(values.nth(1)).to_have_text("0.67")
    page.get_by_test_id("stSidebarNav").get_by_text("Overview").click()
    settle(page)
    run = load_reference()
    changed = int(np.sum(run.reselect(1 / 6, 4 / 6).index != run.reselect(0, 0).index))
    metric = page.get_by_test_id("stMetric").filter(has_text="Differ from")
    expect(metric.get_by_test_id("stMetricValue")).to_have_text(str(changed))


def test_the_address_after_a_click_leads_to_the_same_weights(new_page, settle, server):
    page = new_page("/grid_search?map_size=5")
    click_cell(page, "triangle", 2, 1)
    values = shown_weights(page)
    expect(values.nth(0)).to_have_text("0.33")
    settle(page)
    again = new_page(page.url.removeprefix(server))
    values = shown_weights(again)
    expect(values.nth(0)).to_have_text("0.33")
    expect(values.nth(1)).to_have_text("0.17")


def test_a_point_that_was_left_can_be_clicked_again(new_page, settle):
    page = new_page("/grid_search?alpha=0.5&map_size=5")
    click_cell(page, "triangle", 2, 1)
    expect(shown_weights(page).nth(0)).to_have_text("0.33")
    settle(page)
    page.get_by_role("slider", name="α").press("Home")
    expect(shown_weights(page).nth(0)).to_have_text("0.00")
    settle(page)
    click_cell(page, "triangle", 2, 1)
    expect(shown_weights(page).nth(0)).to_have_text("0.33")


def test_hovering_tells_the_weights_and_the_atoms(new_page):
    page = new_page("/grid_search")
    over_cell(page, "triangle", 3, 0)
    tip = page.locator(".st-key-triangle .tip")
    expect(tip).to_contain_text("α = 1/2, β = 0")
    expect(tip).to_contain_text("200 atoms")


def test_weights_are_chosen_on_the_map_without_a_mouse(new_page):
    page = new_page("/grid_search")
    page.get_by_role("button", name="New search").focus()
    stage = page.locator(".st-key-triangle .stage")
    for _ in range(5):
        page.keyboard.press("Tab")
        if stage.evaluate("stage => stage.matches(':focus-visible')"):
            break
    expect(stage).to_be_focused()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    expect(stage.get_by_role("status")).to_contain_text("α = 1/3, β = 1/6: 96.")
    page.keyboard.press("Enter")
    expect(shown_weights(page).nth(0)).to_have_text("0.33")
    expect(shown_weights(page).nth(1)).to_have_text("0.17")
    expect(page.get_by_text("α = 0.33, β = 0.17 and 20 atoms per class are now set on every page.")).to_be_visible()


def test_keys_stay_on_the_map_and_go_to_the_ends_of_a_row(new_page):
    page = new_page("/grid_search")
    stage = page.locator(".st-key-triangle .stage")
    stage.focus()
    for key in ("ArrowLeft", "ArrowDown", "ArrowUp", "ArrowRight") + 9 * ("ArrowRight",):
        page.keyboard.press(key)
    told = stage.get_by_role("status")
    expect(told).to_contain_text("α = 5/6, β = 1/6")
    page.keyboard.press("Home")
    expect(told).to_contain_text("α = 0, β = 1/6")
    page.keyboard.press("End")
    expect(told).to_contain_text("α = 5/6, β = 1/6")


def test_a_small_map_is_a_button_that_shows_its_size_large(new_page, settle):
    page = new_page("/grid_search")
    small = page.get_by_role("button", name="Show 10 atoms per class large")
    expect(small).to_have_attribute("aria-pressed", "false")
    small.press("Enter")
    expect(page.locator(".st-key-triangle .title")).to_contain_text("10 per class")
    expect(small).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("radio", name="10", exact=True)).to_be_checked()
    page.wait_for_function("location.search.includes('map_size=10')")


def test_a_map_without_room_waits_for_it(new_page):
    page = new_page("/grid_search")
    small = page.locator(".st-key-mini_5 .map")
    squares = small.locator("[data-x] rect")
    expect(squares).to_have_count(28)
    small.evaluate(
        """async map => {
            for (const width of ["14px", "60px", ""]) {
                map.style.width = width;
                await new Promise((done) => setTimeout(done, 100));
            }
        }"""
    )
    sides = squares.evaluate_all("squares => squares.map((one) => one.getBoundingClientRect().width)")
    assert min(sides) > 5


@pytest.mark.parametrize("window", [{"width": 1280, "height": 720}, {"width": 390, "height": 844}])
def test_squares_are_large_and_no_mark_covers_a_number(new_page, window):
    page = new_page("/grid_search", viewport=window)
    cells = page.locator(".st-key-triangle [data-x]")
    expect(cells).to_have_count(28)
    found = page.locator(".st-key-triangle svg").evaluate(
        """svg => {
            const box = (one) => one.getBoundingClientRect();
            const cut = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
                && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
            const squares = [...svg.querySelectorAll("[data-x]")];
            const numbers = squares.map((one) => one.querySelector("text:not(.alike)"));
            const marks = [...svg.querySelectorAll(".tag rect, .alike")];
            return {
                side: Math.min(...squares.map((one) => box(one.querySelector("rect")).width)),
                font: Math.min(...numbers.map((one) => parseFloat(one.getAttribute("font-size")))),
                out: squares.filter((one, at) => {
                    const [square, number] = [box(one.querySelector("rect")), box(numbers[at])];
                    return number.left < square.left || number.right > square.right;
                }).length,
                tags: svg.querySelectorAll(".tag").length,
                alike: svg.querySelectorAll(".alike").length,
                covered: numbers.filter((one) => marks.some((mark) => {
                    // A text's box has empty room above and below its digits
                    const { left, right, top, bottom } = box(one);
                    return cut({ left, right, top: top + 3, bottom: bottom - 3 }, box(mark));
                })).map((one) => one.textContent),
            };
        }"""
    )
    assert found["side"] >= 42  # 44 with the gap to the next one
    assert found["font"] >= 12
    assert found["tags"] == 3
    assert found["alike"] > 0
    assert (found["out"], found["covered"]) == (0, [])


def test_a_sweep_over_one_parameter_is_a_curve_that_can_be_read_by_keys(new_page, home):
    run = Store(home).create(describe(Settings(t=30, I=2, ksvd_iter=2, seed=6), "digits"), "swept")
    compute(run)
    search(run, SweepPlan({"q": (0.15, 0.2, 0.3)}, seeds=2), Engine(n_jobs=1))
    page = new_page(
        f"/grid_search?run={run.id}&search_over=others&values_q_x=0.15~0.2~0.3&sweep_seeds=2", viewport=PROJECTOR
    )
    curve = page.locator(".st-key-sweep_curve")
    expect(curve.locator(".dot")).to_have_count(3)
    expect(curve.locator(".whisker")).to_have_count(9)
    assert outside(page, "sweep_curve") == ""
    page.evaluate(LOOK)
    check_texts(page, ["sweep_curve"])
    stage = curve.locator(".stage")
    stage.focus()
    page.keyboard.press("ArrowRight")
    expect(stage.get_by_role("status")).to_contain_text("q = 0.15: ")
    page.keyboard.press("End")
    expect(stage.get_by_role("status")).to_contain_text("q = 0.3: ")


def test_clicks_and_values_are_right_while_a_search_is_at_work(new_page, settle, searched):
    page = new_page(f"/grid_search?run={searched.id}")
    expect(page.get_by_text("Searching: ")).to_be_visible()
    fields = page.get_by_role("dialog", name="New search")
    shown = {
        OTHERS: {"Across": "q · non-zeros per signal", "Up": "nothing", "Networks per dictionary": "3"},
        WEIGHTS: {"Δ1 · step": "1/14 · 120 points", "Δ2 · step": "1/200", "Networks per dictionary": "12"},
    }
    for over, key in ((OTHERS, "ArrowRight"), (WEIGHTS, "ArrowLeft"), (OTHERS, "ArrowRight")):
        page.get_by_role("radio", name=over).click()
        page.get_by_role("slider", name="α").press(key)  # while the answer to the click is on its way
        settle(page)
        page.get_by_role("button", name="New search").click()
        for label, value in shown[over].items():
            field = fields.get_by_role("combobox", name=label).or_(fields.get_by_role("spinbutton", name=label))
            expect(field).to_have_value(value)
        page.keyboard.press("Escape")
        expect(page.get_by_role("radio", name=over)).to_be_checked()
    heard = page.get_by_role("combobox", name="Search of this run")  # what the server makes of the fields
    expect(heard).to_have_value(re.compile("^New: q, 3 points · 3 networks .* · α = 0.01, β = 0$"))


def test_fields_that_are_opened_late_show_what_the_server_has(new_page, settle):
    page = new_page("/grid_search")
    for value in ("0.01", "0.02"):  # runs of the page while its fields are closed
        page.get_by_role("slider", name="α").press("ArrowRight")
        expect(shown_weights(page).nth(0)).to_have_text(value)
        page.wait_for_function(f"location.search.includes('alpha={value}')")
        settle(page)
    page.get_by_role("button", name="New search").click()
    fields = page.get_by_role("dialog", name="New search")
    expect(fields.get_by_role("combobox", name="Δ1 · step")).to_have_value("1/6 · 28 points")
    expect(fields.get_by_role("spinbutton", name="Networks per dictionary")).to_have_value("3")
