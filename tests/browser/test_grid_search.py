"""The grid search in a real browser: a click on a cell changes the weights everywhere."""

import numpy as np
from playwright.sync_api import expect

from dasksvd.runs.reference import load_reference


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
    click_cell(page, "triangle_20", 1, 4)
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
    page = new_page("/grid_search")
    click_cell(page, "triangle_5", 2, 1)
    values = shown_weights(page)
    expect(values.nth(0)).to_have_text("0.33")
    settle(page)
    again = new_page(page.url.removeprefix(server))
    values = shown_weights(again)
    expect(values.nth(0)).to_have_text("0.33")
    expect(values.nth(1)).to_have_text("0.17")


def test_a_point_that_was_left_can_be_clicked_again(new_page, settle):
    page = new_page("/grid_search?alpha=0.5")
    click_cell(page, "triangle_5", 2, 1)
    expect(shown_weights(page).nth(0)).to_have_text("0.33")
    settle(page)
    page.get_by_role("slider", name="α").press("Home")
    expect(shown_weights(page).nth(0)).to_have_text("0.00")
    settle(page)
    click_cell(page, "triangle_5", 2, 1)
    expect(shown_weights(page).nth(0)).to_have_text("0.33")


def test_hovering_tells_the_weights_and_the_atoms(new_page):
    page = new_page("/grid_search")
    over_cell(page, "triangle_20", 3, 0)
    tip = page.locator(".st-key-triangle_20 .tip")
    expect(tip).to_contain_text("α = 1/2, β = 0")
    expect(tip).to_contain_text("200 atoms")


def test_weights_are_chosen_on_the_map_without_a_mouse(new_page):
    page = new_page("/grid_search")
    page.get_by_role("switch", name="A colour scale for each size").focus()
    stage = page.locator(".st-key-triangle_5 .stage")
    for _ in range(4):
        page.keyboard.press("Tab")
        if stage.evaluate("stage => stage.matches(':focus-visible')"):
            break
    expect(stage).to_be_focused()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    expect(stage.get_by_role("status")).to_contain_text("α = 1/3, β = 1/6")
    page.keyboard.press("Enter")
    expect(shown_weights(page).nth(0)).to_have_text("0.33")
    expect(shown_weights(page).nth(1)).to_have_text("0.17")


def test_arrow_keys_stay_on_the_map(new_page):
    page = new_page("/grid_search")
    stage = page.locator(".st-key-triangle_5 .stage")
    stage.focus()
    for key in ("ArrowLeft", "ArrowDown", "ArrowUp", "ArrowRight") + 9 * ("ArrowRight",):
        page.keyboard.press(key)
    expect(stage.get_by_role("status")).to_contain_text("α = 5/6, β = 1/6")


def test_the_scores_stand_inside_their_squares(new_page):
    page = new_page("/grid_search", viewport={"width": 1280, "height": 720})
    cells = page.locator(".st-key-triangle_20 [data-x]")
    expect(cells).to_have_count(28)
    for cell in cells.all():
        square, text = cell.locator("rect").bounding_box(), cell.locator("text").bounding_box()
        assert square["x"] <= text["x"]
        assert text["x"] + text["width"] <= square["x"] + square["width"]
