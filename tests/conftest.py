"""Fixtures shared by the tests."""

import os

# The matrix library's own threads only get in the way of tests that call it on tiny arrays.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pytest
from hypothesis import settings

import dasksvd
from dasksvd.datasets.description import Description
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store

# Compilation makes single examples slow; what a test may take is bounded by its number of examples.
settings.register_profile("dasksvd", deadline=None, max_examples=40, derandomize=True)
settings.load_profile("dasksvd")


def unit_rows(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def rng():
    return np.random.default_rng(20)


@pytest.fixture(scope="session")
def digits():
    """400 MNIST signals of each class; (4000, 256) float32 and labels."""
    data = dasksvd.load_mnist()
    chosen, _ = dasksvd.balanced_split(data.train_labels, 400, 0, np.random.default_rng(0))
    return dasksvd.reduce_images(data.train_images[chosen]), data.train_labels[chosen]


@pytest.fixture(scope="session")
def small_run(digits):
    """A fitted DASKSVD small enough for every test: 3 iterations of 64 atoms on MNIST."""
    X, y = digits
    return dasksvd.DASKSVD(t=40, I=3, r_f=0.25, ksvd_iter=4, random_state=0).fit(X, y)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")


@pytest.fixture
def description(small_run):
    return Description(small_run.trajectory_.settings, "mnist", list(range(10)), 4000, 256)


@pytest.fixture
def saved(store, description, small_run):
    """The small run, finished and in the store."""
    run = store.create(description, "first")
    for iteration, record in enumerate(small_run.trajectory_.records):
        run.save_record(iteration, record)
    run.set_status(Status(state="finished"))
    return run
