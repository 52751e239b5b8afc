"""What a link carries, and what Back brings back, in a real browser."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from dasksvd.parameters import Settings
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute, describe
from dasksvd.search.job import Search
from tests.browser import navigation
from tests.browser.pens import draw_with_mouse, verdict
from tests.browser.test_grid_search import click_cell
from ui.components.canvas import examples

#: A busy machine may take seconds for a click.
PATIENCE = 60_000

#: Titles of the pages by path.
TITLES = dict(zip(navigation.PATHS, navigation.TITLES, strict=True))


def said(page):
    """The address's values by name."""
    return {name: values[-1] for name, values in parse_qs(urlsplit(page.url).query, keep_blank_values=True).items()}


def slider(page, label):
    return page.get_by_role("slider", name=re.compile(re.escape(label)))


def press(page, label, key="ArrowRight", times=1):
    for _ in range(times):
        slider(page, label).press(key)


def go_to(page, name, settle):
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()
    expect(page).to_have_title(f"{name} · DAS-KSVD")
    settle(page)


def comes_to_say(page, **values):
    """Wait until the address says just this."""
    page.wait_for_function(
        "wanted => JSON.stringify([...new URLSearchParams(location.search)].sort()) === JSON.stringify(wanted)",
        arg=sorted([name, value] for name, value in values.items()),
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("name", TITLES)
def test_a_tab_is_called_by_its_page(new_page, name):
    page = new_page(f"/{name}")
    expect(page).to_have_title(f"{TITLES[name]} · DAS-KSVD")


def test_back_takes_back_the_last_move_and_nothing_else(new_page, settle):
    page = new_page("/")
    press(page, "α")
    comes_to_say(page, alpha="0.01")
    page.wait_for_timeout(1000)  # what follows at once is one step with the move before
    press(page, "α")
    comes_to_say(page, alpha="0.02")
    for expected in ({"alpha": "0.01"}, {}):
        page.go_back()
        comes_to_say(page, **expected)
        settle(page)
        expect(slider(page, "α")).to_have_attribute("aria-valuetext", f"{float(expected.get('alpha', 0)):.2f}")
        expect(slider(page, "I ·")).to_have_attribute("aria-valuetext", "20")
        expect(page.get_by_text("The 200 selected atoms, by class")).to_be_visible()
    page.go_forward()
    comes_to_say(page, alpha="0.01")
    expect(slider(page, "α")).to_have_attribute("aria-valuetext", "0.01")


def test_back_from_a_page_is_one_step_and_restores_the_page_before(new_page, settle):
    page = new_page("/atoms?alpha=0.3&I=5&atom=3.4")
    heading = page.get_by_role("heading", name=re.compile(r"Atom \d+ of iteration"))
    expect(heading).to_contain_text("iteration 4: chosen for class 3")
    go_to(page, "Measures", settle)
    comes_to_say(page, alpha="0.3", I="5")
    page.go_back()
    expect(page).to_have_title("Atoms · DAS-KSVD")
    comes_to_say(page, alpha="0.3", I="5", atom="3.4")
    expect(heading).to_contain_text("iteration 4: chosen for class 3")
    page.go_forward()
    expect(page).to_have_title("Measures · DAS-KSVD")
    comes_to_say(page, alpha="0.3", I="5")
    expect(slider(page, "I ·")).to_have_attribute("aria-valuetext", "5")


def test_after_quick_key_presses_the_address_says_what_the_slider_shows(new_page, settle):
    page = new_page("/")
    press(page, "α", times=10)
    press(page, "I ·", "ArrowLeft", times=3)
    press(page, "α", "ArrowLeft", times=2)
    settle(page)
    comes_to_say(page, alpha="0.08", I="17")
    expect(slider(page, "α")).to_have_attribute("aria-valuetext", "0.08")
    expect(page.get_by_text("The 170 selected atoms, by class")).to_be_visible()


def test_a_weight_pushes_the_other_down_where_everybody_sees_it(new_page, settle):
    page = new_page("/measures?alpha=0.5&beta=0.5")
    press(page, "α", times=3)
    settle(page)
    comes_to_say(page, alpha="0.53", beta="0.47")
    expect(slider(page, "β")).to_have_attribute("aria-valuetext", "0.47")
    expect(page.get_by_text("β went down to 0.47")).to_be_visible()
    expect(page.get_by_text(re.compile(r"At α = 0\.53, β = 0\.47"))).to_be_visible()


def test_the_same_atom_can_be_picked_again_after_back(new_page, settle):
    page = new_page("/atoms")
    heading = page.get_by_role("heading", name=re.compile(r"Atom \d+ of iteration"))
    stage = page.get_by_role("figure", name="Mosaic of the 200 atoms of the structured").locator(".stage")
    expect(stage).to_be_visible()

    def click():
        box = stage.bounding_box()
        page.mouse.click(box["x"] + 6.5 * box["width"] / 20, box["y"] + 3.5 * box["height"] / 10)
        expect(heading).to_contain_text("iteration 7: chosen for class 3")
        comes_to_say(page, atom="3.7")

    click()
    page.go_back()
    comes_to_say(page)
    expect(heading).to_contain_text("iteration 1: chosen for class 0")
    settle(page)
    click()


@pytest.mark.parametrize(
    ("label", "text", "sentence"),
    [
        ("q · non-zeros", "101", "q must be between 1 and 100 %, not 101."),
        ("t · signals", "0", "t must be a whole number between 1 and 4000, not 0."),
        ("I · iterations", "2.5", "I must be a whole number between 1 and 200, not 2.5."),
    ],
)
def test_a_number_out_of_range_is_told_beside_its_control_and_does_not_run(new_page, settle, label, text, sentence):
    page = new_page("/train")
    field = page.get_by_role("spinbutton", name=re.compile(f"^{re.escape(label)}"))
    run = page.get_by_role("button", name="Run", exact=True)
    expect(run).to_be_enabled()
    field.fill(text)
    field.press("Enter")
    told = page.get_by_test_id("stAlert").filter(has_text=sentence).first
    expect(told).to_be_visible()
    expect(run).to_be_disabled()
    expect(field).to_have_value(text)
    assert 0 <= told.bounding_box()["y"] - field.bounding_box()["y"] < 80
    field.fill("20")
    field.press("Enter")
    expect(told).to_have_count(0)


@pytest.fixture(scope="module")
def own(home):
    """A small run in the server's store."""
    run = Store(home).create(describe(Settings(t=30, I=3, ksvd_iter=2, seed=5), "digits"), "before")
    compute(run)
    return run


def test_a_link_finds_its_run_after_a_rename(new_page, settle, home, own):
    page = new_page("/")
    page.get_by_test_id("stSidebar").get_by_role("combobox", name="Run").click()
    page.get_by_role("option", name=re.compile("before")).click()
    comes_to_say(page, run=own.id)
    Store(home).rename(own.id, "after")
    other = new_page("/" + page.url.partition("/?")[2].join(("?", "")))
    expect(other.get_by_text("The 30 selected atoms, by class")).to_be_visible()
    comes_to_say(other, run=own.id)
    Store(home).rename(own.id, "before")


def test_an_old_link_by_name_finds_its_run(new_page, own):
    page = new_page("/?run=before")
    comes_to_say(page, run=own.id)
    expect(page.get_by_text("The 30 selected atoms, by class")).to_be_visible()


def test_a_link_opens_the_tab_that_was_open(new_page, settle):
    page = new_page("/accuracy")
    page.get_by_role("tab", name="What makes it work?").click()
    comes_to_say(page, tab="ablation")
    other = new_page("/accuracy?tab=ablation")
    expect(other.get_by_role("tab", name="What makes it work?")).to_have_attribute("aria-selected", "true")
    page.go_back()
    comes_to_say(page)
    expect(page.get_by_role("tab", name="Tables")).to_have_attribute("aria-selected", "true")


def test_a_link_brings_the_drawing_and_the_step_of_its_explanation(new_page, settle, server):
    page = new_page("/draw")
    draw_with_mouse(page, examples()[4])
    expect(verdict(page)).to_have_text("4")
    page.get_by_role("radio", name="Step by step").click()
    settle(page)
    for _ in range(2):
        page.get_by_role("slider", name="Step").press("ArrowRight")
        page.wait_for_timeout(700)  # the link follows the slider
        settle(page)
    page.wait_for_function("['ink', 'explain_view', 'step_'].every(name => location.search.includes(name))")
    settle(page)
    shown = page.get_by_text(re.compile(r"built from \d+ atoms")).first.inner_text()
    assert len(page.url) < 1700
    other = new_page(page.url.removeprefix(server))
    expect(verdict(other)).to_have_text("4")
    expect(other.locator(".ink path")).to_have_count(2)
    expect(other.get_by_text(shown).first).to_be_visible()
    # A drawing from a link is drawn on like any other.
    other.get_by_role("button", name="Undo").click()
    expect(other.locator(".ink path")).to_have_count(1)


def test_back_takes_back_a_stroke(new_page, settle):
    page = new_page("/draw")
    draw_with_mouse(page, examples()[4][:1])
    page.wait_for_function("location.search.includes('ink')")
    page.wait_for_timeout(1000)
    first = said(page)["ink"]
    draw_with_mouse(page, examples()[4][1:])
    page.wait_for_function("first => new URLSearchParams(location.search).get('ink') !== first", arg=first)
    page.go_back()
    expect(page.locator(".ink path")).to_have_count(1)
    assert said(page)["ink"] == first


def test_a_click_on_a_map_takes_its_size_too(new_page, settle):
    page = new_page("/grid_search?map_size=10")
    click_cell(page, "triangle", 3, 0)
    comes_to_say(page, alpha="0.5", I="10", map_size="10")
    settle(page)
    expect(slider(page, "I ·")).to_have_attribute("aria-valuetext", "10")
    go_to(page, "Overview", settle)
    expect(page.get_by_text("The 100 selected atoms, by class")).to_be_visible()


def test_a_reload_during_a_search_shows_the_lattice_at_work(new_page, settle, home, own):
    page = new_page(f"/grid_search?run={own.id}&coarse_step=8&fine_step=50&network=scg&seeds=20")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_text(re.compile("Searching|Waiting"))).to_be_visible(timeout=PATIENCE)
    try:
        page.reload()
        for shown in (page, new_page(f"/grid_search?run={own.id}")):
            shown.get_by_role("button", name="New search").click()
            step = shown.get_by_role("combobox", name=re.compile("step of stage 1"))
            expect(step).to_have_value("1/8 · 45 points")
            expect(shown.get_by_role("spinbutton", name="Networks per dictionary")).to_have_value("20")
    finally:
        page.keyboard.press("Escape")  # closes the popover
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text("Cancelled; every finished score is kept")).to_be_visible(timeout=PATIENCE)
    assert Search(Store(home).run(own.id)).plan.step == 8
