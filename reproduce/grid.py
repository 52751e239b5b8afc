"""The search over the weights that is shipped with the reference run."""

import platform
from dataclasses import replace
from importlib.metadata import version

from dasksvd.common.files import write_json
from dasksvd.common.progress import SearchLine
from dasksvd.runs.reference import REFERENCE_GRID, ReferenceRun
from dasksvd.search.engine import Engine
from dasksvd.search.job import Search, compute_search
from dasksvd.search.plans import WeightsPlan, plan_as_dict
from dasksvd.search.weights import weight_scores
from reproduce.rounds import CACHE

#: Stage 1 at four sizes, stage 2 at the largest, three networks per dictionary.
PLAN = WeightsPlan(seeds=3, papers_regions=True)
#: At the largest size, whose best point is the verdict, stage 1 has five.
LARGEST = replace(PLAN, seeds=5, sizes=PLAN.zoomed, zoomed=())
#: One network everywhere first: a part of the work is a whole picture.
STEPS = (replace(PLAN, seeds=1, zoomed=()), LARGEST, PLAN)


def make_grid(n_jobs: int = 1, scheduler: str = "") -> None:
    """Score what is missing and write the shipped file; what was scored is written after a stop too."""
    job = Search(ReferenceRun(CACHE))
    line = SearchLine()
    try:
        for plan in STEPS:
            job.set_plan(plan)
            compute_search(job, Engine(n_jobs, scheduler), line.update)
    finally:
        _write(weight_scores(job.base).as_dict())
    line.close(str(REFERENCE_GRID))


def _write(scores: dict) -> None:
    packages = ("numpy", "numba")
    write_json(
        REFERENCE_GRID,
        {
            "command": "python -m reproduce grid",
            "plans": [plan_as_dict(plan) for plan in STEPS],
            "versions": {"python": platform.python_version(), **{name: version(name) for name in packages}},
            "scores": scores,
        },
    )
