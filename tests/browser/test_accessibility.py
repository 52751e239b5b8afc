"""Every page can be read and used by everybody, in both themes, in a real browser."""

import itertools
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.navigation import PATHS

LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")
THEMES = ("light", "dark")
SCREEN = {"width": 1280, "height": 720}
GRAVE = ("serious", "critical")


def at_rest(page):
    """Wait until the parts of the page that the browser fetches late are there, the app's own rules among them."""
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=60_000)


def states(page, path, settle):
    """Everything that a page can show without computing: expanders open, every tab, every explanation."""
    for summary in page.get_by_test_id("stExpander").locator("summary").all():
        summary.click()
    if path == "draw":
        page.get_by_role("button", name="Load an example of the digit 3").click()
        expect(page.locator(".verdict .digit")).to_have_text("3")
    doors = [*page.get_by_role("tab").all(), *page.get_by_role("radio", name="Step by step").all()]
    doors += page.get_by_role("radio", name="For and against").all()
    settle(page)
    at_rest(page)
    yield ""
    for door in doors:
        door.click()
        settle(page)
        at_rest(page)
        yield door.inner_text()


def told(finding):
    """A finding of axe in a line for each element."""
    for node in finding["nodes"]:
        reasons = "; ".join(check["message"] for check in node["any"] + node["all"] + node["none"])
        yield f"{finding['id']}: {node['target']} {node['html'][:150]} {reasons}"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("path", PATHS)
def test_a_page_has_no_barrier(new_page, settle, path, theme):
    """Oracles: axe-core, and the WCAG's formula for the texts that axe leaves out (charts, and what is aria-hidden)."""
    page = new_page(f"/{path}", viewport=SCREEN, color_scheme=theme)
    page.evaluate(LOOK)
    for state in states(page, path, settle):
        found = Axe().run(page).response["violations"]
        grave = [line for finding in found if finding["impact"] in GRAVE for line in told(finding)]
        assert grave == [], state
        assert page.evaluate("look.faint()") == [], state
        levels = [level for level, _ in page.evaluate("look.headings()")]
        assert levels[:1] == [1], state
        assert all(deeper - level <= 1 for level, deeper in itertools.pairwise(levels)), levels


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("path", ["train", "atoms", "draw", "runs"])
def test_the_focus_is_always_seen(new_page, path, theme):
    """At least 3 : 1, as the WCAG asks of what is no text."""
    page = new_page(f"/{path}", viewport=SCREEN, color_scheme=theme)
    at_rest(page)
    page.evaluate(LOOK)
    seen = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        name, _ = page.evaluate("look.focus()")
        if name.startswith("BODY"):
            break
        page.wait_for_function("look.focus()[1] >= 3", timeout=5_000)  # some buttons fade in
        seen.add(name)
    assert len(seen) > 15
