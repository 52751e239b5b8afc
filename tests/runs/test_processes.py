"""Which process computes a run, told apart from all others."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from dasksvd.runs import processes
from dasksvd.runs.folder import Status
from dasksvd.runs.processes import identity, is_alive, kill, mark

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="/proc exists on Linux only")


@pytest.fixture
def sleeper():
    """A live process that does nothing."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as process:
        yield process
        process.kill()


def step_the_clock(monkeypatch, seconds):
    """What psutil sees after the clock has stepped: the time of the boot has moved, ticks since then have not."""
    module = psutil._psplatform
    before = module.boot_time()
    monkeypatch.setattr(module, "boot_time", lambda: before + seconds)
    monkeypatch.setattr(psutil, "boot_time", lambda: before + seconds)


@linux_only
@pytest.mark.parametrize("seconds", [-86400, -3, 3, 86400])
def test_a_live_process_stays_alive_when_the_clock_steps(sleeper, monkeypatch, seconds):
    status = Status(state="running", **identity(sleeper.pid))
    started = psutil.Process(sleeper.pid).create_time()
    step_the_clock(monkeypatch, seconds)
    assert psutil.Process(sleeper.pid).create_time() - started == pytest.approx(seconds, abs=0.1)
    assert is_alive(status)


@pytest.mark.parametrize("without", ["proc", "nothing"])
def test_a_process_is_itself_until_it_ends(sleeper, monkeypatch, tmp_path, without):
    """Also on systems without /proc, where the command is the mark."""
    if without == "proc":
        monkeypatch.setattr(processes, "_PROC", tmp_path)
    status = Status(state="running", **identity(sleeper.pid))
    assert status.process_mark.startswith("command ") == (without == "proc" or sys.platform != "linux")
    assert is_alive(status)
    sleeper.kill()
    while psutil.Process(sleeper.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert not is_alive(status)  # nobody has waited for it yet
    sleeper.wait()
    assert not is_alive(status)


@pytest.mark.parametrize("without", ["proc", "nothing"])
def test_a_process_number_used_again_is_not_the_worker(sleeper, monkeypatch, tmp_path, without):
    if without == "proc":
        monkeypatch.setattr(processes, "_PROC", tmp_path)
    assert mark(sleeper.pid) != mark(os.getpid())
    assert not is_alive(Status(**identity(sleeper.pid) | {"pid": os.getpid()}))


@linux_only
def test_a_process_number_used_again_after_a_reboot_is_not_the_worker(sleeper, monkeypatch, tmp_path):
    """Even if it was started at the same tick."""
    status = Status(**identity(sleeper.pid))
    boot, stat = Path("sys/kernel/random/boot_id"), Path(str(sleeper.pid)) / "stat"
    for path in (boot, stat):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text((Path("/proc") / path).read_text())
    monkeypatch.setattr(processes, "_PROC", tmp_path)
    assert is_alive(status)
    (tmp_path / boot).write_text("00000000-0000-0000-0000-000000000000\n")
    assert not is_alive(status)


@linux_only
def test_a_name_with_brackets_and_spaces_does_not_shift_the_fields(tmp_path):
    """The oracle is psutil's own count of seconds since the boot."""
    odd = tmp_path / "a) R 1 (b"
    odd.symlink_to("/bin/sleep")
    with subprocess.Popen([odd, "600"]) as process:
        while Path(f"/proc/{process.pid}/stat").read_text().split("(")[1].startswith("python"):
            time.sleep(0.01)
        tick = int(mark(process.pid).split()[1])
        since_boot = psutil.Process(process.pid).create_time() - psutil.boot_time()
        process.kill()
    assert tick / os.sysconf("SC_CLK_TCK") == pytest.approx(since_boot, abs=0.011)


def test_a_status_without_a_mark_goes_by_the_time_of_the_start():
    """Written by an earlier version."""
    me = psutil.Process()
    assert is_alive(Status(pid=me.pid, process_started=me.create_time()))
    assert not is_alive(Status(pid=me.pid, process_started=me.create_time() - 1000))
    assert not is_alive(Status())


def test_a_stranger_of_the_same_number_is_not_killed(sleeper):
    """A run whose process is gone, and whose number somebody else has now."""
    assert kill(Status(**identity(os.getpid()) | {"pid": sleeper.pid}))
    assert sleeper.poll() is None


def test_killing_a_process_kills_its_children():
    script = "import subprocess, sys, time; subprocess.Popen(['sleep', '600']); print(flush=True); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as parent:
        parent.stdout.readline()
        (child,) = psutil.Process(parent.pid).children()
        status = Status(**identity(parent.pid))
        assert kill(status)
        assert not is_alive(status)
        child.wait(timeout=10)
