"""Scores of dictionaries: kept in a file that is written anew after each, so that nothing is computed twice."""

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from dasksvd.common.files import read_json, write_json
from dasksvd.errors import DamagedFile


@dataclass(frozen=True)
class Entry:
    """What is known of one dictionary.

    Attributes
    ----------
    accuracies : dict of int to float
        Seed of the network -> share of X_val that it got right.
    seconds : float
        Time of one network.
    problem : str
        Why there is no dictionary.
    """

    accuracies: dict[int, float]
    seconds: float = 0.0
    problem: str = ""


class Scores:
    """Scores of dictionaries in a file, saved after each.

    Parameters
    ----------
    path : Path
    shipped : mapping, optional
        Entries in plain values that are there from the start.
    damage : {"raise", "ignore", "put aside"}, default="raise"
        What to do with a damaged file.
    """

    def __init__(self, path: Path, shipped: Mapping[str, Any] | None = None, *, damage: str = "raise"):
        self.path = Path(path)
        self.entries = _entries(shipped or {}, "the shipped scores")
        if not self.path.exists():
            return
        try:
            self.entries |= _entries(read_json(self.path).get("scores"), self.path.name)
        except DamagedFile:
            if damage == "raise":
                raise
            if damage == "put aside":
                os.replace(self.path, self.path.with_suffix(".damaged"))

    def missing(self, key: str, seeds: int) -> list[int]:
        """The seeds below ``seeds`` of which a dictionary has no score."""
        entry = self.entries.get(key, Entry({}))
        return [] if entry.problem else [seed for seed in range(seeds) if seed not in entry.accuracies]

    def add(self, key: str, accuracies: Mapping[int, float], seconds: float, problem: str = "") -> None:
        """Add scores of a dictionary and save."""
        before = self.entries.get(key, Entry({}))
        known = dict(sorted({**before.accuracies, **accuracies}.items()))
        self.entries[key] = Entry(known, round(seconds, 3), problem)
        write_json(self.path, {"scores": self.as_dict()})

    def as_dict(self) -> dict[str, Any]:
        """The entries in plain values."""
        return {key: asdict(entry) for key, entry in sorted(self.entries.items())}

    def pace(self, scored_by: str, expected: Callable[[int], float]) -> float:
        """How much slower networks were than ``expected`` of their atoms per class; 1 if none is known."""
        ratios = [
            entry.seconds / expected(size)
            for key, entry in self.entries.items()
            if entry.seconds and (size := _size_in_key(key, scored_by))
        ]
        return median(ratios) if ratios else 1.0


def _entries(values: Any, name: str) -> dict[str, Entry]:
    """Entries from plain values; anything odd is damage."""
    try:
        entries = {
            str(key): Entry(
                {int(seed): float(share) for seed, share in value["accuracies"].items()},
                float(value["seconds"]),
                str(value["problem"]),
            )
            for key, value in values.items()
        }
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DamagedFile(f"{name} does not hold scores ({error})") from error
    for entry in entries.values():
        if not all(0 <= share <= 1 for share in entry.accuracies.values()) or not 0 <= entry.seconds < 1e9:
            raise DamagedFile(f"{name} holds scores outside of 0 … 1")
    return entries


def _size_in_key(key: str, scored_by: str) -> int:
    """Atoms per class of a key of :meth:`dasksvd.search.weights.Choices.key`; 0 for one of other networks."""
    kind, _, rest = key.partition("/")
    return int(rest.split("-")[0]) if kind == scored_by else 0
