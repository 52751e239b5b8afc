"""Compute a run from where it stands to its end, whoever started it.

``python -m dasksvd.runs.worker FOLDER`` is what the queue starts, for a new run as for one that
goes on; people have ``train`` and ``resume``.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dasksvd.common.plugins import load_plugins
from dasksvd.common.progress import RunLine, RunProgress
from dasksvd.datasets.parts import check_description, learning_part
from dasksvd.datasets.parts import describe as describe
from dasksvd.errors import Cancelled, DamagedFile, DasksvdError, StoreError
from dasksvd.evaluate import Plan
from dasksvd.method.loop import iterate
from dasksvd.networks.fine_tuning import fine_tune_as
from dasksvd.runs.evaluation import evaluate_run, read_metrics, read_plan
from dasksvd.runs.folder import Run, own_arrays
from dasksvd.runs.job import Job
from dasksvd.runs.processes import NOBODY, identity
from dasksvd.runs.queue import Queue
from dasksvd.runs.store import Store

#: Seconds between two writes of the status while K-SVD iterates.
STATUS_EVERY = 0.25


def compute(run: Run, on_progress: Callable[[RunProgress], None] | None = None) -> None:
    """Compute what is missing of a run; damaged iterations are computed again.

    If the run has a plan for its evaluation, that follows.

    Parameters
    ----------
    run : Run
    on_progress : callable(RunProgress), optional
        Called after every K-SVD iteration.

    Raises
    ------
    Cancelled
        If a cancel request appears in the run's folder.
    """
    with at_work(run.job) as reporter:
        _compute_and_evaluate(run, reporter, on_progress)


def compute_with_line(run: Run) -> None:
    """Compute a run and show its progress as one line on standard error."""
    with at_work(run.job) as reporter:
        settings = run.description.settings
        line = RunLine(settings.I, settings.ksvd_iter)
        reporter.on_stage = line.say
        _compute_and_evaluate(run, reporter, line.update)
    line.close(f"{settings.I * len(run.description.classes)} atoms in {run.folder}")


@contextmanager
def at_work(job: Job) -> Iterator["Reporter"]:
    """Be the one process at work on a job, and let its status tell how the block ends."""
    with job.locked():
        for left_over in job.folder.glob(".*.tmp"):
            left_over.unlink(missing_ok=True)
        reporter = Reporter(job)
        try:
            yield reporter
            reporter.end("finished")
        except (Cancelled, KeyboardInterrupt):
            reporter.end("cancelled")
            raise
        except Exception as error:
            reporter.end("failed", reason(error))
            raise
        finally:
            job.cancel_request.unlink(missing_ok=True)


def reason(error: Exception) -> str:
    """Why a run has failed, for people who may not see its log: no path, no traceback."""
    if isinstance(error, DasksvdError):
        return str(error)
    if isinstance(error, OSError):
        name = f" {os.path.basename(error.filename)}" if isinstance(error.filename, str) else ""
        return f"cannot read or write{name}: {error.strerror or 'no reason is known'}"
    return "not enough memory" if isinstance(error, MemoryError) else "an unexpected error"


def _compute_and_evaluate(run: Run, reporter: "Reporter", on_progress: Callable[[RunProgress], None] | None) -> None:
    data = load_data(run)
    _compute_rest(run, *data, reporter, on_progress)
    if run.description.settings.fine_tune:
        _fine_tune(run, *data, reporter)
    plan = read_plan(run)
    if plan is not None and read_metrics(run) is None:
        _evaluate(run, plan, reporter)


def _compute_rest(
    run: Run,
    signals: np.ndarray,
    labels: np.ndarray,
    reporter: "Reporter",
    on_progress: Callable[[RunProgress], None] | None,
) -> None:
    description = run.description
    done = run.sound_records()
    reporter.begin(len(done))

    def report(progress: RunProgress) -> None:
        reporter.update(progress)
        if on_progress is not None:
            on_progress(progress)
        reporter.stop_if_asked()

    records = iterate(signals, labels, description.settings, done=done, classes=description.classes, on_progress=report)
    for iteration, record in enumerate(records, start=len(done)):
        run.save_record(iteration, record)
        reporter.ended(iteration)
    reporter.begin(description.settings.I)


def _fine_tune(run: Run, signals: np.ndarray, labels: np.ndarray, reporter: "Reporter") -> None:
    """Fine-tune the selected atoms unless that is done, saying how far it has come; if stopped, it begins anew."""
    with suppress(DamagedFile):
        _ = run.atoms
        return
    settings = run.description.settings

    def report(epoch: int, _: float) -> None:
        reporter.stage(f"Fine-tuning the atoms: epoch {epoch} of {settings.fine_tune}")
        reporter.stop_if_asked()

    reporter.stage("Fine-tuning the atoms")
    run.save_fine_tuned(fine_tune_as(settings, signals, labels, run.selected_atoms, report))


def _evaluate(run: Run, plan: Plan, reporter: "Reporter") -> None:
    """Train the classifier of the plan, saying how far it has come."""
    reporter.stage("Coding all signals for the classifier")

    def report(epoch: int, *_: float) -> None:
        reporter.stage(f"Training the classifier: epoch {epoch}")
        reporter.stop_if_asked()

    evaluate_run(run, plan, report)


def load_data(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """Signals and class numbers that a run learns from."""
    check_description(run.description)
    return learning_part(run.description, own_arrays(run))


class Reporter:
    """Keeps a job's status up to date without writing it a thousand times."""

    def __init__(self, job: Job):
        self.job = job
        self.on_stage: Callable[[str], None] | None = None
        self.started = self.written = time.monotonic()
        before = job.status
        self.spent = before.seconds
        self.status = replace(before, state="running", message="", stage="", **identity(os.getpid()))
        self._write()

    def begin(self, iteration: int) -> None:
        """Say which iteration is next, counted from 0."""
        self.status = replace(self.status, iteration=iteration, ksvd_iteration=0, errors=())
        self._write()

    def ended(self, iteration: int) -> None:
        """Say that an iteration, counted from 0, is finished and written."""
        before = self.status.ended[:iteration]
        if len(before) == iteration:  # of iterations that were made before times were noted, none is known
            self.status = replace(self.status, ended=(*before, round(self._seconds(), 2)))

    def stop_if_asked(self) -> None:
        """Raise Cancelled if somebody has asked the job to stop."""
        if self.job.cancel_request.exists():
            raise Cancelled

    def update(self, progress: RunProgress) -> None:
        """Say how far K-SVD has come."""
        earlier = self.status.errors if progress.ksvd_iteration > 1 else ()
        self.status = replace(
            self.status,
            iteration=progress.iteration,
            ksvd_iteration=progress.ksvd_iteration,
            errors=(*earlier, round(progress.error, 7)),
        )
        if time.monotonic() - self.written >= STATUS_EVERY:
            self._write(durable=False)

    def stage(self, text: str) -> None:
        """Say what is done after the last iteration."""
        if self.on_stage is not None:
            self.on_stage(text)
        self.status = replace(self.status, stage=text)
        if time.monotonic() - self.written >= STATUS_EVERY:
            self._write(durable=False)

    def count(self, done: int, total: int, seconds_left: float) -> None:
        """Say how many networks of a search are trained."""
        self.status = replace(self.status, iteration=done, total=total, seconds_left=round(max(0.0, seconds_left), 1))
        self._write(durable=False)

    def end(self, state: str, message: str = "") -> None:
        """Say how it has ended."""
        self.status = replace(self.status, state=state, message=message, stage="", **NOBODY)
        # On a full disk the reason to stop is also a reason why this fails; the first one counts.
        with suppress(OSError):
            self._write()

    def _write(self, durable: bool = True) -> None:
        self.written = time.monotonic()
        self.status = replace(self.status, seconds=round(self._seconds(), 2), updated_at=time.time())
        self.job.set_status(self.status, durable=durable)

    def _seconds(self) -> float:
        """Time spent computing so far, over all attempts."""
        return self.spent + time.monotonic() - self.started


def work_for_queue(root: Path, work: Callable[[], Any]) -> int:
    """What a process does that the queue of a store has started: its work, then it starts what waits.

    Returns
    -------
    int
        The process's exit code; the errors that a person can do something about are one line in the log.
    """
    try:
        load_plugins()  # a run may be on a data set that only they register
        work()
    except Cancelled:
        print("dasksvd: stopped; what was finished is kept", file=sys.stderr)
        return 130
    except (DasksvdError, OSError) as error:
        print(f"dasksvd: error: {reason(error)}", file=sys.stderr)
        return 2
    finally:
        # How the job ended is written down; where this fails, the keeper tries again.
        with suppress(StoreError):
            Queue(Store(root)).start_waiting()
    return 0


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    sys.exit(work_for_queue(folder.parent, lambda: compute_with_line(Run(folder))))
