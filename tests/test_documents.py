"""What the documents say is true: their commands exist, their code runs, their links and tables are right."""

import re
from pathlib import Path

import pytest

import dasksvd
from dasksvd.__main__ import main
from docs.reference import with_markdown_tables
from reproduce import page

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ANYWHERE = "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
#: A command in a block or between backticks, up to its comment.
COMMANDS = sorted(set(re.findall(r"python -m dasksvd ([a-z]+[^`\n#]*)", ANYWHERE)))


def blocks(text, language):
    """The contents of the fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def anchors(text):
    """What a link may have after #: the headings in lower case, spaces as dashes, other signs left out."""
    return {
        re.sub(r"[^\w\- ]", "", line).strip().lower().replace(" ", "-") for line in re.findall(r"^#+ (.*)", text, re.M)
    }


def test_readme_is_short():
    assert len(README.splitlines()) <= 120


def test_readme_python_runs_and_says_what_comes_out():
    [code] = blocks(README, "python")
    found = {}
    exec(code, found)
    assert len(code.strip().splitlines()) <= 12
    assert found["X"].shape == (60000, 256)
    assert found["model"].components_.shape == (40, 256)
    assert found["codes"].shape == (1000, 40)
    assert (found["codes"] != 0).sum(axis=1).max() <= 8
    assert found["other"].atoms.shape == (40, 256)
    assert found["reader"].predict(found["data"].test_images[:5]).tolist() == [7, 2, 1, 0, 4]


@pytest.mark.parametrize("command", COMMANDS)
def test_command_of_the_documents_exists_with_its_options(command, capsys):
    name, *words = command.split()
    action = [word for word in words[:1] if word.isalpha() and word.islower()]  # as in `data add`
    with pytest.raises(SystemExit) as end:
        main([name, *action, "--help"])
    assert end.value.code == 0
    known = capsys.readouterr().out
    assert {word for word in words if word.startswith("--")} <= {*re.findall(r"--[a-zA-Z_0-9-]+", known)}


def test_documents_name_targets_of_the_makefile():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {first or second for first, second in re.findall(r"`make ([a-z]+)`|^make ([a-z]+)", ANYWHERE, re.MULTILINE)}
    assert named
    assert named <= targets


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        assert there.exists(), target
        assert not anchor or anchor in anchors(there.read_text(encoding="utf-8")), target


def test_the_page_of_results_follows_from_the_results():
    assert page.differences_from_the_pages() == []
    assert not any("{{" in text for text in page.filled().values())


@pytest.mark.parametrize("path", page.TEXTS, ids=lambda path: path.name)
def test_no_measured_number_is_typed_into_a_page_of_results(path):
    """Numbers with decimals come from places that are filled; only what the text itself says may stand in it."""
    typed = re.sub(r"\{\{.+?\}\}", "", path.read_text(encoding="utf-8"))
    assert re.findall(r"\d+\.\d+", typed) == []


def test_a_wrong_number_on_the_page_of_results_is_found(tmp_path, monkeypatch):
    right, wrong = "| DAS-KSVD, 200 atoms | paper | 95.3 |", "| DAS-KSVD, 200 atoms | paper | 95.4 |"
    for path, text in page.filled().items():
        (tmp_path / path.name).write_text(text.replace(right, wrong), encoding="utf-8")
    monkeypatch.setattr(page, "DOCS", tmp_path)
    assert len(page.differences_from_the_pages()) == 2


def test_differences_in_lessons_stand_on_the_pages_of_results():
    """A lesson tells some of them in words of its own; when they are measured anew, it has to follow."""
    known = "\n".join(page.filled().values()).replace("-", "−")
    lessons = sorted((ROOT / "ui" / "lessons").rglob("*.md"))
    told = [(path.name, one) for path in lessons for one in re.findall(r"[\d.]+ ± [\d.]+\d", path.read_text("utf-8"))]
    assert told
    assert [(name, one) for name, one in told if not re.search(rf"[+−]{re.escape(one)}", known)] == []


def test_the_tree_names_every_room_and_every_module_beside_them():
    [tree] = blocks((ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8"), "")
    named = set(re.findall(r"^ *([\w.]+)", tree, re.MULTILINE))
    for top in ("dasksvd", "ui"):
        rooms = {path.parent.name for path in (ROOT / top).glob("*/__init__.py")}
        assert rooms <= named
    assert {path.stem for path in (ROOT / "dasksvd").glob("*.py")} <= named


def test_citation_and_changelog_are_of_this_version():
    assert f"version: {dasksvd.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"## [{dasksvd.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_reference_shows_the_tables_of_the_package_docstring():
    assert with_markdown_tables("before\n\n=  ==\na  b\n=  ==\n1  22\n=  ==\n.. remark\n\nafter").splitlines() == [
        *("before", "", "", "| a | b |", "| --- | --- |", "| 1 | 22 |", "", "", "after")
    ]
    shown = with_markdown_tables(dasksvd.__doc__)
    assert "===" not in shown
    assert "| A | sparse codes | ``codes`` | (n, M) |" in shown
