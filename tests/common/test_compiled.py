"""Compiled code where numba finds no folder for its cache."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "dasksvd"
#: Every file with compiled code, by a call that runs it.
CALLS = {
    "digit.lines": """
        from dasksvd.digit import from_strokes
        print(2 * (from_strokes([[(10, 10), (10, 90)]], 100).max() / 255))
    """,
    "method.kernels": "from dasksvd import encode; print(encode(np.eye(2), np.eye(2), 1).sum())",
    "method.supports": """
        from dasksvd.method.supports import group_by_atom
        print(len(group_by_atom(np.zeros((2, 1), np.int32), np.ones(2, np.int32), 1)[1]))
    """,
    "method.precise": """
        from dasksvd import encode
        twins = np.array([[1, 0], [1, 1e-3]]) / np.linalg.norm([[1, 0], [1, 1e-3]], axis=1, keepdims=True)
        print(round(float((encode(np.ones((1, 2)), twins, 2) @ twins).sum()), 3))
    """,
    "networks.rows": """
        from dasksvd.networks.rows import Rows
        out = np.zeros((4, 1), np.float32)
        Rows(np.eye(4, dtype=np.float32)).times(np.full((5, 1), 0.25, np.float32), out)
        print(out.sum())
    """,
    "networks.saturating": """
        from dasksvd import SCGClassifier
        X, y = np.repeat(np.eye(2), 20, axis=0), np.repeat([0, 1], 20)
        print(2 * SCGClassifier(hidden=4, max_epochs=20, random_state=0).fit(X, y).score(X, y))
    """,
}


@pytest.fixture(scope="module")
def read_only_tree(tmp_path_factory):
    """A copy of the package in which no cache folder can be made, not even by root.

    Permission bits would not stop root; a plain file in the place of the folder does.
    """
    root = tmp_path_factory.mktemp("tree")
    shutil.copytree(PACKAGE, root / "dasksvd", ignore=shutil.ignore_patterns("__pycache__", "data"))
    (root / "dasksvd" / "data").symlink_to(PACKAGE / "data")
    for package in [root / "dasksvd", *(path.parent for path in (root / "dasksvd").glob("*/__init__.py"))]:
        (package / "__pycache__").touch()
    return root


@pytest.mark.parametrize("module", CALLS)
def test_kernels_run_from_a_read_only_tree_without_a_home(module, read_only_tree):
    script = f"import numpy as np, dasksvd.{module}\n{textwrap.dedent(CALLS[module])}\nprint(dasksvd.__file__)"
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA", "XDG", "HOME"))}
    result = subprocess.run(
        [sys.executable, "-c", script],
        cwd=read_only_tree,
        env={**environment, "HOME": "/dev/null", "PYTHONPATH": str(read_only_tree)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    answer, file = result.stdout.split()
    assert float(answer) == 2
    assert Path(file).parent == read_only_tree / "dasksvd"


def test_every_file_with_compiled_code_is_tried():
    """And compiles in the one way that has a fallback."""
    files = {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in PACKAGE.rglob("*.py")
    }
    assert [name for name, text in files.items() if "njit" in text] == ["common.compiled"]
    assert {name for name, text in files.items() if "from dasksvd.common.compiled import" in text} == set(CALLS)
