"""A real server and a real browser.

Where no Chromium, Chrome or Edge is found the tests are skipped with what to install; under CI
that is a failure.
"""

import os
import re
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

from benchmarks.server import dashboard

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "msedge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
#: Streamlit looks for these beside a deep link's page before it finds them at the root.
HARMLESS = ("_stcore/health", "_stcore/host-config")

#: Whether the app's own style has arrived: until then things move.
STYLED = "getComputedStyle(document.querySelector('[data-testid=stHeader]')).pointerEvents === 'none'"

#: Whether nothing on the page has moved for a while and its letters are there: on a busy machine both come late.
STILL = """async (milliseconds) => {
  const places = () => [...document.querySelectorAll("h1, [class*='st-key-']")].map((one) => {
    const box = one.getBoundingClientRect();
    return [box.x, box.y, box.width, box.height].map(Math.round);
  }).join();
  await document.fonts.ready;
  const before = places();
  await new Promise((later) => setTimeout(later, milliseconds));
  return document.fonts.status === "loaded" && before === places();
}"""

expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium, or what is like it."""
    found = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if found is None:
        reason = "no Chromium, Chrome or Edge was found; install one, on Debian: apt-get install chromium"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    """The server's store."""
    return tmp_path_factory.mktemp("home")


def _without_early_leavers(log):
    """The log without what the web server writes of a browser that left before it was let in."""
    blocks = re.compile(r"Exception in ASGI application\n(?:(?!\d{4}-\d\d-\d\d ).*\n?)*")
    return blocks.sub(lambda block: "" if "WebSocket is not connected" in block[0] else block[0], log)


@pytest.fixture(scope="session")
def server(home):
    """The address of a running dashboard with a store of its own."""
    with dashboard(home, log=home / "server.log") as address:
        yield address
    text = _without_early_leavers((home / "server.log").read_text(encoding="utf-8", errors="replace"))
    assert "Traceback" not in text, text
    assert "deprecat" not in text.lower(), text
    assert "Session State API" not in text, text


@pytest.fixture
def new_page(browser, server):
    """A function that opens a tab; afterwards no tab may have logged an error or called outside."""
    contexts, problems = [], []

    def open_tab(path="/", **options):
        context = browser.new_context(**{"viewport": {"width": 1400, "height": 1000}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.append(_complaint(message)))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda request: problems.append(_outside(request.url, server)))
        page.goto(server + path)
        settled(page)
        return page

    yield open_tab
    for context in contexts:
        context.close()
    assert [problem for problem in problems if problem] == []


@pytest.fixture(scope="session")
def settle():
    """A function that waits until a page is at rest."""
    return settled


def settled(page):
    """Wait until the page's title is there and its script has run to the end."""
    expect(page.locator("h1")).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    page.wait_for_function(STYLED)


def at_rest(page, milliseconds=400):
    """Wait until nothing on a page moves any more."""
    assert any(page.evaluate(STILL, milliseconds) for _ in range(50)), "the page never comes to rest"


def _complaint(message):
    if message.type != "error" or any(part in message.location.get("url", "") for part in HARMLESS):
        return ""
    return f"{message.text} ({message.location.get('url')})"


def _outside(url, server):
    return "" if url.startswith((server, "data:", "blob:", server.replace("http", "ws"))) else f"call to {url}"


@pytest.fixture(scope="module")
def started(browser, server):
    """A server that has imported everything: on a busy machine its first page takes long."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(server)
    expect(page.locator("h1")).to_be_visible(timeout=120_000)
    context.close()


@pytest.fixture
def draw_page(new_page, started):
    def open_page(path="/draw", **options):
        page = new_page(path, **options)
        expect(page.locator(".sheet")).to_be_visible()
        return page

    return open_page
