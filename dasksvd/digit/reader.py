"""A trained digit reader: structured dictionary, sparse codes and a small network."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Self

import numpy as np

from dasksvd.datasets import reduce_images
from dasksvd.digit import judge
from dasksvd.digit.atom_reader import AtomReader, Explanation, read_arrays, read_sizes
from dasksvd.digit.corrections import Corrections, unit_rows
from dasksvd.digit.step_networks import StepNetwork, holds_networks, nearest, read_networks, write_networks
from dasksvd.errors import DamagedFile, ParameterError
from dasksvd.networks import relu
from dasksvd.parameters import check_count

__all__ = ["DEFAULT_MODEL", "DigitModel", "Explanation", "load_default_model", "load_model", "load_reader"]

DEFAULT_MODEL = Path(__file__).parents[1] / "data" / "default_model.npz"


@dataclass(frozen=True)
class DigitModel(AtomReader):
    """Reads 28×28 digits: N = 256 and k = 10.

    Attributes
    ----------
    rebuilds_digits : bool
        Whether the share that these atoms leave of a digit is known, so that more of it is a reason for doubt.
    networks : tuple of StepNetwork
        For codes of other lengths on the same atoms, the one in use among them; empty for most readers.
    corrections : Corrections or None
        Drawings that somebody has corrected, as this network sees them; never written to a file.
    """

    rebuilds_digits: bool = False
    networks: tuple[StepNetwork, ...] = ()
    corrections: Corrections | None = None

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

    def corrected(self, images: np.ndarray, labels: Sequence[int]) -> Self:
        """The same, which reads drawings much like these images (n, 28, 28) as what they were meant to be."""
        if len(images) == 0:
            return replace(self, corrections=None)
        hidden, _ = relu.forward(self.encode(reduce_images(np.asarray(images))) / self.scale, self.weights)
        return replace(self, corrections=Corrections(unit_rows(hidden), np.asarray(labels, np.int64)))

    def read_codes(self, codes: np.ndarray) -> np.ndarray:
        """Probabilities of the ten digits for codes as :meth:`encode` gives them, with what was corrected."""
        if self.corrections is None:
            return super().read_codes(codes)
        hidden, scores = relu.forward(codes / self.scale, self.weights)
        return relu.softmax(scores + self.corrections.added(hidden, self.n_classes))

    def lead_by_corrections(self, explanation: Explanation, winner: int, rival: int) -> float:
        """What corrected drawings add to the winner's lead over a rival."""
        if self.corrections is None:
            return 0.0
        parts = [explanation.code] + ([] if explanation.beside is None else [explanation.beside])
        hidden, _ = relu.forward(np.concatenate(parts)[None] / self.scale, self.weights)
        added = self.corrections.added(hidden, self.n_classes)[0]
        return float(added[winner] - added[rival])

    @property
    def longest(self) -> int:
        """Non-zeros of the longest code that one of its networks was trained for."""
        return max((network.n_nonzero for network in self.networks), default=self.n_nonzero)

    def trained_for(self, n_nonzero: int) -> Self:
        """The same with the network for codes of about so many non-zeros; itself if it has one network only."""
        check_count("n_nonzero", n_nonzero)
        if not self.networks:
            return self
        found = nearest(self.networks, n_nonzero)
        return replace(
            self,
            n_nonzero=found.n_nonzero,
            scale=found.scale,
            weights=found.weights,
            corrections=None,  # another network sees drawings otherwise
            # Shorter codes leave more of every digit.
            rebuilds_digits=self.rebuilds_digits and found.n_nonzero >= self.n_nonzero,
        )

    def restricted(self, n_nonzero: int, per_class: int) -> Self:
        """The same with fewer atoms; what they leave of a digit is then not known."""
        found = super().restricted(n_nonzero, per_class)
        whole = n_nonzero >= self.n_nonzero and len(found.atoms) == len(self.atoms)
        networks = self.networks if len(found.atoms) == len(self.atoms) else ()
        return replace(found, rebuilds_digits=self.rebuilds_digits and whole, networks=networks, corrections=None)

    def save(self, path: Path) -> None:
        """Write the model as npz, with all of its networks."""
        if self.networks:
            used = nearest(self.networks, self.n_nonzero).n_nonzero
            write_networks(path, self.atoms, self.atom_classes, used, self.beside, self.networks)
        else:
            super().save(path)

    def _sizes(self) -> list[int]:
        return super()._sizes()[:3]


def load_reader(path: Path) -> AtomReader:
    """A reader of digits or of other pictures, written by :meth:`AtomReader.save`."""
    # The limit in the judge's file was measured with the shipped atoms.
    shipped = Path(path) == DEFAULT_MODEL
    if holds_networks(path):
        return DigitModel(**read_networks(path), rebuilds_digits=shipped)
    sizes = read_sizes(path)
    if sizes.shape:
        return AtomReader(**read_arrays(path, sizes))
    return DigitModel(**read_arrays(path, sizes), rebuilds_digits=shipped)


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
