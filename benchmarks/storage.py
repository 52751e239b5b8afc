"""How long it takes to list 500 runs and to open one of paper size."""

import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks.common import best_seconds
from dasksvd.parameters import PAPER
from dasksvd.runs.folder import Run
from dasksvd.runs.reference import load_reference
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store
from dasksvd.runs.worker import describe

#: What we want, in seconds.
WANTED = {"list_500_runs": 0.1, "open_paper_run": 0.2}


def measure() -> dict[str, float]:
    """Seconds of both, with the files in the system's cache."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        for seed in range(500):
            run = store.create(describe(replace(PAPER, seed=seed), "mnist"), f"run {seed}")
            run.set_status(Status(state="finished", errors=(0.1,) * 50))
        paper = store.create(describe(PAPER, "mnist"))
        for iteration, record in enumerate(load_reference().records):
            paper.save_record(iteration, replace(record, errors=record.errors.astype(float)))
        assert paper.problem() == ""
        return best_seconds(
            {"list_500_runs": store.listing, "open_paper_run": lambda: Run(paper.folder).trajectory}, repeats=5
        )
