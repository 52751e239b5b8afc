"""Predict, then reveal, in a real browser: asked in a dialog, answered with keys, counted."""

import re

from playwright.sync_api import expect

from tests.browser.screens import PHONE, PROJECTOR


def open_dialog(page):
    page.get_by_role("button", name="Guess first").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Score: 0 of 0 right")).to_be_visible()
    return dialog


def test_an_atom_is_guessed_with_keys_and_the_next_question_is_another(new_page, started):
    page = new_page("/measures", viewport=PROJECTOR)
    dialog = open_dialog(page)
    atom = dialog.locator(".st-key-guess_about img, .st-key-guess_about canvas").first
    expect(atom).to_be_visible()
    page.keyboard.press("2")
    expect(dialog.get_by_text(re.compile("Score: [01] of 1 right"))).to_be_visible()
    expect(dialog.get_by_text(re.compile(r"of the signals of class .* use it; next is class"))).to_be_visible()
    page.keyboard.press("Enter")
    expect(dialog.get_by_text(re.compile(r"of the signals of class .* use it; next is class"))).to_have_count(0)
    expect(dialog.get_by_text(re.compile("Score: [01] of 1 right"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_on_a_phone_the_next_atom_is_picked_by_its_picture_or_its_button(draw_page):
    page = draw_page(**PHONE)
    page.get_by_label("Load an example of the digit 4").click()
    dialog = open_dialog(page)
    expect(dialog.get_by_text("Which atom does OMP take next?")).to_be_visible()
    dialog.get_by_role("button", name="picture 3").click()
    expect(dialog.get_by_text("OMP takes the largest")).to_be_visible()
    expect(dialog.get_by_text(re.compile("Score: [01] of 1 right"))).to_be_visible()


def test_a_question_opens_while_the_film_plays_and_stays(new_page, started):
    page = new_page("/atoms", viewport=PROJECTOR)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    dialog = open_dialog(page)
    dialog.get_by_role("button", name="iteration").first.click()
    expect(dialog.get_by_text("The more noise, the grainier the atom.")).to_be_visible()
