"""Run what a recipe says, as a person would: in a folder of its own, from a shell or as a script."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def environment(folder):
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "DASKSVD_HOME": str(folder / "runs"),
        "OPENBLAS_NUM_THREADS": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }


def in_shell(text, folder):
    """What a text prints when a shell reads it."""
    return _run(["sh", "-e"], folder, input=text)


def as_script(text, folder):
    """What a text prints when Python reads it."""
    (folder / "script.py").write_text(text, encoding="utf-8")
    return _run([sys.executable, "script.py"], folder)


def _run(command, folder, **options):
    done = subprocess.run(
        command, cwd=folder, env=environment(folder), capture_output=True, encoding="utf-8", check=False, **options
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
