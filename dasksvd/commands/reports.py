"""``report`` writes one HTML file, ``verify`` computes it again; ``table`` and ``mlflow`` are for other programs."""

import argparse
import sys
from pathlib import Path

from dasksvd.commands.options import Commands, find_run
from dasksvd.common.files import write_atomically
from dasksvd.common.progress import clock
from dasksvd.errors import ParameterError, StoreError
from dasksvd.reports.facts import MAX_RUNS, read_report
from dasksvd.reports.report import report
from dasksvd.reports.scores import run_rows, score_rows
from dasksvd.reports.tables import as_file, columns
from dasksvd.reports.tracking import ADDRESS, EXPERIMENT, address, connect, log_runs, plain_errors
from dasksvd.reports.verify import expected_seconds, verify
from dasksvd.runs.folder import Run
from dasksvd.runs.reference import ReferenceRun
from dasksvd.runs.store import Store
from dasksvd.search.engine import Engine
from dasksvd.search.job import Search
from dasksvd.search.plans import SearchPlan


def add(commands: Commands) -> None:
    """Add the four commands."""
    writing = commands.add_parser(
        "report",
        help="write one HTML file about a run, several runs or a search",
        description="Write one HTML file that needs no network: settings, atoms, curves, accuracy with intervals, "
        "commands, and what `verify` needs to check it.",
    )
    writing.add_argument("runs", nargs="+", metavar="RUN", help="folders of runs, their ids, or `reference`")
    writing.add_argument("--out", type=Path, default=Path("report.html"), metavar="FILE", help="default: report.html")
    writing.add_argument(
        "--search",
        nargs="?",
        const="",
        metavar="ID",
        help="of a search on the run: the last one, or the one whose id stands in the dashboard's links",
    )
    writing.set_defaults(command=run_report)
    checking = commands.add_parser(
        "verify",
        help="compute a report again and compare",
        description="Compute everything in a report again from its settings and say `identical`, or what differs. "
        "On another kind of machine errors and accuracies are compared within a tolerance.",
    )
    checking.add_argument("report", type=Path, metavar="FILE", help="a file of the report command or the dashboard")
    checking.add_argument("--jobs", type=int, help="processes for a search (default: all cores)")
    checking.set_defaults(command=run_verify)
    _add_tables(commands)


def _add_tables(commands: Commands) -> None:
    tables = commands.add_parser(
        "table",
        help="write runs or scores as CSV or Parquet",
        description="Write a tidy table: one line for each run, or with --scores one for each network of a search.",
    )
    tables.add_argument("runs", nargs="*", metavar="RUN", help="folders or ids of runs (default: all of the store)")
    tables.add_argument("--out", type=Path, required=True, metavar="FILE", help="a file that ends in .csv or .parquet")
    tables.add_argument("--scores", action="store_true", help="the scores of all searches, sweeps and studies")
    tables.set_defaults(command=run_table)
    tracking = commands.add_parser(
        "mlflow",
        help="log runs to MLflow",
        description="Log runs to MLflow: settings, accuracy, errors and a report. What was logged before is left out.",
    )
    tracking.add_argument("runs", nargs="*", metavar="RUN", help="folders or ids of runs (default: all of the store)")
    tracking.add_argument("--experiment", default=EXPERIMENT, metavar="NAME", help=f"default: {EXPERIMENT}")
    tracking.add_argument(
        "--uri", default="", help=f"of the tracking server (default: MLFLOW_TRACKING_URI, else {ADDRESS})"
    )
    tracking.set_defaults(command=run_mlflow)


def run_report(options: argparse.Namespace) -> int:
    """Write the file."""
    if len(options.runs) > MAX_RUNS:
        raise ParameterError(f"a report has at most {MAX_RUNS} runs, got {len(options.runs)}")
    runs = [find_run(text) for text in options.runs]
    unfinished = next((run.id for run in runs if not run.trajectory.records), None)
    if unfinished:
        raise StoreError(f"{unfinished} has no finished iteration yet; `resume` it first")
    if options.search is not None and len(runs) > 1:
        raise ParameterError("--search goes with one run")
    plan = None if options.search is None else _plan(Search(runs[0]), options.search)
    content = report(runs, plan).encode("utf-8")
    write_atomically(options.out, lambda file: file.write(content))
    print(f"{options.out}: {len(content) / 1000:.0f} kB")
    return 0


def _plan(search: Search, wanted: str) -> SearchPlan:
    """The plan of an id, or the last one."""
    plans = search.plans()
    if not plans or (wanted and wanted not in plans):
        raise StoreError(f"{search.base.id} has no such search; it has: {', '.join(plans) or 'none'}")
    if wanted:
        return plans[wanted]
    return search.plan if search.has_plan() else next(iter(plans.values()))


def run_verify(options: argparse.Namespace) -> int:
    """Check the file: 0 if it is true, 1 if it is not."""
    facts, page = read_report(options.report)
    seconds = expected_seconds(facts)
    more = ", and a search on it" if facts.plan is not None else ""
    print(f"computing {len(facts.runs)} runs again: about {clock(seconds)}{more}", file=sys.stderr)
    found = verify(facts, engine=Engine(options.jobs), say=lambda text: print(text, file=sys.stderr), page=page)
    for line in (*found.notes, *found.elsewhere, *found.differences):
        print(line)
    print(found.words)
    return 1 if found.differences else 0


def run_table(options: argparse.Namespace) -> int:
    """Write the file."""
    runs = _runs(options.runs)
    rows = [row for run in runs for row in score_rows(run)] if options.scores else run_rows(runs)
    if not rows:
        raise StoreError("there is nothing to write: no run has any scores" if runs else "there are no runs")
    content = as_file(rows, options.out.name)
    write_atomically(options.out, lambda file: file.write(content))
    print(f"{options.out}: {len(rows)} lines, {len(columns(rows))} columns")
    return 0


def run_mlflow(options: argparse.Namespace) -> int:
    """Log the runs."""
    client, runs = connect(options.uri), _runs(options.runs)
    with plain_errors():
        logged = log_runs(client, (run for run in runs if run.trajectory.records), options.experiment)
    print(f"{len(logged)} of {len(runs)} runs logged to {options.experiment} in {address(options.uri)}")
    return 0


def _runs(texts: list[str]) -> list[Run | ReferenceRun]:
    return [find_run(text) for text in texts] if texts else [line.run for line in Store().listing()]
