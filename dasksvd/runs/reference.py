"""The finished runs shipped with the package: each a whole trajectory in one small file.

Nothing of a run is read before it is asked for.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from dasksvd.common.files import read_json, write_atomically
from dasksvd.datasets.description import Description
from dasksvd.datasets.fashion_mnist import FASHION_NAMES
from dasksvd.method.measures import ClassTables, measure
from dasksvd.method.sampling import lower_odds
from dasksvd.method.trajectory import Record, Trajectory
from dasksvd.parameters import MEASURED, PAPER, Settings

_DATA = Path(__file__).parents[1] / "data"
#: The run that everything begins with; the search over its weights is shipped, too.
REFERENCE_ID = "reference"
REFERENCE_GRID = _DATA / "reference_grid.json"
_TABLES = tuple(field.name for field in fields(ClassTables))


@dataclass(frozen=True)
class Shipped:
    """A finished run that comes with the package.

    Attributes
    ----------
    name : str
        What people call it.
    description : Description
        What decided the result; written down here, so that a list of runs need not read the data.
    """

    name: str
    description: Description


#: The shipped runs by their ids: the paper's settings, with a t that the small digits allow.
SHIPPED: Mapping[str, Shipped] = {
    REFERENCE_ID: Shipped("Reference run", Description(MEASURED, "mnist", list(range(10)), 40000, 256)),
    "reference-clothes": Shipped(
        "Reference, clothes", Description(PAPER, "fashion_mnist", list(FASHION_NAMES), 40000, 256)
    ),
    "reference-small": Shipped(
        "Reference, small digits",
        Description(replace(PAPER, t=58), "digits", list(range(10)), 1204, 64, 296),
    ),
}


def shipped_file(run_id: str, ending: str) -> Path:
    """A file of a shipped run."""
    return _DATA / f"{run_id.replace('-', '_')}{ending}"


def trajectory_path(run_id: str) -> Path:
    """The file of a shipped run's trajectory."""
    return shipped_file(run_id, ".npz")


def metrics_path(run_id: str) -> Path:
    """The file of a shipped run's metrics."""
    return shipped_file(run_id, "_metrics.json")


def reader_path(I: int, run_id: str = REFERENCE_ID) -> Path:
    """The file of a shipped run's classifier on I atoms per class."""
    return shipped_file(run_id, f"_reader_{I:02d}.npz")


def readers_of(run_id: str) -> list[Path]:
    """The files of a shipped run's classifiers, the one with the most atoms first."""
    return sorted(_DATA.glob(reader_path(0, run_id).name.replace("00", "??")), reverse=True)


REFERENCE = trajectory_path(REFERENCE_ID)


@lru_cache(maxsize=len(SHIPPED))
def load_reference(run_id: str = REFERENCE_ID) -> Trajectory:
    """A shipped run; by default that of the paper's settings on MNIST, seed 0."""
    return read_compact(trajectory_path(run_id))


@lru_cache(maxsize=len(SHIPPED))
def load_metrics(run_id: str = REFERENCE_ID) -> dict[int, dict]:
    """A shipped run's metrics: atoms per class -> ``validation`` and ``test``."""
    return {int(I): values for I, values in read_json(metrics_path(run_id))["sizes"].items()}


@lru_cache(maxsize=1)
def _shipped_grid() -> dict[str, Any]:
    return read_json(REFERENCE_GRID)


class ReferenceRun:
    """A shipped run, to look at and to search on; there is nothing to compute, resume or evaluate.

    Parameters
    ----------
    root : Path
        Folder of a store; what is computed goes to a hidden folder of it.
    run_id : str
        A key of :data:`SHIPPED`.
    """

    def __init__(self, root: Path, run_id: str = REFERENCE_ID):
        self.id = run_id
        self.folder = Path(root) / f".{run_id}"

    @property
    def description(self) -> Description:
        """What decided the result."""
        return SHIPPED[self.id].description

    @property
    def trajectory(self) -> Trajectory:
        """The shipped trajectory."""
        return load_reference(self.id)

    def own_data(self) -> tuple[np.ndarray, ...]:
        """Nothing: it has learned from a registered data set."""
        return ()

    def shipped_scores(self) -> dict[str, Any]:
        """The shipped search over the weights, if there is one."""
        return _shipped_grid()["scores"] if self._has_grid else {}

    def shipped_plans(self) -> list[dict[str, Any]]:
        """The plan of the shipped search; those before it are parts of it."""
        return _shipped_grid()["plans"][-1:] if self._has_grid else []

    @property
    def _has_grid(self) -> bool:
        return self.id == REFERENCE_ID and REFERENCE_GRID.exists()


def shipped_runs(root: Path) -> list[ReferenceRun]:
    """All shipped runs, with the folder of a store."""
    return [ReferenceRun(root, run_id) for run_id in SHIPPED]


def write_compact(path: Path, trajectory: Trajectory) -> None:
    """Write a whole trajectory as one small file, for shipping.

    Atoms are kept in half precision, and what follows from the rest is left out: the odds
    from the drawn signals, the measures from the tables.
    """
    records = trajectory.records
    arrays: dict[str, Any] = {
        "atoms": np.stack([record.atoms for record in records]).astype(np.float16),
        "drawn": np.stack([record.drawn for record in records]).astype(np.uint16),
        "errors": np.stack([record.errors for record in records]).astype(np.float32),
        "restarts": np.array([record.restarts for record in records], np.uint8),
        "n_signals": np.array(len(records[0].odds)),
    }
    for name in _TABLES:
        arrays[name] = np.stack([getattr(record.tables, name) for record in records]).astype(np.float32)
    description = json.dumps({"settings": trajectory.settings.as_dict(), "classes": list(trajectory.classes)})
    arrays["description"] = np.frombuffer(description.encode("utf-8"), np.uint8)
    write_atomically(path, lambda file: np.savez_compressed(file, **arrays))


def read_compact(path: Path) -> Trajectory:
    """The trajectory in a file of :func:`write_compact`."""
    with np.load(path, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    description = json.loads(arrays["description"].tobytes().decode("utf-8"))
    trajectory = Trajectory(Settings.from_dict(description["settings"]), description["classes"])
    odds = np.full(int(arrays["n_signals"]), 1 / int(arrays["n_signals"]))
    for l, atoms in enumerate(arrays["atoms"].astype(np.float32)):
        tables = ClassTables(**{name: arrays[name][l].astype(np.float64) for name in _TABLES})
        drawn = arrays["drawn"][l].astype(np.int64)
        odds = lower_odds(odds, drawn, trajectory.settings.tau1)
        trajectory.records.append(
            Record(
                atoms=atoms / np.linalg.norm(atoms, axis=1, keepdims=True),
                drawn=drawn,
                odds=odds,
                tables=tables,
                measures=measure(tables, trajectory.settings.re_sign),
                errors=arrays["errors"][l],
                restarts=int(arrays["restarts"][l]),
            )
        )
    return trajectory
