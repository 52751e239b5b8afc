"""Data sets of one's own, kept once each: whoever learns from one names it by its content.

A data set is a folder with ``pictures.npz`` (images and labels) and ``pictures.json`` (its name,
its classes and their sizes).  The folder is called after the :func:`key` of the content, never
after a name that somebody typed, so that equal data sets are one and no name is a path.
"""

import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from dasksvd.common.files import read_json, read_npz, tree_size, write_json, write_npz
from dasksvd.common.language import say
from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.description import CLASS_NAME
from dasksvd.datasets.names import MAX_NAME, checked_name, is_key, is_name, means_something_else
from dasksvd.errors import DamagedFile, ParameterError, StoreError

#: Pixels along a side that pictures of one's own can have.
SIDES = (8, 16, 28, 32)
MIN_CLASSES, MAX_CLASSES = 2, 50
MAX_PICTURES = 200_000
FILES = PICTURES, FACTS = "pictures.npz", "pictures.json"


@dataclass(frozen=True)
class Kept:
    """What is known of a kept data set without its pictures.

    Attributes
    ----------
    key : str
        The sum of its content.
    name : str
    classes : tuple of str
    sizes : tuple of int
        Pictures of each class.
    side : int
        Pixels along a side.
    created : float
        When it was kept, in seconds since 1970.
    n_test : int
        Further pictures of a test part.
    """

    key: str
    name: str
    classes: tuple[str, ...]
    sizes: tuple[int, ...]
    side: int
    created: float = 0.0
    n_test: int = 0

    @property
    def labels(self) -> np.ndarray:
        """As many class numbers as each class has pictures, in order."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Kept":
        """What a file says; DamagedFile if no data set is like that."""
        try:
            found = cls(**dict(values) | {name: tuple(values[name]) for name in ("classes", "sizes")})
            counts = all(type(size) is int and size > 0 for size in found.sizes)
            named = all(isinstance(name, str) and CLASS_NAME.fullmatch(name) for name in found.classes)
            sound = (
                counts
                and named
                and MIN_CLASSES <= len(found.classes) == len(found.sizes) == len({*found.classes}) <= MAX_CLASSES
                and type(found.n_test) is int
                and found.n_test >= 0
                and sum(found.sizes) + found.n_test <= MAX_PICTURES
                and type(found.side) is int
                and found.side in SIDES
                and is_name(found.name)
                and isinstance(found.created, float | int)
                and is_key(found.key)
            )
        except (TypeError, KeyError, ValueError) as error:
            raise DamagedFile(f"{FACTS} is not that of a data set ({error})") from error
        if not sound:
            raise DamagedFile(f"{FACTS} is not that of a data set")
        return found

    @property
    def counted(self) -> str:
        """How many pictures it has, in words."""
        more = say(" and {n_test:,} for the test", n_test=self.n_test) if self.n_test else ""
        return say("{count:,} pictures", count=sum(self.sizes)) + more

    def as_dict(self) -> dict[str, Any]:
        """Plain values; no test part has no entry, as in files from before there were such."""
        values = asdict(self)
        if not self.n_test:
            del values["n_test"]
        return values


def key(data: DataSet) -> str:
    """The sum of a data set's content: its pictures, labels, class names and test part."""
    head = json.dumps({"shape": data.train_images.shape, "classes": list(data.class_names)})
    content = hashlib.sha256(head.encode("utf-8"))
    content.update(np.ascontiguousarray(data.train_images).data)
    content.update(np.ascontiguousarray(data.train_labels, "<i8").data)
    if data.test_images is not None:
        content.update(f"test {len(data.test_images)}".encode())
        content.update(np.ascontiguousarray(data.test_images).data)
        content.update(np.ascontiguousarray(data.test_labels, "<i8").data)
    return content.hexdigest()[:32]


