"""The page Measures in a real browser: scatter, classes shown alone, the triangle of the weights."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.screens import PHONE

LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")
BARS = ("bars_p", "bars_q", "bars_r", "chosen_rivals", "owned_rivals")
FIGURES = (*BARS, "scatter", "residual_share", "odds", "pairs_0")
PROJECTOR = {"viewport": {"width": 1280, "height": 720}}
#: The dots of the scatter in the order of the atoms: middle, radius, opacity; and what is written on them.
DOTS = """figure => [...figure.querySelectorAll('.stage circle')].slice(0, 256).map((one) =>
  [+one.getAttribute('cx'), +one.getAttribute('cy'), +one.getAttribute('r'), +(one.getAttribute('opacity') ?? 1)])"""
GLYPHS = "figure => [...figure.querySelectorAll('.stage text[font-size]')].map((one) => one.textContent)"


def scatter_of(page):
    found = page.get_by_role("figure", name="Scatter of")
    expect(found.locator("circle").first).to_be_visible()
    return found


def click_dot(page, scatter, number):
    x, y, *_ = scatter.evaluate(DOTS)[number]
    box = scatter.locator(".stage").bounding_box()
    page.mouse.click(box["x"] + x, box["y"] + y)


def heading_of(page):
    return page.get_by_role("heading", name=re.compile(r"Atom \d+: class"))


def test_a_click_in_the_scatter_changes_the_bars_in_sight(new_page, settle):
    page = new_page("/measures", **PROJECTOR)
    scatter = scatter_of(page)
    click_dot(page, scatter, 42)
    expect(heading_of(page)).to_contain_text("Atom 42:")
    for table in ("activation probability p", "mean coefficient q", "error without the atom r"):
        expect(page.get_by_role("figure", name=f"Bars of the {table} of atom 42")).to_be_in_viewport(ratio=1)
    assert page.get_by_test_id("stMain").evaluate("one => one.scrollTop") == 0


@pytest.mark.parametrize(("iteration", "unnamed"), [(1, 0), (10, 0.04), (20, 0.08)])
def test_every_dot_can_be_seen_and_nearly_every_one_has_its_class(new_page, iteration, unnamed):
    page = new_page(f"/measures?measured={iteration}", **PROJECTOR)
    scatter = scatter_of(page)
    dots = scatter.evaluate(DOTS)
    assert len(dots) == 256
    assert len(scatter.evaluate(GLYPHS)) >= (1 - unnamed) * 256
    lower = scatter.get_by_text(re.compile("cut to 0: the rival's error is larger")).bounding_box()
    floor = lower["y"] - scatter.locator(".stage").bounding_box()["y"]
    band = [dot for dot in dots if dot[1] > floor]
    count = int(scatter.get_by_text(re.compile("cut to 0")).text_content().split()[0])
    assert len(band) == count > 60
    near = [abs(a[0] - b[0]) < 3 and abs(a[1] - b[1]) < 3 for a, b in combinations(band, 2)]
    assert sum(near) <= 0.02 * count


def test_an_atom_of_the_band_is_picked_by_a_click(new_page):
    page = new_page("/measures?measured=20", **PROJECTOR)
    scatter = scatter_of(page)
    dots = scatter.evaluate(DOTS)
    lowest = sorted(range(256), key=lambda number: -dots[number][1])
    click_dot(page, scatter, lowest[20])
    expect(heading_of(page)).to_contain_text(f"Atom {lowest[20]}:")
    # Its measure was cut, and the formula says so.
    expect(page.locator(".st-key-atom_numbers .katex-html").nth(2)).to_contain_text("→0")


def test_one_class_is_shown_alone_by_click_and_by_key(new_page, settle):
    page = new_page("/measures", **PROJECTOR)
    scatter = scatter_of(page)
    everything = scatter.evaluate(GLYPHS)
    three = scatter.get_by_role("button", name="3", exact=True)
    three.click()
    expect(three).to_have_attribute("aria-pressed", "true")
    assert set(scatter.evaluate(GLYPHS)) == {"3"}
    assert sum(opacity < 0.5 for *_, opacity in scatter.evaluate(DOTS)) > 200
    # It is remembered when the iteration changes, and given up by the key Escape.
    slider = page.get_by_role("slider", name="Iteration l")
    slider.focus()
    slider.press("ArrowRight")
    expect(page).to_have_url(re.compile("measured=2"))
    settle(page)
    assert set(scatter.evaluate(GLYPHS)) == {"3"}
    slider.press("ArrowLeft")
    expect(page).not_to_have_url(re.compile("measured="))
    settle(page)
    stage = scatter.locator(".stage")
    stage.press("Escape")
    assert scatter.evaluate(GLYPHS) == everything
    stage.press("7")
    assert set(scatter.evaluate(GLYPHS)) == {"7"}
    # Arrow keys go from atom to atom of the class, and from class to class in the legend.
    for _ in range(3):
        stage.press("ArrowRight")
        expect(scatter.get_by_role("status")).to_contain_text("of class 7:")
    seven = scatter.get_by_role("button", name="7", exact=True)
    seven.focus()
    seven.press("ArrowRight")
    eight = scatter.get_by_role("button", name="8", exact=True)
    expect(eight).to_be_focused()
    assert set(scatter.evaluate(GLYPHS)) == {"8"}
    eight.press("Enter")
    assert scatter.evaluate(GLYPHS) == everything


def weights_of(page):
    return page.get_by_role("slider", name="Weights of the three measures")


def side_slider(page, symbol):
    return page.get_by_role("slider", name=re.compile(f"^{symbol} ·"))


def comes_to(page, alpha, beta):
    """Triangle, sliders and address say the same."""
    expect(weights_of(page)).to_have_attribute(
        "aria-valuetext", f"α {alpha:.2f}, β {beta:.2f}, 1−α−β {1 - alpha - beta:.2f}"
    )
    for symbol, value in (("α", alpha), ("β", beta)):
        expect(side_slider(page, symbol)).to_have_attribute("aria-valuetext", f"{value:.2f}")


def test_the_triangle_is_dragged_and_back_returns(new_page, settle):
    page = new_page("/measures", **PROJECTOR)
    comes_to(page, 0, 0)
    box = page.locator(".st-key-weight_triangle svg").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 104)
    page.mouse.down()
    page.mouse.move(box["x"] + 75, box["y"] + 104)
    # Before the button is let go, the page follows.
    expect(side_slider(page, "α")).to_have_attribute("aria-valuetext", "0.50")
    page.mouse.up()
    comes_to(page, 0.5, 0)
    expect(page.get_by_text(re.compile(r"At α = 0\.50, β = 0\.00"))).to_be_attached()
    expect(page).to_have_url(re.compile("alpha=0.5"))
    settle(page)
    page.go_back()
    comes_to(page, 0, 0)
    expect(page).not_to_have_url(re.compile("alpha"))


def test_the_triangle_ends_at_its_edges(new_page):
    page = new_page("/measures", **PROJECTOR)
    box = page.locator(".st-key-weight_triangle svg").bounding_box()
    for at, weights in (((400, 104), (1, 0)), ((75, -60), (0, 1)), ((-80, 200), (0, 0))):
        page.mouse.move(box["x"] + 75, box["y"] + 80)
        page.mouse.down()
        page.mouse.move(box["x"] + at[0], box["y"] + at[1], steps=4)
        page.mouse.up()
        comes_to(page, *weights)


def test_the_triangle_is_moved_by_keys_and_by_the_sliders(new_page, settle):
    page = new_page("/measures?alpha=0.3&beta=0.2", **PROJECTOR)
    comes_to(page, 0.3, 0.2)
    handle = weights_of(page)
    handle.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "Shift+ArrowUp"):
        handle.press(key)
    comes_to(page, 0.32, 0.31)
    settle(page)
    side_slider(page, "α").press("ArrowLeft")
    comes_to(page, 0.31, 0.31)
    # The weight that is moved pushes the other down.
    for _ in range(7):
        handle.press("Shift+ArrowUp")
    comes_to(page, 0, 1)
    handle.press("Home")
    comes_to(page, 0, 0)


def test_a_finger_moves_the_weights_on_a_phone(new_page):
    page = new_page("/measures", **PHONE)
    picture = page.locator(".st-key-weight_triangle svg")
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    page.touchscreen.tap(box["x"] + 75, box["y"] + 104)
    comes_to(page, 0.5, 0)


@pytest.mark.parametrize("width", [1024, 1280, 1920, 390])
def test_the_charts_of_the_measures_can_be_read_at_every_width(new_page, width):
    screen = PHONE if width == PHONE["viewport"]["width"] else {"viewport": {"width": width, "height": 900}}
    page = new_page("/measures?alpha=0.4", **screen)
    page.evaluate(LOOK)
    for key in FIGURES:
        found = page.locator(f".st-key-{key}").first
        expect(found.locator("svg, img").first).to_be_visible()
        assert found.evaluate("root => look.small(root, 11)") == [], key
        assert found.evaluate("root => look.overlaps(root)") == [], key
        assert found.evaluate("root => look.cut(root)") == [], key
