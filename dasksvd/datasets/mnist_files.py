"""The four gzipped idx files in which MNIST, and whatever has its form, is published."""

import gzip
import hashlib
import zlib
from pathlib import Path

import numpy as np

from dasksvd.datasets.idx import parse_idx
from dasksvd.errors import DataError

#: What each file holds, in the order of a data set's parts.
FILES = {
    "train_images": "train-images-idx3-ubyte.gz",
    "train_labels": "train-labels-idx1-ubyte.gz",
    "test_images": "t10k-images-idx3-ubyte.gz",
    "test_labels": "t10k-labels-idx1-ubyte.gz",
}
SUMS = "SHA256SUMS"


def read_shipped(folder: Path) -> dict[str, np.ndarray]:
    """The parts in a folder of the package, which has the sums of its files beside them."""
    sums = read_sums(folder / SUMS)
    return {part: _read_shipped(folder / name, sums.get(name)) for part, name in FILES.items()}


def read_originals(folder: Path, sums: dict[str, str]) -> dict[str, np.ndarray]:
    """The parts in a folder of the user's.

    Parameters
    ----------
    folder : Path
    sums : dict of str to str
        The SHA-256 sum of each file's content; how tightly it is packed does not matter.
    """
    return {part: _read_original(folder / name, sums[name.removesuffix(".gz")]) for part, name in FILES.items()}


def read_sums(path: Path) -> dict[str, str]:
    """What ``sha256sum`` has written: name -> sum."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
        return {name.lstrip("*"): digest for digest, name in (line.split() for line in lines)}
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read {path} ({error}); {_restore(path)}") from error


def _restore(path: Path) -> str:
    return (
        f"restore {path.name} with `git checkout -- {path.parent.name}` in {path.parent.parent}, "
        "or install the package again"
    )


def _read_shipped(path: Path, digest: str | None) -> np.ndarray:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {path} ({error.strerror}); {_restore(path)}") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise DataError(f"{path} is damaged (its SHA-256 sum is not the one in {SUMS}); {_restore(path)}")
    return parse_idx(gzip.decompress(content), path)


def _read_original(path: Path, digest: str) -> np.ndarray:
    try:
        content = gzip.decompress(path.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"cannot read {path} ({error})") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise DataError(f"{path} is not the published file (its content has another SHA-256 sum)")
    return parse_idx(content, path)
