"""Drawing with real pointer events, by mouse and by finger."""

import base64
import re

import pytest
from playwright.sync_api import expect

from dasksvd.digit import from_strokes
from dasksvd.digit.reader import load_default_model
from tests.browser.pens import draw_with_finger, draw_with_mouse, empty_sheet, sent_sizes, thinned, verdict
from ui.components.canvas import SIZE, examples

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_all_ten_digits_by_mouse(draw_page):
    page = draw_page()
    for number, strokes in enumerate(examples()):
        draw_with_mouse(page, strokes)
        expect(verdict(page)).to_have_text(str(number))
        expect(page.locator(".bar.best .name")).to_have_text(str(number))
        expect(page.get_by_role("heading", name=f"Why {number}?")).to_be_visible()
        empty_sheet(page)


def test_all_ten_digits_by_finger_on_a_phone(draw_page):
    page = draw_page(**PHONE)
    for number, strokes in enumerate(examples()):
        before = page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
        draw_with_finger(page, strokes)
        expect(verdict(page)).to_have_text(str(number))
        assert page.locator(".ink path").count() == len(strokes)
        page.locator(".sheet").scroll_into_view_if_needed()
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == before or number == 0
        empty_sheet(page)


def test_the_answer_comes_before_the_pen_is_lifted(draw_page):
    page = draw_page()
    draw_with_mouse(page, examples()[3][:1], lift=False)
    expect(verdict(page)).to_have_text("3")
    page.mouse.up()
    expect(verdict(page)).to_have_text("3")


def test_the_answer_is_the_models_own(draw_page):
    page = draw_page()
    draw_with_mouse(page, examples()[5])
    expect(verdict(page)).to_have_text("5")
    probabilities = load_default_model().predict_proba(
        from_strokes([thinned(stroke) for stroke in examples()[5]], SIZE)[None]
    )[0]
    shown = float(page.locator(".bar.best .share").inner_text().rstrip(" %"))
    # The browser rounds points to a tenth and leaves out those closer than 1.5.
    assert shown == pytest.approx(100 * probabilities[5], abs=5)


def test_undo_and_clear_by_button_and_key(draw_page):
    page = draw_page()
    paths = page.locator(".ink path")
    draw_with_mouse(page, examples()[4])
    expect(paths).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(paths).to_have_count(1)
    page.locator(".sheet").focus()
    page.keyboard.press("Control+z")
    expect(paths).to_have_count(0)
    expect(verdict(page)).to_have_text("?")
    draw_with_mouse(page, examples()[4])
    page.keyboard.press("Backspace")
    expect(paths).to_have_count(1)
    page.keyboard.press("Delete")
    expect(paths).to_have_count(0)
    expect(verdict(page)).to_have_text("?")


def test_the_drawing_is_there_after_a_page_switch(draw_page, settle):
    page = draw_page()
    draw_with_mouse(page, examples()[7])
    expect(verdict(page)).to_have_text("7")
    page.get_by_role("link", name="Overview", exact=True).click()
    expect(page.get_by_text("The 200 selected atoms, by class")).to_be_visible()
    page.get_by_role("link", name="Draw", exact=True).click()
    settle(page)
    expect(verdict(page)).to_have_text("7")
    expect(page.locator(".ink path")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".ink path")).to_have_count(1)
    expect(page.locator(".words")).not_to_have_text(re.compile("^$"))


def test_examples_load_and_the_brush_changes_nothing_but_the_look(draw_page):
    page = draw_page()
    page.get_by_label("Load an example of the digit 8").click()
    expect(verdict(page)).to_have_text("8")
    before = page.locator(".bar.best .share").inner_text()
    page.get_by_label("Brush width").fill("36")
    expect(page.locator(".ink path").first).to_have_attribute("stroke-width", "36")
    assert page.locator(".bar.best .share").inner_text() == before


