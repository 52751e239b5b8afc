"""The overview's flow plays, stops and is stepped, and its parts open their pages, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.screens import PHONE

CALM = {"reduced_motion": "reduce"}
PROJECTOR = {"viewport": {"width": 1280, "height": 720}}
#: Seconds that the whole film may take.
LONGEST = 8
#: Notes when the film begins and ends; the flow stands in a shadow root.
WATCH = """() => {
    window.film = {};
    const look = () => {
        const hosts = [...document.querySelectorAll(".st-key-flow *")];
        const flow = hosts.map((host) => host.shadowRoot?.querySelector(".flow")).find(Boolean);
        if (flow?.dataset.playing === "true") window.film.begin ??= performance.now();
        else if (window.film.begin) window.film.end ??= performance.now();
        requestAnimationFrame(look);
    };
    look();
}"""


def flow_of(page):
    """The flow, at rest: its pictures are there."""
    flow = page.locator(".flow")
    expect(flow.locator(".stage")).to_have_count(5)
    return flow


def shows(flow, step, playing=False):
    expect(flow).to_have_attribute("data-step", str(step))
    expect(flow).to_have_attribute("data-playing", str(playing).lower())


def empty_steps(flow):
    """How many steps show nothing yet."""
    return flow.locator("li.coming").count()


def at_rest(flow):
    expect(flow).to_have_attribute("data-done", "true")
    shows(flow, 5)


@pytest.mark.timed
def test_the_flow_plays_once_on_the_first_visit(new_page, settle):
    page = new_page("/draw", **PROJECTOR)
    page.evaluate(f"({WATCH})()")
    page.get_by_role("link", name="Overview", exact=True).click()
    page.wait_for_function("window.film.begin")
    flow = flow_of(page)
    at_rest(flow)
    page.wait_for_function("window.film.end")
    film = page.evaluate("window.film")
    assert film["end"] - film["begin"] < 1000 * LONGEST
    page.reload()
    page.evaluate(f"({WATCH})()")
    settle(page)
    flow_of(page)
    page.wait_for_timeout(1500)
    assert page.evaluate("window.film") == {}
    at_rest(flow)
    assert empty_steps(flow) == 0


def test_with_reduced_motion_nothing_plays_by_itself(new_page):
    page = new_page(**PROJECTOR, **CALM)
    page.evaluate(f"({WATCH})()")
    flow = flow_of(page)
    page.wait_for_timeout(1500)
    at_rest(flow)
    assert page.evaluate("window.film") == {}
    flow.get_by_role("button", name="Previous step").click()
    shows(flow, 4)
    flow.get_by_role("button", name="Next step").click()
    at_rest(flow)
    assert page.evaluate("window.film") == {}, "a step must not move either"


def test_the_flow_is_stepped_by_buttons_and_by_keys(new_page):
    page = new_page(**PROJECTOR, **CALM)
    flow = flow_of(page)
    back, onward = (flow.get_by_role("button", name=f"{which} step") for which in ("Previous", "Next"))
    back.click()
    back.click()
    shows(flow, 3)
    assert empty_steps(flow) == 2
    expect(flow.get_by_role("status")).to_have_text("Step 3 of 5")
    onward.click()
    shows(flow, 4)
    for key, step in (("ArrowLeft", 3), ("ArrowLeft", 2), ("ArrowLeft", 1), ("ArrowLeft", 1), ("ArrowRight", 2)):
        onward.press(key)
        shows(flow, step)
    flow.locator(".stage").nth(2).press("ArrowRight")  # wherever the focus is in it
    shows(flow, 3)


def test_the_flow_is_paused_and_goes_on(new_page):
    page = new_page(**PROJECTOR)
    flow = flow_of(page)
    at_rest(flow)
    flow.get_by_role("button", name="Replay").click()
    expect(flow).to_have_attribute("data-step", "2")
    flow.get_by_role("button", name="Pause").click()
    step = flow.get_attribute("data-step")
    page.wait_for_timeout(2500)
    shows(flow, step)
    assert empty_steps(flow) == 5 - int(step)
    flow.get_by_role("button", name="Play", exact=True).click()
    at_rest(flow)


def test_another_iteration_is_shown_without_playing(new_page, settle):
    page = new_page(**PROJECTOR)
    flow = flow_of(page)
    at_rest(flow)
    flow.get_by_role("button", name="Previous step").click()
    shows(flow, 4)
    page.evaluate(f"({WATCH})()")
    page.get_by_role("slider", name=re.compile("Iteration l")).press("ArrowRight")
    expect(flow.get_by_text("How iteration 5 found its column")).to_be_visible()
    expect(flow.get_by_text("4 × τ2 = 0.4 σ")).to_be_visible()
    settle(page)
    page.wait_for_timeout(500)
    shows(flow, 4)
    assert page.evaluate("window.film") == {}
    assert "method_step=5" in page.url


@pytest.mark.parametrize(("step", "path"), [(0, "train"), (1, "train"), (2, "atoms"), (3, "measures"), (4, "atoms")])
def test_every_step_is_a_door_by_mouse_and_by_keyboard(new_page, settle, step, path):
    page = new_page(**PROJECTOR, **CALM)
    for act in ("click", "press"):
        door = flow_of(page).locator(".stage").nth(step)
        expect(door).to_have_accessible_name(re.compile(rf"^{step + 1} .*\. Opens {path.capitalize()}$"))
        door.click() if act == "click" else door.press("Enter")
        expect(page).to_have_url(re.compile(rf"/{path}([?]|$)"))
        settle(page)
        page.go_back()
        expect(page.get_by_role("heading", name="Atoms that tell digits apart")).to_be_visible()
        settle(page)


def test_an_atom_tells_its_measure_and_opens_its_page(new_page, settle):
    page = new_page(**PROJECTOR, **CALM)
    wall = page.get_by_role("figure", name="Mosaic of 200 selected atoms")
    box = wall.locator(".stage").bounding_box()
    at = (box["x"] + 6.5 * box["width"] / 20, box["y"] + 3.5 * box["height"] / 10)
    page.mouse.move(*at)
    expect(wall.get_by_role("status")).to_have_text(re.compile(r"class 3, iteration 7\s*m = 0\.\d{3}"))
    page.mouse.click(*at)
    expect(page).to_have_url(re.compile(r"/atoms[?]atom=3\.7$"))
    settle(page)
    page.go_back()
    expect(page.get_by_role("heading", name="Atoms that tell digits apart")).to_be_visible()
    settle(page)
    page.wait_for_timeout(500)
    assert "/atoms" not in page.url, "the old click must not open the page again"


@pytest.mark.parametrize("size", [1, 2, 7, 12])
def test_a_small_dictionary_stays_on_the_first_screen(new_page, size):
    """Few columns must not make the wall so high that it pushes the steps out of sight."""
    page = new_page(f"/?I={size}", **PROJECTOR, **CALM)
    flow_of(page)
    for key in ("dictionary", "flow"):
        box = page.locator(f".st-key-{key}").bounding_box()
        assert box["y"] + box["height"] <= 720, key
    phone = new_page(f"/?I={size}", **PHONE, **CALM)
    flow_of(phone)
    box = phone.locator(".st-key-dictionary").bounding_box()
    assert box["y"] + box["height"] <= 844


def test_on_a_phone_the_step_that_is_shown_comes_into_sight(new_page):
    page = new_page(**PHONE, **CALM)
    flow = flow_of(page)
    flow.scroll_into_view_if_needed()
    for _ in range(3):
        flow.get_by_role("button", name="Previous step").tap()
    shows(flow, 2)
    box = flow.locator(".stage").nth(1).bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    sizes = [one.bounding_box() for one in flow.locator(".keys button").all()]
    assert min(min(size["width"], size["height"]) for size in sizes) >= 40
