"""``measures`` prints what every atom of an iteration is measured by."""

import argparse

from dasksvd.commands.options import Commands, add_entry, find_run
from dasksvd.parameters import TABLE
from dasksvd.rankings import DEFAULT as DEFAULT_RANKING
from dasksvd.rankings import RANKINGS
from dasksvd.reports.tables import as_csv, measure_rows


def add(commands: Commands) -> None:
    """Add the command."""
    measures = commands.add_parser(
        "measures",
        help="print the measures of every atom of an iteration as CSV",
        description="Print class, rival, p, q, r and the measures of every atom of an iteration as CSV, and whether "
        "the weights select it.",
    )
    measures.add_argument("run", metavar="RUN", help="folder of the run, its id in the store, or `reference`")
    measures.add_argument("--iteration", type=int, default=1, metavar="L", help="from 1 (default) on")
    for name in ("alpha", "beta"):
        default = TABLE[name].default
        measures.add_argument(
            f"--{name}", default=default, help=TABLE[name].option_help, **TABLE[name].allowed.option()
        )
    add_entry(measures, "--ranking", RANKINGS, default=DEFAULT_RANKING)
    measures.set_defaults(command=run_measures)


def run_measures(options: argparse.Namespace) -> int:
    """Print the table."""
    trajectory = find_run(options.run).trajectory
    weights = {"alpha": options.alpha, "beta": options.beta, "ranking": options.ranking}
    print(as_csv(measure_rows(trajectory, options.iteration, **weights)), end="")
    return 0
