"""What stands on a page is whole, at the widths of common screens, in a real browser."""

from playwright.sync_api import expect

from tests.browser.screens import PROJECTOR

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


def test_the_fields_of_the_train_page_stand_in_pairs(new_page):
    """Oracle: the boxes; the weights below have the same two columns."""
    page = new_page("/train", viewport=PROJECTOR)
    rows = (("q", "t"), ("I", "ksvd_iter"), ("tau1", "tau2"))
    for pair in rows:
        left, right = (page.locator(f".st-key-quick_{name}").bounding_box() for name in pair)
        assert abs(left["y"] - right["y"]) < 2, pair
        assert abs(left["width"] - right["width"]) < 2, pair
    watch = page.get_by_test_id("stMarkdown").filter(has_text="Watch").last
    label, box = watch.bounding_box(), page.locator(".st-key-watched").bounding_box()
    assert box["x"] - 24 < label["x"] + label["width"] <= box["x"]
    assert box["y"] <= label["y"] <= box["y"] + box["height"]


def test_what_is_advanced_is_whole_on_a_lectures_screen(new_page):
    page = new_page("/train", viewport=PROJECTOR)
    page.locator(".st-key-advanced button").click()
    body = page.get_by_test_id("stPopoverBody")
    page.locator(".st-key-quick_hidden").wait_for()
    heights = body.evaluate("one => [one.scrollHeight, one.clientHeight]")
    assert heights[0] <= heights[1] + 1
    box = body.bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= PROJECTOR["height"]
