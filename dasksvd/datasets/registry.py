"""Which data sets there are, and what is known of each before it is read.

This is the only place that says what a data set is.  A user's own pictures, which lie in the
run's folder, are a kind of their own beside it: :data:`OWN`.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from dasksvd.common.registry import Registry
from dasksvd.datasets.dataset import DataSet
from dasksvd.errors import DasksvdError, DataError, ParameterError

#: What runs on a user's own pictures say of their data.
OWN = "own"

#: name -> () -> DataSet
DATASETS: Registry[Callable[[], DataSet]] = Registry("data set")


@dataclass(frozen=True)
class Facts:
    """What else can be said of a data set when it is registered; nothing of it must.

    Attributes
    ----------
    split : tuple of int, optional
        Training and validation images of each class, drawn by a run's seed.  By default a fifth
        of every class is held out.
    reduced : bool
        Whether its images of 28×28 pixels are learned from at 16×16.  They may also come at 16×16,
        reduced in the same way.
    gives_reader : bool
        Whether a network trained on it reads drawings: its images are 28×28 digits, reduced.
    older_runs : bool
        Whether there may be runs from before a part was held out.  Their atoms have learned from
        every training image, and their networks were scored on the test images.
    word : str
        What one of its images is called.
    """

    split: tuple[int, int] | None = None
    reduced: bool = False
    gives_reader: bool = False
    older_runs: bool = False
    word: str = "picture"


def register(name: str, *, title: str, **facts: Any) -> Callable[[Callable[[], DataSet]], Callable[[], DataSet]]:
    """A decorator that registers a function ``() -> DataSet``.

    The function must give the same data whenever it is called: a run is computed and evaluated in
    several processes.

    Parameters
    ----------
    name : str
        For the command line, files and links.
    title : str
        What people read.
    **facts
        See :class:`Facts`.
    """
    if name == OWN:
        raise ParameterError(f"{OWN!r} is the name of a user's own pictures; choose another one")
    _as_facts(facts)
    return DATASETS.register(name, title=title, **facts)


def _as_facts(facts: dict[str, Any]) -> Facts:
    known = [field.name for field in fields(Facts)]
    unknown = next((name for name in facts if name not in known), None)
    if unknown is not None:
        raise ParameterError(f"unknown fact {unknown!r} of a data set; known are {', '.join(known)}")
    return Facts(**facts)


def facts_of(data: str) -> Facts:
    """What is known of a data set; nothing of a user's own pictures."""
    return Facts() if data == OWN else _as_facts(DATASETS[data].facts)


def check_name(data: str) -> None:
    """Raise ParameterError, which lists the known names, unless a run can be made on these data."""
    if data != OWN:
        _ = DATASETS[data]


def load(name: str) -> DataSet:
    """A registered data set, read once.

    Examples
    --------
    >>> load("digits").train_images.shape
    (1500, 8, 8)
    """
    return _load(DATASETS[name].value)


@lru_cache(maxsize=4)
def _load(make: Callable[[], DataSet]) -> DataSet:
    try:
        made = make()
    except DasksvdError:
        raise
    except Exception as error:  # it is somebody's own code, and can raise anything
        raise DataError(
            f"the data set cannot be read: {make.__name__} raised {type(error).__name__}: {error}"
        ) from error
    if not isinstance(made, DataSet):
        raise ParameterError(f"a data set must be a DataSet, {make.__name__} gives a {type(made).__name__}")
    return made
