"""What can read a drawing or a picture: the shipped reader, those of the shipped runs, and those of finished runs."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st

from dasksvd import balanced_split, encode, load_mnist, rankings, reduce_images
from dasksvd.common.language import say
from dasksvd.datasets.registry import facts_of
from dasksvd.digit.atom_reader import AtomReader
from dasksvd.digit.reader import DEFAULT_MODEL, load_reader
from dasksvd.errors import DamagedFile, StoreError
from dasksvd.runs.reference import readers_of
from dasksvd.runs.store import Listed
from ui import cache, links, pictures, texts
from ui.controls import run_names

SHIPPED = DEFAULT_MODEL.stem
#: The file of a run's own reader; old links name it so, and the run beside it.
OWN_FILE = "classifier.npz"
#: Training digits of each class among which neighbours are looked for; of other data as many in all.
PER_CLASS = 200
#: How far an atom of the shipped run may be from a reader's copy: the run is kept in half precision.
HALF_PRECISION = 2e-3


@dataclass(frozen=True)
class Reader:
    """Something that reads drawings of digits, or pictures like those of its run.

    Attributes
    ----------
    name : str
        What people call it.
    path : Path
        Its model's file.
    run_id : str
        The run that its atoms come from.
    alpha, beta : float
        The weights by which they were selected.
    fine_tuned : bool
        Whether they were fine-tuned after that.
    """

    name: str
    path: Path
    run_id: str = cache.REFERENCE
    alpha: float = 0.0
    beta: float = 0.0
    fine_tuned: bool = False

    @property
    def draws(self) -> bool:
        """Whether it reads drawings; others read pictures like those that their run has learned from."""
        return _reads_drawings(self.run_id)

    @property
    def class_names(self) -> list[str]:
        """The whole names of its classes."""
        return [str(label) for label in cache.description(self.run_id).classes]

    @property
    def classes(self) -> list[str]:
        """The same, short enough for figures."""
        return texts.class_labels(self.class_names)

    @property
    def labels(self) -> list[str]:
        """What stands below an atom: only names say of what kind they are."""
        return [say("class {name}", name=name) if len(name) <= 2 else name for name in self.classes]


def _reads_drawings(run_id: str) -> bool:
    return facts_of(cache.description(run_id).data).gives_reader


def offered() -> dict[str, Reader]:
    """All readers by what links call them: the shipped one first, a run's own by the run's id."""
    found = {SHIPPED: Reader(say("Shipped reader"), DEFAULT_MODEL)}
    for shipped in cache.SHIPPED_NAMES:
        for path in readers_of(shipped):
            atoms = say("{count} atoms", count=_atoms_in(path, shipped))
            found[path.stem] = Reader(f"{cache.shipped_name(shipped)}, {atoms}", path, shipped)
    lines = [line for line in cache.store().listing() if _has_reader(line)]
    for run_id, name in run_names.labels(lines, _size).items():
        run = cache.store().run(run_id)
        settings = run.description.settings
        found[run_id] = Reader(
            name, run.folder / OWN_FILE, run_id, settings.alpha, settings.beta, bool(settings.fine_tune)
        )
    return found


def of_run(run_id: str) -> str:
    """What links call a run's reader; an empty text if it has none."""
    if run_id in cache.SHIPPED_NAMES:
        return readers_of(run_id)[0].stem
    return run_id if (cache.store().run(run_id).folder / OWN_FILE).exists() else ""


def _atoms_in(path: Path, run_id: str) -> int:
    """Atoms of a shipped run's reader; its file is named by the number for each class."""
    return int(path.stem[-2:]) * len(cache.description(run_id).classes)


def _has_reader(line: Listed) -> bool:
    return line.description is not None and (line.run.folder / OWN_FILE).exists()


def _size(line: Listed) -> str:
    if line.description is None:
        return ""
    settings = line.description.settings
    count = settings.I * len(line.description.classes)
    return say("{count} fine-tuned atoms" if settings.fine_tune else "{count} atoms", count=count)


def load(path: Path) -> AtomReader:
    """The model in a file, or the shipped one if the file is damaged or gone."""
    return _read(path) or _load(DEFAULT_MODEL, 0)


