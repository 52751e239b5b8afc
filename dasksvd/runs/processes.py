"""The processes of jobs: start one, tell whether it is still there, end it.

A process is known by its number and a mark.  The number alone is not enough because the system
uses numbers again, and the time of its start is not because clocks are put right.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from dasksvd.runs.status import Status

#: What a status says of its process when there is none.
NOBODY: Mapping[str, Any] = {"pid": 0, "process_started": 0.0, "process_mark": ""}
#: Seconds by which two looks at the start of one process may differ.
SLACK = 2.0
_PROC = Path("/proc")


def identity(pid: int) -> dict[str, Any]:
    """What a status says of the process of that number, or psutil.NoSuchProcess."""
    return {"pid": pid, "process_started": psutil.Process(pid).create_time(), "process_mark": mark(pid)}


def mark(pid: int) -> str:
    """What tells a process from a later one of the same number and does not move with the clock.

    On Linux this is the boot and the tick of its start, elsewhere its command.  Of two processes
    with one number and one command the later one is at work on the same run.
    """
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        # The name in brackets may hold anything, brackets and spaces too; the start is field 22.
        tick = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return _command_mark(pid)
    return f"{boot} {tick}"


def _command_mark(pid: int) -> str:
    try:
        command = "\0".join(psutil.Process(pid).cmdline())
    except psutil.Error:
        return ""
    return f"command {hashlib.sha256(command.encode('utf-8', 'replace')).hexdigest()[:16]}"


def is_alive(status: Status) -> bool:
    """Whether the process that a status names is still the same and at work."""
    if status.pid == 0:
        return False
    try:
        process = psutil.Process(status.pid)
        if status.process_mark:
            same = mark(status.pid) == status.process_mark
        else:  # a status written before there were marks
            same = abs(process.create_time() - status.process_started) < SLACK
        return same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.AccessDenied:
        return True  # it exists, and it is somebody's
    except psutil.Error:
        return False


def is_busy(status: Status) -> bool:
    """Whether a job waits or is at work."""
    return status.state == "queued" or is_alive(status)


def kill(status: Status) -> bool:
    """Kill a job's process and its children; whether it is dead."""
    if not is_alive(status):
        return True
    try:
        process = psutil.Process(status.pid)
        family = [*process.children(recursive=True), process]
    except psutil.Error:
        return not is_alive(status)
    for member in family:
        with suppress(psutil.Error):
            member.kill()
    with suppress(psutil.Error):
        process.wait(timeout=1)
    return not is_alive(status)


def start(arguments: Sequence[str], log: Path, **environment: str) -> subprocess.Popen:
    """Start ``python -m …`` so that it outlives this process and is not hit by the terminal's Ctrl-C.

    Parameters
    ----------
    arguments : sequence of str
        A module and what it is given.
    log : Path
        What it writes is added to this file.
    **environment : str
        Variables beside those of this process.
    """
    detached: dict[str, Any]
    if sys.platform == "win32":
        detached = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    else:
        detached = {"start_new_session": True}
    with open(log, "ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=os.environ | {"PYTHONPATH": _search_path()} | environment,
            **detached,
        )


def _search_path() -> str:
    """The package's parent folder first, so that the child finds the same package."""
    here = str(Path(__file__).parents[2])
    return os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
