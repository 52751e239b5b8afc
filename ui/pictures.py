"""Some pictures of a run's data: those that it has learned from, and those that were held out."""

import numpy as np
import streamlit as st

from dasksvd.datasets.parts import signals_at, stored_labels
from dasksvd.runs.folder import own_arrays, places_of
from ui import cache

#: Pictures that are offered at once.
SHOWN = 20


@st.cache_resource(max_entries=8, show_spinner=False)
def training(run_id: str, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Signals (n, N) and class numbers (n,) of pictures that a run has learned from, about equally many of each class.

    Parameters
    ----------
    run_id : str
    most : int
        Of all classes together.
    """
    run = cache.base_run(run_id)
    own = own_arrays(run)
    labels = stored_labels(run.description.data, own)
    chosen = _of_each(places_of(run).learned, labels, most, np.random.default_rng(0))
    signals = signals_at(run.description.data, chosen, own)
    signals.flags.writeable = False
    return signals, labels[chosen]


@st.cache_resource(max_entries=32, show_spinner=False)
def held_out(run_id: str, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A handful of pictures that a run was scored on.

    Parameters
    ----------
    run_id : str
    number : int
        Another handful for each number.

    Returns
    -------
    signals : ndarray of shape (n, N), float32
    labels : ndarray of shape (n,), int
    places : ndarray of shape (n,), int
        Where they stand in the data set.
    """
    run = cache.base_run(run_id)
    own = own_arrays(run)
    labels = stored_labels(run.description.data, own)
    places = _of_each(places_of(run).scored, labels, SHOWN, np.random.default_rng(number))
    signals = signals_at(run.description.data, places, own)
    signals.flags.writeable = False
    return signals, labels[places], places


def _of_each(places: np.ndarray, labels: np.ndarray, most: int, rng: np.random.Generator) -> np.ndarray:
    """Some of the places at random, at most so many, about equally many of each class, class by class."""
    mixed = rng.permutation(places)
    order = np.argsort(labels[mixed], kind="stable")
    # The rank of each picture among those of its class: the first of all classes come first.
    starts = np.searchsorted(labels[mixed][order], labels[mixed][order])
    rank = np.arange(len(mixed)) - starts
    chosen = mixed[order][np.argsort(rank, kind="stable")[:most]]
    return chosen[np.argsort(labels[chosen], kind="stable")]
