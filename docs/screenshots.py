"""``python docs/screenshots.py ADDRESS``: take the README's pictures from a running dashboard."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent))  # a script finds only what lies beside it

from ui import navigation  # noqa: E402

#: Pages that are shown in the dark theme.
DARK = ("measures", "runs")
#: What a projector shows.
SCREEN = {"width": 1280, "height": 720}


def prepare(page: Page, name: str) -> None:
    """Open the part of a page that the picture should show."""
    if name == "draw":
        page.locator(".examples button").nth(4).click()
        page.wait_for_timeout(2500)


def main(address: str) -> None:
    """Take all pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name in navigation.PAGES:
            page = browser.new_page(viewport=SCREEN, color_scheme="dark" if name in DARK else "light")
            page.goto(f"{address}/{navigation.path(name)}")
            page.locator("h1").wait_for()
            page.wait_for_timeout(4000)
            prepare(page, name)
            page.screenshot(path=FOLDER / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8501")
