"""The walks in the documentation lead through functions that exist, in as few hops as promised."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WALKS = ROOT / "docs" / "ARCHITECTURE.md"
ROW = re.compile(r"\| (\d+) \| `([^`]+)` \| (.+?) \| .+ \|")


def hops(title):
    """The rows of the first table below a heading: (number, file, functions)."""
    section = WALKS.read_text(encoding="utf-8").split(f"### {title}")[1].split("\n### ")[0]
    table = re.search(r"(?:\|.*\n)+", section)[0]
    return [(int(number), path, re.findall(r"`([^`]+)`", functions)) for number, path, functions in ROW.findall(table)]


def defined_in(path):
    """The functions and classes of a module, and the methods by their class."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{item.name}" for item in node.body if isinstance(item, ast.FunctionDef)}
    return names


@pytest.mark.parametrize(("title", "most"), [("The click", 12), ("The data", 15)])
def test_a_walk_leads_through_functions_that_exist_in_few_hops(title, most):
    walk = hops(title)
    assert [number for number, _, _ in walk] == list(range(1, len(walk) + 1))
    assert 8 <= len(walk) <= most
    for _, path, functions in walk:
        assert functions, path
        if path.startswith("pages/"):
            assert 'say("Run||verb")' in (ROOT / path).read_text(encoding="utf-8")
        else:
            assert set(functions) <= defined_in(ROOT / path), path
