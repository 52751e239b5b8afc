"""``python -m reproduce``: measure the paper's tables, and make what is shipped with the package."""

import argparse
import sys

from dasksvd.common.progress import RunLine
from dasksvd.datasets import mnist_split
from dasksvd.method.loop import iterate
from dasksvd.method.trajectory import Trajectory
from dasksvd.parameters import MEASURED
from dasksvd.runs.reference import REFERENCE, write_compact
from reproduce.default_model import make_default_model
from reproduce.grid import make_grid
from reproduce.reader_scores import judge_brushes, judge_default_model, judge_styles, judge_writers
from reproduce.reference import make_reference_classifiers
from reproduce.refusals import judge_refusals, make_judge
from reproduce.report import markdown
from reproduce.tables import TABLES, reproduce
from reproduce.weights import measure_weights


def main() -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m reproduce", description=__doc__)
    parser.add_argument(
        "what",
        choices=[*TABLES, "grid", "weights", "all", *MAKERS, *READER_MAKERS],
        help="a table, all tables, or a shipped file",
    )
    parser.add_argument("--rounds", type=int, default=10, help="rounds, each with seeds of its own (default 10)")
    parser.add_argument("--jobs", type=int, default=1, help="networks trained at once (default 1)")
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help="compute on a Dask cluster, tcp://…")
    parser.add_argument(
        "--first-part", default="", metavar="FILE", help="default-model: the model before the drawings, read or kept"
    )
    options = parser.parse_args()
    if options.what == "default-model-styles" and not options.first_part:
        parser.error("default-model-styles needs --first-part, a file that default-model has kept")
    if options.what in READER_MAKERS:
        READER_MAKERS[options.what](options.first_part)
        return 0
    if options.what in MAKERS:
        MAKERS[options.what]()
        return 0
    if options.what == "grid":
        make_grid(options.jobs, options.scheduler)
        return 0
    if options.what == "weights":
        measure_weights(options.rounds, options.jobs, options.scheduler)
        return 0
    for table in TABLES if options.what == "all" else [options.what]:
        for done, total, result in reproduce(table, options.rounds, options.jobs, options.scheduler):
            print(
                f"{table} {done}/{total}: {result['method']}, {result['hidden']} hidden, {result['classifier']}, "
                f"round {result['round']}: {result['test_accuracy']:.2%} in {result['seconds']:.0f} s",
                flush=True,
            )
    return 0


def make_reference() -> None:
    """Run the paper's settings on MNIST with seed 0 and write the shipped file."""
    split = mnist_split(MEASURED.seed)
    trajectory = Trajectory(MEASURED, list(range(10)))
    bar = RunLine(MEASURED.I, MEASURED.ksvd_iter)
    trajectory.records.extend(iterate(split.train_signals, split.train_labels, MEASURED, on_progress=bar.update))
    write_compact(REFERENCE, trajectory)
    bar.close(f"{REFERENCE}, {REFERENCE.stat().st_size / 2**20:.1f} MiB")


MAKERS = {
    "reference": make_reference,
    "reference-classifiers": make_reference_classifiers,
    "default-model-scores": judge_default_model,
    "default-model-brushes": judge_brushes,
    "default-model-writers": judge_writers,
    "default-judge": make_judge,
    "default-model-refusals": judge_refusals,
    "report": lambda: print(markdown()),
}
#: These start from the model before the drawings.
READER_MAKERS = {"default-model": make_default_model, "default-model-styles": judge_styles}

if __name__ == "__main__":
    sys.exit(main())
