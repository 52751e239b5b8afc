"""What a newcomer sees first, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.navigation import PATHS


def test_the_first_screen_shows_the_atoms(new_page):
    page = new_page()
    wall = page.get_by_role("figure", name="Mosaic of 200 selected atoms")
    expect(wall).to_be_visible()
    expect(wall.get_by_text("The 200 selected atoms, by class")).to_be_visible()
    drawn = wall.locator("img").evaluate(
        "image => image.decode().then(() => [image.naturalWidth, image.naturalHeight])"
    )
    assert drawn == [20 * 17 - 1, 10 * 17 - 1]


@pytest.mark.parametrize("path", PATHS)
def test_every_page_opens_from_a_link(new_page, path):
    page = new_page(f"/{path}")
    expect(page.locator("h1")).to_have_count(1)


@pytest.mark.parametrize("path", PATHS)
def test_no_page_is_wider_than_a_phone(new_page, path):
    page = new_page(f"/{path}", viewport={"width": 390, "height": 844})
    wide = page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
    assert wide <= 0
