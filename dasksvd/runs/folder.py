"""One run on disk.

A run is a folder: ``settings.json`` (what decides the result), one ``iteration_NNN.npz`` per
finished iteration, ``status.json`` (where it stands), ``about.json`` (what a person says of it),
``data.npz`` if it learns from a user's own pictures that are not kept in the store, ``fine_tuned.npz`` if its atoms
are fine-tuned, and once it has been evaluated ``metrics.json`` and ``classifier.npz``.
"""

import os
import time
from collections.abc import Iterable
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from dasksvd.common.files import Stamp, read_json, stamp, tree_size, write_json
from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import Parts, Places, places, scoring_parts, stored_labels
from dasksvd.errors import DamagedFile, ForeignFile, ParameterError
from dasksvd.method.trajectory import Record, Trajectory
from dasksvd.runs import records
from dasksvd.runs.job import Job, run_job, search_job
from dasksvd.runs.kept import load_kept, provide
from dasksvd.runs.source import Source
from dasksvd.runs.status import About, Status


@lru_cache(maxsize=4096)
def _read_description(path: str, _stamp: Stamp) -> Description:
    """The description in a file, read once for as long as the file stays the same."""
    try:
        return Description.from_dict(read_json(Path(path)))
    except (TypeError, KeyError, ValueError) as error:
        raise DamagedFile(f"settings.json is not that of a run ({error})") from error


@lru_cache(maxsize=4096)
def _read_about(path: str, _stamp: Stamp) -> About:
    """What a person says of a run, likewise."""
    try:
        return About.from_dict(read_json(Path(path)))
    except DamagedFile:
        return About()


