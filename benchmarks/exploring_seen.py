"""What a person sees of 1,000 runs, in a real Chromium: from the click, key or lifted pointer to the drawn table.

The clock runs in the page: from the event itself to the first frame in which the table has the rows that are wanted.
"""

import re
import shutil
from collections.abc import Callable
from statistics import median

from playwright.sync_api import Page, sync_playwright

REPEATS = 7
#: Milliseconds without any work of the page before something is measured.
REST = 1500
# The table tells its rows, and its heading, to people who cannot see it; what is told there is drawn.
WATCH = """([event, rows]) => {
  window.seen = new Promise((resolve) => {
    document.addEventListener(event, () => {
      const start = performance.now();
      const look = () => {
        const table = document.querySelector('.st-key-table [role=grid]');
        const there = table && Number(table.getAttribute('aria-rowcount')) - 1;
        const done = there !== null && (rows < 0 ? there < -rows : there >= rows);
        requestAnimationFrame(done ? () => resolve(performance.now() - start) : look);
      };
      look();
    }, { capture: true, once: true });
  });
}"""


def measure(address: str, runs: int) -> dict[str, float]:
    """Seconds of opening the table from another page, of a filter, and of a moved range; medians of several."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(f"{address}/runs")
        page.locator(".st-key-table [role=grid]").wait_for(state="attached", timeout=120_000)
        found = {"seen_table": _table(page, runs), "seen_filter": _filter(page, runs)}
        page.goto(f"{address}/runs?view=lines")
        page.locator(".axis").first.wait_for(timeout=60_000)
        found["seen_brush"] = _brush(page, runs)
        browser.close()
    return found


def _timed(page: Page, event: str, rows: int, action: Callable[[], object]) -> float:
    """Seconds from an event to a table with at least so many rows, or with fewer than ``-rows``."""
    page.wait_for_timeout(REST)
    page.evaluate(WATCH, [event, rows])
    action()
    return page.evaluate("window.seen") / 1000


def _table(page: Page, runs: int) -> float:
    sidebar, times = page.get_by_test_id("stSidebarNav"), []
    for _ in range(REPEATS):
        sidebar.get_by_role("link", name="Overview").click()
        page.locator(".st-key-table").wait_for(state="detached")
        times.append(_timed(page, "click", runs, sidebar.get_by_role("link", name="Runs").click))
    return median(times)


def _filter(page: Page, runs: int) -> float:
    box, times = page.get_by_label("Find runs"), []
    for number in range(REPEATS):
        box.fill(f"q < 0.3 and accuracy > {91 + number / 100}")
        times.append(_timed(page, "keydown", -runs, lambda: box.press("Enter")))
        box.fill("")
        _timed(page, "keydown", runs, lambda: box.press("Enter"))
    return median(times)


def _brush(page: Page, runs: int) -> float:
    axis, times = page.locator('.axis[data-axis="tau2"]'), []
    for number in range(REPEATS):
        box = axis.bounding_box()
        x, top, height = box["x"] + box["width"] / 2, box["y"], box["height"]
        page.mouse.move(x, top + (0.7 - number / 100) * height)
        page.mouse.down()
        page.mouse.move(x, top + 0.3 * height, steps=4)
        times.append(_timed(page, "pointerup", -runs, page.mouse.up))
        page.wait_for_timeout(REST)
        page.get_by_role("button", name=re.compile("show all")).click()
        page.get_by_role("button", name=re.compile("show all")).wait_for(state="detached")
    return median(times)
