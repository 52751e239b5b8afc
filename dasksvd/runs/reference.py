"""The run shipped with the package: a whole trajectory in one small file."""

import json
from dataclasses import fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from dasksvd.common.files import read_json, write_atomically
from dasksvd.datasets.description import Description
from dasksvd.method.measures import ClassTables, measure
from dasksvd.method.sampling import lower_odds
from dasksvd.method.trajectory import Record, Trajectory
from dasksvd.parameters import MEASURED, Settings

REFERENCE = Path(__file__).parents[1] / "data" / "reference.npz"
METRICS = REFERENCE.with_name("reference_metrics.json")
REFERENCE_GRID = Path(__file__).parents[1] / "data" / "reference_grid.json"
_TABLES = tuple(field.name for field in fields(ClassTables))


@lru_cache(maxsize=1)
def load_reference() -> Trajectory:
    """The shipped run: the paper's settings on MNIST, seed 0."""
    return read_compact(REFERENCE)


def reader_path(I: int) -> Path:
    """The file of the shipped run's classifier on I atoms per class."""
    return REFERENCE.with_name(f"reference_reader_{I:02d}.npz")


@lru_cache(maxsize=1)
def load_metrics() -> dict[int, dict]:
    """The shipped run's metrics: atoms per class -> ``validation``, ``test`` and ``codes``."""
    return {int(I): values for I, values in read_json(METRICS)["sizes"].items()}


@lru_cache(maxsize=1)
def _shipped_grid() -> dict[str, Any]:
    return read_json(REFERENCE_GRID)


class ReferenceRun:
    """The shipped run, to look at and to search on; there is nothing to compute, resume or evaluate.

    Parameters
    ----------
    root : Path
        Folder of a store; what is computed goes to a hidden folder of it.
    """

    id = "reference"

    def __init__(self, root: Path):
        self.folder = Path(root) / ".reference"

    @cached_property
    def description(self) -> Description:
        """What decided the result: the paper's settings."""
        return Description(MEASURED, "mnist", list(range(10)), 40000, 256)

    @property
    def trajectory(self) -> Trajectory:
        """The shipped trajectory."""
        return load_reference()

    def own_data(self) -> tuple[np.ndarray, ...]:
        """Nothing: it has learned from MNIST."""
        return ()

    def shipped_scores(self) -> dict[str, Any]:
        """The shipped search over the weights."""
        return _shipped_grid()["scores"] if REFERENCE_GRID.exists() else {}

    def shipped_plans(self) -> list[dict[str, Any]]:
        """The plan of the shipped search; those before it are parts of it."""
        return _shipped_grid()["plans"][-1:] if REFERENCE_GRID.exists() else []


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