def check_pictures(data: DataSet) -> None:
    """Raise ParameterError unless a data set can be kept."""
    images, names = data.train_images, data.class_names
    if images.dtype != np.uint8 or images.shape[1] != images.shape[2] or images.shape[1] not in SIDES:
        raise ParameterError(
            f"pictures must be square with {', '.join(map(str, SIDES))} pixels a side, got {images.shape[1:]}"
        )
    if not MIN_CLASSES <= len(names) <= MAX_CLASSES or len(images) + n_test_of(data) > MAX_PICTURES:
        raise ParameterError(
            f"a data set has {MIN_CLASSES} to {MAX_CLASSES} classes and at most {MAX_PICTURES:,} pictures, "
            f"got {len(names)} and {len(images):,}"
        )
    odd = next((name for name in names if not isinstance(name, str) or not CLASS_NAME.fullmatch(name)), None)
    if odd is not None or len({*names}) != len(names):
        raise ParameterError(f"class names must be different plain texts, got {odd if odd is not None else names!r}")


class Library:
    """The data sets that are kept in a folder.

    Parameters
    ----------
    root : Path
        It need not exist yet.
    """

    def __init__(self, root: Path):
        self.root = Path(root)

    def listing(self) -> list[Kept]:
        """All data sets, the newest first; what is damaged is left out."""
        found = []
        with suppress(OSError):
            for name in filter(is_key, os.listdir(self.root)):
                with suppress(DamagedFile):
                    facts = read_facts(self.root / name)
                    found += [facts] if facts.key == name else []
        return sorted(found, key=lambda kept: (-kept.created, kept.name))

    def find(self, text: str) -> Kept:
        """The data set of a name, whatever its capitals, or of a key."""
        known = self.listing()
        for kept in known:
            if text.casefold() == kept.name.casefold() or text == kept.key:
                return kept
        names = ", ".join(kept.name for kept in known) or say("none")
        raise StoreError(
            say("there is no data set {name!r} of your own; there are: {names}", name=str(text)[:60], names=names)
        )

    def __contains__(self, text: str) -> bool:
        """Whether there is a data set of a name or key."""
        with suppress(StoreError):
            return bool(self.find(text))
        return False

    def folder(self, wanted: str) -> Path:
        """Where the data set of a key lies, if it is there."""
        if not is_key(wanted):
            raise StoreError(f"{wanted[:60]!r} is not the key of a data set")
        return self.root / wanted

    def load(self, wanted: str) -> DataSet:
        """The data set of a key, its sum verified."""
        return load_pictures(self.folder(wanted), wanted)

    def add(self, data: DataSet, name: str) -> Kept:
        """Keep a data set under a name; one with the same content stays as it is, under its own name."""
        check_pictures(data)
        facts = Kept(
            key(data),
            checked_name(name),
            tuple(map(str, data.class_names)),
            tuple(np.bincount(data.train_labels).tolist()),
            data.train_images.shape[1],
            time.time(),
            n_test_of(data),
        )
        return self._keep(facts, lambda folder: _write(folder, facts, data))

    def take_up(self, folder: Path, wanted: str) -> Kept:
        """Keep a copy of the data set in another folder, which must have the wanted key; a taken name gets a number."""
        load_pictures(folder, wanted)
        facts = replace(read_facts(folder), created=time.time())
        facts = replace(facts, name=self._free(facts))

        def copy(new: Path) -> None:
            shutil.copyfile(folder / PICTURES, new / PICTURES)
            write_json(new / FACTS, facts.as_dict())

        return self._keep(facts, copy)

    def rename(self, wanted: str, name: str) -> Kept:
        """Give a data set another name."""
        facts = replace(read_facts(self.folder(wanted)), name=checked_name(name))
        self._check_free(facts)
        write_json(self.folder(wanted) / FACTS, facts.as_dict())
        return facts

    def remove(self, wanted: str) -> None:
        """Delete a data set for good; whether something still needs it is the caller's to know."""
        shutil.rmtree(self.folder(wanted))

    def size(self) -> int:
        """Bytes of all data sets."""
        return tree_size(self.root)

    def _keep(self, facts: Kept, fill: Callable[[Path], None]) -> Kept:
        """Fill a new folder and put it into its place, unless the same data set is there and sound."""
        folder = self.folder(facts.key)
        with suppress(DamagedFile):
            load_pictures(folder, facts.key)
            return read_facts(folder)
        self._check_free(facts)
        new = self.root.parent / f".new-{facts.key}-{os.getpid()}"
        self.root.mkdir(parents=True, exist_ok=True)
        try:
            new.mkdir()
            fill(new)
            shutil.rmtree(folder, ignore_errors=True)  # damaged, or not there
            os.replace(new, folder)
        finally:
            shutil.rmtree(new, ignore_errors=True)
        return facts

    def _check_free(self, facts: Kept) -> None:
        if self._taken(facts.name, facts.key):
            raise ParameterError(
                say("there is another data set {name!r}; choose another name, or remove it first", name=facts.name)
            )

    def _taken(self, name: str, wanted: str) -> bool:
        others = [kept for kept in self.listing() if kept.key != wanted]
        return name.casefold() in {kept.name.casefold() for kept in others}

    def _free(self, facts: Kept) -> str:
        """The name of a data set from elsewhere, with a number if it is taken here."""
        names = [facts.name, *(f"{facts.name[: MAX_NAME - 4].rstrip(' _-')} {number}" for number in range(2, 1000))]
        return next(name for name in names if not self._taken(name, facts.key) and not means_something_else(name))


