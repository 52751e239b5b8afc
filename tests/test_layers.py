"""Imports go one way."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
#: What each module of the core may import from the core.
LAYERS = {
    "compiled": set(),
    "kernels": {"compiled"},
    "settings": set(),
    "precise": {"compiled"},
    "scales": {"settings"},
    "omp": {"kernels", "precise", "scales", "settings"},
    "sampling": {"settings"},
    "ksvd": {"kernels", "omp", "scales"},
    "measures": set(),
    "selection": {"measures", "settings"},
    "records": {"measures", "selection", "settings"},
    "trajectory": {"ksvd", "sampling", "measures", "omp", "records", "scales", "selection", "settings"},
    "datasets": {"settings"},
    "figures": set(),
    "metrics": {"settings"},
    "scg": {"settings"},
    "products": {"compiled"},
    "saturating": {"compiled", "products"},
    "mlp": {"estimators", "products", "saturating", "scg", "settings"},
    "mod": {"ksvd", "omp"},
    "mdcs": {"measures", "records", "selection", "settings"},
    "files": set(),
    "judge": {"files"},
    "model": {"datasets", "files", "judge", "kernels", "omp", "settings"},
    "pictures": {"kernels", "settings"},
    "digit": {"judge", "kernels", "pictures"},
    "run": {"datasets", "description", "files", "measures", "parts", "records", "selection", "settings"},
    "description": {"settings"},
    "parts": {"datasets", "description", "files", "settings"},
    "cost": {"description", "omp", "settings"},
    "store": {"description", "files", "parts", "run", "settings"},
    "evaluation": {"datasets", "files", "metrics", "mlp", "model", "omp", "parts", "records", "run", "settings"},
    "lattice": {"settings"},
    "parallel": {"settings"},
    "plans": {"settings"},
    "quick": {"estimators", "settings"},
    "scores": {"files"},
    "reference": {"description", "files", "measures", "model", "records", "run", "sampling", "settings"},
    "grid_search": {
        "description",
        "cost",
        "lattice",
        "metrics",
        "mlp",
        "omp",
        "parallel",
        "parts",
        "plans",
        "quick",
        "records",
        "run",
        "scores",
        "selection",
        "settings",
        "trajectory",
    },
    "exchange": {"description", "files", "run", "soundness", "store"},
    "soundness": {
        "description",
        "datasets",
        "evaluation",
        "files",
        "measures",
        "metrics",
        "model",
        "parts",
        "records",
        "run",
        "sampling",
        "scores",
        "settings",
        "worker",
    },
    "processes": {"run"},
    "worker": {
        "datasets",
        "evaluation",
        "files",
        "parts",
        "processes",
        "run",
        "selection",
        "settings",
        "store",
        "trajectory",
    },
    "searches": {"description", "files", "grid_search", "plans", "reference", "run", "settings", "store", "worker"},
    "queue": {"processes", "run", "searches", "settings", "store"},
    "jobs": {
        "description",
        "cost",
        "evaluation",
        "exchange",
        "files",
        "grid_search",
        "plans",
        "processes",
        "queue",
        "run",
        "searches",
        "settings",
        "store",
    },
}


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", sorted((ROOT / "dasksvd").rglob("*.py")), ids=lambda path: path.stem)
def test_the_core_does_not_know_streamlit(path):
    assert not [name for name in imported(path) if name.split(".")[0] == "streamlit"]


@pytest.mark.parametrize("module", LAYERS)
def test_imports_inside_the_core_go_one_way(module):
    folder = ROOT / "dasksvd" / module
    paths = folder.glob("*.py") if folder.is_dir() else [folder.with_suffix(".py")]
    names = {name.split(".")[1] for path in paths for name in imported(path) if name.startswith("dasksvd.")}
    assert names - {module} <= LAYERS[module]


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
