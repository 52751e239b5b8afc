"""Networks for codes of several lengths on the same atoms, and the file of a reader that has them.

A network that is trained on codes of 100 non-zeros misreads codes of 5, and that says nothing about the codes.  So
there is one for each of a few lengths; the atoms are shared.
"""

import itertools
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dasksvd.common.files import Spec, open_zip, read_npz, write_npz
from dasksvd.encoders import ENCODERS, levels_of
from dasksvd.errors import DamagedFile

#: How the name of an encoder is kept.
_NAME = np.dtype("S64")
#: Largest numbers in a file's head: networks, layers of hidden units, atoms or units of a layer.
_MOST_NETWORKS, _MOST_LAYERS, _LARGEST = 20, 4, 10_000


@dataclass(frozen=True)
class StepNetwork:
    """A network for codes of one length.

    Attributes
    ----------
    n_nonzero : int
        Non-zeros of the codes that it was trained on.
    scale : ndarray of shape (n_inputs,), float32
    weights : tuple of ndarray, float32
    accuracy : float
        Share of held-out training images that it reads right.
    """

    n_nonzero: int
    scale: np.ndarray
    weights: tuple[np.ndarray, ...]
    accuracy: float


def nearest(networks: Sequence[StepNetwork], n_nonzero: int) -> StepNetwork:
    """The network whose codes were most nearly as long; twice as long is as far as half as long."""
    return min(networks, key=lambda network: abs(np.log(network.n_nonzero / n_nonzero)))


def write_networks(
    path: Path,
    atoms: np.ndarray,
    atom_classes: np.ndarray,
    n_nonzero: int,
    beside: str,
    networks: Sequence[StepNetwork],
) -> None:
    """Write atoms and networks as one npz file; weights are kept in half precision.

    Parameters
    ----------
    n_nonzero : int
        The length of codes that is used unless another is asked for.
    beside : str
        The second encoder.
    """
    hidden = [layer.shape[1] for layer in networks[0].weights[:-2:2]]
    arrays = {
        "sizes": np.array([len(atoms), n_nonzero, *hidden]),
        "steps": np.array([network.n_nonzero for network in networks]),
        "atoms": atoms,
        "atom_classes": atom_classes,
        "beside": np.array(beside.encode(), _NAME),
        "accuracies": np.array([network.accuracy for network in networks], np.float64),
        "scales": np.stack([network.scale for network in networks]),
    }
    for place in range(len(networks[0].weights)):
        layers = np.stack([network.weights[place] for network in networks])
        arrays[f"weights_{place}"] = layers.astype(np.float32 if place % 2 else np.float16)
    write_npz(path, arrays)


def holds_networks(path: Path) -> bool:
    """Whether a file is one of :func:`write_networks`; any other answer than yes is for its own reader to find out."""
    try:
        with open(path, "rb") as file, open_zip(file) as archive:
            return "steps.npy" in archive.namelist()
    except (OSError, ValueError, DamagedFile, zipfile.BadZipFile):
        return False


def read_networks(path: Path) -> dict:
    """The attributes of a reader of digits in a file of :func:`write_networks`, or DamagedFile."""
    arrays = read_npz(path, _specs(path))
    n_layers = sum(name.startswith("weights_") for name in arrays)
    steps, beside = arrays["steps"], arrays["beside"].item().decode()
    n_atoms, n_nonzero = (int(size) for size in arrays["sizes"][:2])
    fits = n_nonzero in steps and (steps >= 1).all() and (steps <= n_atoms).all()
    if not fits or (beside and (beside not in ENCODERS or levels_of(beside))):
        raise DamagedFile(f"{path.name}: codes of {steps.tolist()} by {beside!r} cannot be")
    if not (arrays["scales"] > 0).all():
        raise DamagedFile(f"{path.name}: a scale is not positive")
    networks = tuple(
        StepNetwork(
            int(step),
            arrays["scales"][place],
            tuple(arrays[f"weights_{layer}"][place].astype(np.float32) for layer in range(n_layers)),
            float(arrays["accuracies"][place]),
        )
        for place, step in enumerate(steps)
    )
    used = nearest(networks, n_nonzero)
    return {
        "atoms": arrays["atoms"],
        "atom_classes": arrays["atom_classes"],
        "n_nonzero": n_nonzero,
        "scale": used.scale,
        "weights": used.weights,
        "beside": beside,
        "networks": networks,
    }


def _specs(path: Path) -> dict[str, Spec]:
    """The arrays of a file by its head."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            n_atoms, n_nonzero, *hidden = (int(size) for size in stored["sizes"])
            n_networks = len(stored["steps"])
            n_inputs = n_atoms * (2 if stored["beside"].item() else 1)
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        raise DamagedFile(f"{path.name} is not a reader ({str(error)[:80]})") from error
    sizes = (n_atoms, n_nonzero, *hidden)
    if not (
        1 <= len(hidden) <= _MOST_LAYERS
        and 1 <= n_networks <= _MOST_NETWORKS
        and all(1 <= size <= _LARGEST for size in sizes)
    ):
        raise DamagedFile(f"{path.name}: sizes {sizes} cannot be")
    specs: dict[str, Spec] = {
        "sizes": (np.int64, (len(sizes),)),
        "steps": (np.int64, (n_networks,)),
        "atoms": (np.float32, (n_atoms, 256)),
        "atom_classes": (np.int64, (n_atoms,)),
        "beside": (_NAME, ()),
        "accuracies": (np.float64, (n_networks,)),
        "scales": (np.float32, (n_networks, n_inputs)),
    }
    widths = [n_inputs, *hidden, 10]
    for layer, (rows, columns) in enumerate(itertools.pairwise(widths)):
        specs[f"weights_{2 * layer}"] = (np.float16, (n_networks, rows, columns))
        specs[f"weights_{2 * layer + 1}"] = (np.float32, (n_networks, columns))
    return specs
