"""One run on disk.

A run is a folder: ``settings.json`` (what decides the result), one ``iteration_NNN.npz`` per
finished iteration, ``status.json`` (where it stands), ``about.json`` (name and pin),
``data.npz`` if it learns from a user's own pictures, and once it has been evaluated
``metrics.json`` and ``classifier.npz``.
"""

import hashlib
import json
import math
import os
import re
import time
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from dasksvd.common.files import Spec, read_json, read_npz, tree_size, write_json, write_npz
from dasksvd.datasets import held_out_sizes
from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import Parts, Places, places, scoring_parts, stored_labels
from dasksvd.errors import DamagedFile, ForeignFile, ParameterError
from dasksvd.method.measures import ClassTables, Measures
from dasksvd.method.selection import owned
from dasksvd.method.trajectory import Record, Trajectory

_RECORD_NAME = re.compile(r"iteration_(\d{3,})\.npz")
#: Seconds since 1970; tables cannot show every later time.
_YEAR_2100 = 4_102_444_800
#: ``new`` was made and never put into a queue; a run ends in one of the last three.
STATES = ("new", "queued", "running", "finished", "failed", "cancelled")


@dataclass(frozen=True)
class Status:
    """Where a run stands; times are seconds since 1970.

    Attributes
    ----------
    state : str
        One of ``STATES``.
    iteration, ksvd_iteration : int
        The iteration at work (from 0) and its finished K-SVD iterations.
    errors : tuple of float
        K-SVD errors of the iteration at work.
    seconds : float
        Time spent computing, over all attempts.
    queued_at, updated_at : float
    owner : str
        Who put it into the queue.
    pid, process_mark : int, str
        The process at work; both, because process numbers are used again.
    process_started : float
        When it was started, by which a status without a mark names it.
    message : str
        Why it failed.
    stage : str
        What is being done after the last iteration.
    total : int
        Of a search: networks to train, of which ``iteration`` are trained.
    seconds_left : float
        Of a search: its own estimate.
    """

    state: str = "queued"
    iteration: int = 0
    ksvd_iteration: int = 0
    errors: tuple[float, ...] = ()
    seconds: float = 0.0
    queued_at: float = 0.0
    updated_at: float = 0.0
    owner: str = ""
    pid: int = 0
    process_started: float = 0.0
    process_mark: str = ""
    message: str = ""
    stage: str = ""
    total: int = 0
    seconds_left: float = 0.0

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Status":
        """The status in plain values; anything odd is damage."""
        for name, value in values.items():
            if not isinstance(value, _STATUS_TYPES.get(name, ())) or not _is_sane(value):
                raise DamagedFile(f"status.json: {name[:40]} = {str(value)[:40]} is not expected")
        if values.get("state") not in STATES:
            raise DamagedFile(f"status.json: {str(values.get('state'))[:40]} is no state")
        return cls(**values | {"errors": tuple(values.get("errors", ()))})


#: Types of the status's values in JSON.
_STATUS_TYPES = {
    field.name: {float: (int, float), tuple: (list,)}.get(type(field.default), (type(field.default),))
    for field in fields(Status)
}


def _is_sane(value: Any) -> bool:
    """Whether a value of the status is text, a list of sane values, or a number one can compute with."""
    if isinstance(value, list):
        return all(isinstance(item, int | float) and _is_sane(item) for item in value)
    return isinstance(value, str) or (math.isfinite(value) and 0 <= value < 2**53)


@dataclass(frozen=True)
class About:
    """What a person says of a run, and when it was made."""

    name: str = ""
    pinned: bool = False
    created: float = 0.0

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "About":
        """From plain values; unknown or odd ones are ignored, they decide nothing."""
        types = {"name": str, "pinned": bool, "created": float}
        about = cls(**{name: values[name] for name, kind in types.items() if isinstance(values.get(name), kind)})
        return about if 0 <= about.created < _YEAR_2100 else replace(about, created=0.0)


@lru_cache(maxsize=4096)
def _read_description(path: str, mtime: int, size: int) -> Description:
    """The description in a file, read once for as long as the file stays the same."""
    try:
        return Description.from_dict(read_json(Path(path)))
    except (TypeError, KeyError, ValueError) as error:
        raise DamagedFile(f"settings.json is not that of a run ({error})") from error


