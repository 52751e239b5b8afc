"""``python docs/screenshots.py ADDRESS``: take the documents' pictures from a running dashboard."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent))  # a script finds only what lies beside it

from ui import navigation  # noqa: E402

#: Pages that are shown in the dark theme.
DARK = ("measures", "runs")
#: What a projector shows.
SCREEN = {"width": 1280, "height": 720}
#: Charts of docs/RESULTS.md: file -> tab and choice on the Accuracy page, key of the chart.
CHARTS = {
    "what_works": ("tab=ablation", "what_works"),
    "encoders": ("tab=curves&curves=encoders", "curve_encoders"),
    "robustness": ("tab=robustness", "robustness"),
}


def prepare(page: Page, name: str) -> None:
    """Open the part of a page that the picture should show."""
    if name == "draw":
        page.locator(".examples button").nth(4).click()
        page.wait_for_timeout(2500)


def take_pages(browser: Browser, address: str) -> None:
    """Take the README's pictures."""
    for name in navigation.PAGES:
        page = browser.new_page(viewport=SCREEN, color_scheme="dark" if name in DARK else "light")
        page.goto(f"{address}/{navigation.path(name)}")
        page.locator("h1").wait_for()
        page.wait_for_timeout(4000)
        prepare(page, name)
        page.screenshot(path=FOLDER / f"{name}.png")
        page.close()


def take_charts(browser: Browser, address: str) -> None:
    """Take the pictures of docs/RESULTS.md."""
    for name, (choice, key) in CHARTS.items():
        page = browser.new_page(viewport=SCREEN, color_scheme="light")
        page.goto(f"{address}/{navigation.path('accuracy')}?{choice}")
        chart = page.locator(f".st-key-{key}").first
        chart.wait_for()
        page.wait_for_timeout(4000)
        chart.screenshot(path=FOLDER / f"{name}.png")
        page.close()


def main(address: str) -> None:
    """Take all pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        take_pages(browser, address)
        take_charts(browser, address)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8501")
