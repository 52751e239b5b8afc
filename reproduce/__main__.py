"""``python -m reproduce``: measure the paper's tables, and make what is shipped with the package."""

import argparse
import sys
from collections.abc import Callable
from typing import Any

from reproduce.curves import measure_curves
from reproduce.default_model import make_default_model
from reproduce.example_sets import make_example_sets
from reproduce.fashion import make_fashion_mnist
from reproduce.grid import make_grid
from reproduce.page import differences_from_the_pages, filled
from reproduce.reader_scores import (
    judge_brushes,
    judge_default_model,
    judge_pens,
    judge_photos,
    judge_styles,
    judge_writers,
)
from reproduce.reference import make_other_runs, make_reference, make_reference_classifiers
from reproduce.refusals import judge_refusals, make_judge
from reproduce.repeat import repeat
from reproduce.robustness import measure_robustness
from reproduce.studies import TABLES, reproduce, tune
from reproduce.tried import measure_tried
from reproduce.weights import measure_weights


def main() -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m reproduce", description=__doc__)
    parser.add_argument(
        "what",
        choices=[*TABLES, "all", *STUDIES, "default-model", *MAKERS],
        help="a table, all tables, another study, or a shipped file",
    )
    parser.add_argument("--rounds", type=int, default=10, help="rounds, each with seeds of its own (default 10)")
    parser.add_argument("--jobs", type=int, default=1, help="networks trained at once (default 1)")
    parser.add_argument("--network", default="", choices=["scg", "modern", "src"], help="of a table (default all)")
    parser.add_argument(
        "--check",
        action="store_true",
        help="report: compare docs/RESULTS.md and docs/TABLES.md instead of writing them",
    )
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help="compute on a Dask cluster, tcp://…")
    parser.add_argument(
        "--kept", default="", metavar="FOLDER", help="default-model: keeps finished parts, so that it can be stopped"
    )
    options = parser.parse_args()
    if options.what == "default-model":
        make_default_model(options.kept)
    elif options.what in MAKERS:
        MAKERS[options.what]()
    elif options.what in STUDIES:
        return STUDIES[options.what](options) or 0
    else:
        for table in TABLES if options.what == "all" else [options.what]:
            _measure_table(table, options)
    return 0


def _measure_table(table: str, options: argparse.Namespace) -> None:
    for done, total, result in reproduce(table, options.rounds, options.jobs, options.scheduler, options.network):
        print(
            f"{table} {done}/{total}: {result['method']} by {result['encoder']}, {result['hidden']} hidden, "
            f"{result['classifier']}, round {result['round']}: {result['test_accuracy']:.2%} "
            f"in {result['seconds']:.0f} s",
            flush=True,
        )


def _tune(options: argparse.Namespace) -> None:
    kinds = ("scg",) if options.what == "tuning-scg" else ("methods", "soft")
    for kind, name, candidate, accuracy in tune(kinds, options.jobs):
        print(f"{kind}, {name}: {candidate} reads {accuracy:.2%} of the validation images", flush=True)


def _measure_robustness(options: argparse.Namespace) -> None:
    for found in measure_robustness(options.rounds, options.jobs, options.scheduler):
        print(
            f"round {found['round']}: {found['method']} by {found['encoder']}, clean {found['clean']:.2%}", flush=True
        )


def _measure_curves(options: argparse.Namespace) -> None:
    for done, total, found in measure_curves(options.rounds, options.jobs, options.scheduler):
        what = f"{found['parameter']} = {found['value']:g}, round {found['round']}"
        print(f"curves {done}/{total}: {what}: {found['test_accuracy']:.2%}", flush=True)


def _measure_weights(options: argparse.Namespace) -> None:
    for found in measure_weights(options.rounds, options.jobs):
        best = max(found["validation_accuracy"].items(), key=lambda one: sum(one[1]))
        print(f"weights, round {found['round']}: best at {best[0]}", flush=True)


def _repeat(options: argparse.Namespace) -> None:
    for number, accuracy in repeat(options.rounds):
        print(f"round {number}: {accuracy:.2%}", flush=True)


def _report(options: argparse.Namespace) -> int:
    """Write the pages of results, or say what in them does not follow from the results."""
    if not options.check:
        for path, text in filled().items():
            path.write_text(text, encoding="utf-8")
        return 0
    wrong = differences_from_the_pages()
    print("\n".join(wrong) or "The pages follow from the results.")
    return 1 if wrong else 0


STUDIES: dict[str, Callable[[argparse.Namespace], Any]] = {
    "tuning": _tune,
    "tuning-scg": _tune,
    "grid": lambda options: make_grid(options.jobs, options.scheduler),
    "weights": _measure_weights,
    "robustness": _measure_robustness,
    "curves": _measure_curves,
    "repeat": _repeat,
    "tried": lambda options: measure_tried(min(options.rounds, 3)),
    "report": _report,
}
MAKERS = {
    "fashion-mnist": make_fashion_mnist,
    "example-sets": make_example_sets,
    "reference": make_reference,
    "reference-classifiers": make_reference_classifiers,
    "other-references": make_other_runs,
    "default-model-scores": judge_default_model,
    "default-model-styles": judge_styles,
    "default-model-brushes": judge_brushes,
    "default-model-writers": judge_writers,
    "default-model-photos": judge_photos,
    "default-model-pens": judge_pens,
    "default-judge": make_judge,
    "default-model-refusals": judge_refusals,
}

if __name__ == "__main__":
    sys.exit(main())
