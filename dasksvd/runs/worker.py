"""Compute a run from where it stands to its end, whoever started it."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import filelock
import numpy as np

from dasksvd.common.progress import RunProgress
from dasksvd.datasets.parts import check_description, learning_part
from dasksvd.datasets.parts import describe as describe
from dasksvd.errors import Cancelled, DasksvdError, StoreError
from dasksvd.evaluate import Plan
from dasksvd.method.loop import follow
from dasksvd.runs.evaluation import evaluate_run, read_metrics, read_plan
from dasksvd.runs.folder import Run, cancel_request, own_arrays
from dasksvd.runs.processes import NOBODY, identity

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
    with at_work(run) as reporter:
        _compute_rest(run, reporter, on_progress)
        plan = read_plan(run)
        if plan is not None and read_metrics(run) is None:
            _evaluate(run, plan, reporter)


@contextmanager
def at_work(run: Run) -> Iterator["Reporter"]:
    """Be the one process that computes a run, and let its status tell how the block ends."""
    with _alone(run):
        for left_over in run.folder.glob(".*.tmp"):
            left_over.unlink(missing_ok=True)
        reporter = Reporter(run)
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
            cancel_request(run).unlink(missing_ok=True)


def reason(error: Exception) -> str:
    """Why a run has failed, for people who may not see its log: no path, no traceback."""
    if isinstance(error, DasksvdError):
        return str(error)
    if isinstance(error, OSError):
        name = f" {os.path.basename(error.filename)}" if isinstance(error.filename, str) else ""
        return f"cannot read or write{name}: {error.strerror or 'no reason is known'}"
    return "not enough memory" if isinstance(error, MemoryError) else "an unexpected error"


def _compute_rest(run: Run, reporter: "Reporter", on_progress: Callable[[RunProgress], None] | None) -> None:
    description = run.description
    signals, labels = load_data(run)
    done = run.sound_records()
    reporter.begin(len(done))

    def report(progress: RunProgress) -> None:
        reporter.update(progress)
        if on_progress is not None:
            on_progress(progress)
        if cancel_request(run).exists():
            raise Cancelled

    records = follow(signals, labels, description.settings, done=done, classes=description.classes, on_progress=report)
    for iteration, record in enumerate(records, start=len(done)):
        run.save_record(iteration, record)
    reporter.begin(description.settings.I)


def _evaluate(run: Run, plan: Plan, reporter: "Reporter") -> None:
    """Train the classifier of the plan, saying how far it has come."""
    reporter.stage("Coding all signals for the classifier")

    def report(epoch: int, loss: float, validation: float) -> None:
        reporter.stage(f"Training the classifier: epoch {epoch}")
        if cancel_request(run).exists():
            raise Cancelled

    evaluate_run(Run(run.folder), plan, report)


@contextmanager
def _alone(run: Run) -> Iterator[None]:
    """Hold the run's lock, which the system releases even if this process is killed."""
    lock = filelock.FileLock(run.folder / ".lock", timeout=0)
    try:
        lock.acquire()
    except filelock.Timeout as error:
        raise StoreError(f"{run.id} is being computed by another process") from error
    try:
        yield
    finally:
        lock.release()


def load_data(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """Signals and class numbers that a run learns from."""
    check_description(run.description)
    return learning_part(run.description, own_arrays(run))


class Reporter:
    """Keeps status.json up to date without writing it a thousand times."""

    def __init__(self, run: Run):
        self.run = run
        self.started = self.written = time.monotonic()
        before = run.status
        self.spent = before.seconds
        self.status = replace(before, state="running", message="", stage="", **identity(os.getpid()))
        self._write()

    def begin(self, iteration: int) -> None:
        """Say which iteration is next, counted from 0."""
        self.status = replace(self.status, iteration=iteration, ksvd_iteration=0, errors=())
        self._write()

    def update(self, progress: RunProgress) -> None:
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
        self.status = replace(self.status, stage=text)
        if time.monotonic() - self.written >= STATUS_EVERY:
            self._write(durable=False)

    def count(self, done: int, total: int, seconds_left: float) -> None:
        """Say how many networks of a search are trained."""
        self.status = replace(self.status, iteration=done, total=total, seconds_left=round(max(0.0, seconds_left), 1))
        self._write(durable=False)

    def end(self, state: str, message: str = "") -> None:
        self.status = replace(self.status, state=state, message=message, stage="", **NOBODY)
        # On a full disk the reason to stop is also a reason why this fails; the first one counts.
        with suppress(OSError):
            self._write()

    def _write(self, durable: bool = True) -> None:
        self.written = time.monotonic()
        seconds = self.spent + self.written - self.started
        self.status = replace(self.status, seconds=round(seconds, 2), updated_at=time.time())
        self.run.set_status(self.status, durable=durable)
