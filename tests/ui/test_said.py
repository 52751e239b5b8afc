"""No text of a page or a panel stands outside the catalogue, but for those that a list names with a reason."""

from pathlib import Path

import pytest

from tests.ui import texts_of_code

ROOT = texts_of_code.ROOT
FILES = sorted([*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").rglob("*.py"), ROOT / "app.py"])
#: Lines ``file: text``, under headings that say why.
LIST = Path(__file__).with_name("unsaid.txt")


def listed():
    """The texts of the list, by their files."""
    found = {}
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            file, _, text = line.partition(": ")
            found.setdefault(file, set()).add(text)
    return found


def name(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=name)
def test_every_text_goes_through_the_catalogue_or_is_listed(path):
    """Write ``say("…")``; a text for no visitor is listed with its reason. What is said by now leaves the list."""
    assert set(texts_of_code.unsaid(path)) == listed().get(name(path), set())


def test_the_list_names_files_that_exist():
    assert listed().keys() <= set(map(name, FILES))


@pytest.mark.parametrize("path", [path for path in texts_of_code.SOURCES if path.is_file()], ids=name)
def test_nothing_is_said_while_a_file_is_imported(path):
    assert not list(texts_of_code.said_too_early(path)) or path.parent.name == "pages"


def test_a_text_that_nobody_says_is_noticed(tmp_path):
    file = tmp_path / "page.py"
    file.write_text(
        'import streamlit as st\n\nst.button("Press me now", key="a long key")\nst.write(say("Well said"))\n'
        'def show(title="Not said either"):\n    facts["of the line"] = rows["not this"]\n'
    )
    assert sorted(texts_of_code.unsaid(file)) == ["Not said either", "Press me now", "of the line"]


def test_a_text_that_is_said_too_early_is_noticed(tmp_path):
    file = tmp_path / "panel.py"
    file.write_text('TITLE = say("Too early")\n\n\ndef show():\n    return say("In time")\n')
    assert list(texts_of_code.said_too_early(file)) == ["say('Too early')"]
