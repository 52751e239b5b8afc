"""The code behind what single pages show: searches, measures, a drawing, the paper's claims."""

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from dasksvd import rankings
from dasksvd.encoders import DEFAULT as DEFAULT_ENCODER
from dasksvd.reports.recipes import (
    Origin,
    Recipe,
    as_word,
    called,
    imports,
    notes,
    run_cells,
    run_imports,
    train_commands,
)
from dasksvd.search.plans import SearchPlan, SweepPlan, WeightsPlan, quarters
from dasksvd.search.space import Span, axis_text
from dasksvd.search.study_plan import StudyPlan

_PROGRAM = "python -m dasksvd"
#: The names of a search's parts in Python, and where they are.
_SEARCH = {"search": "dasksvd.search.engine"}


def search_recipe(origin: Origin, plan: SearchPlan) -> Recipe:
    """A search on a run, and its scores."""
    cells, names = _SEARCHES[type(plan)](plan)
    commands = (*train_commands(origin), search_command(origin, plan))
    found = (imports(run_imports(origin) | names), *run_cells(origin), *cells)
    return Recipe("A search for good settings", commands, found, notes(origin))


def search_command(origin: Origin, plan: SearchPlan) -> str:
    """The command of a search."""
    options = _COMMANDS[type(plan)](origin, plan)
    if not isinstance(plan, StudyPlan) and plan.classifier != "modern":
        options.append(f"--classifier {plan.classifier}")
    if plan.encoder != DEFAULT_ENCODER:
        options.append(f"--encoder {plan.encoder}")
    options += [f"--level {plan.level!r}"] if plan.level else []
    return " ".join([_PROGRAM, options[0], origin.named, *options[1:]])


def _grid_options(origin: Origin, plan: WeightsPlan) -> list[str]:
    usual, found = WeightsPlan(), ["grid"]
    found += [] if plan.zoomed else ["--stage 1"]
    for name, option in (("step", "--step"), ("fine_step", "--fine-step"), ("seeds", "--seeds")):
        if getattr(plan, name) != getattr(usual, name):
            found.append(f"{option} {getattr(plan, name)}")
    if plan.sizes != quarters(origin.description.settings.I):
        found.append(f"--sizes {' '.join(map(str, plan.sizes))}")
    if plan.zoomed and plan.zoomed != (max(plan.sizes),):
        found.append(f"--zoom {' '.join(map(str, plan.zoomed))}")
    found += ["--papers-regions"] if plan.papers_regions else []
    return found + ([] if plan.ranking == rankings.DEFAULT else [f"--ranking {plan.ranking}"])


def _sweep_options(origin: Origin, plan: SweepPlan) -> list[str]:
    found = ["sweep", *(f"--vary {name}={_values(values)}" for name, values in plan.axes.items())]
    found += [f"--{name} {getattr(plan, name)!r}" for name in ("alpha", "beta") if getattr(plan, name)]
    found += [f"--seeds {plan.seeds}"] if plan.seeds != 1 else []
    return found + ([] if plan.ranking == origin.description.settings.ranking else [f"--ranking {plan.ranking}"])


def _study_options(origin: Origin, plan: StudyPlan) -> list[str]:
    usual = StudyPlan(plan.axes)
    found = ["study", *(f"--vary {shlex.quote(axis_text(name, axis))}" for name, axis in plan.axes.items())]
    found += [f"--set {shlex.quote(axis_text(name, (value,)))}" for name, value in plan.fixed.items()]
    for name in ("design", "points", "seeds", "minutes", "network"):
        if getattr(plan, name) != getattr(usual, name):
            found.append(f"--{name} {as_word(getattr(plan, name))}")
    return found


def _values(values: Sequence[Any]) -> str:
    return ",".join(map(as_word, values))


def _grid_cells(plan: WeightsPlan) -> tuple[list[str], dict[str, str]]:
    rows = (
        "plan = settled(run, plan)\n"
        "choices, scores = Choices(run.trajectory, plan.ranking), weight_scores(run)\n"
        "rows = weight_rows(choices, scores, coarse(plan.step), plan.sizes, plan.scored_by)\n"
        "for row in rows:\n"
        '    print(row.size, row.point, f"{100 * row.summary.mean:.2f} %")'
    )
    names = _SEARCH | dict.fromkeys(("Choices", "weight_rows", "weight_scores"), "dasksvd.search.weights")
    names |= {"coarse": "dasksvd.search.lattice", "WeightsPlan": "dasksvd.search.plans"}
    return [f"plan = {called(plan)}\nsearch(run, plan)", rows], names | {"settled": "dasksvd.search.levels"}


def _sweep_cells(plan: SweepPlan) -> tuple[list[str], dict[str, str]]:
    rows = (
        "plan, scores = settled(run, plan), sweep_scores(run)\n"
        "for settings in plan.points(run.description.settings):\n"
        "    entry = scores.entries[sweep_key(settings, plan)]\n"
        "    print([getattr(settings, name) for name in plan.axes], list(entry.accuracies.values()), entry.problem)"
    )
    names = _SEARCH | dict.fromkeys(("sweep_key", "sweep_scores"), "dasksvd.search.sweep")
    names |= {"SweepPlan": "dasksvd.search.plans", "settled": "dasksvd.search.levels"}
    return [f"plan = {called(plan)}\nsearch(run, plan)", rows], names


