"""The first seconds of a server that has just been started, in a real browser."""

import pytest
from playwright.sync_api import expect

from benchmarks.server import dashboard
from tests.browser.navigation import TITLES

#: Notes every name that stands in the sidebar's navigation, from before the page's own scripts on.
WATCH = """() => {
    window.seen = {};
    const note = () => {
        for (const link of document.querySelectorAll("[data-testid=stSidebarNav] a"))
            window.seen[link.textContent] = true;
    };
    new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true });
}"""
SECONDS = 3.0


@pytest.mark.parametrize("path", ["", "atoms"])
def test_a_cold_server_shows_the_names_of_its_pages_and_never_those_of_their_files(browser, tmp_path, path):
    """Oracle: the navigation's own list; the folder's automatic one has file names in it."""
    with dashboard(tmp_path) as address:
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        try:
            page = context.new_page()
            page.add_init_script(f"({WATCH})()")
            page.goto(f"{address}/{path}")
            page.wait_for_timeout(1000 * SECONDS)
            expect(page.get_by_test_id("stSidebarNav")).to_contain_text(TITLES[-1], timeout=60_000)
            assert set(page.evaluate("Object.keys(window.seen)")) == set(TITLES)
        finally:
            context.close()
