"""Images or signals with their classes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dasksvd.errors import ParameterError


@dataclass(frozen=True, eq=False)
class DataSet:
    """Images or signals with labels, and a test part if there is one.

    Parameters
    ----------
    train_images : ndarray of shape (n, height, width), uint8, or of shape (n, N), float
        Images, or signals as they are; signals in 0 … 1 can be shown as pictures.
    train_labels : ndarray of shape (n,), int
        Class numbers 0 … k - 1, each of them used.
    test_images, test_labels : ndarray, optional
        The same of the test part.  Nothing is learned from it.
    class_names : sequence of str or int, optional
        Of the k classes; their numbers by default.
    """

    train_images: np.ndarray
    train_labels: np.ndarray
    test_images: np.ndarray | None = None
    test_labels: np.ndarray | None = None
    class_names: Sequence[str | int] = ()

    def __post_init__(self) -> None:
        # Checked here once, so that nobody who gets a data set has to.
        images, labels = _checked_part(self.train_images, self.train_labels)
        changed = {"train_images": images, "train_labels": labels}
        names = tuple(self.class_names) or tuple(range(labels.max() + 1))
        if not np.array_equal(np.unique(labels), np.arange(len(names))):
            raise ParameterError(
                f"train_labels must be the class numbers 0 … {len(names) - 1}, each of them used; "
                "np.unique(labels, return_inverse=True) makes class numbers of other labels"
            )
        if (self.test_images is None) != (self.test_labels is None):
            raise ParameterError("a test part needs test_images and test_labels")
        if self.test_images is not None and self.test_labels is not None:
            test_images, test_labels = _checked_part(self.test_images, self.test_labels)
            if test_images.shape[1:] != images.shape[1:] or test_labels.max() >= len(names):
                raise ParameterError("test_images must be of the same size and classes as train_images")
            changed |= {"test_images": test_images, "test_labels": test_labels}
        for name, array in changed.items():
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        object.__setattr__(self, "class_names", names)


def _checked_part(images: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Images as uint8 or signals as float32, and their labels as int64."""
    images, labels = np.asarray(images), np.asarray(labels)
    are_images = images.ndim == 3 and images.dtype == np.uint8
    if not are_images and (images.ndim != 2 or images.dtype.kind != "f" or not np.isfinite(images).all()):
        raise ParameterError(
            "a data set needs images, uint8 of shape (n, height, width), or signals, finite floats of shape (n, N); "
            f"got {images.dtype} of shape {images.shape}"
        )
    if labels.shape != (len(images),) or labels.dtype.kind not in "iu" or not labels.size or labels.min() < 0:
        raise ParameterError(
            f"labels must be {len(images)} class numbers, one of each image; got {labels.dtype} of shape {labels.shape}"
        )
    return images if are_images else images.astype(np.float32, copy=False), labels.astype(np.int64, copy=False)


def as_signals(images: np.ndarray) -> np.ndarray:
    """The images of a data set as signals of shape (n, N), float32: grey levels become 0 … 1, signals stay."""
    if images.dtype != np.uint8:
        return images
    return images.reshape(len(images), -1).astype(np.float32) / 255
