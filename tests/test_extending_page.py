"""A new page is one function and one line above it."""

import pytest
from streamlit.testing.v1 import AppTest

from dasksvd.errors import ParameterError
from tests.examples import registered
from tests.ui.harness import APP, home, open_page  # noqa: F401
from ui import navigation


@pytest.fixture
def toy(home):  # noqa: F811
    """The document's page, registered while the test runs."""
    with registered("A page"):
        yield


@pytest.fixture
def declared(monkeypatch):
    """The pages that the app hands to Streamlit, by name."""
    pages, build = {}, navigation.st.navigation

    def note(given, **options):
        pages.update((navigation.name(page), page) for page in given)
        return build(given, **options)

    monkeypatch.setattr(navigation.st, "navigation", note)
    return pages


def test_a_new_page_is_in_the_navigation_and_shows_the_run(toy, declared):
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    assert list(declared) == [*navigation.PAGES]
    assert [page.title for page in declared.values()][-2:] == ["Accuracy", "Toy page"]
    at._page_hash = declared["toy"]._script_hash  # the harness's own switch knows pages in files only
    at.run()
    assert not at.exception, at.exception
    assert at.title[0].value == "A toy page"
    assert at.metric[0].value == "200"
    at.slider(key="I").set_value(5).run()
    assert at.metric[0].value == "50"


def test_a_new_page_can_be_a_file(home, tmp_path):  # noqa: F811
    page = tmp_path / "toy_file.py"
    page.write_text("import streamlit as st\nst.title('From a file')\n", encoding="utf-8")
    navigation.register("toy_file", title="Toy file")(str(page))
    try:
        at = open_page("overview")
        at.switch_page(str(page)).run()
        assert at.title[0].value == "From a file"
    finally:
        navigation.PAGES.unregister("toy_file")


def test_an_unknown_page_lists_the_known_ones():
    with pytest.raises(ParameterError, match="unknown page 'toys'; known are overview, draw"):
        navigation.PAGES["toys"]
