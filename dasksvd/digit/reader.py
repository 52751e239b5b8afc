"""A trained digit reader: structured dictionary, sparse codes and a small network."""

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Self

import numpy as np

from dasksvd.datasets import reduce_images
from dasksvd.digit import judge
from dasksvd.digit.atom_reader import AtomReader, Explanation, read_arrays, read_sizes
from dasksvd.errors import DamagedFile, ParameterError

__all__ = ["DEFAULT_MODEL", "DigitModel", "Explanation", "load_default_model", "load_model", "load_reader"]

DEFAULT_MODEL = Path(__file__).parents[1] / "data" / "default_model.npz"


@dataclass(frozen=True)
class DigitModel(AtomReader):
    """Reads 28×28 digits: N = 256 and k = 10.

    Attributes
    ----------
    rebuilds_digits : bool
        Whether the share that these atoms leave of a digit is known, so that more of it is a reason for doubt.
    """

    rebuilds_digits: bool = False

    def predict(self, images: np.ndarray) -> np.ndarray:
        """The most likely digit of each image of shape (n, 28, 28)."""
        return self.predict_proba(images).argmax(axis=1)

    def predict_proba(self, images: np.ndarray) -> np.ndarray:
        """Probabilities of the ten digits for images of shape (n, 28, 28); shape (n, 10)."""
        return self.classify(reduce_images(images))

    def is_digit(self, image: np.ndarray) -> bool:
        """Whether an image of shape (28, 28) shows one digit; :meth:`explain` says why not."""
        return self.explain(image).doubt is None

    def explain(self, image: np.ndarray) -> Explanation:
        """Everything behind the answer for one image of shape (28, 28)."""
        image = np.asarray(image)
        if image.shape != (28, 28):
            raise ParameterError(f"the image must have shape (28, 28), got {image.shape}")
        found = self.explain_signal(reduce_images(image[None])[0])
        left, whole = found.residuals[-1], found.residuals[0]
        left_over = left / whole if self.rebuilds_digits and whole else None
        return replace(found, doubt=judge.doubt(image, found.signal, left_over))

    def restricted(self, n_nonzero: int, per_class: int) -> Self:
        """The same with fewer atoms; what they leave of a digit is then not known."""
        found = super().restricted(n_nonzero, per_class)
        whole = n_nonzero >= self.n_nonzero and len(found.atoms) == len(self.atoms)
        return replace(found, rebuilds_digits=self.rebuilds_digits and whole)

    def _sizes(self) -> list[int]:
        return super()._sizes()[:3]


def load_reader(path: Path) -> AtomReader:
    """A reader of digits or of other pictures, written by :meth:`AtomReader.save`."""
    sizes = read_sizes(path)
    if sizes.shape:
        return AtomReader(**read_arrays(path, sizes))
    # The limit in the judge's file was measured with the shipped atoms.
    return DigitModel(**read_arrays(path, sizes), rebuilds_digits=Path(path) == DEFAULT_MODEL)


def load_model(path: Path) -> DigitModel:
    """A reader of digits in a file, or DamagedFile."""
    found = load_reader(path)
    if not isinstance(found, DigitModel):
        raise DamagedFile(f"{Path(path).name} does not read digits")
    return found


@lru_cache(maxsize=1)
def load_default_model() -> DigitModel:
    """The shipped model: 200 DAS-KSVD atoms and a network trained on MNIST's training images, copies and drawings."""
    return load_model(DEFAULT_MODEL)
