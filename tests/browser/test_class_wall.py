"""The class's wall: a student sends a drawing, the lecturer picks it, and all see why it was read so."""

import re

import pytest
from playwright.sync_api import expect

from benchmarks.server import dashboard
from tests.browser.conftest import settled
from tests.browser.pens import draw_with_mouse, verdict
from ui import lecturer
from ui.components.canvas import examples

WORD = "apple tree"


@pytest.fixture(scope="module")
def with_wall(tmp_path_factory):
    """A server whose owner wants a wall."""
    home = tmp_path_factory.mktemp("class")
    with dashboard(home, log=home / "server.log", **{lecturer.WORD: WORD}) as address:
        yield address
    assert "Traceback" not in (home / "server.log").read_text(encoding="utf-8", errors="replace")


@pytest.fixture
def visit(browser, with_wall):
    """A function that opens a page as another person."""
    contexts = []

    def open_page(path):
        contexts.append(browser.new_context(viewport={"width": 1280, "height": 720}))
        page = contexts[-1].new_page()
        page.goto(f"{with_wall}/{path}")
        expect(page.locator("h1")).to_be_visible(timeout=120_000)
        settled(page)
        return page

    yield open_page
    for context in contexts:
        context.close()


def hangs(page, count):
    drawings = "drawing hangs" if count == 1 else "drawings hang"
    expect(page.get_by_text(f"{count} {drawings} beside")).to_be_visible()


def send(page, number):
    draw_with_mouse(page, examples()[number])
    expect(verdict(page)).to_have_text(str(number))
    page.wait_for_timeout(500)  # the finished drawing follows what was read while the pen moved
    button = page.get_by_role("button", name="Send to the class's wall")
    button.click()
    expect(button).to_be_disabled()  # nothing hangs twice


def give_the_class(page, word):
    page.get_by_role("button", name="I give this class").click()
    page.locator("input[type=password]").fill(word)
    page.get_by_role("button", name="Enter").click()


def test_a_class_from_the_first_drawing_to_the_empty_wall(visit):
    onlooker, student = visit("wall"), visit("draw")
    expect(onlooker.get_by_text("Nothing hangs here yet")).to_be_visible()
    send(student, 7)
    hangs(onlooker, 1)  # without being asked
    expect(onlooker.get_by_text("Pick a drawing")).to_be_visible()

    teacher = visit("wall")
    give_the_class(teacher, "pear tree")
    expect(teacher.get_by_text("This is not the lecturer's word")).to_be_visible()
    teacher.keyboard.press("Escape")
    give_the_class(teacher, WORD)
    expect(teacher.get_by_text("what you pick, all see")).to_be_visible()
    teacher.locator(".st-key-class_wall .stage").click()
    for page in (teacher, onlooker):
        expect(page.get_by_role("heading", name=re.compile("Read as 7, .* shown to all"))).to_be_visible()
        expect(page.get_by_text("Atoms for 7")).to_be_visible()

    teacher.get_by_role("button", name="Take no more drawings").click()
    student.get_by_role("button", name="Clear", exact=True).click()
    draw_with_mouse(student, examples()[2])
    expect(verdict(student)).to_have_text("2")
    student.get_by_role("button", name="Send to the class's wall").click()
    expect(student.get_by_text("The wall takes no more drawings now.")).to_be_visible()
    hangs(onlooker, 1)
    teacher.get_by_role("button", name="Take drawings again").click()

    teacher.get_by_role("button", name="Empty the wall").click()
    teacher.get_by_role("button", name="Empty it").click()
    for page in (teacher, onlooker):
        expect(page.get_by_text("Nothing hangs here yet")).to_be_visible()


def test_who_does_not_give_the_class_picks_for_nobody_else(visit):
    student, other = visit("draw"), visit("wall")
    send(student, 3)
    student.get_by_role("button", name="See the wall").click()
    hangs(student, 1)
    student.locator(".st-key-class_wall .stage").click()
    expect(student.get_by_role("heading", name=re.compile("Read as 3, .* sure$"))).to_be_visible()  # not "shown to all"
    expect(student.get_by_role("button", name="Empty the wall")).to_have_count(0)
    hangs(other, 1)
    expect(other.get_by_text("Pick a drawing")).to_be_visible()


def test_without_the_owners_word_there_is_no_wall(new_page, started):
    page = new_page("/draw")
    expect(page.get_by_role("button", name="Clear", exact=True)).to_be_visible()
    expect(page.get_by_text("class's wall")).to_have_count(0)
