"""``data`` keeps, lists and removes data sets of one's own."""

import argparse
import sys
from pathlib import Path

from dasksvd.commands.options import Commands
from dasksvd.datasets.intake import Findings, take
from dasksvd.datasets.intake.findings import FITS
from dasksvd.datasets.library import SIDES, Kept
from dasksvd.datasets.names import checked_name
from dasksvd.datasets.parts import training_sizes
from dasksvd.datasets.proposal import PROPOSED, proposed
from dasksvd.errors import DataError
from dasksvd.parameters import PAPER
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.store import Store


def add(commands: Commands) -> None:
    """Add the command with its three actions."""
    data = commands.add_parser(
        "data",
        help="keep, list and remove data sets of your own",
        description="Data sets of your own, in DASKSVD_HOME, else ./runs. Runs share them: train --data NAME.",
    )
    actions = data.add_subparsers(required=True, metavar="ACTION")
    keep = actions.add_parser("add", help="keep a data set", description="Keep a data set for runs to learn from.")
    keep.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="a zip with one folder of pictures per class, an npz file with `images` and `labels`, or idx files",
    )
    keep.add_argument("labels", type=Path, nargs="?", metavar="LABELS", help="the labels of an idx file of images")
    keep.add_argument("--name", required=True, help="what to call it")
    keep.add_argument("--size", type=int, choices=SIDES, default=16, help="pixels along a side (default: 16)")
    keep.add_argument(
        "--fit",
        choices=FITS,
        default=FITS[0],
        help=f"how to make pictures square (default: {FITS[0]} with their border)",
    )
    keep.set_defaults(command=run_add)
    shown = actions.add_parser("list", help="list the data sets", description="List your data sets.")
    shown.set_defaults(command=run_list)
    gone = actions.add_parser("remove", help="delete a data set", description="Delete a data set that no run needs.")
    gone.add_argument("name", metavar="NAME", help="its name")
    gone.set_defaults(command=run_remove)


def run_add(options: argparse.Namespace) -> int:
    """Read a file, say what was found, and keep it."""
    name = checked_name(options.name)
    bar = _Line()
    findings, data = take(options.file, options.labels, side=options.size, fit=options.fit, on_progress=bar.update)
    bar.close()
    _tell(findings)
    if data is None:
        raise DataError(f"{options.file.name} cannot be kept before this is mended")
    store = Store()
    with Jobs(store).locked():
        kept = store.library.add(data, name)
    if kept.name != name:
        print(f"the same pictures are already kept as {kept.name}")
    print(_line(kept))
    settings = proposed(PAPER, kept.side**2, training_sizes(data.train_labels))
    words = " ".join(f"--{one} {getattr(settings, one):g}" for one in PROPOSED)
    print(f'settings that suit it: train --data "{kept.name}" {words} --out RUN')
    return 0


class _Line:
    """How far reading has come, on a terminal's one line."""

    def __init__(self) -> None:
        self.is_open = sys.stderr.isatty()

    def update(self, share: float) -> None:
        """Show the share that is done."""
        if self.is_open:
            print(f"\rreading: {share:4.0%}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Leave the line empty."""
        if self.is_open:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _tell(findings: Findings) -> None:
    sizes = ", ".join(f"{name}: {size:,}" for name, size in findings.sizes.items())
    print(f"{findings.kind}, {sum(findings.sizes.values()):,} pictures in {len(findings.sizes)} classes: {sizes}")
    if findings.n_test:
        print(f"and {findings.n_test:,} of a test part, for the final score of runs only")
    for problem in findings.problems:
        print(f"{'error' if problem.stops else 'note'}: {problem.text} {problem.remedy}")


def _line(kept: Kept) -> str:
    words = f"{len(kept.classes)} classes, {kept.counted}, {kept.side}×{kept.side}"
    return f"{kept.name:25} {words}: {', '.join(kept.classes)}"


def run_list(options: argparse.Namespace) -> int:
    """Print one line for each data set."""
    store = Store()
    found = store.library.listing()
    print("\n".join(map(_line, found)) if found else f"no data sets of your own in {store.root}")
    return 0


def run_remove(options: argparse.Namespace) -> int:
    """Delete a data set, unless a run needs it."""
    Jobs(Store()).remove_data(options.name)
    print(f"removed {options.name}")
    return 0