def test_all_ten_corrections_are_on_a_phones_screen(draw_page):
    page = draw_page(**PHONE)
    page.get_by_label("Load an example of the digit 8").click()
    expect(verdict(page)).to_have_text("8")
    pills = page.locator(".st-key-really button")
    expect(pills).to_have_count(10)
    row = page.locator(".st-key-really").bounding_box()
    for pill in pills.all():
        box = pill.bounding_box()
        assert row["x"] <= box["x"]
        assert box["x"] + box["width"] <= row["x"] + row["width"]
    pills.nth(9).click()
    expect(page.get_by_text("0 of 1")).to_be_visible()


def test_a_yes_keeps_the_drawing_until_a_new_sheet_is_taken(draw_page):
    page = draw_page()
    page.get_by_label("Load an example of the digit 6").click()
    expect(verdict(page)).to_have_text("6")
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.get_by_text("1 of 1")).to_be_visible()
    expect(page.get_by_text("Thanks!")).to_be_visible()
    expect(page.locator(".ink path")).to_have_count(1)
    expect(page.get_by_role("heading", name="Why 6?")).to_be_visible()
    page.get_by_role("button", name="New drawing", exact=True).click()
    expect(page.locator(".ink path")).to_have_count(0)
    draw_with_mouse(page, examples()[9])
    expect(verdict(page)).to_have_text("9")


LETTER_A = [
    [[60 + 80 * t / 30, 250 - 220 * t / 30] for t in range(31)]
    + [[140 + 80 * t / 30, 30 + 220 * t / 30] for t in range(31)],
    [[95 + 90 * t / 30, 170] for t in range(31)],
]


def test_a_letter_gets_no_large_digit_and_the_digit_that_follows_does(draw_page):
    page = draw_page()
    draw_with_mouse(page, LETTER_A)
    expect(page.locator(".words")).to_contain_text("does not look like a digit")
    expect(verdict(page)).to_have_text("?")
    expect(page.locator(".bar.best")).to_have_count(0)
    expect(page.locator(".bars")).to_have_class(re.compile("doubtful"))
    expect(page.get_by_role("button", name="Yes", exact=True)).to_be_disabled()
    page.get_by_label("Load an example of the digit 4").click()
    expect(verdict(page)).to_have_text("4")
    expect(page.locator(".bars")).not_to_have_class(re.compile("doubtful"))


def test_a_drawing_without_end_is_thinned_and_not_sent_back(draw_page):
    page = draw_page()
    sent, received = sent_sizes(page)
    box = page.locator(".sheet").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    # As many moves as a patient hand makes in a minute, all in the page itself.
    page.evaluate(
        """([left, top, side]) => {
          const find = (root) => {
            for (const node of root.querySelectorAll('*')) {
              if (node.classList?.contains('sheet')) return node;
              const inside = node.shadowRoot && find(node.shadowRoot);
              if (inside) return inside;
            }
          };
          const sheet = find(document);
          for (let step = 0; step < 9000; step++) {
            const across = Math.abs((step % 160) / 80 - 1);
            const [x, y] = [left + side * across, top + side * (step / 9000)];
            sheet.dispatchEvent(new PointerEvent('pointermove', {clientX: x, clientY: y, pointerId: 1, bubbles: true}));
          }
        }""",
        [box["x"] + 5, box["y"] + 5, box["width"] - 10],
    )
    page.mouse.up()
    expect(page.locator(".words")).to_contain_text("more ink than a digit")
    points = page.locator(".ink path").last.get_attribute("d").split("L")[1:]
    assert 1000 < len(points) <= 3000
    assert max(sent) < 100_000  # base64 of what was sent
    answers = b"".join(map(base64.b64decode, received)).replace(b" ", b"")
    assert b'"seen":' in answers
    assert not any(f"[{point.replace(' ', ',')}]".encode() in answers for point in points[::50])


def test_the_sheet_can_be_reached_and_seen_by_keyboard(draw_page):
    page = draw_page()
    page.locator(".sheet").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).display") != "none"
    style = page.locator(".sheet").evaluate("node => getComputedStyle(node).outlineStyle")
    assert style == "solid"
