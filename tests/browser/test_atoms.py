"""Atoms are picked by mouse, finger and key in any wall, in a real browser."""

import re
import time

import pytest
from playwright.sync_api import expect

from dasksvd.runs.store import Store
from tests.browser.conftest import at_rest
from tests.browser.screens import PROJECTOR
from tests.browser.test_first_screen import PHONE, outside
from tests.browser.test_links import comes_to_say, said
from tests.ui.harness import own_run

HEADING = re.compile(r"Atom \d+ of iteration")
#: Pixels that a finger needs.
FINGER = 44
#: Milliseconds after which a touch is surely a long press.
LONG_PRESS = 800


def wall(page, key):
    return page.locator(f".st-key-{key}").first


def heading(page):
    return page.get_by_role("heading", name=HEADING)


def point_in(page, key, row, column, n_rows, n_columns):
    """The middle of a wall's picture, in the window."""
    stage = wall(page, key).locator(".stage")
    expect(stage).to_be_visible()
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    return box["x"] + (column + 0.5) * box["width"] / n_columns, box["y"] + (row + 0.5) * box["height"] / n_rows


@pytest.fixture
def phone(new_page):
    """A phone, and a function that lets a finger do something on it: "Start", "Move" or "End" at a place."""
    page = new_page("/atoms", **PHONE)
    expect(wall(page, "structured").locator("img")).to_be_visible()
    at_rest(page)
    session = page.context.new_cdp_session(page)

    def finger(kind, *place):
        points = [{"x": place[0], "y": place[1]}] if place else []
        session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    return page, finger


def test_an_atom_of_the_dictionary_is_picked_and_told_about(new_page):
    page = new_page("/atoms")
    place = point_in(page, "auxiliary", 2, 5, 8, 32)
    page.mouse.move(*place)
    expect(wall(page, "auxiliary").get_by_role("status")).to_contain_text("atom 69: class")
    page.mouse.click(*place)
    expect(heading(page)).to_contain_text(re.compile("^Atom 69 of iteration 1"))
    page.wait_for_function("location.search.includes('atom=')")
    assert said(page)["atom"] in ("1:69", *(f"{c}.1" for c in range(10)))


def test_the_strip_leads_to_the_like_of_an_atom_and_back(new_page):
    page = new_page("/atoms?atom=4.2")
    stage = wall(page, "life").locator(".stage")
    stage.focus()
    for key in ("ArrowRight", "ArrowRight"):
        stage.press(key)
    expect(wall(page, "life").get_by_role("status")).to_contain_text("iteration 4, atom")
    stage.press("Enter")
    expect(heading(page)).to_contain_text("of iteration 4:")
    page.wait_for_function("!location.search.includes('atom=4.2')")
    page.go_back()
    comes_to_say(page, atom="4.2")
    expect(heading(page)).to_contain_text("iteration 2: chosen for class 4")


def test_the_slider_moves_the_column_and_leaves_the_atom(new_page):
    page = new_page("/atoms?atom=3.7")
    column = wall(page, "structured").locator(".column")
    expect(column).to_be_visible()
    before = column.bounding_box()["x"]
    page.get_by_role("slider", name=re.compile("Iteration l")).press("ArrowRight")
    comes_to_say(page, atom="3.7", iteration="8")
    expect(page.get_by_text("Auxiliary dictionary Φ of iteration 8")).to_be_visible()
    expect(heading(page)).to_contain_text("iteration 7: chosen for class 3")
    assert column.bounding_box()["x"] > before + 15


def test_the_film_runs_and_stops(new_page):
    page = new_page("/atoms?I=3")
    page.get_by_role("button", name="Play").click()
    started = time.monotonic()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_text("Auxiliary dictionary Φ of iteration 3")).to_be_visible(timeout=60_000)
    assert time.monotonic() - started > 0.5
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_text("Auxiliary dictionary Φ of iteration 2")).to_be_visible()
    page.wait_for_timeout(1500)
    expect(page.get_by_text("Auxiliary dictionary Φ of iteration 2")).to_be_visible()


def test_the_downloads_are_a_click_away(new_page):
    page = new_page("/atoms")
    page.get_by_role("button", name="Download", exact=True).click()
    for label, ending in (("Atoms · npz", "npz"), ("Measures · CSV", "csv"), ("Picture · PNG", "png")):
        with page.expect_download() as found:
            page.get_by_role("button", name=label).click()
        assert found.value.suggested_filename.endswith(f".{ending}")
        assert found.value.path().stat().st_size > 1000


def test_weights_and_wall_are_on_a_phones_screen_together(phone):
    page, _ = phone
    assert [line for key in ("alpha", "beta", "structured") if (line := outside(page, key))] == []


