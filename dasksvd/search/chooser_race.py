"""Does it matter which atom of a class is chosen?  Three ways to choose, scored on the same images, seed after seed.

A small version of the ablation that a class can watch: ``python -m dasksvd.search.chooser_race FOLDER`` adds some seeds
to those of a folder, about one in a second.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dasksvd.common.files import read_json, write_json
from dasksvd.datasets.parts import Parts, mnist_parts
from dasksvd.encoders import DEFAULT as DEFAULT_ENCODER
from dasksvd.encoders import encode_by
from dasksvd.errors import DamagedFile
from dasksvd.evaluate import train_network
from dasksvd.method.trajectory import Trajectory
from dasksvd.parameters import n_nonzero
from dasksvd.runs.reference import load_reference

#: The rankings that choose; all others are compared with the first.
CHOOSERS = ("combined", "random", "worst")
#: Images that a network learns from and is scored on, and its hidden units: few, so that a seed takes a second.
N_TRAIN, N_SCORED, HIDDEN = 3000, 2000, 100
#: Seeds that one order brings, and seeds after which there are no more.
MORE, MOST = 10, 100
FILE = "scores.json"


def race(trajectory: Trajectory, parts: Parts, seed: int) -> list[float]:
    """Accuracies of one seed, one for each chooser: the same images and the same start of the network.

    Parameters
    ----------
    trajectory : Trajectory
    parts : Parts
        Each seed draws its own images from both parts.
    seed : int
    """
    rng, settings = np.random.default_rng(seed), trajectory.settings
    learned = rng.choice(len(parts.train), min(N_TRAIN, len(parts.train)), replace=False)
    scored = rng.choice(len(parts.scored), min(N_SCORED, len(parts.scored)), replace=False)
    found = []
    for ranking in CHOOSERS:
        atoms = trajectory.reselect(settings.alpha, settings.beta, settings.I, ranking).atoms
        count = n_nonzero(settings.q, len(atoms))
        codes, tested = (
            encode_by(DEFAULT_ENCODER, signals, atoms, count, 0.0)
            for signals in (parts.train[learned], parts.scored[scored])
        )
        network = train_network("modern", codes, parts.train_labels[learned], hidden=HIDDEN, seed=seed)
        found.append(float(np.mean(network.predict(tested) == parts.scored_labels[scored])))
    return found


def scores(folder: Path) -> np.ndarray:
    """What a folder has, shape (n_seeds, n_choosers); nothing if its file is missing or damaged."""
    try:
        found = np.array(read_json(folder / FILE).get("scores", ()), np.float64)
    except (DamagedFile, OSError, ValueError, TypeError):
        found = np.zeros(0)
    good = found.ndim == 2 and found.shape[1] == len(CHOOSERS) and np.isfinite(found).all()
    return found if good else np.zeros((0, len(CHOOSERS)))


def go_on(folder: Path, trajectory: Trajectory, parts: Parts) -> Iterator[np.ndarray]:
    """Add seeds to a folder; the file has each as soon as it is known."""
    folder.mkdir(parents=True, exist_ok=True)
    found = scores(folder).tolist()
    for seed in range(len(found), min(len(found) + MORE, MOST)):
        found.append(race(trajectory, parts, seed))
        write_json(folder / FILE, {"choosers": list(CHOOSERS), "scores": found}, durable=False)
        yield np.array(found)


def main() -> None:
    """Work for a dashboard, which keeps answering meanwhile."""
    if hasattr(os, "nice"):
        os.nice(10)
    for _ in go_on(Path(sys.argv[1]), load_reference(), mnist_parts(0)):
        pass


if __name__ == "__main__":
    main()
