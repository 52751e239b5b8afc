"""Runs on disk: a folder of JSON and npz files, each written whole or not at all."""

import json
import os
import secrets
from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from dasksvd.measures import ClassTables, Measures, measure
from dasksvd.sampling import lower_odds
from dasksvd.settings import ParameterError, Settings
from dasksvd.trajectory import Record, Trajectory

REFERENCE = Path(__file__).parent / "data" / "reference.npz"
_TABLES = tuple(field.name for field in fields(ClassTables))
_MEASURES = tuple(field.name for field in fields(Measures))


def create_run(folder: Path, settings: Settings, classes: list, data: str) -> None:
    """Start a run folder; it must not hold a run yet."""
    if (folder / "settings.json").exists():
        raise ParameterError(f"{folder} already holds a run; choose another folder or delete it")
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "settings.json", {"settings": settings.as_dict(), "classes": classes, "data": data})


def save_record(folder: Path, iteration: int, record: Record) -> None:
    """Write one finished iteration, counted from 0."""
    arrays = {"atoms": record.atoms, "drawn": record.drawn, "odds": record.odds, "errors": record.errors}
    arrays |= {f"table_{name}": getattr(record.tables, name) for name in _TABLES}
    arrays |= {f"measure_{name}": getattr(record.measures, name) for name in _MEASURES}
    write_atomically(_record_path(folder, iteration), lambda file: np.savez(file, restarts=record.restarts, **arrays))


def load_run(folder: Path) -> Trajectory:
    """The trajectory of a run: its settings and its finished iterations."""
    description = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    trajectory = Trajectory(Settings.from_dict(description["settings"]), description["classes"])
    while (path := _record_path(folder, len(trajectory.records))).exists():
        trajectory.records.append(_load_record(path))
    return trajectory


def _load_record(path: Path) -> Record:
    with np.load(path, allow_pickle=False) as arrays:
        return Record(
            atoms=arrays["atoms"],
            drawn=arrays["drawn"],
            odds=arrays["odds"],
            tables=ClassTables(**{name: arrays[f"table_{name}"] for name in _TABLES}),
            measures=Measures(**{name: arrays[f"measure_{name}"] for name in _MEASURES}),
            errors=arrays["errors"],
            restarts=int(arrays["restarts"]),
        )


def write_compact(path: Path, trajectory: Trajectory) -> None:
    """Write a whole trajectory as one small file, for shipping.

    Atoms are kept in half precision, and what follows from the rest is left out: the odds
    from the drawn signals, the measures from the tables.
    """
    records = trajectory.records
    arrays = {
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


@lru_cache(maxsize=1)
def load_reference() -> Trajectory:
    """The shipped run: the paper's settings on MNIST, seed 0."""
    return read_compact(REFERENCE)


def _record_path(folder: Path, iteration: int) -> Path:
    return folder / f"iteration_{iteration + 1:03d}.npz"


def write_json(path: Path, value: Any) -> None:
    """Write JSON atomically."""
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    write_atomically(path, lambda file: file.write(text.encode("utf-8")))


def write_atomically(path: Path, write: Callable[[BinaryIO], Any]) -> None:
    """Write to a temporary name, flush to the disk, rename: a reader never sees half a file."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with open(temporary, "xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
