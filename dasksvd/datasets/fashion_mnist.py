"""Fashion-MNIST: 70,000 pictures of clothes, shipped with the package at 16×16.

Signals are the same whether they come from the shipped pictures or from the originals of 28×28
pixels: the reduction gives whole grey levels, and these are what is shipped (D12).  One pixel in
some millions lies halfway between two grey levels and falls to the one or the other by how a
machine orders its sums.  Who has the
originals sees them in place of the small pictures: ``DASKSVD_FASHION_MNIST`` names their folder,
for example ``/usr/share/datasets/fashion-mnist`` of Debian's package ``dataset-fashion-mnist``.
"""

import os
from pathlib import Path

import numpy as np

from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.mnist_files import SUMS, read_originals, read_shipped, read_sums
from dasksvd.datasets.registry import register

FASHION_FOLDER = Path(__file__).parents[1] / "data" / "fashion_mnist"
#: Environment variable that names the folder of the originals.
ORIGINALS = "DASKSVD_FASHION_MNIST"
FASHION_NAMES = ("T-shirt", "trousers", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "boot")


# The same split as MNIST's, so that results can be laid side by side.
@register("fashion_mnist", title="Fashion-MNIST, 16 × 16", split=(4000, 1000), reduced=True)
def load_fashion_mnist() -> DataSet:
    """The whole of Fashion-MNIST, its sums verified: at 16×16, or at 28×28 where the originals are."""
    folder = os.environ.get(ORIGINALS)
    parts = read_fashion_originals(Path(folder)) if folder else read_shipped(FASHION_FOLDER)
    return DataSet(**parts, class_names=FASHION_NAMES)


def read_fashion_originals(folder: Path) -> dict[str, np.ndarray]:
    """The published pictures of 28×28 pixels and their labels, part by part."""
    return read_originals(folder, read_sums(FASHION_FOLDER / f"ORIGINAL-{SUMS}"))
