"""The grid search in a real browser: a click on a cell changes the weights everywhere."""

import numpy as np
from playwright.sync_api import expect

from dasksvd.reference import load_reference

PLACE = """(plot, point) => {
    const axes = plot._fullLayout, box = plot.getBoundingClientRect();
    return [box.left + axes.xaxis._offset + axes.xaxis.l2p(point[0]),
            box.top + axes.yaxis._offset + axes.yaxis.l2p(point[1])];
}"""


def click_cell(page, key, x, y):
    """Click the cell in column x and row y of a map."""
    plot = page.locator(f".st-key-{key} .js-plotly-plot")
    plot.scroll_into_view_if_needed()
    expect(plot.locator(".plot-container")).to_be_visible()
    page.mouse.move(*plot.evaluate(PLACE, [x + 0.1, y]))
    expect(plot.locator(".hoverlayer .hovertext")).to_be_visible()
    page.mouse.click(*plot.evaluate(PLACE, [x, y]))


def test_a_click_makes_the_weights_current_on_every_page(new_page, settle):
    page = new_page("/grid_search")
    click_cell(page, "triangle_20", 1, 4)
    formula = page.get_by_test_id("stSidebar").get_by_text("0.17", exact=True).first
    expect(formula).to_be_visible()
    settle(page)
    values = page.get_by_test_id("stSidebar").get_by_test_id("stSliderThumbValue")
    expect(values.nth(0)).to_have_text("0.17")
    expect(values.nth(1)).to_have_text("0.67")
    page.get_by_test_id("stSidebarNav").get_by_text("Overview").click()
    settle(page)
    run = load_reference()
    changed = int(np.sum(run.reselect(1 / 6, 4 / 6).index != run.reselect(0, 0).index))
    metric = page.get_by_test_id("stMetric").filter(has_text="Other atoms than at")
    expect(metric.get_by_test_id("stMetricValue")).to_have_text(str(changed))


def test_the_address_after_a_click_leads_to_the_same_weights(new_page, settle, server):
    page = new_page("/grid_search")
    click_cell(page, "triangle_5", 2, 1)
    values = page.get_by_test_id("stSidebar").get_by_test_id("stSliderThumbValue")
    expect(values.nth(0)).to_have_text("0.33")
    settle(page)
    again = new_page(page.url.removeprefix(server))
    values = again.get_by_test_id("stSidebar").get_by_test_id("stSliderThumbValue")
    expect(values.nth(0)).to_have_text("0.33")
    expect(values.nth(1)).to_have_text("0.17")


def test_hovering_tells_the_weights_and_the_atoms(new_page):
    page = new_page("/grid_search")
    plot = page.locator(".st-key-triangle_20 .js-plotly-plot")
    plot.scroll_into_view_if_needed()
    page.mouse.move(*plot.evaluate(PLACE, [3, 0]))
    hover = plot.locator(".hoverlayer .hovertext")
    expect(hover).to_contain_text("α = 1/2, β = 0")
    expect(hover).to_contain_text("200 atoms")
