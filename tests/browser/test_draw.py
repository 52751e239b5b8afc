"""Drawing with real pointer events, by mouse and by finger."""

import base64
import re

import pytest
from PIL import Image
from playwright.sync_api import expect

from dasksvd.digit import from_strokes
from dasksvd.digit.reader import load_default_model
from ui.components.canvas import SIZE, examples

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module", autouse=True)
def started(browser, server):
    """A server that has imported everything: on a busy machine its first page takes long."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(server)
    expect(page.locator("h1")).to_be_visible(timeout=120_000)
    context.close()


@pytest.fixture
def draw_page(new_page):
    def open_page(**options):
        page = new_page("/draw", **options)
        expect(page.locator(".sheet")).to_be_visible()
        return page

    return open_page


def to_screen(page, strokes):
    """Points of the canvas, every third and the last one, as points of the window."""
    page.locator(".sheet").scroll_into_view_if_needed()
    box = page.locator(".sheet").bounding_box()
    scale = box["width"] / SIZE
    return [[(box["x"] + scale * x, box["y"] + scale * y) for x, y in thinned(stroke)] for stroke in strokes]


def thinned(stroke):
    return [*stroke[:-1:3], stroke[-1]]


def draw_with_mouse(page, strokes, lift=True):
    for stroke in to_screen(page, strokes):
        page.mouse.move(*stroke[0])
        page.mouse.down()
        for point in stroke[1:]:
            page.mouse.move(*point)
        if lift:
            page.mouse.up()


def draw_with_finger(page, strokes):
    """Touches as the browser itself gets them, so that scrolling would take them if it could."""
    session = page.context.new_cdp_session(page)
    for stroke in to_screen(page, strokes):
        kinds = ["touchStart"] + ["touchMove"] * (len(stroke) - 1)
        for kind, (x, y) in zip(kinds, stroke, strict=True):
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def verdict(page):
    return page.locator(".verdict .digit")


def empty_sheet(page):
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(verdict(page)).to_have_text("?")


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


@pytest.fixture
def two(tmp_path):
    """A file with a picture of a two, dark on light."""
    Image.fromarray(255 - from_strokes(examples()[2], SIZE)).resize((400, 400)).save(tmp_path / "two.png")
    return tmp_path / "two.png"


def test_a_picture_is_opened_and_read(draw_page, two, tmp_path):
    page = draw_page()
    page.locator("input.file").set_input_files(two)
    expect(verdict(page)).to_have_text("2")
    (tmp_path / "broken.png").write_bytes(b"no picture at all")
    page.locator("input.file").set_input_files(tmp_path / "broken.png")
    expect(page.locator(".words")).to_contain_text("broken or is no picture")
    draw_with_mouse(page, examples()[1])
    expect(verdict(page)).to_have_text("1")


@pytest.mark.parametrize("focused", ["sheet", "page"])
def test_a_copied_picture_is_pasted_and_read(draw_page, two, focused):
    """A real picture in the clipboard and a real Ctrl+V, whether the sheet was clicked before or not."""
    page = draw_page(permissions=["clipboard-read", "clipboard-write"])
    page.evaluate(
        """async (content) => {
            const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
            await navigator.clipboard.write([new ClipboardItem({"image/png": new Blob([bytes], {type: "image/png"})})]);
        }""",
        base64.b64encode(two.read_bytes()).decode("ascii"),
    )
    if focused == "sheet":
        page.locator(".sheet").focus()
    page.keyboard.press("Control+v")
    expect(verdict(page)).to_have_text("2")
    expect(page.locator(".photo")).to_have_attribute("href", re.compile("^data:image/png"))
    page.get_by_role("button", name="Undo").click()
    expect(verdict(page)).to_have_text("?")


def test_copied_words_change_nothing(draw_page):
    page = draw_page(permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label("Load an example of the digit 4").click()
    expect(verdict(page)).to_have_text("4")
    page.evaluate("navigator.clipboard.writeText('a word')")
    page.locator(".sheet").focus()
    page.keyboard.press("Control+v")
    page.get_by_label("Load an example of the digit 5").click()
    expect(verdict(page)).to_have_text("5")
    assert page.locator(".photo").get_attribute("href") is None


def drag(page, kind, path):
    """A file dragged over the middle of the sheet, as the browser itself gets it."""
    box = page.locator(".sheet").bounding_box()
    middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    page.context.new_cdp_session(page).send("Input.dispatchDragEvent", {"type": kind, **middle, "data": data})


def test_a_dropped_picture_is_read(draw_page, two, tmp_path):
    page = draw_page()
    page.get_by_label("Load an example of the digit 7").click()
    expect(verdict(page)).to_have_text("7")
    drag(page, "dragEnter", two)
    drag(page, "dragOver", two)
    expect(page.locator(".sheet")).to_have_class(re.compile("dropping"))
    drag(page, "drop", two)
    expect(verdict(page)).to_have_text("2")
    expect(page.locator(".sheet")).not_to_have_class(re.compile("dropping"))
    expect(page.locator(".ink path")).to_have_count(0)
    (tmp_path / "notes.txt").write_text("no picture at all")
    for kind in ("dragEnter", "dragOver", "drop"):
        drag(page, kind, tmp_path / "notes.txt")
    expect(page.locator(".words")).to_contain_text("broken or is no picture")


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
    page.get_by_role("button", name="New sheet", exact=True).click()
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
    expect(page.locator(".words")).to_contain_text("looks like no digit")
    expect(verdict(page)).to_have_text("?")
    expect(page.locator(".bar.best")).to_have_count(0)
    expect(page.locator(".bars")).to_have_class(re.compile("doubtful"))
    expect(page.get_by_role("button", name="Yes", exact=True)).to_be_disabled()
    page.get_by_label("Load an example of the digit 4").click()
    expect(verdict(page)).to_have_text("4")
    expect(page.locator(".bars")).not_to_have_class(re.compile("doubtful"))


def sent_sizes(page):
    """Bytes of the messages that the page sends and gets from now on, as two lists."""
    sent, received = [], []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.webSocketFrameSent", lambda event: sent.append(len(event["response"]["payloadData"])))
    session.on("Network.webSocketFrameReceived", lambda event: received.append(event["response"]["payloadData"]))
    return sent, received


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


def test_a_noisy_photo_is_sent_small_enough_to_be_read(draw_page, tmp_path):
    page = draw_page()
    sent, _ = sent_sizes(page)
    large = Image.fromarray(255 - from_strokes(examples()[2], SIZE)).resize((2000, 2000)).convert("RGB")
    noisy = Image.blend(large, Image.effect_noise((2000, 2000), 60).convert("RGB"), 0.3)
    noisy.resize((640, 640)).save(tmp_path / "noisy.png")
    assert (tmp_path / "noisy.png").stat().st_size > 500_000 * 3 / 4
    page.locator("input.file").set_input_files(tmp_path / "noisy.png")
    expect(verdict(page)).to_have_text("2")
    assert max(sent) * 3 / 4 < 700_000


def test_the_sheet_can_be_reached_and_seen_by_keyboard(draw_page):
    page = draw_page()
    page.locator(".sheet").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).display") != "none"
    style = page.locator(".sheet").evaluate("node => getComputedStyle(node).outlineStyle")
    assert style == "solid"
