"""What sharing trajectories saves: a study of 3 parameters × 3 values × 3 seeds against as many independent runs.

``python -m benchmarks.studies`` prints the ratio and writes ``benchmarks/studies.json``.  Both sides compute in this
process, so the starts of processes, which independent runs have more of, do not count.  Of the independent runs one is
measured for each pair of I and τ2, with the first seed: weights and seeds do not change how long a run takes.
"""

import json
import sys
import tempfile
import time
from dataclasses import replace
from itertools import product
from pathlib import Path

import numba
from threadpoolctl import threadpool_limits

from dasksvd.datasets.parts import describe
from dasksvd.evaluate import Plan
from dasksvd.parameters import QUICK
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.folder import create_run
from dasksvd.runs.worker import compute
from dasksvd.search.engine import Engine, search
from dasksvd.search.study import points_of, scores
from dasksvd.search.study_plan import StudyPlan

AXES = {"I": (4, 7, 10), "alpha": (0.0, 0.25, 0.5), "tau2": (0.05, 0.1, 0.2)}
SEEDS = 3
#: The share of independent runs that a study may cost.
WANTED = 0.6
RESULTS = Path(__file__).with_suffix(".json")


class Watch:
    """Seconds by the clock and of the processor: the second ones hardly depend on what else a machine does."""

    def __init__(self) -> None:
        self.started = time.monotonic(), time.process_time()

    def read(self) -> tuple[float, float]:
        """Both since the start."""
        return time.monotonic() - self.started[0], time.process_time() - self.started[1]


def measure() -> dict:
    """Seconds of both ways, and whether they give the same numbers."""
    numba.set_num_threads(1)  # else threads that wait for each other count as work
    with threadpool_limits(1), tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        warm = create_run(folder / "warm", describe(replace(QUICK, I=1, ksvd_iter=1), "mnist"))
        compute(warm)
        evaluate_run(warm, Plan("fixed", 5))
        alone, accuracies = [], {}
        for I, tau2 in product(AXES["I"], AXES["tau2"]):
            run = create_run(folder / f"run-{I}-{tau2}", describe(replace(QUICK, I=I, tau2=tau2), "mnist"))
            watch = Watch()
            compute(run)
            accuracies[I, tau2] = evaluate_run(run, Plan("fixed")).accuracy
            alone.append(watch.read())
            print(f"one run with I = {I}, τ2 = {tau2:g}: {alone[-1][0]:.1f} s, CPU {alone[-1][1]:.1f} s", flush=True)
        base = create_run(folder / "base", describe(QUICK, "mnist"))
        plan = StudyPlan(AXES, seeds=SEEDS)
        watch = Watch()
        search(base, plan, Engine(n_jobs=1))
        together = watch.read()
        found = scores(base, plan, points_of(base, plan))
    same = all(found[I, 0.0, tau2][0] == accuracy for (I, tau2), accuracy in accuracies.items())
    independent = [sum(one) * len(AXES["alpha"]) * SEEDS for one in zip(*alone, strict=True)]
    return {
        "command": "python -m benchmarks.studies",
        "threads": 1,
        "trials": len(found) * SEEDS,
        "study_s": round(together[0], 1),
        "study_cpu_s": round(together[1], 1),
        "independent_s": round(independent[0], 1),
        "independent_cpu_s": round(independent[1], 1),
        "ratio": round(together[0] / independent[0], 3),
        "ratio_cpu": round(together[1] / independent[1], 3),
        "wanted": WANTED,
        "same_numbers": same,
    }


def main() -> int:
    """Measure, print and keep; the exit code tells whether all that is wanted was reached."""
    result = measure()
    for name, ratio in (("by the clock", "ratio"), ("of the processor", "ratio_cpu")):
        print(f"a study of {result['trials']} trials costs {result[ratio]:.2f} of independent runs, {name}")
    print(f"wanted: at most {WANTED}; same numbers: {result['same_numbers']}")
    RESULTS.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0 if result["ratio_cpu"] <= WANTED and result["same_numbers"] else 1


if __name__ == "__main__":
    sys.exit(main())
