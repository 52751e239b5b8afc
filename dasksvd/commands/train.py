"""``train`` makes a new run and computes it; ``resume`` goes on with one."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dasksvd.commands.options import RUN_HELP, Commands, add_entry, claim, own_run
from dasksvd.datasets import DATASETS, load_pair, to_signals
from dasksvd.datasets.dataset import as_signals
from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import describe_labels, describe_own, shape_of, training_sizes
from dasksvd.datasets.proposal import PROPOSED, proposed
from dasksvd.errors import ParameterError
from dasksvd.method.sampling import check_varied
from dasksvd.parameters import ABOUT_BEST, DURATIONS, PARAMETERS, PRESETS, TABLE, Settings
from dasksvd.runs.folder import create_run
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute_with_line, describe

_METHOD = """\
DAS-KSVD repeats, for l = 1 … I:
  1. draw t signals of each class with odds p; p of the drawn *= tau1
  2. add noise of size (l-1) * tau2 * sigma_i to each drawn signal
  3. K-SVD: M = r_f * N atoms, at most q non-zeros per signal
  4. code the signals on these atoms (orthogonal matching pursuit)
  5. measure each atom:  m = alpha*m_af + beta*m_cm + (1-alpha-beta)*m_re
  6. keep, for each class, its atom with the largest m
which gives I atoms per class.  With fine_tune, these are then moved so that the codes
by the encoder threshold are easier to classify.  Results go to the folder RUN, iteration by iteration.
"""


def add(commands: Commands) -> None:
    """Add both commands."""
    train = commands.add_parser(
        "train",
        help="learn a structured dictionary",
        description=_METHOD,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    train.set_defaults(command=run_train)
    train.add_argument("--out", required=True, type=Path, metavar="RUN", help="folder of the new run")
    times = ", ".join(f"{name} (about {time})" for name, time in DURATIONS.items())
    train.add_argument(
        "--preset",
        choices=PRESETS,
        default="paper",
        help=f"settings to start from: {times}; default: paper. {ABOUT_BEST}",
    )
    _add_settings(train.add_argument_group("settings (default: those of the preset)"))
    _add_data(train.add_argument_group("data"))
    resume = commands.add_parser(
        "resume",
        help="go on with a run that was stopped, or repair a damaged one",
        description="Go on with a run that was stopped, or repair a damaged one.",
    )
    resume.add_argument("run", metavar="RUN", help=RUN_HELP)
    resume.set_defaults(command=run_resume)


def _add_settings(group: argparse._ArgumentGroup) -> None:
    """One option for each row of the table."""
    for name in PARAMETERS:
        group.add_argument(f"--{name}", help=TABLE[name].option_help, **TABLE[name].allowed.option())


def _add_data(group: argparse._ArgumentGroup) -> None:
    add_entry(group, "--data", DATASETS, default=next(iter(DATASETS)), more="or a data set of your own, see `data`")
    group.add_argument(
        "--images", type=Path, help="your own images instead: idx, idx.gz, npy, or npz with `images` and `labels`"
    )
    group.add_argument("--labels", type=Path, help="their labels: idx, idx.gz or npy")


def run_train(options: argparse.Namespace) -> int:
    """Make a run of the user's settings and data, and compute it."""
    given = {name: getattr(options, name) for name in PARAMETERS}
    settings = replace(PRESETS[options.preset], **{name: value for name, value in given.items() if value is not None})
    description, data = _described(options, settings)
    compute_with_line(create_run(options.out, description, **data))
    return 0


def _described(options: argparse.Namespace, settings: Settings) -> tuple[Description, dict[str, Any]]:
    """What decides the run's result, checked against its data, and the data if they are the user's own."""
    if options.images is None and options.data not in DATASETS:
        return _described_kept(options, settings)
    if options.images is None:
        settings = _suited(options, settings, *shape_of(options.data))
        return describe(settings, options.data), {}
    images, labels = load_pair(options.images, options.labels)
    signals = to_signals(images)
    classes, numbers = np.unique(labels, return_inverse=True)
    settings = _suited(options, settings, signals.shape[1], training_sizes(numbers))
    description = describe_labels(settings, "own", classes.tolist(), numbers, signals.shape[1])
    check_varied(signals, numbers, classes.tolist())
    return description, {"signals": signals, "labels": numbers}


def _described_kept(options: argparse.Namespace, settings: Settings) -> tuple[Description, dict[str, Any]]:
    """The same of a data set of one's own that is kept in the store."""
    library = Store().library
    if options.data not in library:
        known = ", ".join([*DATASETS, *(kept.name for kept in library.listing())])
        raise ParameterError(f"unknown {DATASETS.kind} {options.data!r}; known are {known}")
    key = library.find(options.data).key
    found = library.load(key)
    signals = as_signals(found.train_images)
    settings = _suited(options, settings, signals.shape[1], training_sizes(found.train_labels))
    description = describe_own(settings, found, key)
    check_varied(signals, found.train_labels, description.classes)
    return description, {"pictures": library.folder(key)}


def _suited(options: argparse.Namespace, settings: Settings, length: int, sizes: list[int]) -> Settings:
    """The settings with what is proposed for the preset and the data, but for what the user has chosen."""
    found = proposed(PRESETS[options.preset], length, sizes)
    changed = {name: getattr(found, name) for name in PROPOSED if getattr(options, name) is None}
    changed = {name: value for name, value in changed.items() if value != getattr(settings, name)}
    if changed:
        words = ", ".join(f"{name} = {value:g}" for name, value in changed.items())
        print(f"dasksvd: {words}, to suit these pictures", file=sys.stderr)
    return replace(settings, **changed)


def run_resume(options: argparse.Namespace) -> int:
    """Compute what is missing of a run."""
    run = own_run(options.run)
    claim(run.job)
    compute_with_line(run)
    return 0