def _study_cells(plan: StudyPlan) -> tuple[list[str], dict[str, str]]:
    rows = "for one in outcomes(run, plan):\n    print(dict(zip(plan.axes, one.point)), one.summary or one.problem)"
    names = _SEARCH | {"outcomes": "dasksvd.search.outcomes", "StudyPlan": "dasksvd.search.study_plan"}
    names |= {"Span": "dasksvd.search.space"} if any(isinstance(axis, Span) for axis in plan.axes.values()) else {}
    return [f"plan = {called(plan)}\nsearch(run, plan)", rows], names


#: What each kind of search is called by; a new kind adds its line.
_COMMANDS: dict[type, Any] = {WeightsPlan: _grid_options, SweepPlan: _sweep_options, StudyPlan: _study_options}
_SEARCHES: dict[type, Any] = {WeightsPlan: _grid_cells, SweepPlan: _sweep_cells, StudyPlan: _study_cells}


def measures_recipe(origin: Origin, iteration: int, alpha: float, beta: float, I: int, ranking: str) -> Recipe:
    """The measures of all atoms of an iteration (from 1), and which of them the weights select."""
    weights = {"alpha": alpha, "beta": beta}
    options = [f"--{name} {value!r}" for name, value in weights.items() if value]
    options += [] if ranking == rankings.DEFAULT else [f"--ranking {ranking}"]
    command = " ".join([_PROGRAM, "measures", origin.named, f"--iteration {iteration}", *options])
    look = (
        f"rows = measure_rows(run.trajectory, {iteration}, alpha={alpha!r}, beta={beta!r}, ranking={ranking!r})\n"
        'print(as_csv(rows), end="")'
    )
    atoms = (
        f"selection = run.trajectory.reselect(alpha={alpha!r}, beta={beta!r}, I={I}, ranking={ranking!r})\n"
        "print(selection.atoms.shape)  # the structured dictionary: one atom per class and iteration"
    )
    names = run_imports(origin) | dict.fromkeys(("measure_rows", "as_csv"), "dasksvd.reports.tables")
    cells = (imports(names), *run_cells(origin), look, atoms)
    return Recipe("The measures of all atoms of an iteration", (*train_commands(origin), command), cells, notes(origin))


def drawing_recipe(
    drawing: Mapping[str, Any] | None,
    reader: str,
    n_nonzero: int | None = None,
    per_class: int | None = None,
    keeps_network: bool = False,
) -> Recipe:
    """How a drawing is read.

    Parameters
    ----------
    drawing : mapping or None
        Its ``strokes``, lists of points x, y, and the ``size`` of the sheet; None for a picture, which is not
        repeated: it has to lie in a file.
    reader : str
        ``default``, ``reference-20`` for that of the shipped run on 20 atoms per class, or the id of a run.
    n_nonzero, per_class : int, optional
        Non-zeros of a code and atoms of each class that it may use, where these are not all.
    keeps_network : bool, default=False
        Whether codes of any length go to the reader's usual network.
    """
    limits = {"q": n_nonzero, "atoms": per_class}
    options = [] if reader == "default" else [f"--reader {reader}"]
    options += [f"--{name} {value}" for name, value in limits.items() if value is not None]
    options += ["--keep-network"] if keeps_network else []
    told = () if drawing else ("Save the picture as picture.png first.",)
    name = "drawing.json" if drawing else "picture.png"
    commands = [" ".join([_PROGRAM, "classify", name, *options])]
    names = {"reader_file": "dasksvd.reports.readers", "load_model": "dasksvd.digit.reader"}
    if drawing:
        points = [[list(point) for point in stroke] for stroke in drawing["strokes"]]
        text = json.dumps({"size": drawing["size"], "strokes": points}, separators=(",", ":"))
        commands.insert(0, f"cat > drawing.json <<'END'\n{text}\nEND")
        image = f"strokes = {json.dumps(points)}\nimage = from_strokes(strokes, {drawing['size']})"
        names |= {"from_strokes": "dasksvd.digit"}
    else:
        image = 'image = from_image(Path("picture.png").read_bytes())'
        names |= {"from_image": "dasksvd.digit", "Path": "pathlib"}
    reading = [f"reader = load_model(reader_file({reader!r}))"]
    if any(value is not None for value in limits.values()):
        if n_nonzero is not None and not keeps_network:
            reading.append(f"reader = reader.trained_for({n_nonzero})")
        reading.append(
            f"reader = reader.restricted({n_nonzero or 'reader.n_nonzero'}, {per_class or 'len(reader.atoms)'})"
        )
    reading += [
        "explanation = reader.explain(image)",
        "for digit, share in enumerate(explanation.probabilities):",
        '    print(digit, f"{100 * share:.2f} %")',
        'print(explanation.doubt or "this is a digit")',
    ]
    return Recipe("How a drawing is read", tuple(commands), (imports(names), image, "\n".join(reading)), told)


def claims_recipe(commands: Mapping[str, str]) -> Recipe:
    """The paper's claims, tested again.

    Parameters
    ----------
    commands : mapping of str to str
        What measures each claim: words of our own -> command.
    """
    lines = [f"{command}  # {words}" for words, command in commands.items()]
    cells = (
        "from reproduce.claims import CLAIMS\nfrom reproduce.verdicts import verdict",
        "for claim in CLAIMS:\n"
        "    evidence = claim.find()  # from the stored results in reproduce/results\n"
        '    print(verdict(evidence).value, "|", claim.said, [(one.by, one.whole.text) for one in evidence])',
    )
    told = (
        "Run this in a copy of the project: an installed package has no folder reproduce.",
        "Measuring takes hours; what is stored is used again, so delete reproduce/results to begin from scratch.",
    )
    return Recipe("Does the paper hold?", (*lines, "python -m reproduce report"), cells, told)
