"""The command line: ``python -m dasksvd train …``."""

import argparse
import os
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from dasksvd.common.files import write_atomically
from dasksvd.common.parallel import SCHEDULER
from dasksvd.common.plugins import load_plugins
from dasksvd.datasets import DATASETS, load_pair, to_signals
from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import describe_labels, fitted, shape_of, training_sizes
from dasksvd.digit import from_image
from dasksvd.digit.reader import load_default_model
from dasksvd.encoders import ENCODERS
from dasksvd.errors import Cancelled, DasksvdError, ParameterError, StoreError
from dasksvd.evaluate import Plan
from dasksvd.method.sampling import check_varied
from dasksvd.networks import NETWORKS
from dasksvd.parameters import NOISES, PARAMETERS, PRESETS, RE_SIGNS, Settings
from dasksvd.rankings import RANKINGS
from dasksvd.runs.archive import export_zip, import_zip
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.folder import Run, create_run
from dasksvd.runs.job import Job, search_job
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.processes import is_alive
from dasksvd.runs.reference import ReferenceRun
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute_with_line, describe
from dasksvd.search.engine import Engine
from dasksvd.search.job import Search, compute_search_with_line, find_base
from dasksvd.search.lattice import coarse
from dasksvd.search.networks import search_networks
from dasksvd.search.plans import SWEPT, SearchPlan, SweepPlan, WeightsPlan, quarters
from dasksvd.search.weights import Choices, best_regions, weight_rows, weight_scores

