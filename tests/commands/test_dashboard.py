"""``dasksvd dashboard``: from any folder, from a checkout and from an installed package."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

from dasksvd.__main__ import main
from dasksvd.commands import build_parser, dashboard

ROOT = Path(__file__).parents[2]
CONFIG = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def answers(port):
    try:
        with urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=2) as page:
            return page.read() == b"ok"
    except OSError:
        return False


@contextmanager
def started(folder, path, *options):
    command = [sys.executable, "-m", "dasksvd", "dashboard", *options]
    environment = os.environ | {"PYTHONPATH": str(path), "STREAMLIT_SERVER_HEADLESS": "true"}
    with open(folder / "log.txt", "wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(20)


def wait_for(port, process, log):
    until = time.monotonic() + 90
    while not answers(port):
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.1)


def test_it_starts_in_an_empty_folder_and_ends_with_its_process(tmp_path):
    port = free_port()
    with started(tmp_path, ROOT, "--", "--server.port", str(port)) as process:
        wait_for(port, process, tmp_path / "log.txt")
    assert not answers(port)


def installed(folder, port):
    """A package as the wheel has it, with the dashboard inside; its configuration names a port."""
    package = folder / "dasksvd"
    inside = package / "dashboard"
    (inside / ".streamlit").mkdir(parents=True)
    for path in (ROOT / "dasksvd").iterdir():
        if path.name not in ("__pycache__", "dashboard"):
            (package / path.name).symlink_to(path)
    for name in ("app.py", "pages", "ui"):
        (inside / name).symlink_to(ROOT / name)
    (inside / ".streamlit" / "config.toml").write_text(CONFIG.replace("[server]\n", f"[server]\nport = {port}\n"))


def test_an_installed_package_brings_its_app_and_its_configuration(tmp_path):
    """Oracle: the port is named only in the configuration beside the app, not in the current folder."""
    port = free_port()
    installed(tmp_path / "site", port)
    (tmp_path / "empty").mkdir()
    with started(tmp_path / "empty", tmp_path / "site") as process:
        wait_for(port, process, tmp_path / "empty" / "log.txt")


def test_it_is_streamlit_run_with_the_options_after_the_dashes():
    options = build_parser().parse_args(["dashboard", "--", "--server.port", "8600"])
    app = str(ROOT / "app.py")
    assert dashboard.streamlit_command(options.options) == [
        *(sys.executable, "-m", "streamlit", "run", app),
        *("--server.port", "8600"),
    ]


def test_without_streamlit_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(dashboard, "find_spec", lambda name: None)
    assert main(["dashboard"]) == 2
    assert capsys.readouterr().err == (
        'dasksvd: error: the dashboard needs streamlit: pip install "dasksvd[dashboard]"\n'
    )


def test_without_its_app_it_says_so(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(dashboard, "PLACES", (tmp_path / "app.py",))
    assert main(["dashboard"]) == 2
    assert f"there is no app.py in {tmp_path}" in capsys.readouterr().err


@pytest.mark.parametrize("exists", ["dashboard", "beside", "both"])
def test_the_app_of_the_wheel_comes_first(monkeypatch, tmp_path, exists):
    places = {"dashboard": tmp_path / "dasksvd" / "dashboard" / "app.py", "beside": tmp_path / "app.py"}
    monkeypatch.setattr(dashboard, "PLACES", tuple(places.values()))
    for name, path in places.items():
        if exists in (name, "both"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    assert dashboard.find_app() == places["dashboard" if exists == "both" else exists]