def is_damaged(path: Path) -> bool:
    """Whether a model cannot be read."""
    return _read(path) is None


def _read(path: Path) -> AtomReader | None:
    try:
        return _load(path, path.stat().st_mtime_ns)
    except (DamagedFile, OSError):
        return None


def why_none(run_id: str) -> str:
    """Why a run has no reader, or an empty text if there is no such run."""
    try:
        cache.description(run_id)
    except (DamagedFile, StoreError):
        return ""
    return say(
        "This run has no reader: it is not evaluated yet, or its network is SCG's. Train keeps a reader for the "
        "network ReLU, Adam; `python -m dasksvd evaluate RUN` makes one for an older run."
    )


def what_for(run_id: str) -> str:
    """What a run's reader is good for, as a button says it."""
    return say("Draw with it") if _reads_drawings(run_id) else say("Read a picture")


@st.cache_resource(max_entries=8, show_spinner=False)
def _load(path: Path, changed: int) -> AtomReader:
    return load_reader(path)


def atoms_per_class(model: AtomReader) -> int:
    """Number of atoms of the class with the most atoms."""
    return int(np.bincount(model.atom_classes).max())


def knows_places(reader: Reader) -> bool:
    """Whether a reader's atoms are those of its run's structured dictionary, in its order."""
    try:
        return _knows_places(reader, reader.path.stat().st_mtime_ns)
    except (DamagedFile, StoreError, OSError):
        return False


@st.cache_resource(max_entries=32, show_spinner=False)
def _knows_places(reader: Reader, changed: int) -> bool:
    model, trajectory = _load(reader.path, changed), cache.trajectory(reader.run_id)
    size, rest = divmod(len(model.atoms), len(trajectory.classes))
    if rest or size > len(trajectory.records):
        return False
    selection = trajectory.reselect(reader.alpha, reader.beta, size)
    atoms, _ = cache.fine_tuned(reader.run_id) or (selection.atoms, None)
    if atoms.shape != model.atoms.shape or not np.array_equal(selection.classes, model.atom_classes):
        return False
    return bool(np.allclose(atoms, model.atoms, atol=HALF_PRECISION))


def link_to(reader: Reader, atom: int) -> dict[str, str]:
    """What a link to the Atoms page says of a reader's atom: its run, its place, and the weights that selected it."""
    trajectory = cache.trajectory(reader.run_id)
    iteration, label = divmod(atom, len(trajectory.classes))
    return {
        "run": reader.run_id,
        "atom": f"{label}.{iteration + 1}",
        "alpha": links.short(reader.alpha),
        "beta": links.short(reader.beta),
        "ranking": rankings.DEFAULT,
        "I": str(len(trajectory.records)),
    }


@st.cache_resource
def training_digits() -> tuple[np.ndarray, np.ndarray]:
    """Signals (2000, 256) and labels (2000,) of training digits, equally many of each class."""
    data = load_mnist()
    chosen, _ = balanced_split(data.train_labels, PER_CLASS, 0, np.random.default_rng(0))
    return reduce_images(data.train_images[chosen]), data.train_labels[chosen]


def neighbourhood(reader: Reader) -> tuple[np.ndarray, np.ndarray]:
    """Signals (n, N) and class numbers (n,) of training pictures among which a reader's neighbours are looked for."""
    return training_digits() if reader.draws else pictures.training(reader.run_id, 10 * PER_CLASS)


def training_codes(reader: Reader, n_nonzero: int, per_class: int) -> np.ndarray:
    """Codes of :func:`neighbourhood` on a reader's atoms, each of length one; (n, n_atoms)."""
    path = reader.path
    return _training_codes(reader, path.stat().st_mtime_ns if path.exists() else 0, n_nonzero, per_class)


@st.cache_resource(max_entries=16, show_spinner=False)
def _training_codes(reader: Reader, changed: int, n_nonzero: int, per_class: int) -> np.ndarray:
    model = load(reader.path).restricted(n_nonzero, per_class)  # whichever its network: the codes count
    codes = encode(neighbourhood(reader)[0], model.atoms, model.n_nonzero)
    codes /= np.maximum(np.linalg.norm(codes, axis=1, keepdims=True), 1e-9)
    codes.flags.writeable = False
    return codes