_METHOD = """\
DAS-KSVD repeats, for l = 1 … I:
  1. draw t signals of each class with odds p; p of the drawn *= tau1
  2. add noise of size (l-1) * tau2 * sigma_i to each drawn signal
  3. K-SVD: M = r_f * N atoms, at most q non-zeros per signal
  4. code the signals on these atoms (orthogonal matching pursuit)
  5. measure each atom:  m = alpha*m_af + beta*m_cm + (1-alpha-beta)*m_re
  6. keep, for each class, its atom with the largest m
which gives I atoms per class.  Results go to the folder RUN, iteration by iteration.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    try:
        load_plugins()
        options = _parser().parse_args(arguments)
        return options.command(options)
    except DasksvdError as error:
        print(f"dasksvd: error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"dasksvd: error: cannot read or write {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, Cancelled):
        print("\ndasksvd: stopped; finished iterations are kept, `resume` goes on", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m dasksvd", description="Discriminant atom selection K-SVD.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    train = commands.add_parser(
        "train",
        help="learn a structured dictionary",
        description=_METHOD,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    train.set_defaults(command=_train)
    train.add_argument("--out", required=True, type=Path, metavar="RUN", help="folder of the new run")
    train.add_argument(
        "--preset",
        choices=PRESETS,
        default="paper",
        help="settings to start from: quick (about 10 s), classroom (about 1 min), paper (default)",
    )
    add = train.add_argument_group("settings (default: those of the preset)").add_argument
    add(
        "--q",
        type=_count_or_share,
        help="non-zeros per signal: a whole number >= 1, or a share 0 < q <= 1 of the atoms",
    )
    add("--t", type=int, help="signals drawn per class and iteration: 1 … size of the smallest class")
    add("--tau1", type=float, help="factor on the odds of a drawn signal: 0 <= tau1 <= 1 (1 = no memory)")
    add("--tau2", type=float, help="noise growth, noise = l * tau2 * sigma_i: 0 <= tau2 < 1")
    add("--I", type=int, help="iterations = atoms per class: >= 1")
    add("--alpha", type=float, help="weight of activation frequency, m_af = (p+ - p*) / p+: >= 0, alpha + beta <= 1")
    add("--beta", type=float, help="weight of coefficient magnitude, m_cm = (q+ - q*) / q+: >= 0, alpha + beta <= 1")
    add("--r_f", type=float, help="redundancy, M = r_f * N atoms: > 0, classes <= M <= t * classes")
    add("--ksvd_iter", type=int, help="K-SVD iterations: >= 1")
    add("--noise", choices=NOISES, help="sigma_i is the signal's standard deviation or its variance")
    add("--re_sign", choices=RE_SIGNS, help="m_re = (r+ - r*) / r+ as in the paper, or the authors' code's opposite")
    add("--exact", action="store_true", default=None, help="exact singular vectors in K-SVD (slow)")
    add("--seed", type=int, help="seed of all randomness: >= 0")
    add("--ranking", choices=RANKINGS, help="what ranks the atoms of a class: the paper's combined m, or another")
    for name, command, text in (
        ("resume", _resume, "go on with a run that was stopped, or repair a damaged one"),
        ("evaluate", _evaluate, "train a classifier on a finished run's codes and score it"),
        ("export", _export, "write a run to a zip file"),
    ):
        one = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        one.add_argument("run", metavar="RUN", help="folder of the run, or its id in the store")
        one.set_defaults(command=command)
        if name == "export":
            one.add_argument("zip", type=Path, metavar="ZIP", help="file to write")
        if name == "evaluate":
            for option, registry, default in (("--classifier", NETWORKS, "modern"), ("--encoder", ENCODERS, "omp")):
                one.add_argument(option, choices=list(registry), default=default, help=_titles(registry))
            one.add_argument("--hidden", type=int, default=0, help="hidden units; 0 (default): as many as atoms")
    back = commands.add_parser("import", help="read a run from a zip file", description="Read a run from a zip file.")
    back.add_argument("zip", type=Path, metavar="ZIP", help="file of the export command")
    back.set_defaults(command=_import)
    classify = commands.add_parser(
        "classify", help="read a digit from a picture", description="Read the one digit on a picture, light or dark."
    )
    classify.add_argument("image", type=Path, metavar="IMAGE", help="a picture file of one digit")
    classify.set_defaults(command=_classify)
    runs = commands.add_parser("runs", help="list the runs", description="List the runs in DASKSVD_HOME, else ./runs.")
    runs.set_defaults(command=_runs)
    _add_searches(commands)
    data = train.add_argument_group("data").add_argument
    names = ", ".join(f"{entry.name} ({entry.title})" for entry in DATASETS.entries()).replace("%", "%%")
    data("--data", metavar="NAME", default=next(iter(DATASETS)), help=f"one of {names}; default: %(default)s")
    data("--images", type=Path, help="your own images instead: idx, idx.gz, npy, or npz with `images` and `labels`")
    data("--labels", type=Path, help="their labels: idx, idx.gz or npy")
    return parser


def _add_searches(commands) -> None:
    """The commands ``grid``, ``sweep`` and ``search``."""
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
    grid.add_argument("--ranking", choices=RANKINGS, default="combined", help="what ranks a class's atoms (combined)")
    grid.set_defaults(command=_grid)
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
    sweep.add_argument("--alpha", type=float, default=0.0, help="weight of activation frequency (default 0)")
    sweep.add_argument("--beta", type=float, default=0.0, help="weight of coefficient magnitude (default 0)")
    sweep.add_argument("--ranking", choices=RANKINGS, help="what ranks a class's atoms (default: the run's ranking)")
    sweep.set_defaults(command=_sweep)
    planned = commands.add_parser(
        "search", help="go on with the last grid or sweep of a run", description="Go on with a run's last search."
    )
    planned.set_defaults(command=_search)
    for one in (grid, sweep, planned):
        one.add_argument("run", metavar="RUN", help="folder of the run, its id in the store, or `reference`")
        one.add_argument("--jobs", type=int, help="processes on this machine (default: all cores)")
        one.add_argument(
            "--scheduler",
            default=os.environ.get(SCHEDULER, ""),
            metavar="ADDRESS",
            help=f"compute on a Dask cluster instead, e.g. tcp://10.0.0.1:8786 (default: {SCHEDULER})",
        )
    networks = search_networks()
    for one, seeds in ((grid, 3), (sweep, 1)):
        one.add_argument("--classifier", choices=networks, default="modern", help=_titles(networks))
        one.add_argument("--encoder", choices=list(ENCODERS), default="omp", help=_titles(ENCODERS))
        one.add_argument("--seeds", type=int, default=seeds, help=f"networks per dictionary (default {seeds})")


def _titles(entries) -> str:
    """What the choices of an option mean, from a registry."""
    return "; ".join(f"{name}: {entries[name].title}" for name in entries)


def _count_or_share(text: str) -> int | float:
    return int(text) if text.lstrip("+-").isdigit() else float(text)


def _train(options: argparse.Namespace) -> int:
    given = {name: getattr(options, name) for name in PARAMETERS}
    settings = replace(PRESETS[options.preset], **{name: value for name, value in given.items() if value is not None})
    description, data = _described(options, settings)
    compute_with_line(create_run(options.out, description, **data))
    return 0


def _described(options: argparse.Namespace, settings: Settings) -> tuple[Description, dict]:
    """What decides the run's result, checked against its data, and the data if they are the user's own."""
    if options.images is None:
        settings = _fitted(options, settings, *shape_of(options.data))
        return describe(settings, options.data), {}
    images, labels = load_pair(options.images, options.labels)
    signals = to_signals(images)
    classes, numbers = np.unique(labels, return_inverse=True)
    settings = _fitted(options, settings, signals.shape[1], training_sizes(numbers))
    description = describe_labels(settings, "own", classes.tolist(), numbers, signals.shape[1])
    check_varied(signals, numbers, classes)
    return description, {"signals": signals, "labels": numbers}


def _fitted(options: argparse.Namespace, settings: Settings, length: int, sizes: list[int]) -> Settings:
    """The settings with a t that the data allow, unless the user has chosen one."""
    if options.t is not None:
        return settings
    found = fitted(settings, length, sizes)
    if found != settings:
        print(f"dasksvd: t = {found.t}, because {settings.t} signals per class are too many here", file=sys.stderr)
    return found


def _resume(options: argparse.Namespace) -> int:
    run = _own_run(options.run)
    _claim(run.job)
    compute_with_line(run)
    return 0


def _claim(job: Job) -> None:
    """Raise StoreError if a job is at work; forget that it was once asked to stop."""
    if is_alive(job.status):
        raise StoreError(f"{job.id} is running already (process {job.status.pid})")
    job.cancel_request.unlink(missing_ok=True)


def _grid(options: argparse.Namespace) -> int:
    run = _find_run(options.run)
    sizes = tuple(options.sizes or quarters(len(run.trajectory.records)))
    zoomed = tuple(options.zoom or (max(sizes),)) if options.stage == 2 else ()
    scoring = {"classifier": options.classifier, "seeds": options.seeds, "encoder": options.encoder}
    plan = WeightsPlan(options.step, options.fine_step, sizes, zoomed, ranking=options.ranking, **scoring)
    code = _start_search(Search(run), plan, options)
    choices = Choices(run.trajectory, plan.ranking)
    rows = weight_rows(choices, weight_scores(run), coarse(plan.step), plan.sizes, plan.scored_by)
    for size in plan.sizes:
        means = {row.point: row.summary for row in rows if row.size == size}
        best = ", ".join(f"R{place} {point}: {means[point]}" for place, point in enumerate(best_regions(rows, size), 1))
        print(f"{size} atoms per class: {best}")
    return code


def _sweep(options: argparse.Namespace) -> int:
    axes = {}
    for text in options.vary:
        name, _, values = text.partition("=")
        axes[name] = tuple(_number(value) for value in values.split(",") if value)
    run = _find_run(options.run)
    scoring = {"classifier": options.classifier, "seeds": options.seeds, "encoder": options.encoder}
    ranking = options.ranking or run.description.settings.ranking
    plan = SweepPlan(axes, options.alpha, options.beta, ranking=ranking, **scoring)
    return _start_search(Search(run), plan, options)


def _number(text: str) -> int | float:
    try:
        return _count_or_share(text)
    except ValueError:
        raise ParameterError(f"{text!r} is not a number") from None


def _start_search(search: Search, plan: SearchPlan, options: argparse.Namespace) -> int:
    _claim(search.job)
    search.set_plan(plan)
    compute_search_with_line(search, Engine(options.jobs, options.scheduler))
    return 0


def _search(options: argparse.Namespace) -> int:
    search = Search(_find_run(options.run))
    return _start_search(search, search.plan, options)


def _runs(options: argparse.Namespace) -> int:
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


def _evaluate(options: argparse.Namespace) -> int:
    run = _own_run(options.run)
    plan = Plan(options.classifier, options.hidden, options.encoder)
    finished, I = run.n_finished(), run.description.settings.I
    if finished < I:
        raise StoreError(f"{run.id} has {finished} of {I} iterations; `resume` it first")
    metrics = evaluate_run(run, plan, _show_epoch)
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    print(
        f"{100 * metrics.accuracy:.1f} % of {metrics.n_scored} {metrics.part} are read right by "
        f"MLP-{metrics.n_atoms}-{metrics.hidden}-{len(run.description.classes)} ({metrics.classifier}, "
        f"{metrics.epochs} epochs, {metrics.seconds:.0f} s)"
    )
    return 0


def _classify(options: argparse.Namespace) -> int:
    """Print the digit, or ``?`` where there is none; then why, and the three likeliest with their probabilities."""
    explanation = load_default_model().explain(from_image(options.image.read_bytes()))
    best = np.argsort(-explanation.probabilities)[:3]
    print("?" if explanation.doubt else best[0])
    if explanation.doubt:
        print(f"{explanation.doubt.sentence} The likeliest would be:", file=sys.stderr)
    print(", ".join(f"{digit}: {100 * explanation.probabilities[digit]:.1f} %" for digit in best), file=sys.stderr)
    return 0


def _show_epoch(epoch: int, loss: float, validation: float) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[Kepoch {epoch}: loss {loss:.4f}")
        sys.stderr.flush()


def _export(options: argparse.Namespace) -> int:
    content = export_zip(_own_run(options.run))
    write_atomically(options.zip, lambda file: file.write(content))
    print(f"{options.zip}: {len(content) / 2**20:.1f} MB")
    return 0


def _import(options: argparse.Namespace) -> int:
    with open(options.zip, "rb") as file:
        run = import_zip(Store(), file)
    print(run.folder)
    return 0


def _own_run(text: str) -> Run:
    """A run of one's own, by its folder or its id in the store."""
    run = _find_run(text)
    if isinstance(run, ReferenceRun):
        raise StoreError(
            "the reference run is shipped whole, there is nothing to resume, evaluate or export; "
            "`train --preset paper --out RUN` makes one like it"
        )
    return run


def _find_run(text: str) -> Run | ReferenceRun:
    """A run by its folder, or by its id in the store; ``reference`` is the shipped one."""
    if (Path(text) / "settings.json").exists():
        return Run(Path(text))
    if text == ReferenceRun.id:
        return ReferenceRun(Store().root)
    if search_job(Path(text), text).folder.is_dir():
        return find_base(Path(text))
    return Store().run(text)


if __name__ == "__main__":
    sys.exit(main())
