"""A job: a folder and a command.

A run is computed by a job, and so is a search on it.  The folder holds all that is known of the
job: ``status.json`` (where it stands), ``log.txt`` (what its process wrote), ``cancel`` (its
presence asks the process to stop) and ``.lock`` (held by the one process at work).  The command
is what the queue starts.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import filelock

from dasksvd.common.files import Stamp, read_json, stamp, write_json
from dasksvd.errors import DamagedFile, StoreError
from dasksvd.runs.status import Status

#: Lines of a log that are shown.
LOG_LINES = 12


@lru_cache(maxsize=4096)
def _read_status(path: str, _stamp: Stamp) -> Status:
    """The status in a file, read once for as long as the file stays the same."""
    return Status.from_dict(read_json(Path(path)))


@dataclass(frozen=True)
class Job:
    """A folder and a command.

    Attributes
    ----------
    folder : Path
    id : str
        What the job is called in messages; no two of a store are alike.
    command : tuple of str
        Arguments of ``python -m`` that begin the work, or go on with it.
    """

    folder: Path
    id: str
    command: tuple[str, ...]

    @property
    def status(self) -> Status:
        """Where it stands now; a damaged status is that of a failed job."""
        try:
            return self.read_status()
        except DamagedFile as error:
            return Status(state="failed", message=str(error))

    def read_status(self) -> Status:
        """Where it stands, or DamagedFile."""
        path = self.folder / "status.json"
        try:
            return _read_status(str(path), stamp(path))
        except DamagedFile:
            if path.exists():
                raise
            # A run whose folder was copied without its status may have iterations all the same.
            computed = any(self.folder.glob("iteration_*.npz"))
            return Status(state="cancelled" if computed else "new")

    def set_status(self, status: Status, *, durable: bool = True) -> None:
        """Write the status."""
        write_json(self.folder / "status.json", asdict(status), durable=durable)

    @property
    def cancel_request(self) -> Path:
        """The file whose presence asks the process to stop: works on every system, unlike signals."""
        return self.folder / "cancel"

    @property
    def log(self) -> Path:
        """The file that what its process writes is added to."""
        return self.folder / "log.txt"

    def last_lines(self) -> str:
        """The end of the log, at most a few lines."""
        try:
            with open(self.log, encoding="utf-8", errors="replace") as log:
                return "".join(deque(log, LOG_LINES))[-4000:]
        except OSError:
            return ""

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the one process at work; the system releases the lock even if this process is killed."""
        lock = filelock.FileLock(self.folder / ".lock", timeout=0)
        try:
            lock.acquire()
        except filelock.Timeout as error:
            raise StoreError(f"{self.id} is being computed by another process") from error
        try:
            yield
        finally:
            lock.release()


class Work(Protocol):
    """What a job computes: a run or a search."""

    @property
    def id(self) -> str:
        """What it is called in messages."""

    @property
    def job(self) -> Job:
        """Its folder and command."""

    def share(self, status: Status) -> float:
        """How much of it is done by its status, 0 … 1."""


def run_job(folder: Path) -> Job:
    """The job that computes the run in a folder."""
    return Job(folder, folder.name, ("dasksvd.runs.worker", str(folder)))


def search_job(folder: Path, run_id: str) -> Job:
    """The job that searches on the run in a folder; it has a folder of its own inside the run's."""
    # Named and not imported: the search is built on runs, and the queue only starts it.
    return Job(folder / "search", f"{run_id}/search", ("dasksvd.search.job", str(folder)))


def search_plan(job: Job) -> Path:
    """The file that says what a search is to score; a search folder without it is no job."""
    return job.folder / "plan.json"
