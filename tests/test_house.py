"""The size of the rooms: a newcomer must be able to read each in one sitting."""

import ast
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("dasksvd", "ui", "pages", "reproduce", "benchmarks", "docs", "tests")
FILES = [ROOT / "app.py", *sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))]
MAX_LINES = 350
MAX_FUNCTION = 60
USUAL_FUNCTION = 8
MAX_TOP_LEVEL = 12


def functions(path):
    """Name and lines of every function in a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.end_lineno - node.lineno + 1


def test_the_front_hall_is_not_crowded():
    assert len(list((ROOT / "dasksvd").glob("*.py"))) <= MAX_TOP_LEVEL


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_room_and_no_function_is_too_long(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES
    assert [(name, lines) for name, lines in functions(path) if lines > MAX_FUNCTION] == []


def test_the_usual_function_fits_into_a_glance():
    source = [
        path for path in FILES if path.relative_to(ROOT).parts[0] in ("app.py", "dasksvd", "ui", "pages", "reproduce")
    ]
    assert median(lines for path in source for _, lines in functions(path)) <= USUAL_FUNCTION


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_command_line_is_imported_by_tests_only(path):
    inside = path.relative_to(ROOT).parts[0]
    assert inside == "tests" or "dasksvd.__main__ import" not in path.read_text(encoding="utf-8")
