"""The models that can read a drawing, by name."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from dasksvd import balanced_split, encode, load_default_model, load_mnist, reduce_images
from dasksvd.model import DigitModel

DEFAULT = "Shipped model (200 DAS-KSVD atoms)"
#: Training digits of each class among which neighbours are looked for.
PER_CLASS = 200


def models() -> dict[str, Callable[[], DigitModel]]:
    """Names and loaders of the models on offer, the shipped one first."""
    return {DEFAULT: load_default_model}


def load(name: str) -> DigitModel:
    """The model of that name; the shipped one if there is none."""
    return models().get(name, load_default_model)()


def atoms_per_class(model: DigitModel) -> int:
    """Atoms of the class that has most."""
    return int(np.bincount(model.atom_classes).max())


@st.cache_resource
def training_digits() -> tuple[np.ndarray, np.ndarray]:
    """Signals (2000, 256) and labels (2000,) of training digits, equally many of each class."""
    data = load_mnist()
    chosen, _ = balanced_split(data.train_labels, PER_CLASS, 0, np.random.default_rng(0))
    return reduce_images(data.train_images[chosen]), data.train_labels[chosen]


@st.cache_resource(max_entries=16, show_spinner=False)
def training_codes(name: str, n_nonzero: int, per_class: int) -> np.ndarray:
    """Codes of :func:`training_digits` on a model's atoms, each of length one; (2000, n_atoms)."""
    model = load(name).restricted(n_nonzero, per_class)
    codes = encode(training_digits()[0], model.atoms, model.n_nonzero)
    return codes / np.maximum(np.linalg.norm(codes, axis=1, keepdims=True), 1e-9)
