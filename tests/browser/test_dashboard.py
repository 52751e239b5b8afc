"""What people do with the dashboard, in a real browser."""

import re
import time

import pytest
from playwright.sync_api import expect

from dasksvd.parameters import CLASSROOM
from dasksvd.runs.store import Store

#: A Quick run takes about ten seconds on an idle machine; a busy one may need many times that.
PATIENCE = 180_000
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
    "user_agent": "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36",
}


def go_to(page, name, settle):
    page.get_by_role("link", name=name, exact=True).click()
    expect(page).to_have_url(re.compile(f"/{'' if name == 'Overview' else name.lower()}([?]|$)"))
    settle(page)


def set_slider(page, label, steps):
    """Move a slider by arrow keys, as a person without a mouse does."""
    slider = page.get_by_role("slider", name=re.compile(re.escape(label)))
    slider.focus()
    for _ in range(steps):
        slider.press("ArrowRight")


def test_a_quick_run_survives_page_switches_and_a_refresh(new_page, settle):
    page = new_page("/train")
    page.get_by_label("Name", exact=True).fill("from the browser")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text(re.compile(r"Running: \d+ %"))).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    go_to(page, "Atoms", settle)
    expect(page.get_by_role("heading", name="One atom per class and iteration")).to_be_visible()
    go_to(page, "Train", settle)
    page.reload()
    settle(page)
    expect(page.get_by_text(re.compile(r"Finished in \d+:\d\d"))).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(re.compile(r"^Accuracy 9\d\.\d % ± 0\.\d on 10,000 validation images"))).to_be_visible()
    expect(page.get_by_text(re.compile("^Atoms: 10 per class"))).to_be_visible()
    expect(page.get_by_role("button", name="Draw with it")).to_be_enabled()
    expect(page.get_by_role("button", name="Its grid search")).to_be_enabled()
    page.get_by_role("button", name="Its atoms").click()
    expect(page).to_have_url(re.compile("/atoms[?].*run="))
    settle(page)
    go_to(page, "Overview", settle)
    expect(page.get_by_text("The 100 selected atoms, by class")).to_be_visible()


def seconds_until_shown(page, run, iterations):
    """Seconds from the file of each of the first iterations to its column on the page."""
    wall, found = page.locator(".st-key-live_atoms figure"), {}
    end = time.monotonic() + PATIENCE / 1000
    while len(found) < iterations and time.monotonic() < end:
        shown = re.search(r"so far: (\d+) of", wall.get_attribute("aria-label") or "")
        for iteration in range(int(shown[1]) if shown else 0):
            path = run.record_path(iteration)
            found.setdefault(iteration, time.time() - path.stat().st_mtime)
        page.wait_for_timeout(50)
    return list(found.values())


@pytest.mark.timed
def test_atoms_appear_beside_the_form_within_two_seconds_of_their_iteration(new_page, settle, home):
    """A busy machine may hold one of them up; not all."""
    page = new_page("/train", viewport={"width": 1280, "height": 720})
    before = {run.id for run in Store(home)}
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("button", name="Cancel")).to_be_in_viewport()
    (run,) = [run for run in Store(home) if run.id not in before]
    expect(page.locator(".st-key-live_atoms figure")).to_have_attribute("aria-label", re.compile("so far: 0 of 10"))
    delays = seconds_until_shown(page, run, 4)
    assert min(delays) < 2, delays
    expect(page.locator(".st-key-live_atoms")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled; finished iterations are kept")).to_be_visible(timeout=PATIENCE)


def test_an_atom_of_the_watched_run_opens_by_keyboard(new_page, settle):
    page = new_page("/train?watched=reference")
    stage = page.get_by_role("figure", name="Mosaic of the atoms selected").locator(".stage")
    stage.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        stage.press(key)
    expect(page).to_have_url(re.compile(r"/atoms[?].*atom=2\.2"))


def test_a_run_is_cancelled_and_resumed(new_page, settle):
    page = new_page("/train")
    page.get_by_role("radio", name="Paper", exact=True).dispatch_event("click")
    settle(page)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text(re.compile(r"Running: \d+ %"))).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled; finished iterations are kept")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text(re.compile(r"Running: \d+ %"))).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled; finished iterations are kept")).to_be_visible(timeout=PATIENCE)


def test_a_click_on_an_atom_shows_its_details(new_page, settle):
    page = new_page("/atoms")
    heading = page.get_by_role("heading", name=re.compile(r"Atom \d+ of iteration"))
    expect(heading).to_contain_text("iteration 1: chosen for class 0")
    wall = page.get_by_role("figure", name="Mosaic of the 200 atoms of the structured dictionary")
    stage = wall.locator(".stage")
    expect(stage).to_be_visible()
    box = stage.bounding_box()
    at = (box["x"] + 6.5 * box["width"] / 20, box["y"] + 3.5 * box["height"] / 10)
    page.mouse.move(*at)
    expect(wall.get_by_role("status")).to_contain_text("class 3, iteration 7")
    page.mouse.click(*at)
    expect(heading).to_contain_text("iteration 7: chosen for class 3")