def test_a_tap_offers_the_pictures_around_it_and_the_next_one_picks(phone):
    page, _ = phone
    before = heading(page).inner_text()
    page.touchscreen.tap(*point_in(page, "structured", 4, 9, 10, 20))
    strip = wall(page, "structured").locator(".strip")
    buttons = strip.locator("button")
    expect(buttons).to_have_count(15)
    expect(strip).to_be_visible()
    for box in (button.bounding_box() for button in buttons.all()):
        assert min(box["width"], box["height"]) >= FINGER
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= 844
    page.wait_for_timeout(500)
    assert heading(page).inner_text() == before
    # Not the tapped one, but the one above it on the right.
    page.get_by_role("button", name="class 3, iteration 11").tap()
    expect(heading(page)).to_contain_text("iteration 11: chosen for class 3")
    expect(strip).to_be_hidden()


def test_a_slide_opens_a_loupe_that_picks_when_it_is_let_go(phone):
    page, finger = phone
    loupe = wall(page, "structured").locator(".loupe")
    start = point_in(page, "structured", 6, 3, 10, 20)
    finger("Start", *start)
    for step in range(1, 6):
        finger("Move", start[0] + 6 * step, start[1])
    expect(loupe).to_be_visible()
    end = point_in(page, "structured", 2, 14, 10, 20)
    finger("Move", *end)
    expect(loupe).to_contain_text("class 2, iteration 15")
    box = loupe.bounding_box()
    assert box["y"] + box["height"] < end[1] or box["y"] > end[1]  # never under the finger
    assert loupe.locator("canvas").evaluate(
        "one => one.getContext('2d').getImageData(0, 0, one.width, one.height).data.some(Boolean)"
    )
    finger("End")
    expect(loupe).to_be_hidden()
    expect(heading(page)).to_contain_text("iteration 15: chosen for class 2")


def test_a_quick_slide_is_not_taken_for_a_long_press_where_it_began(phone):
    page, finger = phone
    places = [point_in(page, "structured", *at, 10, 20) for at in ((6, 3), (6, 8), (2, 14))]
    for kind, place in zip(("Start", "Move", "Move"), places, strict=True):
        finger(kind, *place)
    page.wait_for_timeout(LONG_PRESS)
    expect(wall(page, "structured").locator(".loupe")).to_contain_text("class 2, iteration 15")
    finger("End")


def test_a_long_press_opens_the_loupe_and_away_from_the_wall_picks_nothing(phone):
    page, finger = phone
    before = heading(page).inner_text()
    loupe = wall(page, "structured").locator(".loupe")
    start = point_in(page, "structured", 8, 12, 10, 20)
    finger("Start", *start)
    expect(loupe).to_contain_text("class 8, iteration 13")
    for step in range(1, 12):  # upwards, as if to scroll
        finger("Move", start[0], start[1] - 20 * step)
    expect(loupe).to_be_visible()
    finger("End")
    expect(loupe).to_be_hidden()
    page.wait_for_timeout(500)
    assert heading(page).inner_text() == before
    assert page.get_by_test_id("stMain").evaluate("one => one.scrollTop") == 0


def test_a_finger_that_goes_up_scrolls_the_page_and_picks_nothing(phone):
    page, finger = phone
    before = heading(page).inner_text()
    start = point_in(page, "structured", 8, 12, 10, 20)
    finger("Start", *start)
    for step in range(1, 12):
        finger("Move", start[0], start[1] - 20 * step)
        page.wait_for_timeout(20)
    finger("End")
    page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop > 50")
    expect(wall(page, "structured").locator(".loupe")).to_be_hidden()
    expect(wall(page, "structured").locator(".strip")).to_be_hidden()
    assert heading(page).inner_text() == before


def test_a_mouse_needs_no_loupe(new_page):
    page = new_page("/atoms", viewport={"width": 1280, "height": 720})
    page.mouse.click(*point_in(page, "structured", 5, 5, 10, 20))
    expect(heading(page)).to_contain_text("iteration 6: chosen for class 5")
    expect(wall(page, "structured").locator(".strip")).to_be_hidden()


def test_the_frame_of_a_large_picture_leaves_the_names_around_it_free(new_page, home):
    """Between pictures of 8 × 8 pixels that are enlarged a lot, a gap is wide; the frame is not."""
    store = Store(home)
    run = own_run(store)
    page = new_page(f"/atoms?run={run.id}", viewport=PROJECTOR)
    wall = page.get_by_role("figure", name="Mosaic of the 20 atoms")
    expect(wall.locator(".picked")).to_be_visible()
    box, stage = (wall.locator(name).bounding_box() for name in (".picked", ".stage"))
    assert 0 < stage["x"] - box["x"] <= 3.1
    assert 0 < stage["y"] - box["y"] <= 3.1
    store.delete(run.id)
    store.empty_bin()
