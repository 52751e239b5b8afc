"""Show me the code: the commands and the Python that give the same result as what a page shows.

Only what differs from the defaults is written down.  Nothing here computes.
"""

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import describe, shape_of
from dasksvd.datasets.proposal import PROPOSED, proposed
from dasksvd.datasets.registry import OWN
from dasksvd.encoders import usual_encoder
from dasksvd.evaluate import Metrics, Plan
from dasksvd.parameters import PARAMETERS, PRESETS, TABLE, Settings
from dasksvd.runs.reference import REFERENCE_ID, SHIPPED

_PROGRAM = "python -m dasksvd"


@dataclass(frozen=True)
class Recipe:
    """How to get a result again.

    Attributes
    ----------
    title : str
        What the result is, in a few words of our own: no text of visitors.
    commands : tuple of str
        Lines for a shell.
    cells : tuple of str
        Pieces of Python, in order; each is a cell of the notebook.
    notes : tuple of str
        What one has to know before.
    """

    title: str
    commands: tuple[str, ...]
    cells: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def shell(self) -> str:
        """The text for a terminal."""
        return "\n".join([*(f"# {note}" for note in self.notes), *self.commands]) + "\n"

    @property
    def python(self) -> str:
        """The text of a script."""
        return "\n".join([*(f"# {note}" for note in self.notes), "\n\n".join(self.cells)]) + "\n"


@dataclass(frozen=True)
class Origin:
    """The run that a recipe starts from.

    Attributes
    ----------
    description : Description
    run_id : str
        Its id in the store or that of a shipped run, or empty if it is not made yet.
    name : str
        What people call it; folders are named after it.
    kept : str
        The name of the kept data set that it learns from, if it is one of one's own.
    """

    description: Description
    run_id: str = ""
    name: str = ""
    kept: str = ""

    @property
    def is_shipped(self) -> bool:
        """Whether it is a shipped run."""
        return self.run_id in SHIPPED

    @property
    def folder(self) -> str:
        """Where the commands put it: letters, digits and dashes, whatever it is called."""
        words = re.findall(r"[A-Za-z0-9]+", self.name)
        return f"runs/{'-'.join(words).lower()[:40].strip('-') or 'mine'}"

    @property
    def named(self) -> str:
        """What further commands call it."""
        return self.run_id if self.is_shipped else self.folder


def plan_of(metrics: Metrics) -> Plan:
    """The plan of an evaluation, from what it has left."""
    hidden = 0 if metrics.hidden == metrics.n_atoms else metrics.hidden
    return Plan(metrics.classifier, hidden, metrics.encoder, 0.0 if metrics.tried else metrics.level)


def run_recipe(origin: Origin, plan: Plan | None) -> Recipe:
    """A run with its evaluation, as Train makes it."""
    settings = origin.description.settings
    commands = (*train_commands(origin), *([evaluate_command(origin, plan)] if plan else []))
    cells = [imports(_run_imports(origin, plan)), *run_cells(origin)]
    if plan:
        cells.append(
            f"metrics = evaluate_run(run, {called(plan)})\n"
            'print(f"{100 * metrics.accuracy:.2f} % of {metrics.n_scored} {metrics.part}")'
        )
    else:
        weights = f"alpha={settings.alpha!r}, beta={settings.beta!r}"
        cells.append(f"print(run.trajectory.reselect({weights}).atoms.shape)")
    title = f"A DAS-KSVD run with {settings.I} atoms per class"
    return Recipe(title, commands, tuple(cells), notes(origin))


def train_commands(origin: Origin) -> tuple[str, ...]:
    """The command that learns a run; none for a shipped one."""
    if origin.is_shipped:
        return ()
    what = origin.description
    preset, changed = _changes(what)
    data = _data_option(origin)
    options = [f"--{name}" if value is True else f"--{name} {as_word(value)}" for name, value in changed.items()]
    words = ["train", *([] if preset == "paper" else [f"--preset {preset}"]), *data, *options, f"--out {origin.folder}"]
    return (" ".join([_PROGRAM, *words]),)


def evaluate_command(origin: Origin, plan: Plan) -> str:
    """The command that scores a run."""
    usual = Plan(encoder=usual_encoder(origin.description.settings.fine_tune))
    changed = {one.name: getattr(plan, one.name) for one in fields(plan)}
    options = [f"--{name} {as_word(value)}" for name, value in changed.items() if value != getattr(usual, name)]
    return " ".join([_PROGRAM, "evaluate", origin.folder, *options])


