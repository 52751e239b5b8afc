"""A real Dask cluster on this machine: a scheduler and two workers, each a process of its own."""

import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from dasksvd import ParameterError
from dasksvd.common.parallel import SCHEDULER, each
from dasksvd.search.engine import Engine, search
from dasksvd.search.plans import SweepPlan
from dasksvd.search.study import points_of, scores
from dasksvd.search.study_plan import StudyPlan
from dasksvd.search.sweep import sweep_scores
from tests.search.small import PLAN, accuracies, copy_of

pytest.importorskip("distributed", reason="the cluster needs pip install dasksvd[cluster]")
ROOT = Path(__file__).parents[2]
FEW = replace(PLAN, sizes=(2,), zoomed=(2,), seeds=1)


def start(log, *arguments):
    """A Dask process that listens on this machine only and writes to a file."""
    with log.open("wb") as file:
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
            cwd=log.parent,
            env=os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def found_in(log, pattern, seconds=90):
    until = time.monotonic() + seconds
    while not (match := re.search(pattern, log.read_text(errors="replace"))):
        assert time.monotonic() < until, log.read_text(errors="replace")
        time.sleep(0.1)
    return match


def stop(process):
    try:
        family = [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]
    except psutil.NoSuchProcess:
        return
    for member in family:
        member.kill()
    process.wait(20)


@pytest.fixture
def cluster(tmp_path):
    """The scheduler's address and the two workers' processes."""
    processes = [start(tmp_path / "scheduler.log", "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show")]
    try:
        address = found_in(tmp_path / "scheduler.log", r"Scheduler at:\s+(tcp://127\.0\.0\.1:\d+)")[1]
        for number in range(2):
            log = tmp_path / f"worker{number}.log"
            options = ("--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard", "--no-nanny")
            processes.append(start(log, "dask_worker", address, *options))
        for number in range(2):
            found_in(tmp_path / f"worker{number}.log", "Registered to")
        yield address, processes[1:]
    finally:
        for process in reversed(processes):
            stop(process)


def test_the_cluster_gives_the_scores_of_this_machine(cluster, learned, tmp_path):
    address, _ = cluster
    here, there = (copy_of(learned, tmp_path / name) for name in ("here", "there"))
    study = StudyPlan({"I": (1, 2), "q": (0.1, 0.2)}, seeds=1)
    for plan in (FEW, SweepPlan({"q": (0.1, 0.2), "I": (2, 4)}), study):
        search(here, plan, Engine(n_jobs=1))
        search(there, plan, Engine(scheduler=address))
    assert accuracies(there) == accuracies(here)
    assert len(sweep_scores(there).entries) == 4
    for key, entry in sweep_scores(here).entries.items():
        assert sweep_scores(there).entries[key].accuracies == entry.accuracies
    assert scores(there, study, points_of(there, study)) == scores(here, study, points_of(here, study))
    assert len(scores(there, study, points_of(there, study))) == 4


def test_a_worker_killed_half_way_loses_nothing(cluster, learned, tmp_path):
    address, workers = cluster
    here, there = (copy_of(learned, tmp_path / name) for name in ("here", "there"))
    seen = []

    def kill_one(progress):
        seen.append(progress)
        if progress.done >= progress.total // 4 and workers[0].poll() is None:
            workers[0].kill()
            workers[0].wait(20)

    search(there, FEW, Engine(scheduler=address), kill_one)
    assert workers[0].poll() is not None
    assert seen[-1].done == seen[-1].total
    search(here, FEW, Engine(n_jobs=1))
    assert accuracies(there) == accuracies(here)


def test_the_command_line_takes_the_address(cluster, learned, tmp_path):
    address, _ = cluster
    there = copy_of(learned, tmp_path / "there")
    command = [sys.executable, "-m", "dasksvd", "grid", str(there.folder), "--step", "1", "--stage", "1"]
    by_option = subprocess.run(
        [*command, "--sizes", "2", "--seeds", "1", "--scheduler", address],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
    )
    assert by_option.returncode == 0, by_option.stderr
    by_owner = subprocess.run(
        [*command, "--sizes", "4", "--seeds", "1"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        env=os.environ | {SCHEDULER: address},
    )
    assert by_owner.returncode == 0, by_owner.stderr
    assert len(accuracies(there)) == 6
    assert "100%  3/3 networks" in by_owner.stderr


def test_an_address_where_nobody_answers_is_named():
    with pytest.raises(ParameterError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9 "):
        list(each(abs, [(1,)], scheduler="tcp://127.0.0.1:9"))
