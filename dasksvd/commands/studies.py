"""``study`` is a designed experiment over several parameters."""

import argparse
from pathlib import Path

from dasksvd.commands.options import Commands, add_encoder, add_entry, find_run
from dasksvd.commands.searches import add_run_and_engine, start
from dasksvd.common.files import write_atomically
from dasksvd.common.progress import clock
from dasksvd.networks import NETWORKS
from dasksvd.parameters import PRESETS
from dasksvd.reports.tables import as_csv
from dasksvd.search.engine import Engine, expected_seconds
from dasksvd.search.job import Search
from dasksvd.search.outcomes import PRICES, best_of, front, outcomes, point_text, rows
from dasksvd.search.space import ADAPTIVE, DESIGNS, STUDIED, parse_axis
from dasksvd.search.study import shared_cost
from dasksvd.search.study_plan import StudyPlan, fixed_by_preset

_WORDS = """\
Learn and score many combinations of parameters.  Trials that learn alike share one trajectory: weights, I, rankings,
encoders, non-zeros of codes and networks cost no learning of their own, and a smaller I is the beginning of a larger
one.  Everything that is found is kept in the run's folder: a study that was stopped, or that gets more points, values
or seeds, goes on with what there is.
"""


def add(commands: Commands) -> None:
    """Add the command."""
    study = commands.add_parser("study", help="a designed experiment over several parameters", description=_WORDS)
    add_run_and_engine(study)
    study.add_argument(
        "--vary",
        action="append",
        required=True,
        metavar="NAME=V1,V2,…|LOW..HIGH",
        help=f"a list of values, or a range, of {', '.join(STUDIED)}; once for each parameter",
    )
    study.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="another value than the run's, for all points"
    )
    study.add_argument("--preset", choices=PRESETS, help="settings for all points (default: those of the run)")
    study.add_argument(
        "--design",
        choices=[*DESIGNS, ADAPTIVE],
        default="grid",
        help="grid (default): every combination; random; sobol: evenly spread; optuna: what was found decides",
    )
    study.add_argument("--points", type=int, default=16, help="of a design other than the grid (default 16)")
    study.add_argument("--seeds", type=int, default=3, help="trials of each point (default 3)")
    study.add_argument("--minutes", type=float, default=0.0, help="begin nothing new after them (default: no limit)")
    study.add_argument("--csv", type=Path, metavar="FILE", help="write all trials to a file")
    study.add_argument("--estimate", action="store_true", help="say how long it would take, and stop")
    add_entry(study, "--network", NETWORKS, default="fixed")
    add_encoder(study)
    study.set_defaults(command=run_study_command)


def run_study_command(options: argparse.Namespace) -> int:
    """Compute a study and print what it has come to."""
    run, plan = find_run(options.run), plan_from(options)
    engine = Engine(options.jobs, options.scheduler)
    if options.estimate:
        print(f"at most about {clock(expected_seconds(run, plan, engine))}")
        share = shared_cost(run, plan)
        if share is not None:
            print(f"{share:.2f} of what as many independent runs would cost, as trajectories are shared")
        return 0
    code = start(Search(run), plan, options)
    found = outcomes(run, plan)
    best = best_of(found)
    print(f"{sum(one.summary is not None for one in found)} of {len(found)} points have scores")
    for one in found:
        print(f"  {point_text(plan, one.point)}: {one.summary or one.problem or 'not scored'}")
    if best is not None:
        print(f"best: {point_text(plan, best.point)}: {best.summary}")
    for price in PRICES.values():
        worth = ", ".join(f"{point_text(plan, one.point)} ({price.of(one):.4g})" for one in front(found, price))
        print(f"worth their {price.title}: {worth}")
    if options.csv:
        write_atomically(options.csv, lambda file: file.write(as_csv(rows(run, plan)).encode("utf-8")))
    return code


def plan_from(options: argparse.Namespace) -> StudyPlan:
    """The plan that the options describe."""
    axes = dict(parse_axis(text) for text in options.vary)
    fixed = {name: axis[0] for name, axis in map(parse_axis, options.set) if isinstance(axis, tuple)}
    if options.preset:
        fixed = fixed_by_preset(options.preset, axes) | fixed
    return StudyPlan(
        axes,
        options.design,
        options.points,
        options.seeds,
        options.network,
        options.encoder,
        options.level,
        fixed,
        options.minutes,
    )
