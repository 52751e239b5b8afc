"""Imports go one way."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

import dasksvd

ROOT = Path(__file__).parent.parent
FRONT_DOOR = ROOT / "dasksvd" / "__init__.py"
#: From the ground up.  A module imports from its own row and from those above it, never from below.
ROWS = (
    ("dasksvd.errors",),
    ("dasksvd.common",),
    ("dasksvd.rankings",),
    ("dasksvd.parameters",),
    ("dasksvd.metrics", "dasksvd.statistics", "dasksvd.figures"),
    ("dasksvd.datasets", "dasksvd.method", "dasksvd.encoders"),
    ("dasksvd.baselines", "dasksvd.networks"),
    ("dasksvd.digit", "dasksvd.cost", "dasksvd.evaluate"),
    ("dasksvd.runs",),
    ("dasksvd.search",),
    ("dasksvd.reports",),
    ("dasksvd.estimators", "dasksvd.commands"),
    ("dasksvd.__main__",),
    ("reproduce",),
    ("ui",),
    ("pages",),
    ("app",),
)


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    module_name(path): path
    for path in [
        ROOT / "app.py",
        *(path for room in ("dasksvd", "reproduce", "ui", "pages") for path in (ROOT / room).rglob("*.py")),
    ]
}


def imported(path):
    """Every name that a file imports, whether that is a module or something in one.

    What the package's front door imports for type checkers does not count: it runs nowhere.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if path == FRONT_DOOR:
        tree.body = [node for node in tree.body if not is_for_type_checkers(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_for_type_checkers(node):
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imported_modules(module):
    """The modules that a module imports; a package only if something of its own is meant."""
    names = set(imported(MODULES[module]))
    found = {name for name in names if name in MODULES}
    deeper = {name.rpartition(".")[0] for name in found}
    own = {name.rpartition(".")[0] for name in names - found}
    return {name for name in found if name not in deeper or name in own} - {module}


def row_of(module):
    """The row of a module, None for the package's own front door."""
    fits = [at for at, row in enumerate(ROWS) for room in row if module == room or module.startswith(f"{room}.")]
    return fits[0] if fits else None


def test_type_checkers_know_the_public_names_from_where_they_are_loaded():
    (block,) = filter(is_for_type_checkers, ast.parse(FRONT_DOOR.read_text(encoding="utf-8")).body)
    told = {alias.name: node.module for node in block.body for alias in node.names}
    assert set(told) == set(dasksvd.__all__)
    for name, module in told.items():
        assert getattr(dasksvd, name) is getattr(import_module(module), name), name


@pytest.mark.parametrize("module", sorted(MODULES))
def test_imports_go_one_way(module):
    if module == "dasksvd":  # loads what it offers when it is asked for
        assert imported_modules(module) == set()
        return
    assert row_of(module) is not None, f"{module} has no row"
    assert [name for name in imported_modules(module) if (row_of(name) or 0) > row_of(module)] == []


def test_no_module_imports_itself_in_a_circle():
    graph = {module: imported_modules(module) for module in MODULES}
    list(TopologicalSorter(graph).static_order())  # raises CycleError, which names the circle


@pytest.mark.parametrize("path", sorted((ROOT / "dasksvd").rglob("*.py")), ids=lambda path: path.stem)
def test_the_core_does_not_know_streamlit(path):
    assert not [name for name in imported(path) if name.split(".")[0] == "streamlit"]


def test_nothing_unpickles():
    for folder in ("dasksvd", "pages", "ui", "reproduce"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert "allow_pickle=True" not in text, path
            assert not {"pickle", "dill", "cloudpickle"} & set(imported(path)), path


def test_the_first_page_waits_for_no_compiler_no_solver_and_no_tables():
    script = (
        "import sys; from streamlit.testing.v1 import AppTest; page = AppTest.from_file('app.py').run(timeout=60); "
        "assert page.title[0].value and not page.exception; "
        "print(*{'numba', 'pandas', 'scipy', 'sklearn'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
