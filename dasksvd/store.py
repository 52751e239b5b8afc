"""Runs on disk: a folder of JSON and npz files, each written whole or not at all."""

import json
import os
import secrets
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from dasksvd.measures import ClassTables, Measures
from dasksvd.settings import ParameterError, Settings
from dasksvd.trajectory import Record, Trajectory

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
