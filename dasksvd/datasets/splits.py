"""Which signals are learned from and which are scored: random splits, class by class."""

import numpy as np

from dasksvd.common.language import say
from dasksvd.errors import ParameterError
from dasksvd.parameters import check_count


def balanced_split(
    labels: np.ndarray, n_train: int, n_val: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Disjoint random training and validation sets with equally many signals of each class.

    Parameters
    ----------
    labels : ndarray of shape (n,)
    n_train, n_val : int
        Signals per class.
    rng : numpy.random.Generator

    Returns
    -------
    train, val : ndarray of int
        Sorted indices into ``labels``.
    """
    n_train, n_val = check_count("n_train", n_train), check_count("n_val", n_val, smallest=0)
    train, val = [], []
    for label in np.unique(labels):
        members = rng.permutation(np.flatnonzero(labels == label))
        if len(members) < n_train + n_val:
            raise ParameterError(
                say(
                    "class {label} has {count} signals, too few for {n_train} to train and {n_val} to validate",
                    label=label,
                    count=len(members),
                    n_train=n_train,
                    n_val=n_val,
                )
            )
        train.append(members[:n_train])
        val.append(members[n_train : n_train + n_val])
    return np.sort(np.concatenate(train)), np.sort(np.concatenate(val))


def held_out_sizes(sizes: np.ndarray) -> np.ndarray:
    """How many signals of classes of some sizes are held out: a fifth, at least one, never all.

    Parameters
    ----------
    sizes : ndarray of shape (n_classes,), int

    Returns
    -------
    ndarray of shape (n_classes,), int

    Examples
    --------
    >>> held_out_sizes(np.array([1, 2, 9, 10, 146])).tolist()
    [0, 1, 1, 2, 29]
    """
    return np.minimum(np.maximum(sizes // 5, 1), np.maximum(sizes - 1, 0))


def hold_out(labels: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Hold a fifth of every class out, at random.

    Every class stays in the first part, so that a network trained there knows all of them; the
    only signal of a class is not held out.

    Parameters
    ----------
    labels : ndarray of shape (n,)
    rng : numpy.random.Generator

    Returns
    -------
    train, held : ndarray of int
        Sorted indices into ``labels``.
    """
    classes, sizes = np.unique(labels, return_counts=True)
    held = np.zeros(len(labels), bool)
    for label, size in zip(classes, held_out_sizes(sizes), strict=True):
        held[rng.permutation(np.flatnonzero(labels == label))[:size]] = True
    return np.flatnonzero(~held), np.flatnonzero(held)
