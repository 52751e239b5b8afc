"""``python -m reproduce reference``: make the run that is shipped with the package."""

import argparse
import sys

from dasksvd.__main__ import ProgressBar
from dasksvd.datasets import mnist_split
from dasksvd.reference import REFERENCE, write_compact
from dasksvd.settings import PAPER
from dasksvd.trajectory import Trajectory, follow


def main() -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m reproduce", description=__doc__)
    parser.add_argument("what", choices=["reference"])
    parser.parse_args()
    make_reference()
    return 0


def make_reference() -> None:
    """Run the paper's settings on MNIST with seed 0 and write the shipped file."""
    split = mnist_split(PAPER.seed)
    trajectory = Trajectory(PAPER, list(range(10)))
    bar = ProgressBar(PAPER)
    trajectory.records.extend(follow(split.train_signals, split.train_labels, PAPER, on_progress=bar.update))
    write_compact(REFERENCE, trajectory)
    bar.close(f"{REFERENCE}, {REFERENCE.stat().st_size / 2**20:.1f} MiB")


if __name__ == "__main__":
    sys.exit(main())
