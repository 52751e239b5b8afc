"""The pictures of one's own that the runs of a store share, as a run sees them.

They lie in a library beside the runs.  A run in another place has a copy in its own folder, and
so has one on its way from one store to another.
"""

import shutil
from pathlib import Path

import numpy as np

from dasksvd.common.files import read_json
from dasksvd.common.language import say
from dasksvd.datasets.dataset import as_signals
from dasksvd.datasets.description import Description
from dasksvd.datasets.library import FILES, PICTURES, Library, load_pictures
from dasksvd.datasets.parts import training_sizes
from dasksvd.errors import DamagedFile, StoreError

_LIBRARY, _BIN = ".data", ".bin"


def library_beside(folder: Path) -> Library:
    """The library of the store that a run's folder is in, also from the store's bin."""
    place = folder.absolute().parent
    return Library((place.parent if place.name == _BIN else place) / _LIBRARY)


def home_of(folder: Path, key: str) -> Path:
    """Where the pictures of a run lie: in its own folder or in the library beside it."""
    return folder if has_copy(folder) else library_beside(folder).folder(key)


def has_copy(folder: Path) -> bool:
    """Whether a run has its pictures in its own folder."""
    return (folder / PICTURES).exists()


def needs(folder: Path, key: str) -> bool:
    """Whether the run in a folder learns from the pictures of that sum in the library beside it."""
    try:
        return read_json(folder / "settings.json").get("pictures") == key and not has_copy(folder)
    except DamagedFile:
        return False


def provide(folder: Path, key: str, pictures: Path | None) -> None:
    """Give a new run its pictures: those in the library beside it, else a copy of those in another place."""
    if (library_beside(folder).folder(key) / PICTURES).exists():
        return
    if pictures is None:
        raise StoreError(say("the data set of this run is not in the store; add it first"))
    for name in FILES:
        shutil.copyfile(pictures / name, folder / name)


def load_kept(folder: Path, what: Description) -> tuple[np.ndarray, np.ndarray]:
    """Images and class numbers of a run's pictures, compared with what its description says of them.

    Returns
    -------
    images : ndarray of shape (n_signals + held_out, side, side), uint8
    labels : ndarray of shape (n_signals + held_out,), int64
    """
    data = load_pictures(home_of(folder, what.pictures), what.pictures)
    images, labels = data.train_images, data.train_labels
    left = sum(training_sizes(labels))
    expected = (list(data.class_names), left, images[0].size, len(labels) - left)
    if (what.classes, what.n_signals, what.signal_length, what.held_out) != expected:
        raise DamagedFile("settings.json does not describe its pictures")
    return images, labels


def load_test(folder: Path, what: Description) -> tuple[np.ndarray, np.ndarray] | None:
    """Signals (n, N) and class numbers (n,) of the test part of a run's pictures, if they have one."""
    data = load_pictures(home_of(folder, what.pictures), what.pictures) if what.pictures else None
    if data is None or data.test_images is None or data.test_labels is None:
        return None
    return as_signals(data.test_images), data.test_labels
