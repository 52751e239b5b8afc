"""The pages speak the visitor's language: the link's, else the browser's; a button in the sidebar changes it."""

import re
from pathlib import Path

import pytest
import streamlit
from playwright.sync_api import expect

from tests.browser.navigation import PATHS
from tests.browser.screens import PROJECTOR
from ui.components.streamlit_words import AROUND, WORDS

#: Words that only English has, of our sentences and of Streamlit's buttons.
ENGLISH = re.compile(
    r"\b(the|of|with|which|are|its|this|that|each|from|atoms|and|upload|help|search|download|show|choose|open|close|menu)\b",
    re.IGNORECASE,
)
#: Pages, and what lies behind their tabs.
TABS = [f"accuracy?tab={tab}" for tab in ("tables", "significance", "ablation", "robustness", "curves", "networks")]
VIEWS = [*PATHS, *TABS, "lessons?handout=sum", "steps?step=1138", "?lesson=noisier.8"]
#: All that a page says, in texts and in what is read out, components included; not code, formulas and names of icons.
SAID = """() => {
  const SILENT = ["style", "script", "noscript", ".katex", "[data-testid=stCode]", "[data-testid=stIconMaterial]",
    "[aria-label$=' icon']"].join();
  const SPOKEN = ["aria-label", "title", "alt", "placeholder"];
  const found = new Set();
  const read = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    while (walker.nextNode()) {
      const node = walker.currentNode, place = node.nodeType === 3 ? node.parentElement : node;
      if (place?.closest(SILENT)) continue;
      if (node.nodeType === 3) found.add(node.data.trim());
      else for (const name of SPOKEN) found.add(node.getAttribute(name) ?? "");
      if (node.shadowRoot) read(node.shadowRoot);
    }
  };
  read(document.querySelector(".stApp"));
  return [...found];
}"""


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


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_that_is_read_or_heard_is_english(new_page, settle, started, view):
    page = new_page(f"/{view}{'&' if '?' in view else '?'}lang=es", viewport=PROJECTOR)
    settle(page)
    expect(page.get_by_test_id("stMainMenuButton")).to_have_attribute("aria-label", "Menú principal")
    page.wait_for_timeout(500)  # what is drawn after the script has ended
    said = [text for text in page.evaluate(SAID) if "digits, o q < 0.3 and" not in text]  # the filter's own language
    assert [text for text in said if ENGLISH.search(text)] == []


def test_streamlits_words_follow_the_switch(new_page, settle, started):
    page = new_page("/runs?lang=es", viewport=PROJECTOR)
    settle(page)
    page.get_by_role("button", name="Importar").click()
    uploader = page.get_by_test_id("stFileUploader")
    expect(uploader.get_by_role("button", name="Subir")).to_be_visible()
    expect(uploader).to_contain_text("MB por archivo")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_test_id("stMainMenuButton")).to_have_attribute("aria-label", "Main menu")


def test_streamlit_still_has_the_words_that_are_replaced():
    """A word that Streamlit has renamed would be English again, and nobody would be told."""
    scripts = (Path(streamlit.__file__).parent / "static" / "static" / "js").glob("*.js")
    code = "".join(script.read_text(encoding="utf-8") for script in scripts)
    parts = [*WORDS, *(part.strip(" :") for text in AROUND for part in text.split("{value}") if part.strip(" :"))]
    assert [part for part in parts if part not in code] == []
