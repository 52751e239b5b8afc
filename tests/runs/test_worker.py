"""Computing a run to its end, whatever happens on the way."""

import json
import subprocess
import sys
import textwrap

import filelock
import pytest

from dasksvd import Settings
from dasksvd.errors import Cancelled, DamagedFile, StoreError
from dasksvd.runs.folder import Run, create_run
from dasksvd.runs.worker import compute, describe, reason
from tests.method.test_trajectory import assert_same_records

TINY = Settings(t=30, I=4, ksvd_iter=5)


def new_run(folder, settings=TINY):
    return create_run(folder, describe(settings, "digits"))


def deterministic_files(folder):
    """Everything in a run's folder that must not depend on when and how often it was started."""
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    files.pop("about.json")  # when it was made
    files.pop(".lock", None)
    status = json.loads(files.pop("status.json"))
    kept = {name: status[name] for name in ("state", "iteration", "ksvd_iteration", "errors", "message")}
    return files | {"status.json": kept}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    run = new_run(tmp_path_factory.mktemp("undisturbed") / "run")
    compute(run)
    return run


def test_status_tells_how_it_ended(undisturbed):
    status = undisturbed.status
    assert (status.state, status.iteration, status.ksvd_iteration, status.pid) == ("finished", 4, 0, 0)
    assert status.seconds > 0


def test_status_follows_the_ksvd_iterations(tmp_path, monkeypatch):
    monkeypatch.setattr("dasksvd.runs.worker.STATUS_EVERY", 0.0)
    run = new_run(tmp_path / "run")
    seen = []
    compute(run, lambda progress: seen.append((progress, run.status)))
    assert len(seen) == 4 * 5
    for progress, status in seen:
        assert status.state == "running"
        assert (status.iteration, status.ksvd_iteration) == (progress.iteration, progress.ksvd_iteration)
        assert len(status.errors) == progress.ksvd_iteration
        assert status.errors[-1] == pytest.approx(progress.error, abs=1e-6)


def test_cancelled_and_resumed_ends_like_undisturbed(tmp_path, undisturbed):
    run = new_run(tmp_path / "run")

    def cancel_in_third(progress):
        if (progress.iteration, progress.ksvd_iteration) == (2, 2):
            run.job.cancel_request.touch()

    with pytest.raises(Cancelled):
        compute(run, cancel_in_third)
    assert run.status.state == "cancelled"
    assert run.n_finished() == 2
    compute(run)
    assert deterministic_files(run.folder) == deterministic_files(undisturbed.folder)


def test_damage_is_repaired_by_resuming(tmp_path, undisturbed):
    run = new_run(tmp_path / "run")
    compute(run)
    run.record_path(1).write_bytes(run.record_path(2).read_bytes())
    assert Run(run.folder).problem() != ""
    compute(Run(run.folder))
    aside = run.folder / "iteration_002.damaged"
    assert aside.exists()
    for path in run.folder.glob("*.damaged"):
        path.unlink()
    assert deterministic_files(run.folder) == deterministic_files(undisturbed.folder)


def test_a_damaged_status_is_repaired_too(tmp_path):
    run = new_run(tmp_path / "run")
    (run.folder / "status.json").write_text("")
    compute(run)
    assert run.status.state == "finished"


def test_two_processes_do_not_compute_one_run(tmp_path):
    run = new_run(tmp_path / "run")
    with filelock.FileLock(run.folder / ".lock"), pytest.raises(StoreError, match="computed by another process"):
        compute(run)


def test_a_description_that_is_not_that_of_the_data_is_refused(tmp_path):
    run = new_run(tmp_path / "run")
    values = json.loads((run.folder / "settings.json").read_text())
    (run.folder / "settings.json").write_text(json.dumps(values | {"n_signals": 900}))
    with pytest.raises(DamagedFile, match="does not describe the data set digits"):
        compute(Run(run.folder))


