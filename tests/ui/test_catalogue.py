"""Every language has every text of the code, with the same placeholders and marks, and no others."""

import re
from string import Formatter

import pytest

from dasksvd.common.language import ENGLISH, catalogue, languages
from tests.ui import texts_of_code

OTHERS = [code for code in languages() if code != ENGLISH]
#: What Markdown and formulas are made of; their numbers stay the same in another language.
MARKS = ("**", "$", "`", ":material/", ":small[", "\n", "  \n", "](", "<")


@pytest.fixture(scope="module")
def texts():
    return texts_of_code.of_components() | texts_of_code.of_tables() | texts_of_code.of_python()


@pytest.fixture(params=OTHERS)
def entries(request):
    return {key: text for key, text in catalogue(request.param).items() if key}


def placeholders(text):
    """The placeholders of a template; one with braces that are none of ours has none."""
    try:
        return sorted((name, spec, conversion) for _, name, spec, conversion in Formatter().parse(text) if name)
    except ValueError:
        return None


def test_no_text_of_the_code_is_missing(texts, entries):
    assert {text: where for text, where in texts.items() if not entries.get(text)} == {}


def test_no_entry_is_left_over(texts, entries):
    assert sorted(entries.keys() - texts.keys()) == []


def test_placeholders_agree(entries):
    assert [key for key, text in entries.items() if placeholders(key) != placeholders(text)] == []


def test_markdown_and_formulas_stay(entries):
    assert [key for key, text in entries.items() for mark in MARKS if key.count(mark) != text.count(mark)] == []


def test_texts_begin_and_end_with_the_same_spaces(entries):
    wrong = [key for key, text in entries.items() if re.sub(r"\S.*\S|\S", "", key) != re.sub(r"\S.*\S|\S", "", text)]
    assert wrong == []
