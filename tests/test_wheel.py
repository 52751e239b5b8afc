"""The wheel, built and installed: what a person has after ``pip install dasksvd[dashboard]`` in an empty folder.

The fresh environment borrows its dependencies from the one that runs the tests, so that nothing is
downloaded; the package itself is only in the wheel.
"""

import os
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

from benchmarks.server import wait_for

ROOT = Path(__file__).parent.parent
ROOMS = ("dasksvd", "examples", "pages", "reproduce", "ui")
#: Not for the core: what the extras bring.
EXTRAS = ("streamlit", "pandas", "plotly", "dask", "distributed")
#: Largest wheel, in bytes.
MAX_WHEEL = 40 * 10**6
WHERE = "import dasksvd; print(dasksvd.__path__[0])"
DRAWN = "import numpy as np; from PIL import Image; Image.fromarray(np.uint8(np.eye(40) * 255)).save('line.png')"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy so that no earlier build leaves a file in it."""
    folder = tmp_path_factory.mktemp("wheel")
    unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in (*ROOMS, ".streamlit", "requirements"):
        shutil.copytree(ROOT / name, folder / "source" / name, ignore=unwanted)
    for name in ("app.py", "LICENSE", "pyproject.toml", "README.md", "setup.py"):
        shutil.copy(ROOT / name, folder / "source" / name)
    run(sys.executable, "-m", "pip", "wheel", *PIP, "--no-build-isolation", "--wheel-dir", folder, folder / "source")
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def programs(wheel, tmp_path_factory):
    """The folder with ``python`` and ``dasksvd`` of an environment that has only the wheel and its dependencies."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=os.name != "nt")
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    run(sys.executable, "-m", "pip", "--python", programs / "python", "install", *PIP, "--no-index", wheel)
    home = Path(run(programs / "python", "-c", WHERE, cwd=folder).strip()).parent
    assert folder in home.parents
    borrowed = [path for path in sys.path if Path(path).name == "site-packages"]
    (home / "borrowed.pth").write_text("\n".join(borrowed), encoding="utf-8")
    return programs


@pytest.fixture
def empty(tmp_path):
    """An empty folder to work in."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


PIP = ("--no-deps", "--quiet", "--disable-pip-version-check")


def run(*command, cwd=None):
    """What a command prints; it must end well."""
    # Where Python looks for packages must not lead back to the source tree.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=inherited, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_wheel_holds_every_file_of_the_source_tree(wheel):
    files = {"dasksvd/dashboard/app.py", "dasksvd/dashboard/.streamlit/config.toml", "dasksvd/py.typed"}
    for room in ROOMS:
        inside = "" if room == "dasksvd" else "dasksvd/dashboard/"
        paths = [path for path in (ROOT / room).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        files |= {inside + path.relative_to(ROOT).as_posix() for path in paths}
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == files


def test_the_wheel_is_small(wheel):
    assert wheel.stat().st_size < MAX_WHEEL


def test_core_works_without_the_extras(programs, empty):
    script = f"""
import sys
sys.modules.update(dict.fromkeys({EXTRAS}))  # None makes `import` fail
import pkgutil, importlib, numpy as np, dasksvd
for module in pkgutil.walk_packages(dasksvd.__path__, "dasksvd."):
    if not module.name.startswith(("dasksvd.dashboard", "dasksvd.figures")) and "__main__" not in module.name:
        importlib.import_module(module.name)
images = dasksvd.load_mnist().test_images[:5]
print(*dasksvd.load_default_model().predict(images))
"""
    assert run(programs / "python", "-c", script, cwd=empty).split() == ["7", "2", "1", "0", "4"]


def test_command_trains_and_lists_in_an_empty_folder(programs, empty):
    assert "COMMAND" in run(programs / "dasksvd", "--help", cwd=empty)
    tiny = ("--t", "20", "--I", "1", "--r_f", "0.1", "--ksvd_iter", "1", "--seed", "0")
    run(programs / "dasksvd", "train", "--preset", "quick", *tiny, "--out", "runs/first", cwd=empty)
    assert "first" in run(programs / "dasksvd", "runs", cwd=empty)


def test_command_reads_a_picture(programs, empty):
    run(programs / "python", "-c", DRAWN, cwd=empty)
    assert run(programs / "dasksvd", "classify", "line.png", cwd=empty).strip()


def test_command_fails_with_an_exit_code(programs, empty):
    done = subprocess.run([programs / "dasksvd", "evaluate", "nowhere"], cwd=empty, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"dasksvd: error: " in done.stderr


def test_first_page_of_the_installed_dashboard(programs, empty):
    script = """
import sys, dasksvd
from pathlib import Path
from streamlit.testing.v1 import AppTest
folder = Path(dasksvd.__path__[0]) / "dashboard"
sys.path.insert(0, str(folder))
page = AppTest.from_file(str(folder / "app.py")).run(timeout=60)
assert not page.exception, page.exception
print(page.title[0].value)
"""
    assert run(programs / "python", "-c", script, cwd=empty).strip()


@pytest.mark.parametrize("command", [("python", "-m", "streamlit", "run", "APP"), ("dasksvd", "dashboard")])
def test_dashboard_answers_from_an_empty_folder(programs, empty, command):
    app = run(programs / "python", "-c", WHERE, cwd=empty).strip() + "/dashboard/app.py"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (empty.parent / "log").open("wb") as log:
        server = subprocess.Popen(
            [programs / command[0], *(app if word == "APP" else word for word in command[1:])],
            cwd=empty,
            env=os.environ | {"STREAMLIT_SERVER_PORT": str(port), "STREAMLIT_SERVER_HEADLESS": "true"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_for(f"http://localhost:{port}/_stcore/health", server)
            with urllib.request.urlopen(f"http://localhost:{port}/", timeout=10) as page:
                assert b"<html" in page.read()
        finally:
            server.terminate()
            server.wait(20)
    assert b"Traceback" not in (empty.parent / "log").read_bytes()
    with pytest.raises(urllib.error.URLError):  # the command has ended, and the server with it
        urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=2)
