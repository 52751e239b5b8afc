"""Make the shipped file of Fashion-MNIST from the originals, as they are in Debian's ``dataset-fashion-mnist``."""

import gzip
import hashlib
import os
from pathlib import Path

import numpy as np

from dasksvd.datasets.fashion_mnist import FASHION_FOLDER, ORIGINALS, read_fashion_originals
from dasksvd.datasets.mnist_files import FILES, SUMS
from dasksvd.datasets.reduction import reduce_to_bytes

#: Where Debian's package puts the originals.
DEBIAN = Path("/usr/share/datasets/fashion-mnist")


def make_fashion_mnist() -> None:
    """Write the pictures at 16×16, the labels and their sums; the originals' sums are checked."""
    parts = read_fashion_originals(Path(os.environ.get(ORIGINALS) or DEBIAN))
    lines = []
    for part, name in FILES.items():
        content = gzip.compress(as_idx(shipped(parts[part])), 9, mtime=0)
        (FASHION_FOLDER / name).write_bytes(content)
        lines.append(f"{hashlib.sha256(content).hexdigest()}  {name}\n")
        print(f"{name}: {len(content) / 2**20:.2f} MiB", flush=True)
    (FASHION_FOLDER / SUMS).write_text("".join(lines), encoding="ascii")


def shipped(array: np.ndarray) -> np.ndarray:
    """What is shipped of a part: pictures at 16×16, labels as they are."""
    return reduce_to_bytes(array) if array.ndim == 3 else array


def as_idx(array: np.ndarray) -> bytes:
    """An idx file of unsigned bytes."""
    return bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes() + array.tobytes()
