"""What is imported is declared, once, with a lower and an upper bound."""

import ast
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
FILES = [*sorted((ROOT / "requirements").glob("*.txt")), ROOT / "requirements.txt", ROOT / "requirements-dev.txt"]
OWN = {"app", "benchmarks", "dasksvd", "docs", "pages", "reproduce", "tests", "ui"}
#: Installed with every environment, or run and never imported.
TOOLS = {"mypy", "pdoc", "pytest-xdist", "ruff", "setuptools"}
#: What dictlearn needs and does not declare.
SILENT = {"matplotlib", "paramz"}


def lines(path):
    text = path.read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def requirements(path):
    """The requirements in a file, without those of the files that it includes."""
    return [Requirement(line) for line in lines(path) if not line.startswith("-r ")]


def declared(*names):
    """The distributions that some of the files name."""
    return {item.name for name in names for item in requirements(ROOT / f"{name}.txt")}


CORE = declared("requirements/core")
DASHBOARD = CORE | declared("requirements/dashboard")
CLUSTER = declared("requirements/cluster")
DEV = DASHBOARD | CLUSTER | declared("requirements-dev")


def distributions(*paths):
    """Names of the distributions whose modules some files import."""
    modules = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                modules.add(node.module.split(".")[0])
    names = packages_distributions()
    foreign = modules - OWN - sys.stdlib_module_names
    return {names.get(module, [module])[0].lower().replace("_", "-") for module in foreign}


def sources(room):
    return [path for path in (ROOT / room).rglob("*.py") if "__pycache__" not in path.parts]


def test_core_imports_what_it_declares_and_nothing_else():
    core = [path for path in sources("dasksvd") if "figures" not in path.relative_to(ROOT).parts]
    assert distributions(*core) - CLUSTER == CORE


def test_dashboard_and_figures_import_what_they_declare():
    paths = [ROOT / "app.py", *sources("dasksvd/figures"), *sources("pages"), *sources("ui"), *sources("reproduce")]
    found = distributions(*paths)
    assert found <= DASHBOARD
    assert found >= DASHBOARD - CORE


def test_tests_benchmarks_and_documents_import_what_they_declare():
    found = distributions(*sources("tests"), *sources("benchmarks"), *sources("docs"), ROOT / "setup.py")
    assert found <= DEV
    assert found >= declared("requirements-dev") - TOOLS - SILENT


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_requirement_has_a_lower_and_an_upper_bound(path):
    for requirement in requirements(path):
        assert {bound.operator for bound in requirement.specifier} == {">=", "<"}, requirement


def test_every_bound_has_one_place():
    names = [requirement.name for path in FILES for requirement in requirements(path)]
    assert len(names) == len(set(names))
    assert lines(ROOT / "requirements.txt") == ["-r requirements/core.txt", "-r requirements/dashboard.txt"]


def test_the_wheel_is_built_with_what_its_tests_use():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    [built_with] = project["build-system"]["requires"]
    assert built_with in lines(ROOT / "requirements-dev.txt")