def test_an_atom_is_reached_with_the_keyboard(new_page):
    page = new_page("/atoms")
    wall = page.get_by_role("figure", name="Mosaic of the 200 atoms of the structured dictionary")
    stage = wall.locator(".stage")
    stage.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        stage.press(key)
    expect(wall.get_by_role("status")).to_contain_text("class 2, iteration 2")
    stage.press("Enter")
    heading = page.get_by_role("heading", name=re.compile(r"Atom \d+ of iteration"))
    expect(heading).to_contain_text("iteration 2: chosen for class 2")


def test_a_wall_and_a_plot_are_downloaded_as_they_are_shown(new_page):
    page = new_page("/atoms")
    for name, ending in (("Mosaic of the 200 atoms", "png"), ("Bars of the activation probability", "svg")):
        figure = page.get_by_role("figure", name=name)
        figure.hover()
        with page.expect_download() as found:
            figure.get_by_role("button", name="Download").click()
        assert found.value.suggested_filename.endswith(f".{ending}")
        assert found.value.path().stat().st_size > 1000


def test_a_click_in_the_scatter_chooses_an_atom(new_page):
    page = new_page("/measures")
    heading = page.get_by_role("heading", name=re.compile(r"Atom \d+: class"))
    before = heading.inner_text()
    scatter = page.get_by_role("figure", name="Scatter of")
    dot = scatter.locator("circle").nth(5)
    expect(dot).to_be_visible()
    box = dot.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(heading).not_to_have_text(before)


def test_weights_choose_other_atoms_at_once_and_stand_in_the_link(new_page, settle):
    page = new_page("/measures")
    expect(page.get_by_text("0 of 200").first).to_be_visible()
    set_slider(page, "α", 40)
    expect(page.get_by_text(re.compile(r"At α = 0\.40, β = 0\.00"))).to_be_visible()
    settle(page)
    assert "alpha=0.4" in page.url
    changed = page.get_by_text(re.compile(r"(\d+) of 200")).first.inner_text()
    other = new_page("/measures?" + page.url.split("?")[1])
    expect(other.get_by_text(changed).first).to_be_visible()


def test_a_link_restores_page_size_and_look(new_page):
    page = new_page("/atoms?I=5&iteration=4&look=grey&beta=0.2")
    expect(page.get_by_text("Auxiliary dictionary Φ of iteration 4: 256 atoms, selected ones framed")).to_be_visible()
    expect(page.get_by_role("figure", name="Mosaic of the 50 atoms")).to_be_visible()
    page.get_by_role("button", name="Ranking, colours").click()
    expect(page.get_by_role("radio", name="grey")).to_be_checked()


def test_a_link_to_nowhere_is_mended(new_page):
    page = new_page("/atoms?I=999&alpha=7&run=nothing&iteration=-3")
    expect(page.get_by_role("heading", name=re.compile(r"Atom \d+ of iteration 1"))).to_be_visible()


def test_the_dark_theme_is_dark(new_page):
    page = new_page("/", color_scheme="dark")
    color = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    assert sum(int(part) for part in re.findall(r"\d+", color)[:3]) < 150


@pytest.mark.parametrize("name", ["", "atoms", "measures"])
def test_on_a_phone_a_wall_leaves_no_white_space(new_page, name):
    page = new_page(f"/{name}", **PHONE)
    wide = page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
    assert wide <= 0
    figures = page.get_by_role("figure")
    expect(figures.first).to_be_visible()
    for box in (figure.bounding_box() for figure in figures.all()):
        assert box is None or box["height"] < 700


def test_a_link_brings_the_settings_of_a_run(new_page, settle):
    page = new_page("/train")
    page.get_by_role("radio", name="Classroom").dispatch_event("click")
    expect(page.get_by_role("spinbutton", name=re.compile("^t · signals"))).to_have_value(str(CLASSROOM.t))
    settle(page)
    set_slider(page, "τ2 · noise growth", 1)
    expect(page).to_have_url(re.compile("classroom_tau2=0.11"))
    other = new_page("/train" + page.url.partition("/train")[2])
    expect(other.get_by_role("radio", name="Classroom")).to_be_checked()
    expect(other.get_by_role("slider", name=re.compile("τ2"))).to_have_attribute("aria-valuetext", "0.11")


def test_every_page_can_be_reached_by_keyboard(new_page):
    page = new_page("/")
    names = []
    for _ in range(30):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.innerText || document.activeElement.ariaLabel || ''"))
    pages = {"Overview", "Train", "Atoms", "Measures", "Grid search", "Accuracy", "Draw", "Runs"}
    assert pages <= {name.strip() for name in names}
