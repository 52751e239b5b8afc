"""The parts of a run's data: what its atoms and networks learn from, and what they are scored on.

There is one split for everything: the evaluation of a run, its search and its sweeps score on the
same signals, and neither the atoms nor the networks have learned from them.

Runs on small digits and on own pictures made before there was a held-out part are the exception.
Their atoms have learned from every signal; only the networks have not.  They keep that split, so
that they go on as they began, and the name of their scored part says so.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dasksvd.common.language import phrase, say
from dasksvd.datasets.dataset import DataSet, as_signals
from dasksvd.datasets.description import Description
from dasksvd.datasets.library import Kept
from dasksvd.datasets.proposal import proposed
from dasksvd.datasets.reduction import REDUCED_SIDE, reduce_images
from dasksvd.datasets.registry import OWN, facts_of, load
from dasksvd.datasets.splits import balanced_split, held_out_sizes, hold_out
from dasksvd.errors import DamagedFile, ParameterError
from dasksvd.parameters import PRESETS, Settings

#: What a classifier can be scored on.
VALIDATION, HELD_OUT, SEEN = PARTS = (
    phrase("validation images"),
    phrase("held-out images"),
    phrase("images that the atoms have seen, but not the classifier"),
)
#: The split draws from a stream of its own: no iteration has this number.
_SPLIT_STREAM = 2**32 - 1


@dataclass(frozen=True)
class Places:
    """Where the parts stand among the pictures of a data set.

    Attributes
    ----------
    learned : ndarray of shape (n_signals,), int
        What the atoms learn from; a record's ``drawn`` points into it.
    trained : ndarray of int
        What networks learn from: the same, but in runs without a held-out part.
    scored : ndarray of int
        What networks are scored on.
    """

    learned: np.ndarray
    trained: np.ndarray
    scored: np.ndarray


@dataclass(frozen=True)
class Parts:
    """What a classifier learns from and what it is scored on.

    Attributes
    ----------
    name : str
        Of the scored part.
    train, scored : ndarray of shape (n, N), float32
    train_labels, scored_labels : ndarray of shape (n,), int
        Class numbers.
    places : ndarray of shape (n_scored,), int
        Where the scored signals stand among the pictures of the data set.
    """

    name: str
    train: np.ndarray
    train_labels: np.ndarray
    scored: np.ndarray
    scored_labels: np.ndarray
    places: np.ndarray


def places(data: str, seed: int, held_out: bool, labels: np.ndarray) -> Places:
    """The one split of a data set by a run's seed.

    Parameters
    ----------
    data : str
        The name of a data set, or "own".
    seed : int
    held_out : bool
        Whether the run has a held-out part; not asked of a data set with a split of its own.
    labels : ndarray of shape (n,), int
        Of all pictures of the data set.
    """
    split = facts_of(data).split
    if split is not None:
        train, scored = balanced_split(labels, *split, np.random.default_rng(seed))
        return Places(train, train, scored)
    if held_out:
        stream = np.random.SeedSequence(seed, spawn_key=(_SPLIT_STREAM,))
        train, scored = hold_out(labels, np.random.default_rng(stream))
        return Places(train, train, scored)
    train, scored = hold_out(labels, np.random.default_rng(seed))
    return Places(np.arange(len(labels)), train, scored)


def part_name(description: Description) -> str:
    """What a run's networks are scored on, in words."""
    return _part_name(description.data, description.held_out > 0)


def _part_name(data: str, held_out: bool) -> str:
    if facts_of(data).split is not None:
        return VALIDATION
    return HELD_OUT if held_out else SEEN


def scored_on_test_images(description: Description, part: str) -> bool:
    """Whether a run of a data set with older runs was scored on its test images: they were called held out, too."""
    return facts_of(description.data).older_runs and not description.held_out and part == HELD_OUT


def scoring_parts(description: Description, own: Sequence[np.ndarray] = ()) -> Parts:
    """What the networks of a run are trained and scored on; ``own`` are its own pictures and labels, if it has any."""
    what = description.data, description.settings.seed, description.held_out > 0
    return _parts(*what, own) if own else _registered_parts(*what, load(description.data))


def learning_part(description: Description, own: Sequence[np.ndarray] = ()) -> tuple[np.ndarray, np.ndarray]:
    """The signals (n_signals, N) and class numbers (n_signals,) that a run learns its atoms from."""
    if part_name(description) != SEEN:
        parts = scoring_parts(description, own)
        return parts.train, parts.train_labels
    labels = stored_labels(description.data, own)
    return signals_at(description.data, np.arange(len(labels)), own), labels


def mnist_parts(seed: int) -> Parts:
    """Training and validation part of MNIST's training images, as a run of that seed has them."""
    return _registered_parts("mnist", seed, False, load("mnist"))


@lru_cache(maxsize=2)
def _registered_parts(data: str, seed: int, held_out: bool, found: DataSet) -> Parts:
    """The parts of a data set; ``found`` is what it holds, as another one may be registered under its name."""
    return _parts(data, seed, held_out, ())


def _parts(data: str, seed: int, held_out: bool, own: Sequence[np.ndarray]) -> Parts:
    labels = stored_labels(data, own)
    split = places(data, seed, held_out, labels)
    train, scored = (signals_at(data, part, own) for part in (split.trained, split.scored))
    return Parts(_part_name(data, held_out), train, labels[split.trained], scored, labels[split.scored], split.scored)


def stored_labels(data: str, own: Sequence[np.ndarray]) -> np.ndarray:
    """Class numbers of all pictures of a data set that a run can learn from."""
    return own[1] if data == OWN else load(data).train_labels


