"""Data sets: each is registered once and appears by itself wherever one is chosen."""

from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.reading import load_pair, to_signals
from dasksvd.datasets.reduction import reduce_images
from dasksvd.datasets.registry import DATASETS, load, register
from dasksvd.datasets.splits import balanced_split, held_out_sizes, hold_out

# isort: split
# In the order in which they are offered; the first one is the default.
from dasksvd.datasets.mnist import MNIST_FOLDER, Split, load_mnist, mnist_split, read_mnist

# isort: split
from dasksvd.datasets.fashion_mnist import load_fashion_mnist

# isort: split
from dasksvd.datasets.small_digits import load_digits_8x8

__all__ = [
    "DATASETS",
    "MNIST_FOLDER",
    "DataSet",
    "Split",
    "balanced_split",
    "held_out_sizes",
    "hold_out",
    "load",
    "load_digits_8x8",
    "load_fashion_mnist",
    "load_mnist",
    "load_pair",
    "mnist_split",
    "read_mnist",
    "reduce_images",
    "register",
    "to_signals",
]
