"""Broken files of every kind are read or refused: none hangs, leaks or ends in a traceback."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

COUNT, SEED = 2000, 5
ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(sys.platform != "linux", reason="counts open files and memory as Linux does")
def test_two_thousand_broken_files(tmp_path):
    command = [sys.executable, "-m", "tests.datasets.intake.fuzz", str(tmp_path), str(COUNT), str(SEED)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert found["read"] + found["refused"] == COUNT
    assert min(found["read"], found["refused"]) > COUNT / 20
    assert found["files"] == 0
    assert found["megabytes"] < 500
