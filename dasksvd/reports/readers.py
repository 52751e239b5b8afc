"""The file of a reader of digits, by what commands call it."""

import re
from pathlib import Path

from dasksvd.digit.reader import DEFAULT_MODEL
from dasksvd.errors import StoreError
from dasksvd.runs.reference import reader_path
from dasksvd.runs.store import Store

#: The shipped reader.
DEFAULT = "default"
_OF_REFERENCE = re.compile(r"reference-(\d{1,2})")


def reader_file(name: str) -> Path:
    """The file of ``default``, of ``reference-20`` (atoms per class), or of a run's reader by its id or folder."""
    if name == DEFAULT:
        return DEFAULT_MODEL
    of_reference = _OF_REFERENCE.fullmatch(name)
    if of_reference:
        path = reader_path(int(of_reference[1]))
    else:
        folder = Path(name) if (Path(name) / "settings.json").exists() else Store().run(name).folder
        path = folder / "classifier.npz"
    if not path.exists():
        raise StoreError(f"{name} has no reader of digits; `evaluate` a run on MNIST with the network modern first")
    return path
