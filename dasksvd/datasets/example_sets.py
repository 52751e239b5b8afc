"""Two tiny data sets to try one's own pictures with: made from shipped data by ``python -m reproduce example-sets``."""

from pathlib import Path

import numpy as np

from dasksvd.common.language import phrase
from dasksvd.datasets.dataset import DataSet
from dasksvd.errors import DataError

FOLDER = Path(__file__).parents[1] / "data" / "examples"
#: What they are kept as -> how they are offered, and what is in them.
EXAMPLE_SETS = {
    "odd and even": (
        phrase("Odd and even"),
        phrase("Handwritten digits, sorted by whether they can be divided by two."),
    ),
    "sneaker or boot": (phrase("Sneaker or boot"), phrase("Two kinds of shoes.")),
}


def example_path(name: str) -> Path:
    """The file of an example: an npz like one that anybody could drop."""
    if name not in EXAMPLE_SETS:
        raise DataError(f"unknown example {name!r}; known are {', '.join(EXAMPLE_SETS)}")
    return FOLDER / f"{name.replace(' ', '_')}.npz"


def load_example(name: str) -> DataSet:
    """An example with its class names and its test part."""
    with np.load(example_path(name), allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    names = tuple(arrays.pop("class_names").tolist())
    return DataSet(arrays["images"], arrays["labels"], arrays["test_images"], arrays["test_labels"], names)