def _write(folder: Path, facts: Kept, data: DataSet) -> None:
    write_npz(folder / PICTURES, arrays_of(data))
    write_json(folder / FACTS, facts.as_dict())


def n_test_of(data: DataSet) -> int:
    """How many pictures the test part of a data set has."""
    return 0 if data.test_images is None else len(data.test_images)


def arrays_of(data: DataSet) -> dict[str, np.ndarray]:
    """The arrays in a file of a data set."""
    arrays = {"images": data.train_images, "labels": data.train_labels}
    if data.test_images is not None and data.test_labels is not None:
        arrays |= {"test_images": data.test_images, "test_labels": data.test_labels}
    return arrays


def specs_of(side: int, n: int, n_test: int) -> dict[str, Any]:
    """Types and shapes of :func:`arrays_of`."""
    specs: dict[str, Any] = {}
    for name, count in (("", n), *([("test_", n_test)] if n_test else [])):
        specs |= {f"{name}images": (np.uint8, (count, side, side)), f"{name}labels": (np.int64, (count,))}
    return specs


def data_set(arrays: Mapping[str, np.ndarray], classes: Sequence[str]) -> DataSet:
    """The data set of such arrays; ParameterError if they are none."""
    return DataSet(
        arrays["images"], arrays["labels"], arrays.get("test_images"), arrays.get("test_labels"), tuple(classes)
    )


def read_facts(folder: Path) -> Kept:
    """What the data set in a folder says of itself."""
    return Kept.from_dict(read_json(folder / FACTS))


def load_pictures(folder: Path, wanted: str) -> DataSet:
    """The data set in a folder; DamagedFile unless its content has the wanted key."""
    facts = read_facts(folder)
    if facts.key != wanted:
        raise DamagedFile(f"{FACTS} is that of another data set")
    try:
        stamp = os.stat(folder / PICTURES)
    except OSError as error:
        raise DamagedFile(f"{PICTURES} cannot be read ({error.strerror})") from error
    return _load(str(folder), replace(facts, name="", created=0.0), (stamp.st_mtime_ns, stamp.st_size, stamp.st_ino))


@lru_cache(maxsize=2)
def _load(folder: str, facts: Kept, _stamp: tuple[int, int, int]) -> DataSet:
    """Read once for as long as the file stays the same."""
    total = sum(facts.sizes)
    arrays = read_npz(Path(folder) / PICTURES, specs_of(facts.side, total, facts.n_test))
    try:
        data = data_set(arrays, facts.classes)
    except ParameterError as error:
        raise DamagedFile(f"{PICTURES} is not a data set ({error})") from error
    if key(data) != facts.key or tuple(np.bincount(data.train_labels).tolist()) != facts.sizes:
        raise DamagedFile(f"{PICTURES} has another sum than the data set should have")
    return data
