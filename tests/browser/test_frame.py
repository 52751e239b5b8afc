"""The frame around every page: navigation, menu, theme; in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.navigation import TITLES
from tests.browser.screens import PHONE, PROJECTOR

DARK = "rgb(18, 23, 29)"


def ground(page):
    return page.get_by_test_id("stApp").evaluate("one => getComputedStyle(one).backgroundColor")


def test_the_theme_is_two_clicks_away_and_stays_on_every_page(new_page, settle):
    page = new_page("/atoms", viewport=PROJECTOR, color_scheme="light")
    assert ground(page) != DARK
    page.get_by_test_id("stMainMenuButton").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", DARK)
    page.wait_for_function("window.dasksvdAddress?.pages")
    page.goto(page.url.replace("/atoms", "/measures"))
    settle(page)
    assert ground(page) == DARK


def test_the_navigation_has_groups_and_icons(new_page):
    page = new_page("/", viewport=PROJECTOR)
    links = page.get_by_test_id("stSidebarNavLink")
    expect(links).to_have_text(TITLES)
    page.wait_for_function(
        "getComputedStyle(document.querySelector('[data-testid=stSidebarNavItems] li'), '::before').content !== 'none'"
    )
    before = "all => all.map((one) => getComputedStyle(one, '::before').content)"
    groups = page.get_by_test_id("stSidebarNavItems").locator("li").evaluate_all(before)
    assert [group for group in groups if group != "none"] == ['"Learn"', '"Experiment"', '"Understand"']
    icons = links.evaluate_all(before)
    assert len(set(icons)) == len(TITLES)
    assert all(icon.startswith('"') for icon in icons)


@pytest.mark.parametrize("name", ["atoms", "overview"])
def test_on_a_phone_weights_and_wall_are_seen_together(new_page, name):
    """Oracle: the boxes of both sliders and of the wall lie inside the window."""
    page = new_page(f"/{'' if name == 'overview' else name}", **PHONE)
    for key in ("alpha", "beta", "structured" if name == "atoms" else "dictionary"):
        box = page.locator(f".st-key-{key}").first.bounding_box()
        assert box["y"] >= 0, key
        assert box["y"] + box["height"] <= PHONE["viewport"]["height"], key


def test_the_menu_covers_no_word_of_the_header(new_page):
    page = new_page("/train", viewport=PROJECTOR)
    button = page.get_by_test_id("stMainMenuButton")
    expect(button).to_be_visible()
    menu = button.bounding_box()
    for words in page.locator(".st-key-page_head :is(h1, p)").all():
        box = words.bounding_box()  # None where a text is being drawn anew
        assert box is None or box["x"] + box["width"] <= menu["x"]
