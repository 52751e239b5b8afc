"""The models that can read a drawing, by name."""

from pathlib import Path

import numpy as np
import streamlit as st

from dasksvd import balanced_split, encode, load_mnist, reduce_images
from dasksvd.datasets.registry import facts_of
from dasksvd.digit.reader import DEFAULT_MODEL, DigitModel, load_model
from dasksvd.errors import DamagedFile
from dasksvd.runs.reference import REFERENCE as REFERENCE_FILE
from ui import cache

DEFAULT = "Shipped model, trained for drawings"
#: Training digits of each class among which neighbours are looked for.
PER_CLASS = 200


def models(run_id: str) -> dict[str, Path]:
    """Names and files of the available models: the shipped one, the reference run's and the current run's."""
    found = {DEFAULT: DEFAULT_MODEL}
    for path in sorted(REFERENCE_FILE.parent.glob("reference_reader_??.npz"), reverse=True):
        found[f"Reference run, {10 * int(path.stem[-2:])} atoms"] = path
    if run_id != cache.REFERENCE:
        own = cache.store().run(run_id).folder / "classifier.npz"
        if own.exists():
            found[f"Current run: {cache.run_names().get(run_id, run_id)}"] = own
    return found


def load(path: Path) -> DigitModel:
    """The model in a file, or the shipped one if the file is damaged or gone."""
    return _read(path) or _load(DEFAULT_MODEL, 0)


def is_damaged(path: Path) -> bool:
    """Whether a model cannot be read."""
    return _read(path) is None


def _read(path: Path) -> DigitModel | None:
    try:
        return _load(path, path.stat().st_mtime_ns)
    except (DamagedFile, OSError):
        return None


def why_no_model(run_id: str) -> str:
    """Why the current run has no model for drawings, or an empty text."""
    if run_id == cache.REFERENCE or (cache.store().run(run_id).folder / "classifier.npz").exists():
        return ""
    if not facts_of(cache.description(run_id).data).gives_reader:
        return "The current run has not learned from 28 × 28 digits, so it cannot read drawings."
    return (
        "The current run has no model for drawings: it is not evaluated yet, or its network is SCG's. Train keeps one "
        "for the network ReLU, Adam."
    )


@st.cache_resource(max_entries=8, show_spinner=False)
def _load(path: Path, changed: int) -> DigitModel:
    return load_model(path)


def atoms_per_class(model: DigitModel) -> int:
    """Number of atoms of the class with the most atoms."""
    return int(np.bincount(model.atom_classes).max())


@st.cache_resource
def training_digits() -> tuple[np.ndarray, np.ndarray]:
    """Signals (2000, 256) and labels (2000,) of training digits, equally many of each class."""
    data = load_mnist()
    chosen, _ = balanced_split(data.train_labels, PER_CLASS, 0, np.random.default_rng(0))
    return reduce_images(data.train_images[chosen]), data.train_labels[chosen]


def training_codes(path: Path, n_nonzero: int, per_class: int) -> np.ndarray:
    """Codes of :func:`training_digits` on a model's atoms, each of length one; (2000, n_atoms)."""
    return _training_codes(path, path.stat().st_mtime_ns if path.exists() else 0, n_nonzero, per_class)


@st.cache_resource(max_entries=16, show_spinner=False)
def _training_codes(path: Path, changed: int, n_nonzero: int, per_class: int) -> np.ndarray:
    model = load(path).restricted(n_nonzero, per_class)
    codes = encode(training_digits()[0], model.atoms, model.n_nonzero)
    codes /= np.maximum(np.linalg.norm(codes, axis=1, keepdims=True), 1e-9)
    codes.flags.writeable = False
    return codes
