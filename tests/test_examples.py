"""What lies in ``examples`` runs as it stands, cell by cell, and says what its text promises."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dasksvd.reports.notebook import of_walk

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
#: What each of them prints, whatever the machine.
PROMISED = {
    "walk.py": (
        "6 pairs of weights × 3 folds, 4 trajectories learned",
        r"test accuracy (8[5-9]|9\d|100)\.",
        re.escape("{'left': 30, 'middle': 30, 'right': 30}"),
    ),
    "many_runs.py": ("60 networks in 3 trajectories", "(?m)^I mattered", "6 of them have four", "I,alpha,.*accuracy"),
}


def cells(text):
    """The code of each cell."""
    return [part for part in re.split(r"^# %%.*\n", text, flags=re.MULTILINE) if not is_prose(part)]


def is_prose(cell):
    return all(line.startswith("#") or not line.strip() for line in cell.splitlines())


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda path: path.name)
def ran(request, tmp_path_factory):
    """An example's text, and what it prints in an empty folder where every warning is an error."""
    folder = tmp_path_factory.mktemp("example")
    variables = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(folder), "OPENBLAS_NUM_THREADS": "1"}
    found = subprocess.run(
        [sys.executable, "-W", "error::FutureWarning", "-W", "error::UserWarning", str(request.param)],
        cwd=folder, env=variables, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr[-2000:]
    return request.param.read_text(encoding="utf-8"), found.stdout, PROMISED[request.param.name]


def test_there_is_one():
    assert EXAMPLES


def test_it_is_made_of_cells_that_each_can_be_run(ran):
    found = cells(ran[0])
    assert len(found) >= 5
    for number, cell in enumerate(found):
        compile(cell, f"cell {number}", "exec")


def test_it_prints_what_its_text_promises(ran):
    for promise in ran[2]:
        assert re.search(promise, ran[1]), (promise, ran[1])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_its_notebook_has_the_same_cells(path):
    """Oracle: the whole text, cut at the marks by another hand."""
    text = path.read_text(encoding="utf-8")
    written = json.loads(of_walk(text))
    assert (written["nbformat"], written["nbformat_minor"]) == (4, 5)
    code = ["".join(cell["source"]) for cell in written["cells"] if cell["cell_type"] == "code"]
    assert code == [cell.strip("\n") for cell in cells(text)]
    prose = ["".join(cell["source"]) for cell in written["cells"] if cell["cell_type"] == "markdown"]
    assert len(prose) == text.count("# %% [markdown]")
    lines = [line for line in text.splitlines() if line.startswith("# ") and not line.startswith("# %%")]
    assert [f"# {line}" for cell in prose for line in cell.splitlines() if line] == lines
    assert len({cell["id"] for cell in written["cells"]}) == len(written["cells"])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_readme_links_to_it(path):
    assert f"(examples/{path.name})" in (ROOT / "README.md").read_text(encoding="utf-8")
