"""The paper's claims, the forest plots behind them and the tables, in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from reproduce import claims, report
from tests.browser.test_first_screen import PHONE, PROJECTOR, check_texts, element, open_screen, outside
from tests.browser.test_layout import WIDTHS, box_of

LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")


def open_tab(new_page, tab, **options):
    page = new_page(f"/accuracy?tab={tab}", **options)
    page.evaluate(LOOK)
    return page


def test_all_claims_and_the_tabs_are_on_a_lectures_screen(new_page):
    page = open_screen(new_page, "accuracy", viewport=PROJECTOR)
    assert [line for claim in claims.CLAIMS if (line := outside(page, f"claim_{claim.key}"))] == []
    for tab in page.get_by_role("tab").all():
        assert box_of(tab)[3] <= PROJECTOR["height"]
    assert page.locator(".js-plotly-plot").count() == 0, "plotly keeps the first screen waiting"


@pytest.mark.parametrize("options", [{"viewport": PROJECTOR}, PHONE], ids=["projector", "phone"])
def test_every_claim_opens_its_evidence_whole(new_page, options):
    page = open_screen(new_page, "accuracy", **options)
    for claim in claims.CLAIMS:
        button = element(page, f"evidence_{claim.key}").get_by_role("button")
        button.click()
        plot = element(page, f"forest_{claim.key}")
        expect(plot.locator("svg text").first).to_be_visible()
        found = plot.locator("svg text").all_text_contents()
        assert {place for one in claim.find() for place in one.tests} <= set(found), claim.key
        left, _, right, _ = box_of(plot)
        assert left >= 0, claim.key
        assert right <= page.viewport_size["width"], claim.key
        check_texts(page, [f"forest_{claim.key}"])
        page.keyboard.press("Escape")
        expect(plot).to_have_count(0)


def test_the_evidence_is_opened_and_read_by_keyboard(new_page):
    page = open_screen(new_page, "accuracy", viewport=PROJECTOR)
    element(page, "evidence_ksvd").get_by_role("button").focus()
    page.keyboard.press("Enter")
    plot = element(page, "forest_ksvd")
    plot.locator(".stage").focus()
    page.keyboard.press("ArrowDown")
    first = report.compare("table2", "das-ksvd", "ksvd", 50, "scg").difference.text
    expect(plot.locator(".tip")).to_contain_text(f"50 hidden units, SCG\n{first} points")
    page.keyboard.press("ArrowUp")
    last = report.compare("table2", "das-ksvd", "ksvd", 1000, "modern").difference.text
    expect(plot.locator(".tip")).to_contain_text(last)


@pytest.mark.parametrize(("tab", "count"), [("significance", 28), ("ablation", 11)])
def test_a_forest_plot_is_whole_at_every_width(new_page, tab, count):
    page = open_tab(new_page, tab, viewport={"width": 1280, "height": 900})
    plot = element(page, tab)
    dots = plot.locator("svg :is(circle, .open)")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        expect(dots.nth(count - 1)).to_be_visible()
        page.wait_for_timeout(300)
        check_texts(page, [tab])
        left, _, right, _ = box_of(plot.locator("svg"))
        zero = box_of(plot.locator("svg line[stroke-width='1.5'][stroke-opacity]"))[0]
        assert left < zero < right <= width


def test_the_dots_stand_on_the_side_of_their_sign(new_page):
    page = open_tab(new_page, "ablation", viewport=PROJECTOR)
    plot = element(page, "ablation")
    expect(plot.locator("svg circle").first).to_be_visible()
    zero = float(plot.locator("svg line[stroke-width='1.5'][stroke-opacity]").get_attribute("x1"))
    rows = [row for row in sorted(report.rows("ablation"), key=lambda row: -row.ours.mean) if row.method != "das-ksvd"]
    dots = plot.locator("svg circle").all()[-len(rows) :]
    for row, dot in zip(rows, dots, strict=True):
        mean = report.difference_to_das(row).mean
        away = float(dot.get_attribute("cx")) - zero
        assert away * mean >= 0, row.name


def test_a_forest_plot_is_downloaded_as_a_picture(new_page, tmp_path):
    page = open_tab(new_page, "ablation", viewport=PROJECTOR)
    plot = element(page, "ablation")
    plot.hover()
    with page.expect_download() as waiting:
        plot.get_by_role("button", name="Download as SVG").click()
    assert waiting.value.suggested_filename == "das-ksvd-ablation.svg"
    waiting.value.save_as(tmp_path / "picture.svg")
    assert "no noise" in (tmp_path / "picture.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("options", [{"viewport": PROJECTOR}, PHONE], ids=["projector", "phone"])
def test_no_cell_of_a_table_is_broken_into_lines_and_numbers_end_at_the_right(new_page, options):
    page = open_tab(new_page, "tables", **options)
    for key in ("table_sizes", "table_methods"):
        table = element(page, key)
        expect(table.locator("td").first).to_be_visible(timeout=60_000)
        heights = table.locator("td, th").evaluate_all(
            "cells => cells.map((cell) => cell.getBoundingClientRect().height)"
        )
        assert max(heights) < 40
        box = box_of(table)
        assert box[2] <= page.viewport_size["width"]
        number = table.locator("td").filter(has_text="±").first
        assert number.evaluate("cell => getComputedStyle(cell).textAlign") in ("right", "end")