def test_a_failure_is_told_in_the_status(tmp_path, monkeypatch):
    run = new_run(tmp_path / "run")
    monkeypatch.setattr("dasksvd.runs.worker.iterate", lambda *args, **kwargs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        compute(run)
    assert (run.status.state, run.status.message) == ("failed", "an unexpected error")


def test_a_finished_run_computes_nothing_again(undisturbed):
    before = deterministic_files(undisturbed.folder)
    seen = []
    compute(undisturbed, seen.append)
    assert seen == []
    assert_same_records(Run(undisturbed.folder).trajectory.records, undisturbed.trajectory.records)
    after = deterministic_files(undisturbed.folder)
    assert {**after, "status.json": None} == {**before, "status.json": None}


KILLER = """
    import os, random, signal, sys, time
    from pathlib import Path
    from dasksvd.runs.folder import Run, create_run
    from dasksvd.parameters import Settings
    from dasksvd.runs.worker import compute, describe

    # Forked children need not import and compile again, so that thirty of them take seconds.
    root, chance = Path(sys.argv[1]), random.Random(0)
    settings = Settings(t=30, I=4, ksvd_iter=5)

    def child(run):
        pid = os.fork()
        if pid == 0:
            try:
                compute(run)
                os._exit(0)
            except BaseException as error:
                print(repr(error), file=sys.stderr)
                os._exit(1)
        return pid

    warm = create_run(root / "warm", describe(settings, "digits"))
    compute(warm)
    started = time.monotonic()
    os.waitpid(child(create_run(root / "timed", describe(settings, "digits"))), 0)
    whole = time.monotonic() - started
    kills = attempts = rounds = 0
    while kills < 30:
        rounds += 1
        run = create_run(root / f"run{rounds}", describe(settings, "digits"))
        while run.status.state != "finished":
            attempts += 1
            pid = child(run)
            if kills < 30:
                time.sleep(chance.uniform(0, 0.6 * whole))
                os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
            kills += os.WIFSIGNALED(status)
            if os.WIFEXITED(status) and os.WEXITSTATUS(status):
                sys.exit("a child failed")
    print(kills, rounds)
"""


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="SIGKILL and fork exist on POSIX only")
def test_killed_at_thirty_random_moments_it_ends_bit_identical(tmp_path, undisturbed):
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(KILLER), str(tmp_path)], capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr
    kills, rounds = map(int, result.stdout.split())
    assert kills >= 30
    for number in range(1, rounds + 1):
        folder = tmp_path / f"run{number}"
        assert deterministic_files(folder) == deterministic_files(undisturbed.folder)


@pytest.mark.skipif(sys.platform == "win32", reason="limits on the size of files exist on POSIX only")
def test_a_full_disk_gives_a_clear_error_and_keeps_what_is_there(tmp_path, undisturbed):
    """A real failing write: the process may not write files beyond 40 kB, an iteration needs 52.

    Its kernels were compiled and cached for ``undisturbed``, so that no other file is written.
    """
    script = """
        import resource, signal, sys
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
        from dasksvd.__main__ import main
        sys.exit(main(sys.argv[1:]))
    """
    arguments = [
        "train",
        "--data",
        "digits",
        "--t",
        "30",
        "--I",
        "2",
        "--ksvd_iter",
        "2",
        "--out",
        str(tmp_path / "run"),
    ]
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 2, result.stderr
    assert "cannot read or write" in result.stderr
    assert "iteration_001.npz: File too large" in result.stderr
    run = Run(tmp_path / "run")
    assert run.status.state == "failed"
    assert sorted(path.name for path in run.folder.iterdir()) == [".lock", "about.json", "settings.json", "status.json"]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (DamagedFile("data.npz is missing"), "data.npz is missing"),
        (OSError(28, "No space left on device", "/srv/runs/a/iteration_001.npz"), "cannot read or write iteration_001"),
        (OSError("odd"), "cannot read or write: no reason is known"),
        (MemoryError("Unable to allocate 9 GiB"), "not enough memory"),
        (ZeroDivisionError("/srv/x.py"), "an unexpected error"),
    ],
)
def test_the_reason_of_a_failure_is_fit_for_visitors(error, words):
    assert reason(error).startswith(words)
    assert "/srv" not in reason(error)
