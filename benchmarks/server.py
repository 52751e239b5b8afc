"""A dashboard of its own, for what is measured or tested in a real browser."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent


@contextmanager
def dashboard(home: Path, log: Path | None = None, **variables: str) -> Iterator[str]:
    """Start a server whose runs are kept in ``home``, with more environment; yield its address once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (log or Path(os.devnull)).open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"],
            cwd=ROOT,
            env=os.environ | {"DASKSVD_HOME": str(home)} | variables,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_for(f"http://localhost:{port}/_stcore/health", process)
            yield f"http://localhost:{port}"
        finally:
            process.terminate()
            process.wait(20)


def wait_for(address: str, process: subprocess.Popen, seconds: float = 60) -> None:
    """Return when the process answers at the address."""
    until = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            if process.poll() is not None:
                raise RuntimeError(f"the server has ended with exit code {process.returncode}") from None
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
