"""A view that is shared: its frame on another site, its code, what its link hides and fixes, larger for a lecture."""

import re
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.browser.pens import draw_with_mouse, verdict
from tests.browser.screens import PHONE, PROJECTOR
from ui.components.canvas import examples


def open_dialog(page):
    page.get_by_role("button", name="Share", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Frame for a web page")).to_be_visible()
    return dialog


@contextmanager
def website(html):
    """A site of its own with one page; yields its address."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *words):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as site:
        thread = Thread(target=site.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{site.server_port}"
        site.shutdown()


@pytest.fixture
def framed(browser, draw_page):
    """The page of another site with the frame that the dialog proposes."""
    code = open_dialog(draw_page(viewport=PROJECTOR)).locator("code", has_text="<iframe").inner_text()
    assert "embed=true" in code
    context = browser.new_context(viewport=PROJECTOR)
    with website(f"<!doctype html><title>A course</title>{code}") as address:
        page = context.new_page()
        page.goto(address)
        yield page
    context.close()


def test_the_frame_of_the_dialog_works_on_another_site(framed):
    page = framed
    frame = page.frame_locator("iframe")
    expect(frame.locator(".sheet")).to_be_visible()
    expect(frame.get_by_test_id("stToolbar")).to_have_count(0)
    frame.get_by_role("button", name="Load an example of the digit 5").click()
    expect(frame.locator(".verdict .digit")).to_have_text("5")
    inside = page.frames[1]
    inside.wait_for_function("location.search.includes('ink=')")
    assert "embed=true" in inside.url


def test_a_class_sees_what_the_link_leaves_it(draw_page):
    page = draw_page("/draw?hide=reader~/train~about~share&fix=reader_q_100&reader_q_100=2", viewport=PROJECTOR)
    expect(page.locator(".st-key-reader_q_100")).to_be_visible()
    expect(page.get_by_role("slider", name=re.compile("q · non-zeros"))).to_be_disabled()
    for hidden in (
        page.locator(".st-key-reader"),
        page.get_by_role("link", name="Train"),
        page.locator(".st-key-share"),
    ):
        expect(hidden).to_be_hidden()
    page.get_by_role("link", name="Lessons").click()
    expect(page.get_by_role("heading", name="Lessons")).to_be_visible()
    expect(page.get_by_role("link", name="Train")).to_be_hidden()
    page.get_by_role("link", name="Draw").click()
    draw_with_mouse(page, examples()[5])
    expect(verdict(page)).to_be_visible()
    expect(page.get_by_text("q = 2 of 200 atoms")).to_be_visible()
    assert "fix=reader_q_100" in page.url


@pytest.mark.parametrize("screen", [{"viewport": PROJECTOR}, PHONE], ids=["projector", "phone"])
def test_the_presenter_view_is_large_without_a_sidebar_and_ends(draw_page, screen):
    page = draw_page("/draw?present=1", **screen)
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "20px"
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.locator(".st-key-canvas")).to_be_in_viewport()
    page.get_by_role("button", name="End the presenter view").click()
    page.wait_for_function("getComputedStyle(document.documentElement).fontSize !== '20px'")


def test_the_code_is_drawn_here_and_follows_the_choice(draw_page):
    page = draw_page(viewport=PROJECTOR)
    dialog = open_dialog(page)
    picture = dialog.locator(".st-key-qr img, .st-key-qr svg").first
    expect(picture).to_be_visible()
    before = picture.get_attribute("src")
    dialog.get_by_text("Presenter view").click()
    expect(dialog.locator("code").first).to_contain_text("present=")
    expect(picture).not_to_have_attribute("src", before)