def run_cells(origin: Origin) -> list[str]:
    """Python that makes ``run``, its iterations computed."""
    what = origin.description
    if origin.is_shipped:
        which = "" if origin.run_id == REFERENCE_ID else f', "{origin.run_id}"'
        return [f'run = ReferenceRun(Path("runs"){which})  # shipped, nothing is computed']
    if what.data == OWN and not origin.kept:
        made = f'run = Store().copy("{origin.run_id}")  # the same settings and pictures, nothing computed yet'
        return [made, "compute(run)"]
    settings = f"settings = {called(what.settings)}"
    if what.data == OWN:
        made = (
            f"library = Store().library\nkey = library.find({origin.kept!r}).key\n"
            "description = describe_own(settings, library.load(key), key)\n"
            f'run = create_run(Path("{origin.folder}"), description, pictures=library.folder(key))'
        )
        return [settings, made, "compute(run)"]
    return [f'{settings}\nrun = create_run(Path("{origin.folder}"), describe(settings, {what.data!r}))', "compute(run)"]


def run_imports(origin: Origin) -> dict[str, str]:
    """What :func:`run_cells` needs: name -> module."""
    if origin.is_shipped:
        return {"Path": "pathlib", "ReferenceRun": "dasksvd.runs.reference"}
    found = {"compute": "dasksvd.runs.worker"}
    if origin.description.data == OWN:
        found["Store"] = "dasksvd.runs.store"
        if not origin.kept:
            return found
    found |= {"Path": "pathlib", "create_run": "dasksvd.runs.folder", "Settings": "dasksvd.parameters"}
    maker = "describe_own" if origin.description.data == OWN else "describe"
    return found | {maker: "dasksvd.datasets.parts"}


def _run_imports(origin: Origin, plan: Plan | None) -> dict[str, str]:
    scoring = {"Plan": "dasksvd.evaluate", "evaluate_run": "dasksvd.runs.evaluation"} if plan else {}
    return run_imports(origin) | scoring


def imports(names: Mapping[str, str]) -> str:
    """Import lines, the standard library's first."""
    modules: dict[str, list[str]] = {}
    for name, module in names.items():
        modules.setdefault(module, []).append(name)
    ours = sorted(module for module in modules if module.startswith("dasksvd"))
    theirs = sorted(set(modules) - set(ours))
    lines = [
        [f"from {module} import {', '.join(sorted(modules[module]))}" for module in part] for part in (theirs, ours)
    ]
    return "\n\n".join("\n".join(part) for part in lines if part)


def notes(origin: Origin) -> tuple[str, ...]:
    """Why the same settings might give something else."""
    what, found = origin.description, []
    if what.settings.streams != TABLE["streams"].default and not origin.is_shipped:
        found.append(
            "This run has the random numbers of an older version; the command draws others, the Python does not."
        )
    if what.data == OWN and not origin.kept:
        found.append("This run learned from pictures in its own folder: name their files in the command.")
    elif what.data != OWN and not origin.is_shipped and describe(what.settings, what.data) != what:
        found.append("This run is older: it held no images out, so its accuracy differs from that of a new run.")
    return tuple(found)


def _changes(what: Description) -> tuple[str, dict[str, Any]]:
    """The preset that a run is nearest to, and the options that it needs besides."""
    found = {name: _differences(what, name) for name in PRESETS}
    preset = min(found, key=lambda name: len(found[name]))
    return preset, found[preset]


def _differences(what: Description, preset: str) -> dict[str, Any]:
    """The settings in which a run differs from what a preset gives on its data."""
    base, always = PRESETS[preset], []
    if what.data == OWN:
        always = [*PROPOSED]  # the command would propose others by the pictures
    else:
        base = proposed(base, *shape_of(what.data))
    mine = what.settings
    return {
        name: getattr(mine, name)
        for name in PARAMETERS
        if getattr(mine, name) != getattr(base, name) or (name in always)
    }


def _data_option(origin: Origin) -> list[str]:
    data = origin.description.data
    if data == OWN:
        return [f"--data {shlex.quote(origin.kept)}"] if origin.kept else ["--images IMAGES --labels LABELS"]
    return [] if data == "mnist" else [f"--data {shlex.quote(data)}"]


def as_word(value: Any) -> str:
    """A value as an option has it; a share of 1 must not become a count."""
    return shlex.quote(repr(value) if isinstance(value, float) else str(value))


def called(thing: Settings | Any) -> str:
    """A dataclass as the call that makes it, with only what differs from its defaults.

    Examples
    --------
    >>> called(Settings(t=150, q=0.1)), called(Plan("scg"))
    ('Settings(q=0.1, t=150)', "Plan(classifier='scg')")
    """
    given = [f"{name}={value!r}" for name, value in _given(thing)]
    return f"{type(thing).__name__}({', '.join(given)})"


def _given(thing: Any) -> Iterable[tuple[str, Any]]:
    for one in fields(thing):
        value = getattr(thing, one.name)
        usual = one.default if one.default_factory is MISSING else one.default_factory()
        if usual is MISSING or value != usual:
            yield one.name, value
