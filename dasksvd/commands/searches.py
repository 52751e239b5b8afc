"""``grid`` searches over the weights, ``sweep`` over other parameters; ``search`` goes on with the last search."""

import argparse
import os
from typing import Any

from dasksvd.commands.options import Commands, add_encoder, add_entry, claim, find_run
from dasksvd.common.parallel import SCHEDULER
from dasksvd.errors import ParameterError
from dasksvd.parameters import SWEPT, TABLE
from dasksvd.parameters.ranges import count_or_share
from dasksvd.rankings import DEFAULT as DEFAULT_RANKING
from dasksvd.rankings import RANKINGS
from dasksvd.search.engine import Engine
from dasksvd.search.job import Search, compute_search_with_line
from dasksvd.search.lattice import coarse
from dasksvd.search.levels import is_open, settled
from dasksvd.search.networks import search_networks
from dasksvd.search.plans import SearchPlan, SweepPlan, WeightsPlan, quarters
from dasksvd.search.weights import Choices, best_regions, weight_rows, weight_scores


def add(commands: Commands) -> None:
    """Add the three commands."""
    grid, sweep = _add_grid(commands), _add_sweep(commands)
    planned = commands.add_parser(
        "search", help="go on with the last grid or sweep of a run", description="Go on with a run's last search."
    )
    planned.set_defaults(command=run_search)
    for one in (grid, sweep, planned):
        add_run_and_engine(one)
    for one, seeds in ((grid, 3), (sweep, 1)):
        add_entry(one, "--classifier", search_networks(), default="modern")
        add_encoder(one)
        one.add_argument("--seeds", type=int, default=seeds, help=f"networks per dictionary (default {seeds})")


def _add_grid(commands: Commands) -> argparse.ArgumentParser:
    grid = commands.add_parser(
        "grid",
        help="search for the best weights alpha, beta",
        description="Score the weights (alpha, beta) of a lattice on validation data, all from the run's one "
        "trajectory; then once more, finely, around the two best regions.  A stopped search goes on where it was.",
    )
    grid.add_argument("--stage", type=int, choices=(1, 2), default=2, help="stop after stage 1, or do both (default)")
    grid.add_argument("--step", type=int, default=6, metavar="N", help="stage 1 has step 1/N (default 6: 28 points)")
    grid.add_argument("--fine-step", type=int, default=100, metavar="N", help="stage 2 has step 1/N (default 100)")
    grid.add_argument(
        "--sizes", type=int, nargs="+", help="atoms per class (default: a quarter, a half, three quarters, all)"
    )
    grid.add_argument("--zoom", type=int, nargs="+", help="sizes that go through stage 2 (default: the largest)")
    grid.add_argument("--papers-regions", action="store_true", help="stage 2 also around the paper's two regions")
    add_entry(grid, "--ranking", RANKINGS, default=DEFAULT_RANKING)
    grid.set_defaults(command=run_grid)
    return grid


def _add_sweep(commands: Commands) -> argparse.ArgumentParser:
    sweep = commands.add_parser(
        "sweep",
        help="vary one or two other parameters",
        description="Learn and score a dictionary for every combination of values; the rest is as in the run.",
    )
    sweep.add_argument(
        "--vary",
        action="append",
        required=True,
        metavar="NAME=V1,V2,…",
        help=f"values of {', '.join(SWEPT)}; give it once or twice",
    )
    for name in ("alpha", "beta"):
        default = TABLE[name].default
        sweep.add_argument(f"--{name}", default=default, help=TABLE[name].option_help, **TABLE[name].allowed.option())
    add_entry(sweep, "--ranking", RANKINGS, default=None, otherwise="that of the run")
    sweep.set_defaults(command=run_sweep)
    return sweep


def add_run_and_engine(parser: argparse.ArgumentParser) -> None:
    """The run that a search starts from, and where it is computed."""
    parser.add_argument("run", metavar="RUN", help="folder of the run, its id in the store, or `reference`")
    parser.add_argument("--jobs", type=int, help="processes on this machine (default: all cores)")
    parser.add_argument(
        "--scheduler",
        default=os.environ.get(SCHEDULER, ""),
        metavar="ADDRESS",
        help=f"compute on a Dask cluster instead, e.g. tcp://10.0.0.1:8786 (default: {SCHEDULER})",
    )


def run_grid(options: argparse.Namespace) -> int:
    """Search over the weights and print the two best regions for each size."""
    run = find_run(options.run)
    sizes = tuple(options.sizes or quarters(len(run.trajectory.records)))
    zoomed = tuple(options.zoom or (max(sizes),)) if options.stage == 2 else ()
    scoring = {"papers_regions": options.papers_regions, "ranking": options.ranking} | _scoring(options)
    plan = WeightsPlan(options.step, options.fine_step, sizes, zoomed, **scoring)
    code = start(Search(run), plan, options)
    plan = settled(run, plan)
    choices = Choices(run.trajectory, plan.ranking)
    rows = weight_rows(choices, weight_scores(run), coarse(plan.step), plan.sizes, plan.scored_by)
    for size in plan.sizes:
        means = {row.point: row.summary for row in rows if row.size == size}
        best = ", ".join(f"R{place} {point}: {means[point]}" for place, point in enumerate(best_regions(rows, size), 1))
        print(f"{size} atoms per class: {best}")
    return code


def run_sweep(options: argparse.Namespace) -> int:
    """Vary one or two parameters."""
    axes = {}
    for text in options.vary:
        name, _, values = text.partition("=")
        axes[name] = tuple(_number(value) for value in values.split(",") if value)
    run = find_run(options.run)
    ranking = options.ranking or run.description.settings.ranking
    plan = SweepPlan(axes, options.alpha, options.beta, ranking=ranking, **_scoring(options))
    return start(Search(run), plan, options)


def _scoring(options: argparse.Namespace) -> dict[str, Any]:
    """How the dictionaries are scored."""
    return {name: getattr(options, name) for name in ("classifier", "seeds", "encoder", "level")}


def _number(text: str) -> int | float:
    try:
        return count_or_share(text)
    except ValueError:
        raise ParameterError(f"{text!r} is not a number") from None


def run_search(options: argparse.Namespace) -> int:
    """Go on with the last search of a run."""
    search = Search(find_run(options.run))
    return start(search, search.plan, options)


def start(search: Search, plan: SearchPlan, options: argparse.Namespace) -> int:
    """Compute a search with a line of progress."""
    claim(search.job)
    search.set_plan(plan)
    compute_search_with_line(search, Engine(options.jobs, options.scheduler))
    if is_open(plan):
        print(f"level chosen on validation data: {settled(search.base, plan).level:g}")
    return 0
