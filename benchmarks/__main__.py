"""``make bench``: measure, print a table, write ``benchmarks/results.json``."""

import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks import encoding, learning, scaling, storage, whole_run

RESULTS = Path(__file__).parent / "results.json"
PACKAGES = ("numpy", "numba", "scikit-learn", "dictlearn", "spams-bin")


def main() -> int:
    """Run every benchmark; the exit code tells whether all that is wanted was reached."""
    ratios = encoding.measure() + learning.measure()
    print(f"{'N = M = 256, q = 51, 5000 MNIST signals':40} threads      ours     theirs    ratio   wanted")
    for row in ratios:
        print(
            f"{row['what']:40} {row['threads']:7} {row['ours_s']:8.4f} s {row['theirs_s']:8.4f} s"
            f" {row['ratio']:7.1f}x {row['wanted']:7.1f}x"
        )
    growth = scaling.measure()
    powers = [growth[f"exponent_in_{name}"] for name in ("signals", "atoms", "q")]
    print("encode takes time like signals^{:.2f}, M^{:.2f}, q^{:.2f}".format(*powers))
    stored = storage.measure()
    for name, seconds in stored.items():
        print(f"{name}: {1000 * seconds:.0f} ms (wanted {1000 * storage.WANTED[name]:.0f})")
    run = whole_run.measure()
    print(f"quick preset {run['quick_seconds']:.1f} s, classroom {run['classroom_seconds']:.1f} s")
    print(f"paper preset {run['seconds']:.0f} s (wanted {whole_run.WANTED['seconds']}):")
    for stage, seconds in run["stages"].items():
        print(f"  {stage:18} {seconds:7.1f} s {seconds / run['seconds']:6.1%}")
    print(f"  update / pursuit {run['update_to_pursuit']:.2f}, peak memory {run['peak_memory_gb']:.2f} GB")
    machine = {"processor": platform.processor() or platform.machine(), "system": platform.system()}
    versions = {name: version(name) for name in PACKAGES if name != "spams-bin" or sys.platform == "linux"}
    result = {
        "command": "python -m benchmarks",
        "machine": machine,
        "versions": {"python": platform.python_version(), **versions},
        "ratios": ratios,
        "scaling": growth,
        "storage": stored,
        "run": run,
    }
    RESULTS.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    limits = [(run, whole_run.WANTED), (stored, storage.WANTED)]
    reached = all(row["ratio"] >= row["wanted"] for row in ratios)
    return (
        0 if reached and all(found[name] <= limit for found, wanted in limits for name, limit in wanted.items()) else 1
    )


if __name__ == "__main__":
    sys.exit(main())
