"""A lesson's handout on paper: one sheet, and nothing on it but the lesson."""

import re

import pytest
from playwright.sync_api import expect

from dasksvd.common.language import languages
from ui.lessons.reading import lessons

#: Sheets of paper, as Chromium calls them.
SHEETS = ("A4", "Letter")


def sheets_of(pdf):
    """How many pages a PDF file has, by its own list of them."""
    return int(re.search(rb"/Type\s*/Pages\b[^>]*?/Count\s+(\d+)", pdf)[1])


@pytest.mark.parametrize("code", languages())
def test_every_handout_is_one_sheet_with_its_questions(new_page, server, settle, started, code):
    page = new_page(f"/lessons?lang={code}")
    for name, lesson in lessons(code).items():
        page.goto(f"{server}/lessons?handout={name}&lang={code}")
        expect(page.get_by_role("heading", name=lesson.title)).to_be_visible()
        settle(page)
        assert {size: sheets_of(page.pdf(format=size)) for size in SHEETS} == dict.fromkeys(SHEETS, 1), name
        for step in lesson.questions:
            expect(page.locator(".st-key-handout")).to_contain_text(step.answers[0].text)


def test_on_paper_there_is_nothing_but_the_lesson(new_page, started):
    page = new_page("/lessons?handout=sum")
    handout = page.locator(".st-key-handout")
    expect(handout).to_be_visible()
    around = [page.get_by_test_id(name) for name in ("stSidebar", "stHeader")] + [
        page.locator(".st-key-handout_buttons")
    ]
    for one in around:
        expect(one).to_be_visible()
    page.emulate_media(media="print")
    for one in around:
        expect(one).to_be_hidden()
    expect(handout).to_be_visible()
