"""What pages say of jobs: nothing of the queue's troubles stops them, nothing of the server shows."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

import os
import re
import shutil

import filelock
import numpy as np
import pytest

from dasksvd.datasets.parts import describe_labels
from dasksvd.errors import StoreError
from dasksvd.parameters import Settings
from dasksvd.runs.processes import identity
from dasksvd.runs.status import Status
from dasksvd.runs.worker import compute, describe
from dasksvd.search.job import Search
from dasksvd.search.plans import WeightsPlan
from tests.ui.harness import home, open_page, own_run  # noqa: F401
from tests.ui.test_page_grid_search import of_run
from ui import cache, texts
from ui.panels import jobs_panel

#: A message and a log as an unforeseen error leaves them.
MESSAGE = "[Errno 28] No space left on device: '{root}/one two/iteration_001.npz'\nTraceback (most recent call last):"
LOG = 'Traceback (most recent call last):\n  File "{root}/worker.py", line 1\nZeroDivisionError: oops\n'


@pytest.fixture(autouse=True)
def nobody_has_looked_yet():
    jobs_panel._last_start.clear()
    yield
    jobs_panel._last_start.clear()


def shown(at):
    """All words on a page."""
    words = [str(getattr(element, "value", "")) for element in at.main]
    words += [element.proto.text for element in at.get("progress")]
    return "\n".join(words)


def assert_tells_nothing_of_the_server(at, home):
    words = shown(at)
    assert "Traceback" not in words
    assert "ZeroDivisionError" not in words
    assert str(home.root) not in words
    assert not re.search(r"(^|\s)/(tmp|home|root|usr)\b", words)


def waiting(home):
    run = home.create(describe(Settings(), "mnist"), "mine")
    run.set_status(Status(queued_at=1.0))
    return run


def test_a_page_neither_waits_nor_fails_while_somebody_holds_the_lock(home, monkeypatch):
    run = waiting(home)
    real, seconds = filelock.FileLock, []

    def noted(path, timeout=-1, **options):
        seconds.append(timeout)
        return real(path, timeout=timeout, **options)

    with filelock.FileLock(home.root / ".lock"):
        monkeypatch.setattr(filelock, "FileLock", noted)
        at = open_page("train")
        assert "Waiting, place 1 in the queue" in shown(at)
        assert not at.warning
    assert seconds
    assert 0 <= min(seconds) <= max(seconds) <= 0.2
    assert run.status.state == "queued"


def spoil_the_lock(home):
    """A folder in its place: it cannot be opened, as on a read-only disk."""
    (home.root / ".lock").unlink(missing_ok=True)
    (home.root / ".lock").mkdir()


def test_a_store_that_cannot_be_written_is_explained_and_stops_no_page(home):
    run = waiting(home)
    spoil_the_lock(home)
    at = open_page("train")
    assert not at.exception
    assert "Waiting, place 1 in the queue" in shown(at)
    assert at.warning[0].value == (
        "No run can be started now. Cannot write to home: Is a directory; free space or set DASKSVD_HOME."
    )
    at.button(key=f"cancel_{run.id}").click().run()
    assert not at.exception
    assert at.error[0].value == "Cannot write to home: Is a directory; free space or set DASKSVD_HOME."
    assert_tells_nothing_of_the_server(at, home)
    assert run.status.state == "queued"


def test_a_search_in_a_store_that_cannot_be_written_stops_no_page(home):
    run = own_run(home)
    job = Search(run)
    job.set_plan(WeightsPlan(step=6, sizes=(1, 2), zoomed=(2,), seeds=3))
    job.job.set_status(Status(queued_at=1.0))
    spoil_the_lock(home)
    at = of_run(run)
    assert "No run can be started now." in at.warning[0].value
    at.button(key="search_cancel").click().run()
    assert not at.exception
    assert "Cannot write to home: Is a directory" in at.error[0].value
    assert_tells_nothing_of_the_server(at, home)


@pytest.mark.parametrize("state", ["failed", "running"])
def test_a_run_that_failed_or_died_tells_visitors_a_sentence(home, state):
    run = own_run(home)
    message = MESSAGE.format(root=home.root) if state == "failed" else ""
    run.set_status(Status(state=state, message=message, pid=2**22 - 1, process_started=1.0))
    (run.folder / "log.txt").write_text(LOG.format(root=home.root))
    at = open_page("train")
    expected = {
        "failed": r"Failed: \[Errno 28\] No space left on device: 'iteration_001.npz'",
        "running": "Its process ended unexpectedly; everything that was finished is kept",
    }
    assert expected[state] in shown(at)
    assert f"{texts.plain(run.id)}/log.txt" in shown(at)
    assert_tells_nothing_of_the_server(at, home)


def test_a_search_that_failed_tells_visitors_a_sentence(home):
    run = own_run(home)
    job = Search(run)
    job.set_plan(WeightsPlan(step=6, sizes=(1, 2), zoomed=(2,), seeds=3))
    job.job.set_status(Status(state="failed", message=MESSAGE.format(root=home.root)))
    job.job.log.write_text(LOG.format(root=home.root))
    at = of_run(run)
    assert "No space left on device: 'iteration_001.npz'" in shown(at)
    assert_tells_nothing_of_the_server(at, home)


def test_a_run_deleted_while_it_is_watched_is_left_out(home, monkeypatch):
    gone, other = own_run(home, "gone"), own_run(home, "other", seed=4)
    at = open_page("train")
    real = cache.jobs().start_waiting

    def delete_meanwhile(**options):
        shutil.rmtree(gone.folder, ignore_errors=True)
        real(**options)

    monkeypatch.setattr(cache.jobs(), "start_waiting", delete_meanwhile)
    jobs_panel._last_start.clear()
    next(box for box in at.selectbox if box.label == "Watch").set_value(gone.id).run()
    assert not at.exception
    assert [run.id for run in home] == [other.id]


def test_a_run_at_work_is_never_said_to_be_done(home):
    """The classifier may take longer than expected: its end is not known."""
    run = own_run(home)
    me = identity(os.getpid())
    run.set_status(Status(state="running", iteration=2, seconds=999.0, ended=(1.0, 2.0), stage="Training", **me))
    assert "Running: 99 % · training" in shown(open_page("train"))


def test_a_run_that_was_never_started_says_so(home):
    run = home.copy(own_run(home).id, "copy")
    at = open_page("train")
    assert "Not started yet" in shown(at)
    assert at.button(key=f"resume_{run.id}").label == "Start"


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("cannot write to /srv/my runs/home: full", "Cannot write to home: full."),
        ("cannot write to /data: full", "Cannot write to data: full."),
        (r"cannot open 'C:\Users\me\runs\a.npz'", "Cannot open 'a.npz'."),
        ("there is no run x in /a/b", "There is no run x in b."),
        ("letters and . , ' + - _ /, got 'a/b'", "Letters and . , ' + - _ /, got 'a/b'."),
        ("3 / 4 of the share 1/6 at tcp://10.0.0.1:8786/x", "3 / 4 of the share 1/6 at tcp://10.0.0.1:8786/x."),
        ("first line\nsecond line", "First line."),
        ("", "."),
    ],
)
def test_a_sentence_names_files_and_no_folders_of_the_server(message, words):
    assert texts.sentence(StoreError(message)) == words


def test_a_run_on_signals_that_are_no_square_pictures_can_be_watched(home, rng):
    labels = np.repeat(np.arange(3), 20)
    signals = (np.eye(6)[labels] + 0.2 * rng.random((60, 6))).astype(np.float32) / 1.2
    settings = Settings(q=1, t=10, I=1, ksvd_iter=2)
    run = home.create(
        describe_labels(settings, "own", ["a", "b", "c"], labels, 6), "oblong", signals=signals, labels=labels
    )
    compute(run)
    assert run.n_finished() == 1
    at = open_page("train")
    assert not at.exception
    assert "Its atoms cannot be shown: its signals are not square pictures." in shown(at)


def test_a_failed_run_without_atoms_says_why(home):
    run = home.create(describe(Settings(), "mnist"), "failed")
    run.set_status(Status("failed", message="no memory left"))
    at = open_page("runs")
    at.multiselect(key="picked").set_value([run.id]).run()
    said = " ".join(one.value for one in at.info)
    assert "Failed: no memory left" in said
    assert "no finished iteration yet" not in said
