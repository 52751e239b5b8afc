"""Fashion-MNIST as a data set, where Debian's package ``dataset-fashion-mnist`` is installed."""

import gzip
from pathlib import Path

import numpy as np

from dasksvd.datasets import DATASETS, register
from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.idx import parse_idx
from dasksvd.errors import DataError

FOLDER = Path("/usr/share/datasets/fashion-mnist")
NAMES = ("T-shirt", "trousers", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "boot")


def offer() -> None:
    """Let studies use it; not at import, because the dashboard would offer what a machine may not have."""
    if "fashion" not in DATASETS:
        register("fashion", title="Fashion-MNIST, 16 × 16", split=(4000, 1000), reduced=True)(load_fashion)


def load_fashion() -> DataSet:
    """The whole of Fashion-MNIST: 70,000 pictures of clothes in ten classes."""
    parts = [_read(f"{part}-{kind}") for part in ("train", "t10k") for kind in ("images-idx3", "labels-idx1")]
    return DataSet(*parts, class_names=NAMES)


def _read(name: str) -> np.ndarray:
    path = FOLDER / f"{name}-ubyte.gz"
    try:
        return parse_idx(gzip.decompress(path.read_bytes()), path)
    except OSError as error:
        raise DataError(
            f"cannot read {path} ({error.strerror}); on Debian: apt-get install dataset-fashion-mnist"
        ) from error
