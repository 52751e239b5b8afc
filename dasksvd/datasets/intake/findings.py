"""What was found in somebody's files: how many of each class, examples, and what is wrong."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dasksvd.common.language import say
from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.library import MAX_CLASSES, MAX_PICTURES, MIN_CLASSES, SIDES
from dasksvd.errors import ParameterError
from dasksvd.method.sampling import are_alike

#: Fewer pictures of a class say little: two of ten are held out.
MIN_PER_CLASS = 10
#: Largest file, and largest sum of what it unpacks to.
MAX_BYTES = 200 * 2**20
#: Largest file of a picture that comes alone.
MAX_PICTURE = 20 * 2**20
#: How a picture that is not square becomes one.
FITS = ("pad", "crop")
#: How many problems of one kind are told by name.
MAX_NAMED = 5
_OUTSIDE = re.compile(r"[^\w .,'+-]")
_OUTSIDE_PATHS = re.compile(r"[^\w .,'+/-]")


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with the files, or worth knowing.

    Attributes
    ----------
    text : str
        What it is.
    remedy : str
        What to do, or what is done.
    stops : bool
        Whether no data set can be made before it is mended.
    """

    text: str
    remedy: str
    stops: bool = False


@dataclass(frozen=True, eq=False)
class Example:
    """A picture as it came and as it will be learned from.

    Attributes
    ----------
    class_name : str
    before : ndarray of shape (h, w, 3), uint8
        Small, for showing.
    after : ndarray of shape (side, side), uint8
    """

    class_name: str
    before: np.ndarray
    after: np.ndarray


@dataclass(frozen=True, eq=False)
class Findings:
    """What was found.

    Attributes
    ----------
    kind : str
        What the file is, in words.
    side : int
        Pixels along a side of what is made of it.
    sizes : dict of str to int
        Pictures of each class to learn from, the broken ones that are known left out.
    checked : int
        How many pictures were decoded: a first look at many large ones takes some of each class.
    problems : list of Problem
    examples : list of Example
    n_test : int
        Further pictures of a test part.
    """

    kind: str
    side: int
    sizes: dict[str, int]
    checked: int
    problems: list[Problem]
    examples: list[Example]
    n_test: int = 0

    @property
    def is_ready(self) -> bool:
        """Whether a data set can be made of it."""
        return not any(problem.stops for problem in self.problems)

    def as_dict(self) -> dict[str, Any]:
        """Plain values; examples without their pixels."""
        return {
            **{name: getattr(self, name) for name in ("kind", "side", "sizes", "checked", "n_test")},
            "problems": [vars(problem) for problem in self.problems],
            "examples": [{"class_name": one.class_name, "shape": list(one.before.shape)} for one in self.examples],
        }


def check_wish(side: int, fit: str) -> None:
    """Raise ParameterError for a size or a way to make squares that there is not."""
    if side not in SIDES:
        raise ParameterError(say("the size must be {str}, got {side}", str=", ".join(map(str, SIDES)), side=side))
    if fit not in FITS:
        raise ParameterError(say("pictures can be made square by {fits}, got {fit!r}", fits=" or ".join(FITS), fit=fit))


def parted(images: np.ndarray, labels: np.ndarray, is_test: np.ndarray, names: Sequence[str]) -> DataSet:
    """A data set with a test part, if any of the pictures is of one.

    Parameters
    ----------
    images : ndarray of shape (n, side, side), uint8
    labels : ndarray of shape (n,), int
        Class numbers, each of them used.
    is_test : ndarray of shape (n,), bool
    names : sequence of str
        Of the classes.
    """
    if not is_test.any():
        return DataSet(images, labels, class_names=names)
    return DataSet(images[~is_test], labels[~is_test], images[is_test], labels[is_test], names)


def class_names(raw: Sequence[str]) -> list[str]:
    """A name for each class that is neither a path nor HTML nor Markdown; no two are alike.

    Examples
    --------
    >>> class_names(["cat", "<b>dog</b>", "../x", "cat*", "cat!", "?"])
    ['cat', 'b-dog-b', 'x', 'cat 2', 'cat 3', 'class 6']
    """
    names: list[str] = []
    for number, text in enumerate(raw, 1):
        name = _clean(text) or f"class {number}"
        same = [name, *(f"{name} {more}" for more in range(2, len(raw) + 2))]
        names.append(next(one for one in same if one not in names))
    return names


def _clean(text: str) -> str:
    name = _OUTSIDE.sub("-", unicodedata.normalize("NFC", text[:200]))
    return " ".join(re.sub("-{2,}", "-", name).split())[:36].strip("- .")


def shown(path: str) -> str:
    """A file's name for a message: its end, and nothing in it that means something elsewhere."""
    text = _OUTSIDE_PATHS.sub("?", path)
    return text if len(text) <= 60 else f"...{text[-57:]}"


def some(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (say(" and {more:,} more", more=more) if more > 0 else "")


def class_problems(sizes: dict[str, int]) -> list[Problem]:
    """What is wrong with the number of classes or pictures."""
    found = []
    k, n = len(sizes), sum(sizes.values())
    if k == 1:
        found.append(
            Problem(
                say("There is only one class, {sizes}.", sizes=next(iter(sizes))),
                say(
                    "The method looks for what tells classes apart, so it needs at least two: "
                    "put the pictures of each class into a folder of its own."
                ),
                True,
            )
        )
    elif k < MIN_CLASSES:
        found.append(
            Problem(say("There are no pictures in it."), say("Put the pictures of each class into a folder."), True)
        )
    if k > MAX_CLASSES:
        found.append(
            Problem(
                say(
                    "There are {k:,} classes, at most {max_classes} can be told apart here.",
                    k=k,
                    max_classes=MAX_CLASSES,
                ),
                say("Take some out."),
                True,
            )
        )
    small = [f"{name} ({size})" for name, size in sizes.items() if size < MIN_PER_CLASS]
    if small:
        found.append(
            Problem(
                say(
                    "Every class needs at least {min_per_class} pictures; too few: {small}.",
                    min_per_class=MIN_PER_CLASS,
                    small=some(small),
                ),
                say("Add pictures to it, or take the class out."),
                True,
            )
        )
    if n > MAX_PICTURES:
        found.append(
            Problem(
                say("There are {n:,} pictures, at most {max_pictures:,} can be kept.", n=n, max_pictures=MAX_PICTURES),
                say("Take some out."),
                True,
            )
        )
    return found


def picture_problems(images: np.ndarray, labels: np.ndarray, names: Sequence[str]) -> list[Problem]:
    """What is wrong with the pictures to learn from, where a run on them would be refused.

    Parameters
    ----------
    images : ndarray of shape (n, side, side), uint8
    labels : ndarray of shape (n,), int
        Class numbers.
    names : sequence of str
        Of the classes.
    """
    lit: np.ndarray = np.any(images, axis=(1, 2))
    black = [name for number, name in enumerate(names) if (labels == number).any() and not lit[labels == number].any()]
    if black:
        return [
            Problem(
                say("All pictures of a class are black: {black}.", black=some(black)),
                say("What is black is written without any atom: exchange light and dark, or take the class out."),
                True,
            )
        ]
    if len(images) and are_alike(images.reshape(len(images), -1)):
        return [
            Problem(
                say("All pictures are the same, but for how bright they are."),
                say("The method looks for shapes that tell classes apart: bring pictures of different things."),
                True,
            )
        ]
    return []
