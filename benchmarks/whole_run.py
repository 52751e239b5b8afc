"""The whole trajectory at the paper's settings: seconds, where they go, and memory."""

import cProfile
import json
import pstats
import resource
import subprocess
import sys
import time

import numpy as np

from dasksvd.datasets import mnist_split
from dasksvd.method import ksvd
from dasksvd.method.loop import iterate
from dasksvd.parameters import PAPER, PRESETS

#: What we want at the paper's settings on two cores.
WANTED = {"seconds": 200, "peak_memory_gb": 1.5, "update_to_pursuit": 1.0}
#: Where the time may go: a name for each function whose whole time is reported.
STAGES = {
    "pursuit": ("omp.py", "pursue"),
    "atom update": ("ksvd.py", "update_atoms"),
    "replacing atoms": ("ksvd.py", "replace_bad_atoms"),
    "drawing": ("sampling.py", "draw"),
    "noise": ("sampling.py", "degrade"),
    "measuring": ("measures.py", "class_tables"),
}


def measure() -> dict:
    """Seconds, stages and memory of a run in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.whole_run"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def run() -> dict:
    """Run the presets here; the paper's one with a profile."""
    split = mnist_split(0)
    warm_up = split.train_signals[:2000]
    ksvd.learn(warm_up, 256, 51, 1, np.random.default_rng(0))
    result = {}
    for name in ("quick", "classroom"):
        started = time.perf_counter()
        list(iterate(split.train_signals, split.train_labels, PRESETS[name]))
        result[f"{name}_seconds"] = time.perf_counter() - started
    profile = cProfile.Profile()
    started = time.perf_counter()
    profile.runcall(list, iterate(split.train_signals, split.train_labels, PAPER))
    result["seconds"] = time.perf_counter() - started
    result["stages"] = _stages(pstats.Stats(profile))
    result["update_to_pursuit"] = result["stages"]["atom update"] / result["stages"]["pursuit"]
    scale = 2**30 if sys.platform == "darwin" else 2**20
    result["peak_memory_gb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale
    return result


def _stages(stats: pstats.Stats) -> dict[str, float]:
    seconds = dict.fromkeys(STAGES, 0.0)
    for (path, _, function), (_, _, _, cumulative, _) in stats.stats.items():
        for name, (file, wanted) in STAGES.items():
            if path.endswith(f"dasksvd/{file}") and function == wanted:
                seconds[name] += cumulative
    seconds["rest"] = stats.total_tt - sum(seconds.values())
    return seconds


if __name__ == "__main__":
    json.dump(run(), sys.stdout)
