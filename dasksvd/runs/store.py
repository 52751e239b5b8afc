"""All runs of a place: list, make, rename, pin, delete."""

import os
import re
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dasksvd.common.files import tree_size
from dasksvd.common.language import say, say_count
from dasksvd.datasets.description import Description
from dasksvd.datasets.library import Library
from dasksvd.datasets.parts import renewed
from dasksvd.errors import DamagedFile, ParameterError, StoreError
from dasksvd.runs.folder import Run, create_run, own_arrays
from dasksvd.runs.kept import home_of, library_beside, needs
from dasksvd.runs.status import About, Status

_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
#: Letters of names and groups, of a tag, and of a note; tags of a run.
MAX_NAME, MAX_TAG, MAX_NOTE, MAX_TAGS = 80, 30, 2000, 20
_LEFT_OVER = (".new-", ".import-", ".deleted-")
_BIN = ".bin"
#: Days that a deleted run stays in the bin, and how many runs fit into it.
BIN_DAYS = 7
MAX_BINNED = 200


@dataclass(frozen=True)
class Listed:
    """A line of the list of runs; ``problem`` is set if even its small files are damaged."""

    run: Run
    about: About
    status: Status
    description: Description | None
    problem: str = ""


class Store:
    """All runs of a place.

    Parameters
    ----------
    root : Path, optional
        The environment's ``DASKSVD_HOME`` by default, else ``runs`` in the current folder.
    """

    def __init__(self, root: Path | None = None):
        self.root = Path(root or os.environ.get("DASKSVD_HOME") or "runs").absolute()

    def __iter__(self) -> Iterator[Run]:
        """Every run, damaged ones too."""
        if self.root.is_dir():
            with os.scandir(self.root) as entries:
                yield from (Run(self.root / entry.name) for entry in entries if _is_run(entry))

    def listing(self) -> list[Listed]:
        """All runs, newest first; only their small files are read."""
        return sorted((self.line(run) for run in self), key=lambda line: line.about.created, reverse=True)

    @staticmethod
    def line(run: Run) -> Listed:
        """A run's line of the list."""
        try:
            return Listed(run, run.about, run.job.read_status(), run.description)
        except DamagedFile as error:
            return Listed(run, run.about, run.status, None, str(error))

    def run(self, run_id: str) -> Run:
        """The run of that id."""
        if not _RUN_ID.fullmatch(run_id):
            raise StoreError(f"{run_id!r} is not the id of a run")
        run = Run(self.root / run_id)
        if run.folder.is_symlink() or not os.path.lexists(run.folder / "settings.json"):
            raise StoreError(f"there is no run {run_id} in {self.root}")
        return run

    @property
    def library(self) -> Library:
        """The data sets of one's own that its runs share."""
        return library_beside(self.root / "run")

    def remove_data(self, name: str) -> None:
        """Delete a data set of one's own for good, unless a run needs it, here or in the bin."""
        kept = self.library.find(name)
        users = [run for run in self if needs(run.folder, kept.key)]
        binned = [run for run in self.binned() if needs(run.folder, kept.key)]
        if users or binned:
            some = [run.about.name or run.id for run in users[:3]] or [say("those in the bin")]
            raise StoreError(
                say_count(
                    len(users),
                    "the data set {name} is needed by {count} run and {binned} in the bin: {some}; delete them and "
                    "empty the bin first",
                    "the data set {name} is needed by {count} runs and {binned} in the bin: {some}; delete them and "
                    "empty the bin first",
                    name=kept.name,
                    binned=len(binned),
                    some=", ".join(some),
                )
            )
        with self.writing():
            self.library.remove(kept.key)

    def create(self, description: Description, name: str = "", **data: Any) -> Run:
        """A new run with a new id."""
        name = checked_name(name)
        folder = self.new_folder()
        # Under a dot until it is whole, so that nobody lists half a run.
        hidden = folder.with_name(f".new-{folder.name}")
        with self.writing():
            try:
                create_run(hidden, description, **data).set_about(name=name)
                os.replace(hidden, folder)
            finally:
                shutil.rmtree(hidden, ignore_errors=True)
        return Run(folder)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Turn what a full, read-only or vanished disk raises into a StoreError that says what to do."""
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise StoreError(f"cannot write to {self.root}: {reason}; free space or set DASKSVD_HOME") from error

    def copy(self, run_id: str, name: str = "") -> Run:
        """A new run with the settings and data of another; nothing of it is computed yet.

        A run that was made before a part of the data was held out gets such a part in its copy.
        """
        run = self.run(run_id)
        what = run.description
        if what.pictures:
            return self.create(renewed(what), name, pictures=home_of(run.folder, what.pictures))
        data = dict(zip(("signals", "labels"), own_arrays(run), strict=False))
        return self.create(renewed(what, data.get("labels")), name, **data)

    def new_folder(self) -> Path:
        """A folder name that is not taken yet."""
        return self.root / f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"

    def rename(self, run_id: str, name: str) -> None:
        """Give a run another name; its id and folder stay."""
        name = checked_name(name)
        with self.writing():
            self.run(run_id).set_about(name=name)

    def pin(self, run_id: str, pinned: bool = True) -> None:
        """Keep a run from being offered for deletion."""
        with self.writing():
            self.run(run_id).set_about(pinned=pinned)

    def annotate(
        self, run_id: str, *, group: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> None:
        """Say something of a run: what is None stays as it was."""
        said: dict[str, Any] = {} if group is None else {"group": checked_line("group", group)}
        if tags is not None:
            said["tags"] = checked_tags(tags)
        if note is not None:
            said["note"] = checked_note(note)
        with self.writing():
            self.run(run_id).set_about(**said)

    def delete(self, run_id: str) -> None:
        """Delete a run for good, past the bin."""
        self._remove(self.run(run_id).folder)

    def _remove(self, folder: Path) -> None:
        # Renamed first: a half-deleted run must not look like a damaged one.
        doomed = self.root / f".deleted-{secrets.token_hex(6)}"
        with self.writing():
            os.replace(folder, doomed)
        shutil.rmtree(doomed, ignore_errors=True)

    def discard(self, run_id: str) -> None:
        """Put a run, with its search, into the bin; what has been there longest goes if the bin is full."""
        folder = self.run(run_id).folder
        with self.writing():
            (self.root / _BIN).mkdir(exist_ok=True)
            os.utime(folder)  # the bin goes by this time; renaming does not set it
            os.replace(folder, self.root / _BIN / run_id)
        self.empty_bin(keep=MAX_BINNED)

    def restore(self, run_id: str) -> Run:
        """Take a run out of the bin, with the id that it had."""
        binned = next((run for run in self.binned() if run.id == run_id), None)
        if binned is None:
            raise StoreError("this run is no longer in the bin")
        folder = self.root / run_id
        with self.writing():
            os.replace(binned.folder, folder)
        return Run(folder)

    def binned(self) -> list[Run]:
        """The runs in the bin, the last one thrown away first."""
        try:
            with os.scandir(self.root / _BIN) as entries:
                found = [(entry.stat().st_mtime, entry.name) for entry in entries if _is_run(entry)]
        except OSError:
            return []
        return [Run(self.root / _BIN / name) for _, name in sorted(found, reverse=True)]

    def empty_bin(self, keep: int = 0) -> None:
        """Remove the runs in the bin for good, but for the last ``keep`` ones thrown away."""
        for run in self.binned()[keep:]:
            self._remove(run.folder)

    def sweep_up(self) -> None:
        """Remove what a killed process left of its work an hour ago, and what has been in the bin for a week."""
        for path in self._left_over():
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > 3600:
                    shutil.rmtree(path, ignore_errors=True)
        for run in self.binned():
            with suppress(OSError, StoreError):
                if time.time() - run.folder.stat().st_mtime > BIN_DAYS * 86400:
                    self._remove(run.folder)

    def _left_over(self) -> list[Path]:
        return [path for path in self.root.glob(".*-*") if path.name.startswith(_LEFT_OVER)]

    def size(self) -> int:
        """Bytes of all runs, of what they share and of what was left over; the bin has its own size."""
        return sum(run.size() for run in self) + self.library.size() + sum(map(tree_size, self._left_over()))

    def bin_size(self) -> int:
        """Bytes of the runs in the bin."""
        return sum(run.size() for run in self.binned())


def checked_name(name: str) -> str:
    """A name of one line without control characters."""
    return checked_line("name", name)


def checked_line(what: str, text: str, most: int = MAX_NAME) -> str:
    """A text of one line without control characters."""
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if len(text) > most:
        raise ParameterError(f"a {what} may have at most {most} characters, got {len(text)}")
    return text


def checked_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags without commas, each once."""
    found = tuple(dict.fromkeys(tag for one in tags if (tag := checked_line("tag", one.replace(",", " "), MAX_TAG))))
    if len(found) > MAX_TAGS:
        raise ParameterError(f"a run may have at most {MAX_TAGS} tags, got {len(found)}")
    return found


def checked_note(note: str) -> str:
    """A plain text of several lines without other control characters."""
    note = "".join(c if c.isprintable() or c == "\n" else " " for c in note).strip()
    if len(note) > MAX_NOTE:
        raise ParameterError(f"a note may have at most {MAX_NOTE} characters, got {len(note)}")
    return note


def _is_run(entry: os.DirEntry) -> bool:
    is_folder = bool(_RUN_ID.fullmatch(entry.name)) and entry.is_dir(follow_symlinks=False)
    # Whatever it holds: damaged settings are those of a run too.
    return is_folder and os.path.lexists(f"{entry.path}/settings.json")
