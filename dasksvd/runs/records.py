"""The arrays of a run on disk: one file for each finished iteration, and one for a user's own pictures."""

import hashlib
import json
import os
import re
from dataclasses import fields
from pathlib import Path

import numpy as np

from dasksvd.common.files import Spec, read_npz, write_npz
from dasksvd.datasets import held_out_sizes
from dasksvd.datasets.description import Description
from dasksvd.errors import DamagedFile, ForeignFile
from dasksvd.method.measures import ClassTables, Measures
from dasksvd.method.selection import owned
from dasksvd.method.trajectory import Record

#: The file of a run's fine-tuned atoms.
FINE_TUNED = "fine_tuned.npz"
_RECORD_NAME = re.compile(r"iteration_(\d{3,})\.npz")


def record_name(iteration: int) -> str:
    """The name of an iteration's file; iterations are counted from 0, their files from 1."""
    return f"iteration_{iteration + 1:03d}.npz"


def record_numbers(folder: Path) -> dict[str, int]:
    """The names of a folder's iteration files, and the numbers in them, from 1; no file is opened."""
    try:
        names = os.listdir(folder)
    except OSError as error:
        raise DamagedFile(f"{folder.name} cannot be read ({error.strerror})") from error
    return {name: int(match[1]) for name in names if (match := _RECORD_NAME.fullmatch(name))}


def count_records(folder: Path) -> int:
    """How many iterations have a file, without gaps."""
    numbers = set(record_numbers(folder).values())
    return next(count for count in range(len(numbers) + 1) if count + 1 not in numbers)


def digest(what: Description, data: tuple[np.ndarray, ...]) -> np.ndarray:
    """A sum over all that decides a run's result; every iteration carries it.

    Parameters
    ----------
    what : Description
    data : tuple of ndarray
        Signals and labels of a user's own pictures; empty for a bundled data set.

    Returns
    -------
    ndarray of shape (32,), uint8
    """
    content = json.dumps(what.as_dict(), sort_keys=True).encode("utf-8")
    content += b"".join(array.tobytes() for array in data)
    return np.frombuffer(hashlib.sha256(content).digest(), np.uint8)


def save_record(path: Path, iteration: int, record: Record, sum_of_run: np.ndarray) -> None:
    """Write a finished iteration with the run's :func:`digest`."""
    arrays = {
        "digest": sum_of_run,
        "place": np.array(iteration),
        "atoms": record.atoms,
        "drawn": record.drawn,
        "odds": record.odds,
        "errors": record.errors,
        "restarts": np.array(record.restarts),
    }
    arrays |= {f"table_{field.name}": getattr(record.tables, field.name) for field in fields(ClassTables)}
    arrays |= {f"measure_{field.name}": getattr(record.measures, field.name) for field in fields(Measures)}
    write_npz(path, arrays)


def load_record(path: Path, iteration: int, what: Description, sum_of_run: np.ndarray) -> Record:
    """Read an iteration of a run.

    Raises
    ------
    ForeignFile
        If it carries another sum.
    DamagedFile
        If anything else is wrong with it.
    """
    arrays = read_npz(path, _record_specs(what))
    if not np.array_equal(arrays["digest"], sum_of_run):
        raise ForeignFile(f"{path.name} belongs to another run or to other settings")
    if arrays["place"] != iteration:
        raise DamagedFile(f"{path.name} is iteration {arrays['place'] + 1}")
    _check_arrays(path.name, arrays, what)
    record = Record(
        atoms=arrays["atoms"],
        drawn=arrays["drawn"],
        odds=arrays["odds"],
        tables=ClassTables(**{field.name: arrays[f"table_{field.name}"] for field in fields(ClassTables)}),
        measures=Measures(**{field.name: arrays[f"measure_{field.name}"] for field in fields(Measures)}),
        errors=arrays["errors"],
        restarts=int(arrays["restarts"]),
    )
    if not owned(record.measures, len(what.classes)).any(axis=1).all():
        raise DamagedFile(f"{path.name}: a class has no atom")
    return record


