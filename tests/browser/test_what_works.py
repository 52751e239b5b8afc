"""Clicks and keys in the charts of the studies, in a real browser; their results are made up."""

import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from benchmarks.server import ROOT, dashboard
from reproduce import lines, pictures, results
from tests import measured
from tests.browser.conftest import settled
from tests.browser.test_first_screen import PHONE, PROJECTOR, check_texts, element
from tests.browser.test_layout import box_of

LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")
#: A server reads results from where it is told before anything else is imported.
SITE = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
import reproduce.results
reproduce.results.RESULTS = Path({folder!r})
"""
SCREENS = [{"viewport": PROJECTOR}, {"viewport": PROJECTOR, "color_scheme": "dark"}, PHONE]
NAMES = ["projector", "dark", "phone"]
CHARTS = {
    "tab=ablation": "what_works",
    "tab=robustness": "robustness",
    "tab=curves&curve_of=tau2": "curve_tau2",
    "tab=curves&curves=encoders": "curve_encoders",
    "tab=curves&curves=weights": "curve_weights",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Results of the studies beside the stored tables."""
    kept = tmp_path_factory.mktemp("studies") / "results"
    shutil.copytree(results.RESULTS, kept)
    measured.write_all(kept, 4)
    return kept


@pytest.fixture(scope="module")
def server(folder, tmp_path_factory):
    """A dashboard of its own that shows them."""
    site = tmp_path_factory.mktemp("site")
    code = SITE.format(root=str(ROOT), folder=str(folder))
    (site / "sitecustomize.py").write_text(code, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join((str(site), str(ROOT))))
        with dashboard(site / "home", log=site / "server.log") as address:
            yield address
    text = (site / "server.log").read_text(encoding="utf-8", errors="replace")
    assert "Traceback" not in text, text


