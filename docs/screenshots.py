"""``python docs/screenshots.py ADDRESS``: take the README's pictures from a running dashboard."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parent
#: Page -> (theme, height of the picture).
SHOTS = {
    "overview": ("light", 1000),
    "train": ("light", 1000),
    "atoms": ("light", 1000),
    "measures": ("dark", 1000),
    "grid_search": ("light", 1100),
    "accuracy": ("light", 1000),
    "draw": ("light", 1000),
    "runs": ("dark", 1000),
}


def prepare(page: Page, name: str) -> None:
    """Bring a page to where it shows most."""
    if name == "draw":
        page.locator(".examples button").nth(4).click()
        page.wait_for_timeout(2500)
    if name == "accuracy":
        page.get_by_role("tab", name="Mistakes").click()
        page.wait_for_timeout(1500)


def main(address: str) -> None:
    """Take all pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (theme, height) in SHOTS.items():
            page = browser.new_page(viewport={"width": 1400, "height": height}, color_scheme=theme)
            page.goto(f"{address}/{'' if name == 'overview' else name}")
            page.locator("h1").wait_for()
            page.wait_for_timeout(4000)
            prepare(page, name)
            page.screenshot(path=FOLDER / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8501")
