"""The point of every page is on the first screen, and its figures can be read, in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError

from dasksvd.runs.folder import Status
from dasksvd.runs.store import Store
from tests.browser.conftest import at_rest
from tests.browser.screens import PHONE, PROJECTOR, SCREENS
from tests.ui.harness import own_run
from ui import navigation

LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")
SMALLEST = 11
TITLE = (24, 28)


#: Whether an element has been drawn: components are fetched late.
DRAWN = """(name) => {
  const box = document.querySelector(name)?.getBoundingClientRect();
  return box && box.width > 5 && box.height > 5;
}"""


def element(page, key):
    return page.locator(f".st-key-{key}").first


def outside(page, key):
    """Why an element is not whole in the window, or an empty text."""
    try:
        page.wait_for_function(DRAWN, arg=f".st-key-{key}", timeout=10_000)
    except TimeoutError:
        return f"{key} is not shown"
    box = element(page, key).bounding_box()
    size = page.viewport_size
    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
    inside = box["x"] >= 0 and box["y"] >= 0 and right <= size["width"] and bottom <= size["height"]
    return "" if inside else f"{key}: {box['x']:.0f}, {box['y']:.0f} to {right:.0f}, {bottom:.0f}"


def open_screen(new_page, name, **options):
    page = new_page(f"/{navigation.path(name)}", **options)
    page.evaluate(LOOK)
    at_rest(page)  # late parts of a page
    return page


def check_texts(page, keys):
    for key in keys:
        found = element(page, key)
        assert found.evaluate("(root, least) => look.small(root, least)", SMALLEST) == [], key
        assert found.evaluate("root => look.overlaps(root)") == [], key
        assert found.evaluate("root => look.cut(root)") == [], key


def test_every_page_says_what_must_be_seen_of_it():
    assert list(SCREENS) == list(navigation.PAGES)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SCREENS)
def test_figure_and_control_are_on_a_lectures_screen(new_page, name, theme):
    page = open_screen(new_page, name, viewport=PROJECTOR, color_scheme=theme)
    screen = SCREENS[name]
    assert [line for key in (*screen.figures, *screen.controls) if (line := outside(page, key))] == []
    check_texts(page, screen.figures)


@pytest.mark.parametrize("name", SCREENS)
def test_the_first_figure_is_on_a_phones_screen(new_page, name):
    page = open_screen(new_page, name, **PHONE)
    assert outside(page, SCREENS[name].phone) == ""
    title, share = page.locator("h1").bounding_box(), element(page, "share").bounding_box()
    assert title["x"] + title["width"] <= share["x"]
    check_texts(page, [SCREENS[name].phone])


@pytest.mark.parametrize("iterations", [2, 10])
def test_a_finished_run_of_ones_own_is_on_the_first_screen(new_page, home, iterations):
    """Its result and doors stand above the atoms, which are larger the fewer iterations there are."""
    store = Store(home)
    run = own_run(store, I=iterations)
    run.set_status(Status(state="finished"))
    for options, keys in (({"viewport": PROJECTOR}, SCREENS["train"].figures), (PHONE, [SCREENS["train"].phone])):
        page = new_page(f"/train?watched={run.id}", **options)
        page.get_by_text("Finished in").wait_for()
        at_rest(page)  # late parts of a page
        assert [line for key in keys if (line := outside(page, key))] == []
        page.context.close()
    store.delete(run.id)
    store.empty_bin()


@pytest.mark.parametrize("name", SCREENS)
def test_the_header_is_one_line_and_the_sidebar_fits(new_page, name):
    page = open_screen(new_page, name, viewport=PROJECTOR)
    title = page.locator("h1")
    size = float(title.evaluate("one => getComputedStyle(one).fontSize").removesuffix("px"))
    assert TITLE[0] <= size <= TITLE[1]
    assert title.bounding_box()["y"] < 20
    assert element(page, "page_head").bounding_box()["height"] < 70
    heights = page.get_by_test_id("stSidebarContent").evaluate("one => [one.scrollHeight, one.clientHeight]")
    assert heights[0] <= heights[1]