@pytest.fixture(autouse=True)
def same_results(folder, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", folder)


def open_chart(new_page, query, **options):
    page = new_page(f"/accuracy?{query}", **options)
    page.evaluate(LOOK)
    chart = element(page, CHARTS[query])
    expect(chart.locator(".stage .mark").first).to_be_visible(timeout=60_000)
    chart.scroll_into_view_if_needed()
    settled(page)
    return page, chart


def says(page, **values):
    """Wait until the address says something."""
    given = "new URLSearchParams(location.search).get(name) === value"
    page.wait_for_function(f"(all) => Object.entries(all).every(([name, value]) => {given})", arg=values)


@pytest.mark.parametrize("options", SCREENS, ids=NAMES)
@pytest.mark.parametrize("query", CHARTS)
def test_charts_are_whole_and_no_text_lies_on_another(new_page, query, options):
    page, chart = open_chart(new_page, query, **options)
    check_texts(page, [CHARTS[query]])
    left, _, right, _ = box_of(chart)
    assert left >= 0
    assert right <= page.viewport_size["width"]
    assert page.evaluate("look.faint()") == []


def test_every_dot_has_its_name_on_a_lectures_screen(new_page):
    _, chart = open_chart(new_page, "tab=ablation", viewport=PROJECTOR)
    found = chart.locator("svg .name").all_text_contents()
    assert len(found) == len(set(found)) == len(pictures.dictionaries())


def test_a_click_on_a_dot_opens_its_numbers(new_page):
    page, chart = open_chart(new_page, "tab=ablation", viewport=PROJECTOR)
    (one,) = (one for one in pictures.dictionaries() if one.method == "gaussian")
    names = chart.locator("svg .name").all_text_contents()
    assert "Gaussian" in names
    number = _labels(chart).index("Gaussian")
    chart.locator(f"[data-point='{number}']").click(force=True)
    details = element(page, "dictionary_details")
    expect(details).to_contain_text("Gaussian")
    expect(details).to_contain_text(one.difference.text)
    says(page, dictionary="gaussian")


def _labels(chart):
    """The names of all dots in the order of their numbers, by what the pointer is told."""
    texts = []
    for number in range(chart.locator(".stage .mark").count()):
        chart.locator(f".stage [data-point='{number}']").hover(force=True)
        texts.append(chart.locator(".tip").text_content().split("\n")[0])
    return texts


def test_dots_are_read_and_picked_by_keyboard(new_page):
    page, chart = open_chart(new_page, "tab=ablation", viewport=PROJECTOR)
    chart.locator(".stage").focus()
    page.keyboard.press("ArrowRight")
    told = chart.locator(".tip").text_content().split("\n")[0]
    assert told != "DAS-KSVD"
    page.keyboard.press("Enter")
    expect(element(page, "dictionary_details")).to_contain_text(told)


@pytest.mark.parametrize("options", [SCREENS[0], PHONE], ids=["projector", "phone"])
def test_a_readers_name_shows_its_line_alone_and_again_all(new_page, options):
    page, chart = open_chart(new_page, "tab=robustness", **options)
    readers = lines.readers("noise")
    button = chart.locator(".legend button").nth(1)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(chart.locator("svg polyline:not(.far)")).to_have_count(1)
    says(page, reader=readers[1].key)
    expect(element(page, "table_robustness").locator("tbody tr")).to_have_count(1)
    button.click()
    expect(chart.locator("svg polyline.far")).to_have_count(0)
    expect(element(page, "table_robustness").locator("tbody tr")).to_have_count(len(readers) - 1)


def test_a_click_on_a_line_shows_it_alone_and_escape_all(new_page):
    page, chart = open_chart(new_page, "tab=robustness", viewport=PROJECTOR)
    chart.locator("[data-point='2']").click(force=True)
    expect(chart.locator("svg .far").first).to_be_attached()
    expect(chart.locator(".legend [aria-pressed=true]")).to_have_count(1)
    chart.locator(".stage").focus()
    page.keyboard.press("Escape")
    expect(chart.locator("svg .far")).to_have_count(0)


def test_a_link_shows_a_reader_alone(new_page):
    key = lines.readers("rotation")[2].key
    page = new_page(f"/accuracy?tab=robustness&change=rotation&reader={key}", viewport=PROJECTOR)
    pressed = element(page, "robustness").locator(".legend [aria-pressed=true]")
    expect(pressed).to_have_text(lines.readers("rotation")[2].name)


def test_a_click_on_a_point_of_a_curve_shows_its_rounds(new_page):
    page, chart = open_chart(new_page, "tab=curves&curve_of=tau2", viewport=PROJECTOR)
    chart.locator("[data-point='2']").click(force=True)
    says(page, point="0.2")
    rows = element(page, "table_rounds").locator("tbody tr")
    expect(rows).to_have_count(4)
    accuracy = lines.curve("tau2")[2].accuracy.rounds[0]
    expect(rows.first).to_contain_text(f"{100 * accuracy:.2f}")


def test_arrow_keys_go_along_a_line_and_from_line_to_line(new_page):
    page, chart = open_chart(new_page, "tab=curves&curves=weights", viewport=PROJECTOR)
    chart.locator(".stage").focus()
    page.keyboard.press("ArrowLeft")
    tip = chart.locator(".tip")
    expect(tip).to_contain_text("codes of DAS-KSVD, 200")
    page.keyboard.press("ArrowLeft")
    expect(tip).to_contain_text("codes of DAS-KSVD, 100")
    page.keyboard.press("ArrowRight")
    ((_, _, gap),) = lines.equal_weights(lines.curve("hidden"), lines.curve("raw-16"))
    page.keyboard.press("ArrowDown" if gap.mean > 0 else "ArrowUp")
    expect(tip).to_contain_text("raw pixels, 16 × 16, 158")


def test_a_chart_is_downloaded_as_a_picture(new_page, tmp_path):
    page, chart = open_chart(new_page, "tab=ablation", viewport=PROJECTOR)
    chart.hover()
    with page.expect_download() as waiting:
        chart.get_by_role("button", name="Download as SVG").click()
    assert waiting.value.suggested_filename == "das-ksvd-what_works.svg"
    waiting.value.save_as(tmp_path / "picture.svg")
    assert "DAS-KSVD" in (tmp_path / "picture.svg").read_text(encoding="utf-8")