class Run:
    """One run's folder.

    Files are read when they are asked for.  What takes long to read is kept for as long as its
    files stay the same, so that one Run always tells what is on the disk.
    """

    def __init__(self, folder: Path):
        self.folder = Path(folder)
        self._kept: dict[str, tuple[tuple[Stamp, ...], Any]] = {}

    @property
    def id(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def job(self) -> Job:
        """The job that computes it."""
        return run_job(self.folder)

    @property
    def jobs(self) -> tuple[Job, Job]:
        """The job that computes it, and that of the search on it."""
        return self.job, search_job(self.folder, self.id)

    @property
    def status(self) -> Status:
        """Where its job stands."""
        return self.job.status

    def set_status(self, status: Status) -> None:
        """Write where its job stands."""
        self.job.set_status(status)

    @property
    def description(self) -> Description:
        """What decides the result."""
        path = f"{self.folder}/settings.json"
        state = stamp(path)
        if state is None:
            raise DamagedFile("settings.json is missing")
        return _read_description(path, state)

    @property
    def about(self) -> About:
        """What a person says of it, and when it was made."""
        path = f"{self.folder}/about.json"
        return _read_about(path, stamp(path))

    def set_about(self, **changes: Any) -> None:
        """Change what a person says of it, or its creation time."""
        write_json(self.folder / "about.json", asdict(replace(self.about, **changes)))

    def n_finished(self) -> int:
        """How many iterations have a file, without gaps; none is opened."""
        return records.count_records(self.folder)

    def record_path(self, iteration: int) -> Path:
        """The file of an iteration, counted from 0."""
        return self.folder / records.record_name(iteration)

    def save_record(self, iteration: int, record: Record) -> None:
        """Write a finished iteration, counted from 0."""
        records.save_record(self.record_path(iteration), iteration, record, self._digest)

    def load_record(self, iteration: int) -> Record:
        """Read an iteration, counted from 0; damage is noticed."""
        return records.load_record(self.record_path(iteration), iteration, self.description, self._digest)

    @property
    def _digest(self) -> np.ndarray:
        stamps = self._stamps(())
        if self._kept.get("digest", (None,))[0] != stamps:
            what = self.description
            # The sum of kept pictures stands in the description.
            self._kept["digest"] = stamps, records.digest(what, () if what.pictures else own_arrays(self))
        return self._kept["digest"][1]

    @property
    def trajectory(self) -> Trajectory:
        """All finished iterations, each checked; read again when one of the files has changed."""
        finished, what = self.n_finished(), self.description
        if finished > what.settings.I:
            raise DamagedFile(f"{records.record_name(what.settings.I)} is one too many")
        # Taken before reading: what changes meanwhile is read again the next time.
        stamps = self._stamps(range(finished))
        if self._kept.get("trajectory", (None,))[0] != stamps:
            found = [self.load_record(iteration) for iteration in range(finished)]
            self._kept["trajectory"] = stamps, Trajectory(what.settings, what.classes, found)
        return self._kept["trajectory"][1]

    @property
    def selected_atoms(self) -> np.ndarray:
        """The atoms that the run's own weights and ranking select; (n_iterations * n_classes, N), float32."""
        settings = self.description.settings
        return self.trajectory.reselect(settings.alpha, settings.beta).atoms

    @property
    def atoms(self) -> np.ndarray:
        """The structured dictionary of a finished run: the selected atoms, fine-tuned if its settings say so."""
        selected = self.selected_atoms
        if not self.description.settings.fine_tune:
            return selected
        path = self.folder / records.FINE_TUNED
        return records.load_fine_tuned(path, selected.shape, records.sum_of_atoms(self._digest, selected))

    def save_fine_tuned(self, atoms: np.ndarray) -> None:
        """Write the fine-tuned atoms."""
        path, start = self.folder / records.FINE_TUNED, self.selected_atoms
        records.save_fine_tuned(path, atoms, records.sum_of_atoms(self._digest, start))

    @property
    def missing(self) -> str:
        """The first file that the method has still to write, or an empty text; none is opened."""
        settings, finished = self.description.settings, self.n_finished()
        if finished < settings.I:
            return records.record_name(finished)
        there = not settings.fine_tune or (self.folder / records.FINE_TUNED).exists()
        return "" if there else records.FINE_TUNED

    def _stamps(self, iterations: Iterable[int]) -> tuple[Stamp, ...]:
        """The stamps of what decides the result, and of some iterations."""
        paths = [self.folder / "settings.json", self.folder / "data.npz", *map(self.record_path, iterations)]
        return tuple(map(stamp, paths))

    def sound_records(self) -> list[Record]:
        """The iterations up to the first damaged one; its file and all later ones are put aside.

        Raises
        ------
        ForeignFile
            If the iterations are sound but of other settings: then it is ``settings.json``
            that is wrong, and computing them again would lose them.
        """
        count = min(self.n_finished(), self.description.settings.I)
        sound: list[Record] = []
        try:
            for iteration in range(count):
                sound.append(self.load_record(iteration))
        except DamagedFile:
            if not sound and count > 1 and all(self._is_foreign(iteration) for iteration in range(count)):
                raise ForeignFile(
                    f"all {count} iterations belong to other settings than settings.json; restore that file"
                ) from None
        for name, number in records.record_numbers(self.folder).items():
            if number > len(sound):
                path = self.folder / name
                os.replace(path, path.with_suffix(".damaged"))
        return sound

    def _is_foreign(self, iteration: int) -> bool:
        try:
            self.load_record(iteration)
        except DamagedFile as error:
            return isinstance(error, ForeignFile)
        return False

    def own_data(self) -> tuple[np.ndarray, ...]:
        """Signals or images, and class numbers, of a run on own pictures, the held-out ones among them."""
        what = self.description
        return load_kept(self.folder, what) if what.pictures else records.load_own_data(self.folder, what)

    def shipped_scores(self) -> dict[str, Any]:
        """Scores of a search that came with the package; none for a run of one's own."""
        return {}

    def shipped_plans(self) -> list[dict[str, Any]]:
        """Plans of searches that came with the package; none for a run of one's own."""
        return []

    def share(self, status: Status) -> float:
        """How much of it is done by its status, 0 … 1."""
        settings = self.description.settings
        steps = settings.I * settings.ksvd_iter
        return min(1.0, (status.iteration * settings.ksvd_iter + status.ksvd_iteration) / steps)

    def problem(self) -> str:
        """What is damaged, or an empty text; reads every file."""
        try:
            _ = self.trajectory, own_arrays(self)
            missing = self.missing
            if not missing:
                _ = self.atoms
            state = self.job.read_status().state
        except DamagedFile as error:
            return str(error)
        return f"{missing} is missing" if missing and state == "finished" else ""

    def size(self) -> int:
        """Bytes on disk, its search included."""
        return tree_size(self.folder)


def own_arrays(run: Source) -> tuple[np.ndarray, ...]:
    """Signals or images, and labels, of a run on own pictures; nothing for a bundled data set."""
    return run.own_data() if run.description.data == "own" else ()


def places_of(run: Source) -> Places:
    """The one split of a run's data."""
    what = run.description
    return places(what.data, what.settings.seed, what.held_out > 0, stored_labels(what.data, own_arrays(run)))


def load_parts(run: Source) -> Parts:
    """What a run's networks are trained and scored on."""
    return scoring_parts(run.description, own_arrays(run))


def create_run(folder: Path, description: Description, signals=None, labels=None, pictures: Path | None = None) -> Run:
    """Make a run's folder, which must not hold one yet; own data come along.

    Parameters
    ----------
    folder : Path
    description : Description
    signals : ndarray of shape (n_signals, N), float32, optional
    labels : ndarray of shape (n_signals,), optional
        Class numbers; both only for ``data="own"``.
    pictures : Path, optional
        Where the kept data set lies that it learns from; needed unless that is beside the run.
    """
    folder = Path(folder)
    if (folder / "settings.json").exists():
        raise ParameterError(f"{folder} already holds a run; choose another folder or delete it")
    folder.mkdir(parents=True, exist_ok=True)
    run = Run(folder)
    if description.pictures:
        provide(folder, description.pictures, pictures)
    elif description.data == "own":
        records.save_own_data(folder, signals, labels)
    run.set_about(created=time.time())
    # Last, because a folder counts as a run as soon as it has settings.
    write_json(folder / "settings.json", description.as_dict())
    return run
