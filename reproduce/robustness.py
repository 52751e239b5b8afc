"""Does a method still read noisy, incomplete, shifted or turned images, if its network has seen clean ones only?"""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
from scipy import ndimage

from dasksvd.common.parallel import each
from dasksvd.datasets.reduction import reduce_images
from dasksvd.parameters import PAPER
from reproduce import tuning
from reproduce.results import load_comparable, save_results
from reproduce.rounds import Round
from reproduce.scoring import RAW, Task, atoms_for, codes, features, round_of, train

SIDE = 16
#: Method and encoder of what is compared.
READERS = (
    *((method, "omp") for method in ("das-ksvd", "ksvd", "ksvd, noise", "lc-ksvd2, tuned", "lc-ksvd2, noise")),
    *((method, encoder) for method in ("das-ksvd", "ksvd, noise", "k-means") for encoder in ("threshold", "soft")),
    ("random images", "omp"),
    ("raw-16", "omp"),
)


def _noise(signals: np.ndarray, size: float, rng: np.random.Generator) -> np.ndarray:
    return signals + np.float32(size) * rng.standard_normal(signals.shape, dtype=np.float32)


def _missing(signals: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    return signals * (rng.random(signals.shape, dtype=np.float32) >= share)


def _occluded(signals: np.ndarray, side: float, rng: np.random.Generator) -> np.ndarray:
    """A black square at a random place."""
    size = int(side)
    top, left = rng.integers(SIDE - size + 1, size=(2, len(signals), 1, 1))
    rows, columns = np.ogrid[:SIDE, :SIDE]
    covered = (rows >= top) & (rows < top + size) & (columns >= left) & (columns < left + size)
    return signals * ~covered.reshape(len(signals), -1)


def _shifted(images: np.ndarray, pixels: float, rng: np.random.Generator) -> np.ndarray:
    """Moved by so many of the 28 pixels in one of eight directions."""
    steps = np.array([(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)])
    moved = [
        ndimage.shift(image, pixels * step, order=0)
        for image, step in zip(images, steps[rng.integers(8, size=len(images))], strict=True)
    ]
    return reduce_images(np.stack(moved))


def _turned(images: np.ndarray, degrees: float, rng: np.random.Generator) -> np.ndarray:
    """Turned to the left or to the right."""
    signs = rng.choice([-1, 1], size=len(images))
    turned = [
        ndimage.rotate(image, sign * degrees, reshape=False, order=1) for image, sign in zip(images, signs, strict=True)
    ]
    return reduce_images(np.stack(turned))


#: What is done to the reduced signals, and to the images before they are reduced: name -> function and sizes.
Change = Callable[[np.ndarray, float, np.random.Generator], np.ndarray]
TO_SIGNALS: dict[str, tuple[Change, tuple[float, ...]]] = {
    "noise": (_noise, (0.1, 0.2, 0.3, 0.4)),
    "missing pixels": (_missing, (0.1, 0.25, 0.5, 0.75)),
    "occlusion": (_occluded, (3, 5, 7, 9)),
}
TO_IMAGES: dict[str, tuple[Change, tuple[float, ...]]] = {
    "shift": (_shifted, (1, 2, 3, 4)),
    "rotation": (_turned, (10, 20, 30, 40)),
}


def conditions(number: int, data: str = "mnist") -> dict[str, dict[float, np.ndarray]]:
    """The changed test signals of a round, the same for every method: kind -> size -> signals (10000, 256)."""
    round_ = round_of(number, data)
    made: dict[str, dict[float, np.ndarray]] = {}
    for source, changes in ((round_.test_signals, TO_SIGNALS), (round_.source.test_images, TO_IMAGES)):
        for name, (change, sizes) in changes.items():
            rng = np.random.default_rng([number, 2**28, len(made)])
            made[name] = {size: change(source, size, rng) for size in sizes}
    return made


def read_changed(number: int, data: str, wanted: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """Train each reader of a round on clean images and let it read all changed ones."""
    changed = conditions(number, data)
    return [
        _read_all(Task(number, method, PAPER.I, 200, "modern", encoder, data), changed) for method, encoder in wanted
    ]


def _read_all(task: Task, changed: dict[str, dict[float, np.ndarray]]) -> dict[str, Any]:
    round_ = round_of(task.round, task.data)
    seen = features(task, round_)
    model = train(task, seen, round_)

    def share_right(inputs: np.ndarray) -> float:
        return float(np.mean(model.predict(inputs) == round_.test_labels))

    found = {
        kind: {f"{size:g}": share_right(_inputs(task, round_, signals)) for size, signals in by_size.items()}
        for kind, by_size in changed.items()
    }
    return asdict(task) | {"clean": share_right(seen.test), "changed": found}


def _inputs(task: Task, round_: Round, signals: np.ndarray) -> np.ndarray:
    if task.method in RAW:
        return signals
    return codes(signals, atoms_for(task, round_), task.encoder, PAPER.q, tuning.chosen("soft", task.method))


def measure_robustness(rounds: int, jobs: int = 1, scheduler: str = "") -> Iterator[dict[str, Any]]:
    """Measure what is missing, saving after every round."""
    results = load_comparable("robustness")
    tasks = []
    for number in range(rounds):
        keys = {
            (method, encoder): Task(number, method, PAPER.I, 200, "modern", encoder).key for method, encoder in READERS
        }
        lacking = [reader for reader, key in keys.items() if key not in results]
        if lacking:
            tasks.append((number, "mnist", lacking))
    for found in each(read_changed, tasks, n_jobs=jobs, scheduler=scheduler):
        for result in found:
            results[Task(**{name: result[name] for name in Task.__dataclass_fields__}).key] = result
            yield result
        save_results("robustness", results)