def _check_arrays(name: str, arrays: dict[str, np.ndarray], what: Description) -> None:
    """Raise DamagedFile for values that no iteration has."""
    _check_length(name, arrays["atoms"])
    k = len(what.classes)
    for indices, size in (("drawn", what.n_signals), ("measure_top", k), ("measure_second", k)):
        if arrays[indices].min() < 0 or arrays[indices].max() >= size:
            raise DamagedFile(f"{name}: {indices} points outside of 0 … {size - 1}")
    if (arrays["measure_top"] == arrays["measure_second"]).any():
        raise DamagedFile(f"{name}: a class is its own rival")


def _check_length(name: str, atoms: np.ndarray) -> None:
    if not np.allclose(np.linalg.norm(atoms, axis=1), 1, atol=1e-3):
        raise DamagedFile(f"{name}: atoms do not have length 1")


def _record_specs(what: Description) -> dict[str, Spec]:
    k, M = len(what.classes), what.n_atoms
    specs: dict[str, Spec] = {
        "digest": (np.uint8, (32,)),
        "place": (np.int64, ()),
        "atoms": (np.float32, (M, what.signal_length)),
        "drawn": (np.int64, (k * what.settings.t,)),
        "odds": (np.float64, (what.n_signals,)),
        "errors": (np.float64, (what.settings.ksvd_iter,)),
        "restarts": (np.int64, ()),
    }
    specs |= {f"table_{field.name}": (np.float64, (k, M)) for field in fields(ClassTables)}
    specs |= {f"measure_{name}": (np.int64, (M,)) for name in ("top", "second")}
    return specs | {f"measure_{name}": (np.float64, (M,)) for name in ("af", "cm_lead", "re_lead")}


def sum_of_atoms(sum_of_run: np.ndarray, atoms: np.ndarray) -> np.ndarray:
    """A sum over a run's :func:`digest` and the atoms that its fine-tuning starts from; shape (32,), uint8."""
    return np.frombuffer(hashlib.sha256(sum_of_run.tobytes() + atoms.tobytes()).digest(), np.uint8)


def save_fine_tuned(path: Path, atoms: np.ndarray, sum_of_start: np.ndarray) -> None:
    """Write fine-tuned atoms with the :func:`sum_of_atoms` of those that they come from."""
    write_npz(path, {"digest": sum_of_start, "atoms": np.asarray(atoms, np.float32)})


def load_fine_tuned(path: Path, shape: tuple[int, ...], sum_of_start: np.ndarray) -> np.ndarray:
    """Fine-tuned atoms, which must come from the atoms of that sum; float32."""
    arrays = read_npz(path, {"digest": (np.uint8, (32,)), "atoms": (np.float32, shape)})
    if not np.array_equal(arrays["digest"], sum_of_start):
        raise DamagedFile(f"{path.name} does not come from the selected atoms of this run")
    _check_length(path.name, arrays["atoms"])
    return arrays["atoms"]


def save_own_data(folder: Path, signals: np.ndarray, labels: np.ndarray) -> None:
    """Write a user's own pictures beside the run that learns from them."""
    write_npz(folder / "data.npz", {"signals": np.asarray(signals, np.float32), "labels": np.asarray(labels, np.int64)})


def load_own_data(folder: Path, what: Description) -> tuple[np.ndarray, np.ndarray]:
    """Signals and class numbers of a user's own pictures, the held-out ones among them.

    Returns
    -------
    signals : ndarray of shape (n_signals + held_out, N), float32
    labels : ndarray of shape (n_signals + held_out,), int64
    """
    total = what.n_signals + what.held_out
    specs: dict[str, Spec] = {
        "signals": (np.float32, (total, what.signal_length)),
        "labels": (np.int64, (total,)),
    }
    arrays = read_npz(folder / "data.npz", specs)
    classes, sizes = np.unique(arrays["labels"], return_counts=True)
    if not np.array_equal(classes, np.arange(len(what.classes))):
        raise DamagedFile("data.npz: labels are not the class numbers")
    if what.held_out not in (0, held_out_sizes(sizes).sum()):
        raise DamagedFile(f"settings.json: {what.held_out} signals cannot be the held-out part of data.npz")
    return arrays["signals"], arrays["labels"]
