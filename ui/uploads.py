"""What visitors send to be looked at: in a temporary folder for as long as it is read, and few of them at once."""

import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.intake import Example, Findings, look, look_at_picture, take
from dasksvd.datasets.intake.arrays import is_idx, is_of_test
from dasksvd.errors import Busy, DataError, StoreError

#: Files that are read at once; each has a process of its own, which may take much memory.
PLACES = 2
#: Seconds between two looks for a place.
EVERY = 0.2
#: What the files are called while they are read, and in messages: never what a stranger calls them.
NAMES = (phrase("your file"), phrase("your second file"))
#: Idx files of a data set with a test part: images and labels of both.
MOST_FILES = 4
#: How a picture that is not square becomes one, in words.
FIT_TITLES = {"pad": phrase("Whole, with a border"), "crop": phrase("Cut to the middle")}


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
    contents = [file.getvalue() for file in files]
    if len(files) > 1 and not (len(files) <= MOST_FILES and all(map(is_idx, contents))):
        raise DataError(
            say(
                "only idx files can be dropped together, two or four; drop one zip or one npz file, and pack loose "
                "pictures into a zip with one folder for each class"
            )
        )
    with tempfile.TemporaryDirectory(prefix="dasksvd-upload-") as folder:
        paths = [Path(folder) / say(name) for name in NAMES[: len(files)]]
        try:
            if len(files) > len(NAMES):
                del paths[1:]
                _pack(paths[0], [getattr(file, "name", "") for file in files], contents)
            else:
                for path, content in zip(paths, contents, strict=True):
                    path.write_bytes(content)
        except OSError as error:
            raise StoreError(
                say("the server has no room to read it ({strerror}); try again later", strerror=error.strerror)
            ) from error
        yield paths


def _pack(path: Path, names: Sequence[str], contents: Sequence[bytes]) -> None:
    """Idx files as one zip; of their names it has their order and which are of a test part, nothing else."""
    with zipfile.ZipFile(path, "w") as archive:
        for number, (name, content) in enumerate(sorted(zip(names, contents, strict=True))):
            archive.writestr(f"{'test' if is_of_test(name) else 'idx'}-{number}", content)


def look_at(files: Sequence[Upload], side: int, fit: str, owner: str, on_progress: Callable[[float], None]) -> Findings:
    """What is in a visitor's files.

    Parameters
    ----------
    files : sequence of Upload
        A zip or an npz, or two or four idx files.
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
