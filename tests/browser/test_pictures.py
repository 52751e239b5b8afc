"""Pictures of digits, opened, pasted and dropped."""

import base64
import re

import pytest
from PIL import Image
from playwright.sync_api import expect

from dasksvd.digit import from_strokes
from tests.browser.pens import draw_with_mouse, sent_sizes, verdict
from ui.components.canvas import SIZE, examples


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
    expect(page.locator(".words")).to_contain_text("damaged or not a picture")
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
    expect(page.locator(".words")).to_contain_text("damaged or not a picture")


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