class Run:
    """One run's folder.  Files are read when they are first asked for."""

    def __init__(self, folder: Path):
        self.folder = Path(folder)

    @property
    def id(self) -> str:
        """The folder's name."""
        return self.folder.name

    @cached_property
    def description(self) -> Description:
        """What decides the result."""
        path = f"{self.folder}/settings.json"
        try:
            written = os.stat(path)
        except OSError as error:
            raise DamagedFile("settings.json is missing") from error
        return _read_description(path, written.st_mtime_ns, written.st_size)

    @property
    def status(self) -> Status:
        """Where it stands, read anew each time; a damaged status is that of a failed run."""
        try:
            return self.read_status()
        except DamagedFile as error:
            return Status(state="failed", message=str(error))

    def read_status(self) -> Status:
        """Where it stands, or DamagedFile."""
        try:
            return Status.from_dict(read_json(self.folder / "status.json"))
        except DamagedFile:
            if (self.folder / "status.json").exists():
                raise
            computed = any(self.folder.glob("iteration_*.npz"))
            return Status(state="cancelled" if computed else "new")

    @property
    def about(self) -> About:
        """Name and pin, read anew each time."""
        try:
            return About.from_dict(read_json(self.folder / "about.json"))
        except DamagedFile:
            return About()

    def set_status(self, status: Status, *, durable: bool = True) -> None:
        """Write the status."""
        write_json(self.folder / "status.json", asdict(status), durable=durable)

    def set_about(self, **changes: Any) -> None:
        """Change name, pin or creation time."""
        write_json(self.folder / "about.json", asdict(replace(self.about, **changes)))

    def n_finished(self) -> int:
        """How many iterations have a file, without gaps; none is opened."""
        try:
            names = os.listdir(self.folder)
        except OSError as error:
            raise DamagedFile(f"{self.id} cannot be read ({error.strerror})") from error
        numbers = {int(match[1]) for name in names if (match := _RECORD_NAME.fullmatch(name))}
        return next(count for count in range(len(numbers) + 1) if count + 1 not in numbers)

    def save_record(self, iteration: int, record: Record) -> None:
        """Write a finished iteration, counted from 0."""
        arrays = {
            "digest": self._digest,
            "place": np.array(iteration),
            "atoms": record.atoms,
            "drawn": record.drawn,
            "odds": record.odds,
            "errors": record.errors,
            "restarts": np.array(record.restarts),
        }
        arrays |= {f"table_{field.name}": getattr(record.tables, field.name) for field in fields(ClassTables)}
        arrays |= {f"measure_{field.name}": getattr(record.measures, field.name) for field in fields(Measures)}
        write_npz(self.record_path(iteration), arrays)

    def load_record(self, iteration: int) -> Record:
        """Read an iteration, counted from 0; damage is noticed."""
        arrays = read_npz(self.record_path(iteration), self._record_specs())
        name = self.record_path(iteration).name
        if not np.array_equal(arrays["digest"], self._digest):
            raise ForeignFile(f"{name} belongs to another run or to other settings")
        if arrays["place"] != iteration:
            raise DamagedFile(f"{name} is iteration {arrays['place'] + 1}")
        if not np.allclose(np.linalg.norm(arrays["atoms"], axis=1), 1, atol=1e-3):
            raise DamagedFile(f"{name}: atoms do not have length 1")
        n_signals, k = self.description.n_signals, len(self.description.classes)
        for indices, size in (("drawn", n_signals), ("measure_top", k), ("measure_second", k)):
            if arrays[indices].min() < 0 or arrays[indices].max() >= size:
                raise DamagedFile(f"{name}: {indices} points outside of 0 … {size - 1}")
        record = Record(
            atoms=arrays["atoms"],
            drawn=arrays["drawn"],
            odds=arrays["odds"],
            tables=ClassTables(**{field.name: arrays[f"table_{field.name}"] for field in fields(ClassTables)}),
            measures=Measures(**{field.name: arrays[f"measure_{field.name}"] for field in fields(Measures)}),
            errors=arrays["errors"],
            restarts=int(arrays["restarts"]),
        )
        if (arrays["measure_top"] == arrays["measure_second"]).any():
            raise DamagedFile(f"{name}: a class is its own rival")
        if not owned(record.measures, k).any(axis=1).all():
            raise DamagedFile(f"{name}: a class has no atom")
        return record

    def _record_specs(self) -> dict[str, Spec]:
        what = self.description
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

    def record_path(self, iteration: int) -> Path:
        """The file of an iteration, counted from 0."""
        return self.folder / f"iteration_{iteration + 1:03d}.npz"

    @cached_property
    def _digest(self) -> np.ndarray:
        """A sum over all that decides the result; every iteration carries it."""
        content = json.dumps(self.description.as_dict(), sort_keys=True).encode("utf-8")
        if self.description.data == "own":
            content += b"".join(array.tobytes() for array in self.own_data())
        return np.frombuffer(hashlib.sha256(content).digest(), np.uint8)

    @cached_property
    def trajectory(self) -> Trajectory:
        """All finished iterations, each checked."""
        finished, I = self.n_finished(), self.description.settings.I
        if finished > I:
            raise DamagedFile(f"iteration_{I + 1:03d}.npz is one too many")
        records = [self.load_record(iteration) for iteration in range(finished)]
        return Trajectory(self.description.settings, self.description.classes, records)

    def sound_records(self) -> list[Record]:
        """The iterations up to the first damaged one; its file and all later ones are put aside.

        Raises
        ------
        ForeignFile
            If the iterations are sound but of other settings: then it is ``settings.json``
            that is wrong, and computing them again would lose them.
        """
        count = min(self.n_finished(), self.description.settings.I)
        records: list[Record] = []
        try:
            for iteration in range(count):
                records.append(self.load_record(iteration))
        except DamagedFile:
            if not records and count > 1 and all(self._is_foreign(iteration) for iteration in range(count)):
                raise ForeignFile(
                    f"all {count} iterations belong to other settings than settings.json; restore that file"
                ) from None
        for path in list(self.folder.iterdir()):
            match = _RECORD_NAME.fullmatch(path.name)
            if match and int(match[1]) > len(records):
                os.replace(path, path.with_suffix(".damaged"))
        return records

    def _is_foreign(self, iteration: int) -> bool:
        try:
            self.load_record(iteration)
        except DamagedFile as error:
            return isinstance(error, ForeignFile)
        return False

    def own_data(self) -> tuple[np.ndarray, np.ndarray]:
        """Signals and class numbers of a run on a user's own pictures, the held-out ones among them."""
        what = self.description
        total = what.n_signals + what.held_out
        specs: dict[str, Spec] = {
            "signals": (np.float32, (total, what.signal_length)),
            "labels": (np.int64, (total,)),
        }
        arrays = read_npz(self.folder / "data.npz", specs)
        classes, sizes = np.unique(arrays["labels"], return_counts=True)
        if not np.array_equal(classes, np.arange(len(what.classes))):
            raise DamagedFile("data.npz: labels are not the class numbers")
        if what.held_out not in (0, held_out_sizes(sizes).sum()):
            raise DamagedFile(f"settings.json: {what.held_out} signals cannot be the held-out part of data.npz")
        return arrays["signals"], arrays["labels"]

    def shipped_scores(self) -> dict[str, Any]:
        """Scores of a search that came with the package; none for a run of one's own."""
        return {}

    def share(self, status: Status) -> float:
        """How much of it is done by its status, 0 … 1."""
        settings = self.description.settings
        steps = settings.I * settings.ksvd_iter
        return min(1.0, (status.iteration * settings.ksvd_iter + status.ksvd_iteration) / steps)

    @property
    def command(self) -> list[str]:
        """Arguments of ``python -m dasksvd`` that go on with it."""
        return ["resume", str(self.folder)]

    def problem(self) -> str:
        """What is damaged, or an empty text; reads every file."""
        try:
            _ = Run(self.folder).trajectory, self.read_status()
            if self.description.data == "own":
                self.own_data()
        except DamagedFile as error:
            return str(error)
        finished = self.n_finished()
        if self.status.state == "finished" and finished < self.description.settings.I:
            return f"iteration_{finished + 1:03d}.npz is missing"
        return ""

    def size(self) -> int:
        """Bytes on disk, its search included."""
        return tree_size(self.folder)


