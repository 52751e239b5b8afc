"""Fixtures shared by the tests of runs."""

import shutil

import pytest

from dasksvd.runs.folder import Run
from dasksvd.runs.store import Store


@pytest.fixture(scope="session")
def originals(tmp_path_factory):
    """Sound runs to start from: small digits with all that can belong to a run, own pictures, MNIST with readers."""
    # Here, because only these few tests need the pages.
    from tests.runs import forging

    store = Store(tmp_path_factory.mktemp("originals"))
    return {
        "digits": forging.small_digits(store),
        "own": forging.own_pictures(store),
        "mnist": forging.with_reader(store),
        "soft": forging.with_reader(store, **forging.SOFT),
        "tuned": forging.with_reader(store, fine_tune=1, **forging.TUNED),
    }


@pytest.fixture
def forge(originals, tmp_path):
    """A function that gives a run to spoil, in a folder of its own."""

    def take(kind):
        return Run(shutil.copytree(originals[kind].folder, tmp_path / "forged" / kind))

    return take
