"""The class's wall: drawings that visitors have sent on purpose, without names, kept for a day."""

import re
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dasksvd.common.files import read_json, read_npz, write_json, write_npz
from dasksvd.common.language import say
from dasksvd.errors import DamagedFile, ParameterError, StoreError

#: Seconds for which a drawing is kept.
KEPT_FOR = 24 * 3600
#: Drawings on one wall.
MOST = 400
#: A drawing's file: the milliseconds since 1970 at which it came, and letters by chance.
_NAME = re.compile(r"\d{13}-[0-9a-f]{8}")
_POINTED, _CLOSED = "pointed.json", "closed.json"


@dataclass(frozen=True)
class Sent:
    """A drawing on the wall.

    Attributes
    ----------
    name : str
        Made up when it came; says nothing about who sent it.
    image : ndarray of shape (28, 28), uint8
    """

    name: str
    image: np.ndarray


class ClassWall:
    """A folder of drawings, each in a file of its own, so that nothing is lost when the server is killed.

    Parameters
    ----------
    folder : Path
        Made when the first drawing comes.
    now : callable
        Seconds since 1970.
    """

    def __init__(self, folder: Path, now: Callable[[], float] = time.time):
        self.folder, self._now = Path(folder), now

    def add(self, image: np.ndarray) -> str:
        """Put a drawing (28, 28) of bytes on the wall; its name."""
        image = np.asarray(image)
        if image.shape != (28, 28) or image.dtype != np.uint8:
            raise ParameterError(f"the image must be bytes of shape (28, 28), got {image.dtype} of {image.shape}")
        if self.is_closed:
            raise StoreError(say("The wall takes no more drawings now."))
        if len(self.names()) >= MOST:
            raise StoreError(
                say("The wall is full: it has {count} drawings. Whoever gives the class can empty it.", count=MOST)
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"{int(1000 * self._now()):013d}-{secrets.token_hex(4)}"
        write_npz(self._file(name), {"image": image})
        return name

    def names(self) -> list[str]:
        """The drawings, those that came first in front; what is older than a day is removed."""
        oldest = f"{int(1000 * (self._now() - KEPT_FOR)):013d}"
        found = sorted(path.stem for path in self.folder.glob("*.npz") if _NAME.fullmatch(path.stem))
        for name in (name for name in found if name < oldest):
            self.remove(name)
        return [name for name in found if name >= oldest]

    def load(self, name: str) -> Sent | None:
        """A drawing; None if it is gone or damaged."""
        if not _NAME.fullmatch(name):
            return None
        with suppress(DamagedFile):
            return Sent(name, read_npz(self._file(name), {"image": (np.uint8, (28, 28))})["image"])
        return None

    def remove(self, name: str) -> None:
        """Take a drawing away."""
        if _NAME.fullmatch(name):
            self._file(name).unlink(missing_ok=True)

    def empty(self) -> None:
        """Take all drawings away, also damaged ones."""
        for path in [*self.folder.glob("*.npz"), self.folder / _POINTED]:
            path.unlink(missing_ok=True)

    @property
    def is_closed(self) -> bool:
        """Whether it takes no more drawings."""
        return (self.folder / _CLOSED).exists()

    def close(self, closed: bool = True) -> None:
        """Take no more drawings, or take them again."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if closed:
            write_json(self.folder / _CLOSED, {}, durable=False)
        else:
            (self.folder / _CLOSED).unlink(missing_ok=True)

    def point_at(self, name: str) -> None:
        """Show everybody one drawing; an empty name shows none."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(self.folder / _POINTED, {"name": name}, durable=False)

    def pointed(self) -> str:
        """The drawing that everybody is shown; an empty text if it is none or gone."""
        with suppress(DamagedFile):
            name = read_json(self.folder / _POINTED).get("name")
            if isinstance(name, str) and name in self.names():
                return name
        return ""

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.npz"


def by_likeness(codes: np.ndarray) -> np.ndarray:
    """An order in which codes stand beside those that point the same way.

    Codes that are alike are joined, pairs first, by the mean of their cosines; of the orders that keep what was
    joined together the one is taken whose neighbours are most alike.

    Parameters
    ----------
    codes : ndarray of shape (n, n_atoms)

    Returns
    -------
    order : ndarray of shape (n,), int
    """
    if len(codes) < 3:
        return np.arange(len(codes))
    from scipy.cluster.hierarchy import leaves_list, linkage  # a first page does not need it
    from scipy.spatial.distance import squareform

    lengths = np.linalg.norm(codes, axis=1, keepdims=True)
    unit = np.divide(codes, lengths, out=np.zeros(codes.shape), where=lengths > 0)
    distances = np.clip(1 - unit @ unit.T, 0, 2)  # a code of zeros is like no other
    np.fill_diagonal(distances, 0)
    return leaves_list(linkage(squareform(distances, checks=False), "average", optimal_ordering=True))