def own_arrays(run: Run) -> tuple[np.ndarray, ...]:
    """Signals and labels of a run on own pictures; nothing for a bundled data set."""
    return run.own_data() if run.description.data == "own" else ()


def places_of(run: Run) -> Places:
    """The one split of a run's data."""
    what = run.description
    return places(what.data, what.settings.seed, what.held_out > 0, stored_labels(what.data, own_arrays(run)))


def load_parts(run: Run) -> Parts:
    """What a run's networks are trained and scored on."""
    return scoring_parts(run.description, own_arrays(run))


def cancel_request(run: Run) -> Path:
    """The file whose presence asks a run to stop: works on every system, unlike signals."""
    return run.folder / "cancel"


def create_run(folder: Path, description: Description, signals=None, labels=None) -> Run:
    """Make a run's folder, which must not hold one yet; own data come along.

    Parameters
    ----------
    folder : Path
    description : Description
    signals : ndarray of shape (n_signals, N), float32, optional
    labels : ndarray of shape (n_signals,), optional
        Class numbers; both only for ``data="own"``.
    """
    folder = Path(folder)
    if (folder / "settings.json").exists():
        raise ParameterError(f"{folder} already holds a run; choose another folder or delete it")
    folder.mkdir(parents=True, exist_ok=True)
    run = Run(folder)
    if description.data == "own":
        write_npz(folder / "data.npz", {"signals": np.float32(signals), "labels": np.int64(labels)})
    run.set_about(created=time.time())
    # Last, because a folder counts as a run as soon as it has settings.
    write_json(folder / "settings.json", description.as_dict())
    return run