def signals_at(data: str, where: np.ndarray, own: Sequence[np.ndarray] = ()) -> np.ndarray:
    """The signals at some places of a data set; shape (n, N), float32."""
    if data == OWN:
        return as_signals(own[0][where])
    return signals_of(data, load(data).train_images[where])


def signals_of(data: str, images: np.ndarray) -> np.ndarray:
    """Images of a registered data set as the signals that are learned from; shape (n, N), float32."""
    # What comes reduced has the grey levels that its images of 28×28 are reduced to.
    large = images.shape[1:] != (REDUCED_SIDE, REDUCED_SIDE)
    return reduce_images(images) if facts_of(data).reduced and large else as_signals(images)


def pictures_at(description: Description, where: np.ndarray, part: str, own: Sequence[np.ndarray] = ()) -> np.ndarray:
    """Pictures at some places of what a run was scored on; (n, side * side), float32 in [0, 1].

    Parameters
    ----------
    description : Description
    where : ndarray of shape (n,), int
    part : str
        What the metrics call the scored part.
    own : sequence of ndarray
        A run's own pictures and labels, if it has any.
    """
    if description.data == OWN:
        return as_signals(own[0][where])
    data = load(description.data)
    images = data.test_images if scored_on_test_images(description, part) else data.train_images
    if images is None:
        raise DamagedFile(f"metrics.json: the data set {description.data} has no test images to be scored on")
    return as_signals(images[where])


def n_pictures(description: Description) -> int:
    """How many pictures a run's data set has to learn from and to be scored on."""
    if facts_of(description.data).split is None:
        return description.n_signals + description.held_out
    return len(load(description.data).train_labels)


def describe_labels(
    settings: Settings, data: str, classes: Sequence[str | int], labels: np.ndarray, length: int, pictures: str = ""
) -> Description:
    """The description of a new run that holds a part of its data out, its settings checked against the rest.

    Parameters
    ----------
    settings : Settings
    data : str
        The name of a data set without a split of its own, or "own".
    classes : sequence
        Labels; class number c means ``classes[c]``.
    labels : ndarray of shape (n,), int
        Class numbers of all signals.
    length : int
        Values per signal.
    pictures : str
        The sum of pictures that are kept in the store.
    """
    sizes = np.bincount(labels)
    smallest = int(sizes.argmin())
    if sizes[smallest] < 2:
        raise ParameterError(
            say(
                "every class needs at least 2 signals, one to learn from and one to be scored on; "
                "class {name} has {count}",
                name=classes[smallest],
                count=sizes[smallest],
            )
        )
    left = training_sizes(labels)
    settings.check_data(length, dict(zip(classes, left, strict=True)))
    return Description(settings, data, list(classes), sum(left), length, len(labels) - sum(left), pictures)


def describe_own(settings: Settings, found: DataSet, pictures: str) -> Description:
    """The description of a new run on a kept data set of one's own with that sum."""
    length = math.prod(found.train_images.shape[1:])
    return describe_labels(settings, OWN, found.class_names, found.train_labels, length, pictures)


def describe_kept(settings: Settings, kept: Kept) -> Description:
    """What :func:`describe_own` gives for a kept data set, without reading its pictures."""
    return describe_labels(settings, OWN, kept.classes, kept.labels, kept.side**2, kept.key)


def preset(name: str, data: str) -> Settings:
    """The settings of a preset with what is proposed for a registered data set.

    Examples
    --------
    >>> preset("quick", "mnist").t, preset("quick", "digits").t
    (150, 58)
    """
    return proposed(PRESETS[name], *shape_of(data))


def shape_of(data: str) -> tuple[int, list[int]]:
    """Values per signal of a data set, and how many signals of each class a run learns from."""
    facts, found = facts_of(data), load(data)
    length = REDUCED_SIDE**2 if facts.reduced else math.prod(found.train_images.shape[1:])
    if facts.split is None:
        return length, training_sizes(found.train_labels)
    return length, [facts.split[0]] * len(found.class_names)


def training_sizes(labels: np.ndarray) -> list[int]:
    """How many signals of each class are left when a part is held out; labels are class numbers."""
    sizes = np.bincount(labels)
    return (sizes - held_out_sizes(sizes)).tolist()


def describe(settings: Settings, data: str) -> Description:
    """The description of a run on a registered data set, its settings checked against it.

    Parameters
    ----------
    settings : Settings
    data : str
        The name of the data set.
    """
    found, (length, sizes) = load(data), shape_of(data)
    if facts_of(data).split is None:
        return describe_labels(settings, data, found.class_names, found.train_labels, length)
    settings.check_data(length, dict(zip(found.class_names, sizes, strict=True)))
    return Description(settings, data, list(found.class_names), sum(sizes), length)


def check_description(description: Description) -> None:
    """Raise DamagedFile if a description is not one of its registered data set, made now or before."""
    if description.data == OWN:
        return  # its own data are compared with it when they are read
    settings, data = description.settings, description.data
    if facts_of(data).older_runs and not description.held_out:
        found = load(data)
        expected = Description(settings, data, list(found.class_names), len(found.train_labels), shape_of(data)[0])
    else:
        expected = describe(settings, data)
    if expected != description:
        raise DamagedFile(f"settings.json does not describe the data set {data}")


def renewed(description: Description, labels: np.ndarray | None = None) -> Description:
    """The description of a new run with the settings and data of another, with a held-out part.

    Parameters
    ----------
    description : Description
    labels : ndarray of shape (n,), int, optional
        Class numbers of the other run's own pictures.
    """
    if part_name(description) != SEEN:
        return description
    if labels is None:
        return describe(description.settings, description.data)
    return describe_labels(description.settings, OWN, description.classes, labels, description.signal_length)
