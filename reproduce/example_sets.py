"""Make the tiny example data sets from shipped data."""

import numpy as np

from dasksvd.common.files import write_atomically
from dasksvd.datasets import DataSet, load
from dasksvd.datasets.example_sets import FOLDER, example_path
from dasksvd.datasets.fashion_mnist import FASHION_NAMES
from dasksvd.datasets.parts import signals_of

#: Pictures of each class to learn from, and for the test.
N_TRAIN, N_TEST = 150, 60


def make_example_sets() -> None:
    """Write both files; the pictures are drawn by a fixed seed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    kinds = {FASHION_NAMES.index("sneaker"): 0, FASHION_NAMES.index("boot"): 1}
    _write("odd and even", "mnist", {digit: digit % 2 for digit in range(10)}, ["even", "odd"])
    _write("sneaker or boot", "fashion_mnist", kinds, ["sneaker", "boot"])


def _write(name: str, data: str, classes: dict[int, int], names: list[str]) -> None:
    """Write an example whose class numbers are those of some classes of a data set."""
    found, rng = load(data), np.random.default_rng(0)
    images, labels = _some(data, found.train_images, found.train_labels, classes, N_TRAIN, rng)
    assert found.test_images is not None
    assert found.test_labels is not None
    test_images, test_labels = _some(data, found.test_images, found.test_labels, classes, N_TEST, rng)
    made = DataSet(images, labels, test_images, test_labels, names)
    arrays = {"images": made.train_images, "labels": made.train_labels, "class_names": np.array(names)}
    arrays |= {"test_images": made.test_images, "test_labels": made.test_labels}
    write_atomically(example_path(name), lambda file: np.savez_compressed(file, **arrays))
    print(f"{name}: {len(images)} + {len(test_images)} pictures, {example_path(name).stat().st_size / 1024:.0f} kB")


def _some(
    data: str, images: np.ndarray, labels: np.ndarray, classes: dict[int, int], n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """``n`` pictures of each new class at 16×16, in a random order."""
    new = np.array([classes.get(label, -1) for label in range(labels.max() + 1)])[labels]
    chosen = np.concatenate([rng.permutation(np.flatnonzero(new == c))[:n] for c in sorted(set(classes.values()))])
    chosen = rng.permutation(chosen)
    small = np.rint(255 * signals_of(data, images[chosen])).astype(np.uint8).reshape(-1, 16, 16)
    return small, new[chosen]
