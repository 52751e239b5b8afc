"""What visitors send to be looked at: in a temporary folder for as long as it is read, and few of them at once."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.intake import Example, Findings, look, look_at_picture, take
from dasksvd.errors import Busy, DataError, StoreError

#: Files that are read at once; each has a process of its own, which may take much memory.
PLACES = 2
#: Seconds between two looks for a place.
EVERY = 0.2
#: What the files are called while they are read, and in messages: never what a stranger calls them.
NAMES = (phrase("your file"), phrase("your second file"))
_ZIP = b"PK"


class Upload(Protocol):
    """A file as Streamlit gives it."""

    def getvalue(self) -> bytes:
        """Its content."""
        ...


class Places:
    """A few places that visitors share, one for each of them.

    Parameters
    ----------
    count : int
    patience : float
        Seconds that a visitor waits for a place.
    """

    def __init__(self, count: int, patience: float = 60.0):
        self.count, self.patience = count, patience
        self._owners: set[str] = set()
        self._lock = threading.Lock()

    @contextmanager
    def hold(self, owner: str, on_wait: Callable[[], object]) -> Iterator[None]:
        """Have a place; Busy if there is none for too long."""
        end = time.monotonic() + self.patience
        while not self._take(owner):
            if time.monotonic() >= end:
                raise Busy(say("other files are being read on this server; try again in a minute"))
            on_wait()
            time.sleep(EVERY)
        try:
            yield
        finally:
            with self._lock:
                self._owners.discard(owner)

    def _take(self, owner: str) -> bool:
        with self._lock:
            is_free = owner not in self._owners and len(self._owners) < self.count
            if is_free:
                self._owners.add(owner)
            return is_free


@st.cache_resource
def places() -> Places:
    """The places of this server."""
    return Places(PLACES)


@contextmanager
def _on_disk(files: Sequence[Upload]) -> Iterator[list[Path]]:
    """The files in a folder that is gone afterwards, whatever happens."""
    if len(files) > len(NAMES):
        raise DataError(say("these are too many files; drop one zip, one npz, or the two idx files"))
    with tempfile.TemporaryDirectory(prefix="dasksvd-upload-") as folder:
        paths = [Path(folder) / say(name) for name in NAMES[: len(files)]]
        try:
            for path, file in zip(paths, files, strict=True):
                path.write_bytes(file.getvalue())
        except OSError as error:
            raise StoreError(
                say("the server has no room to read it ({strerror}); try again later", strerror=error.strerror)
            ) from error
        if len(files) > 1 and any(_is_zip(path) for path in paths):
            raise DataError(say("only idx files come in twos; drop one zip or npz file at a time"))
        yield paths


def _is_zip(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(len(_ZIP)) == _ZIP


def look_at(files: Sequence[Upload], side: int, fit: str, owner: str, on_progress: Callable[[float], None]) -> Findings:
    """What is in a visitor's files.

    Parameters
    ----------
    files : sequence of Upload
        A zip or an npz, or two idx files.
    side : int
    fit : str
    owner : str
        The visitor.
    on_progress : callable(share)
        Called while the visitor waits, too.
    """
    with places().hold(owner, lambda: on_progress(0.0)), _on_disk(files) as paths:
        return look(*paths, side=side, fit=fit, on_progress=on_progress)


def picture(file: Upload, side: int, fit: str, owner: str) -> Example:
    """A visitor's picture, as it came and as it would be learned from."""
    with places().hold(owner, lambda: None), _on_disk([file]) as paths:
        return look_at_picture(paths[0], side=side, fit=fit)


def take_all(
    files: Sequence[Upload], side: int, fit: str, owner: str, on_progress: Callable[[float], None]
) -> tuple[Findings, DataSet | None]:
    """All pictures of a visitor's files, as :func:`look_at` has found them."""
    with places().hold(owner, lambda: on_progress(0.0)), _on_disk(files) as paths:
        return take(*paths, side=side, fit=fit, on_progress=on_progress)
