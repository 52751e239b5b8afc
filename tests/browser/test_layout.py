"""What stands on a page is whole, at the widths of common screens, in a real browser."""

from playwright.sync_api import expect

WIDTHS = (1280, 1440, 1920, 390)


def box_of(locator):
    found = locator.bounding_box()
    assert found, "not shown"
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def test_the_formulas_of_the_measures_are_whole(new_page):
    page = new_page("/measures", viewport={"width": 1280, "height": 900})
    formulas = page.get_by_test_id("stMain").locator(".stMarkdown .katex-display")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        expect(formulas).to_have_count(4)
        for formula in formulas.all():
            formula.scroll_into_view_if_needed()
            sizes = formula.evaluate("element => [element.scrollWidth, element.clientWidth]")
            assert sizes[0] <= sizes[1], (width, formula.text_content())
            column = box_of(formula.locator("xpath=ancestor::*[@data-testid='stColumn'][1]"))
            start, _, end, _ = box_of(formula.locator(".katex-html"))
            assert column[0] <= start < end <= min(column[2], width), (width, formula.text_content())
