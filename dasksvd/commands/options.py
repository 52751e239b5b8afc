"""Options that several commands share, and how a run is found by what the user types."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from dasksvd.common.registry import Registry
from dasksvd.encoders import DEFAULT as DEFAULT_ENCODER
from dasksvd.encoders import ENCODERS, levels_of
from dasksvd.errors import StoreError
from dasksvd.runs.folder import Run
from dasksvd.runs.job import Job, search_job
from dasksvd.runs.processes import is_alive
from dasksvd.runs.reference import SHIPPED, ReferenceRun
from dasksvd.runs.store import Store
from dasksvd.search.job import find_base

#: What a group of commands is added to; only type checkers may put something into its brackets.
if TYPE_CHECKING:
    Commands: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]
else:
    Commands = argparse._SubParsersAction
RUN_HELP = "folder of the run, or its id in the store"


def add_entry(
    parser: argparse._ActionsContainer,
    option: str,
    registry: Registry[Any],
    default: str | None,
    otherwise: str = "",
    more: str = "",
) -> None:
    """An option whose value is the name of a registry's entry.

    ``otherwise`` says what a default of None means, and ``more`` what else can be named.
    """
    names = "; ".join(f"{entry.name}: {entry.title}" for entry in registry.entries()).replace("%", "%%")
    words = f"{registry.kind} (default: {default or otherwise}). {names}{'; ' * bool(more)}{more}"
    parser.add_argument(option, metavar="NAME", default=default, help=words)


def add_encoder(parser: argparse._ActionsContainer, default: str | None = DEFAULT_ENCODER, otherwise: str = "") -> None:
    """What codes the signals, and its level."""
    add_entry(parser, "--encoder", ENCODERS, default, otherwise)
    named = ", ".join(name for name in ENCODERS if levels_of(name))
    parser.add_argument(
        "--level",
        type=float,
        default=0.0,
        help=f"level of an encoder that has one ({named}), between 0 and 1, the larger the sparser; "
        "0 (default): chosen on validation data",
    )


def own_run(text: str) -> Run:
    """A run of the user's own, by its folder or its id in the store."""
    run = find_run(text)
    if isinstance(run, ReferenceRun):
        raise StoreError(
            "the reference run is shipped whole, there is nothing to resume, evaluate or export; "
            "`train --preset paper --out RUN` makes one like it"
        )
    return run


def find_run(text: str) -> Run | ReferenceRun:
    """A run by its folder, or by its id in the store, or a shipped one by its id, such as ``reference``."""
    if (Path(text) / "settings.json").exists():
        return Run(Path(text))
    if text in SHIPPED:
        return ReferenceRun(Store().root, text)
    if search_job(Path(text), text).folder.is_dir():
        return find_base(Path(text))
    return Store().run(text)


def claim(job: Job) -> None:
    """Raise StoreError if a job is at work; forget that it was once asked to stop."""
    if is_alive(job.status):
        raise StoreError(f"{job.id} is running already (process {job.status.pid})")
    job.cancel_request.unlink(missing_ok=True)
