"""The pages speak the visitor's language: the link's, else the browser's; a button in the sidebar changes it."""

import re

from playwright.sync_api import expect


def speaks(page, language):
    expect(page.locator("html")).to_have_attribute("lang", language)
    first = page.get_by_test_id("stSidebarNavLink").first
    expect(first).to_have_text({"en": "Overview", "es": "Resumen"}[language])


def test_the_link_chooses_and_the_switch_goes_back(new_page, started):
    page = new_page("/?lang=es")
    speaks(page, "es")
    page.get_by_test_id("stSidebarNavLink").nth(1).click()
    expect(page).to_have_url(re.compile(r"/draw\?.*lang=es"))
    speaks(page, "es")
    # A component's own HTML, and back again.
    expect(page.locator(".undo")).to_have_text("Deshacer")
    page.get_by_role("button", name="English").click()
    speaks(page, "en")
    expect(page.locator(".undo")).to_have_text("Undo")
    expect(page).not_to_have_url(re.compile("lang="))
    page.wait_for_timeout(600)  # changes that follow each other faster are one step for Back
    page.get_by_role("button", name="Español").click()
    speaks(page, "es")
    page.go_back()
    speaks(page, "en")


def test_the_browser_chooses_and_a_link_can_say_otherwise(new_page, started):
    page = new_page("/", locale="es-AR")
    speaks(page, "es")
    expect(page).not_to_have_url(re.compile("lang="))
    page.get_by_role("button", name="English").click()
    speaks(page, "en")
    expect(page).to_have_url(re.compile("lang=en"))
    speaks(new_page("/?lang=en", locale="es-AR"), "en")
    speaks(new_page("/", locale="pt-BR"), "en")
