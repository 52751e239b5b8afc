"""The trajectories that the trials of a study share: kept on disk, iteration by iteration.

A trajectory belongs to everything that learns alike: other weights, rankings, encoders and networks take their atoms
from it, and a shorter one is its beginning.  So it has no I: it grows when somebody needs more of it.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from dasksvd.common.files import tree_size
from dasksvd.datasets.description import Description
from dasksvd.errors import DamagedFile
from dasksvd.method.loop import iterate
from dasksvd.method.trajectory import Record
from dasksvd.parameters import Settings
from dasksvd.runs import records

#: Bytes of all trajectories of a run's studies; those that were used longest ago go first.
MOST_BYTES = 2**29


class SharedTrajectory:
    """One of them.

    Parameters
    ----------
    root : Path or None
        The folder of all of them; with None nothing is kept.
    what : Description
        Data and settings; of the settings only what decides the trajectory counts, see :attr:`Trial.trajectory`.
    own : tuple of ndarray
        Own pictures and labels of a run that has them in its folder.
    """

    def __init__(self, root: Path | None, what: Description, own: tuple[np.ndarray, ...] = ()):
        self.what = what
        # Of kept pictures the sum stands in the description, as in a run.
        self.digest = records.digest(what, () if what.pictures else own)
        name = hashlib.sha256(json.dumps(what.as_dict(), sort_keys=True).encode()).hexdigest()[:20]
        self.folder = None if root is None else Path(root) / name

    def n_finished(self) -> int:
        """Iterations that are there; none is opened."""
        return records.count_records(self.folder) if self.folder and self.folder.is_dir() else 0

    def grow(self, I: int, signals: np.ndarray, labels: np.ndarray) -> Iterator[Record]:
        """The first I iterations: those that are there, then new ones, each of which is kept as it comes."""
        done = self._sound(I)
        yield from done
        settings = replace(self.what.settings, I=I)
        new = iterate(signals, labels, settings, done=done, classes=self.what.classes)
        for iteration, record in enumerate(new, start=len(done)):
            if self.folder is not None:
                self.folder.mkdir(parents=True, exist_ok=True)
                path = self.folder / records.record_name(iteration)
                records.save_record(path, iteration, record, self.digest)
            yield record

    def _sound(self, I: int) -> list[Record]:
        """The iterations on disk up to the first damaged one."""
        found: list[Record] = []
        if self.folder is None or not self.folder.is_dir():
            return found
        with suppress(DamagedFile):
            for iteration in range(min(I, self.n_finished())):
                path = self.folder / records.record_name(iteration)
                found.append(records.load_record(path, iteration, self.what, self.digest))
        with suppress(OSError):
            os.utime(self.folder)  # the oldest use goes first
        return found


def of_settings(root: Path | None, what: Description, settings: Settings) -> SharedTrajectory:
    """The trajectory of some settings, on the data of a run."""
    return SharedTrajectory(root, replace(what, settings=settings))


def make_room(root: Path, most: int = MOST_BYTES) -> None:
    """Remove what was used longest ago until the rest fits."""
    with suppress(OSError):
        folders = sorted((path for path in root.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime)
        sizes = {path: tree_size(path) for path in folders}
        total = sum(sizes.values())
        for path in folders[:-1]:
            if total <= most:
                return
            shutil.rmtree(path, ignore_errors=True)
            total -= sizes[path]
