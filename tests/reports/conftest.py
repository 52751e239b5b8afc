"""Runs that reports are about."""

import pytest

from dasksvd.datasets.parts import describe
from dasksvd.evaluate import Plan
from dasksvd.parameters import Settings
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.folder import create_run
from dasksvd.runs.worker import compute
from tests.reports.reported import NASTY


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs, evaluated; the first one has a nasty name."""
    found = []
    for seed in (3, 4):
        settings = Settings(t=30, I=2, ksvd_iter=2, seed=seed)
        run = create_run(tmp_path_factory.mktemp("runs") / f"run{seed}", describe(settings, "digits"))
        compute(run)
        evaluate_run(run, Plan("fixed"))
        found.append(run)
    found[0].set_about(name=NASTY)
    return found
