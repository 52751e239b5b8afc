"""The pages in another language: they say nothing in English, and the language reaches every thread."""

import re
import threading

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dasksvd.common import language
from dasksvd.statistics import summarise
from tests.ui.harness import APP, PAGES, address
from ui import speech, texts
from ui.components import canvas
from ui.panels import explanations, score_table

#: Frequent words that only English has.
ENGLISH_WORDS = re.compile(r"\b(the|of|with|which|are|its|this|that|your|each|from|click|atoms)\b")
#: What stands in a text as it is: code, addresses, formulas.
AS_IT_IS = re.compile(r"`[^`]*`|\$[^$]*\$|https?://\S+|lambda|:material/\w+:")
#: Pages with panels of the list of what is still to be said, see tests/ui/unsaid.txt.
UNFINISHED = ()


def open_in(code, name, **values):
    at = AppTest.from_file(str(APP), default_timeout=90)
    for key, value in {"lang": code, **values}.items():
        at.query_params[key] = value
    at.run()
    at.switch_page(f"pages/{name}.py").run()
    assert not at.exception, at.exception
    return at


def said(at):
    """All that a page says: texts, labels, helps."""
    kinds = ("title", "header", "markdown", "caption", "info", "warning", "error", "success")
    found = [element.value for kind in kinds for element in at.get(kind)]
    controls = ("button", "selectbox", "slider", "number_input", "text_input", "toggle", "multiselect", "metric")
    for element in (element for kind in controls for element in at.get(kind)):
        found += [element.label, getattr(element, "help", "") or ""]
    return [text for text in found if isinstance(text, str)]


def english_in(at):
    """What a page says that has English words."""
    return [text for text in said(at) if ENGLISH_WORDS.search(AS_IT_IS.sub("", text))]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_in_spanish_has_no_english_words(home, name):
    found = english_in(open_in("es", name))
    assert bool(found) == (name in UNFINISHED), found


@pytest.mark.parametrize("name", ["overview", "atoms", "measures"])
def test_other_weights_are_told_in_spanish_too(home, name):
    """They exchange atoms, of which a page says more."""
    assert english_in(open_in("es", name, alpha="1")) == []


@pytest.mark.parametrize("view", explanations.VIEWS)
def test_a_reading_is_explained_without_english_words(home, view):
    at = open_in("es", "draw")
    at.session_state["canvas"] = {"drawing": {"id": 1, "strokes": canvas.examples()[7], "brush": 20}}
    with language.speaking("es"):  # the harness writes down what controls show
        at.run()
        at.pills(key="really").set_value(1).run()
        views = at.segmented_control(key="explain_view")
        assert list(views.options) == [language.say(name) for name in explanations.VIEWS]
        views.set_value(view).run()
        assert not at.exception, at.exception
        assert at.header[-1].value == "¿Por qué 1?"
        assert english_in(at) == []


@pytest.mark.parametrize("view", [name for name in explanations.VIEWS if name != explanations.OF_DRAWINGS])
def test_a_picture_is_explained_without_english_words(home, view):
    at = open_in("es", "draw", reader="reference_small_reader_20", explain_view=explanations.LINKS[view])
    assert at.title[0].value == "Lee una imagen"
    assert english_in(at) == []


def test_a_score_is_told_in_spanish():
    for accuracies, words in (([0.9], "1 red"), ([0.9, 0.92], "2 redes")):
        with language.speaking("es"):
            assert score_table.in_words(summarise(accuracies), None, "…").endswith(words)


def test_english_is_what_a_browser_without_a_language_gets(home):
    at = AppTest.from_file(str(APP), default_timeout=90).run()
    assert "Atoms that tell digits apart" in [title.value for title in at.title]
    assert "lang" not in address(at)


def test_the_language_stays_in_the_address(home):
    at = open_in("es", "measures")
    assert address(at)["lang"] == "es"
    with language.speaking("es"):  # the harness writes down what controls show
        at.button(key="lang_en").click().run()
    assert "lang" not in address(at)
    assert at.title[0].value == "When does an atom belong to a class?"


def test_an_unknown_language_is_as_none(home):
    assert open_in("xx", "train").title[0].value == "Learn your own atoms"


def test_a_new_thread_asks_for_the_visitors_language(monkeypatch):
    """A piece of a page that runs again has a thread of its own, in which no language was chosen."""
    monkeypatch.setattr(speech, "get_script_run_ctx", lambda **options: object())
    monkeypatch.setattr(st, "session_state", {"language": "es"})
    found = []
    thread = threading.Thread(target=lambda: found.append(language.say("Atoms")))
    thread.start()
    thread.join()
    assert found == ["Átomos"]


def test_every_long_text_has_all_languages_and_the_same_formulas():
    folders = {code: texts.ABOUT / code for code in language.languages()}
    english = {path.name: path.read_text(encoding="utf-8") for path in folders.pop(language.ENGLISH).glob("*.md")}
    for folder in folders.values():
        others = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
        assert others.keys() == english.keys()
        for name, text in english.items():
            assert text.count("**") == others[name].count("**"), name
            assert text.count("$") == others[name].count("$"), name
