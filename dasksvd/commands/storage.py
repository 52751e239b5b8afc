"""``runs`` lists the runs; ``export`` and ``import`` turn one into a zip file and back."""

import argparse
import textwrap
from pathlib import Path

from dasksvd.commands.options import RUN_HELP, Commands, own_run
from dasksvd.common.files import write_atomically
from dasksvd.runs.archive import export_zip, import_zip
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.store import Store


def add(commands: Commands) -> None:
    """Add the three commands."""
    runs = commands.add_parser("runs", help="list the runs", description="List the runs in DASKSVD_HOME, else ./runs.")
    runs.set_defaults(command=run_runs)
    export = commands.add_parser("export", help="write a run to a zip file", description="Write a run to a zip file.")
    export.add_argument("run", metavar="RUN", help=RUN_HELP)
    export.add_argument("zip", type=Path, metavar="ZIP", help="file to write")
    export.set_defaults(command=run_export)
    back = commands.add_parser("import", help="read a run from a zip file", description="Read a run from a zip file.")
    back.add_argument("zip", type=Path, metavar="ZIP", help="file of the export command")
    back.set_defaults(command=run_import)


def run_runs(options: argparse.Namespace) -> int:
    """Print one line for each run in the store."""
    store = Store()
    lines = store.listing()
    if not lines:
        print(f"no runs in {store.root}")
        return 0
    print(f"{'id':25} {'state':10} {'done':>9}  name and settings")
    jobs = Jobs(store)
    for line in lines:
        if line.description is None:
            print(f"{line.run.id:25} {'damaged':10} {'':>9}  {line.problem}")
            continue
        settings = line.description.settings
        done = f"{line.run.n_finished()}/{settings.I}"
        what = f"q={settings.q:g} t={settings.t} tau1={settings.tau1:g} tau2={settings.tau2:g} seed={settings.seed}"
        job = jobs.job(line.run)
        print(f"{line.run.id:25} {job.state:10} {done:>9}  {line.about.name} {what}".rstrip())
        if job.log:
            print(textwrap.indent(job.log.rstrip(), "    "))
    return 0


def run_export(options: argparse.Namespace) -> int:
    """Write a run to a zip file."""
    content = export_zip(own_run(options.run))
    write_atomically(options.zip, lambda file: file.write(content))
    print(f"{options.zip}: {len(content) / 2**20:.1f} MB")
    return 0


def run_import(options: argparse.Namespace) -> int:
    """Read a run from a zip file and print its folder."""
    with open(options.zip, "rb") as file:
        run = import_zip(Store(), file)
    print(run.folder)
    return 0
