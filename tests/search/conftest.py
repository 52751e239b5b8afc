"""A run, and the same run after a search."""

import pytest

from dasksvd.runs.folder import create_run
from dasksvd.runs.worker import compute, describe
from dasksvd.search.engine import search
from tests.search.small import HERE, PLAN, TINY, copy_of


@pytest.fixture(scope="session")
def learned(tmp_path_factory):
    run = create_run(tmp_path_factory.mktemp("learned") / "run", describe(TINY, "digits"))
    compute(run)
    return run


@pytest.fixture
def run(learned, tmp_path):
    return copy_of(learned, tmp_path / "run")


@pytest.fixture(scope="session")
def searched(learned, tmp_path_factory):
    run = copy_of(learned, tmp_path_factory.mktemp("searched") / "run")
    search(run, PLAN, HERE)
    return run
