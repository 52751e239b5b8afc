"""What a report carries so that it can be checked: plain values, read back without trusting any of them.

A report is an HTML file; the facts stand in it as one block of JSON.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from dasksvd.datasets.description import Description
from dasksvd.errors import DamagedFile, DasksvdError
from dasksvd.evaluate import Metrics, Plan
from dasksvd.parameters.checks import is_between
from dasksvd.reports.recipes import plan_of
from dasksvd.runs.evaluation import read_metrics
from dasksvd.runs.folder import Run
from dasksvd.runs.kept import library_beside
from dasksvd.runs.reference import SHIPPED, ReferenceRun, load_metrics
from dasksvd.search.levels import settled
from dasksvd.search.plans import SearchPlan, plan_as_dict, plan_from_dict
from dasksvd.search.results import scores_of

FORMAT = 1
#: Bytes of a report that is read, and of the facts in it.
MAX_REPORT, MAX_FACTS = 2**26, 2**23
#: Runs in a report.
MAX_RUNS = 20
_SUM, _TEXT = re.compile(r"[0-9a-f]{32}"), re.compile(r"[^\x00-\x1f\x7f]{0,200}")
_BLOCK = re.compile(rb'<script type="application/json" id="dasksvd-report">(.*?)</script>', re.DOTALL)


@dataclass(frozen=True)
class Iteration:
    """The traces of an iteration: the sum of its atoms, its last K-SVD error, the atoms that were chosen."""

    atoms: str
    error: float
    chosen: list[int]


@dataclass(frozen=True)
class RunFacts:
    """The traces of a run.

    Attributes
    ----------
    id, name : str
    description : Description
    iterations : list of Iteration
    atoms : str
        The sum of the structured dictionary, fine-tuned if the settings say so; empty if it is not finished.
    plan : Plan or None
        How it was evaluated.
    accuracy : float
    n_scored : int
    confusion : list of list of int
        All three empty or 0 without an evaluation.
    kept : str
        What the kept data set that it learns from is called, if it is one of one's own.
    """

    id: str
    name: str
    description: Description
    iterations: list[Iteration]
    atoms: str = ""
    plan: Plan | None = None
    accuracy: float = 0.0
    n_scored: int = 0
    confusion: list[list[int]] = field(default_factory=list)
    kept: str = ""


@dataclass(frozen=True)
class Facts:
    """All that a report carries.

    Attributes
    ----------
    machine : dict of str to str
    runs : list of RunFacts
    plan : SearchPlan or None
        Of a search on the first run.
    scores : dict of str to dict of int to float
        Its scores: name of a dictionary -> seed of a network -> accuracy.
    seconds : dict of str to float
        How long each of them took: it is shown, but cannot be computed again.
    """

    machine: dict[str, str]
    runs: list[RunFacts]
    plan: SearchPlan | None = None
    scores: dict[str, dict[int, float]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


def sum_of(array: np.ndarray) -> str:
    """A sum over the bits of an array."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:32]


def metrics_of(run: Run | ReferenceRun) -> Metrics | None:
    """How well a run is classified: as it was evaluated, a shipped one as it was before it was shipped."""
    if isinstance(run, Run):
        return read_metrics(run)
    kept = load_metrics(run.id)
    return Metrics(**kept[max(kept)]["validation"])


def run_facts(run: Run | ReferenceRun, metrics: Metrics | None = None) -> RunFacts:
    """The traces of a run as it lies on the disk."""
    what, trajectory = run.description, run.trajectory
    settings = what.settings
    chosen: Sequence[np.ndarray] = ()
    if trajectory.records:
        chosen = list(trajectory.reselect(settings.alpha, settings.beta).index)
    iterations = [
        Iteration(sum_of(record.atoms), round(float(record.errors[-1]), 9), index.tolist())
        for record, index in zip(trajectory.records, chosen, strict=True)
    ]
    if isinstance(run, ReferenceRun):
        return RunFacts(run.id, SHIPPED[run.id].name, what, iterations)
    metrics = metrics or read_metrics(run)
    atoms = "" if run.missing else sum_of(run.atoms)
    found = RunFacts(run.id, run.about.name, what, iterations, atoms, kept=_kept_name(run))
    if metrics is None or not atoms:
        return found
    return replace(
        found,
        plan=plan_of(metrics),
        accuracy=metrics.accuracy,
        n_scored=metrics.n_scored,
        confusion=metrics.confusion,
    )


def _kept_name(run: Run) -> str:
    key, library = run.description.pictures, library_beside(run.folder)
    return library.find(key).name if key and key in library else ""


def search_facts(run: Run | ReferenceRun, plan: SearchPlan) -> tuple[dict[str, dict[int, float]], dict[str, float]]:
    """The scores that a search has so far, of a run, and the seconds that each took; what has failed has none."""
    found = {
        key: entry for key, entry in scores_of(run, settled(run, plan)).items() if entry.accuracies or entry.problem
    }
    return {key: dict(one.accuracies) for key, one in found.items()}, {key: one.seconds for key, one in found.items()}


def as_json(facts: Facts) -> str:
    """The facts as a text that cannot end the block it stands in."""
    values: dict[str, Any] = {"format": FORMAT, "machine": facts.machine, "runs": []}
    for one in facts.runs:
        plain = asdict(one) | {"description": one.description.as_dict()}
        values["runs"].append(plain | {"plan": asdict(one.plan) if one.plan else None})
    if facts.plan is not None:
        values |= {"plan": plan_as_dict(facts.plan), "scores": facts.scores, "seconds": facts.seconds}
    text = json.dumps(values, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def read_facts(path: Path) -> Facts:
    """The facts in a report, or DamagedFile with what is wrong with them."""
    return read_report(path)[0]


def read_report(path: Path) -> tuple[Facts, str]:
    """The facts in a report and its whole text, or DamagedFile."""
    with open(path, "rb") as file:
        content = file.read(MAX_REPORT + 1)
    if len(content) > MAX_REPORT:
        raise DamagedFile(f"{path.name} is too large for a report")
    blocks = _BLOCK.findall(content)
    if len(blocks) != 1:
        raise DamagedFile(f"{path.name} is no report of this program: it carries {len(blocks) or 'no'} facts to check")
    if len(blocks[0]) > MAX_FACTS:
        raise DamagedFile(f"{path.name} carries too many facts")
    try:
        return _parsed(json.loads(blocks[0])), content.decode("utf-8")
    except DasksvdError as error:
        raise DamagedFile(f"{path.name} carries facts that cannot be: {error}") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
        raise DamagedFile(f"{path.name} carries facts that cannot be read ({str(error)[:80]})") from error


def _parsed(values: Mapping[str, Any]) -> Facts:
    if values["format"] != FORMAT:
        raise DamagedFile(f"this report has the format {str(values['format'])[:20]}, this program reads {FORMAT}")
    machine, runs = values["machine"], values["runs"]
    if not isinstance(machine, dict) or len(machine) > 50:
        raise DamagedFile("the machine is not described")
    if not isinstance(runs, list) or not 1 <= len(runs) <= MAX_RUNS:
        raise DamagedFile(f"it must have 1 to {MAX_RUNS} runs")
    checked = {_checked_text(name): _checked_text(text) for name, text in machine.items()}
    if "plan" not in values:
        return Facts(checked, [_parsed_run(one) for one in runs])
    scores = {_checked_text(key): _parsed_scores(found) for key, found in values["scores"].items()}
    seconds = {key: float(found) for key, found in values.get("seconds", {}).items() if is_between(found, 0, 1e9)}
    return Facts(checked, [_parsed_run(runs[0])], plan_from_dict(values["plan"]), scores, seconds)


def _parsed_run(values: Mapping[str, Any]) -> RunFacts:
    what = Description.from_dict(values["description"])
    plan = None if values["plan"] is None else Plan(**values["plan"])
    iterations = [_parsed_iteration(one, len(what.classes)) for one in values["iterations"]]
    confusion = np.asarray(values["confusion"], np.int64)
    k = len(what.classes)
    if plan is not None and (confusion.shape != (k, k) or confusion.min() < 0):
        raise DamagedFile("its confusions are no table of the classes")
    if len(iterations) > what.settings.I or not is_between(values["accuracy"], 0, 1):
        raise DamagedFile("it has more iterations than its settings, or an accuracy outside of 0 … 1")
    if not isinstance(values["n_scored"], int) or not 0 <= values["n_scored"] < 2**31:
        raise DamagedFile("the number of scored images is none")
    return RunFacts(
        _checked_text(values["id"]),
        _checked_text(values["name"]),
        what,
        iterations,
        _checked_sum(values["atoms"]) if values["atoms"] else "",
        plan,
        float(values["accuracy"]),
        values["n_scored"],
        confusion.tolist() if plan else [],
        _checked_text(values.get("kept", "")),
    )


def _parsed_iteration(values: Mapping[str, Any], n_classes: int) -> Iteration:
    chosen = values["chosen"]
    if len(chosen) != n_classes or not all(isinstance(one, int) and 0 <= one < 2**31 for one in chosen):
        raise DamagedFile("an iteration does not choose one atom for each class")
    if not is_between(values["error"], 0, 1e9):
        raise DamagedFile("an error of K-SVD is no number")
    return Iteration(_checked_sum(values["atoms"]), float(values["error"]), list(chosen))


def _parsed_scores(values: Mapping[str, Any]) -> dict[int, float]:
    found = {int(seed): float(share) for seed, share in values.items()}
    if not all(is_between(share, 0, 1) for share in found.values()):
        raise DamagedFile("a score lies outside of 0 … 1")
    return found


def _checked_text(text: Any) -> str:
    if not isinstance(text, str) or not _TEXT.fullmatch(text):
        raise DamagedFile("a text is too long or has control characters")
    return text


def _checked_sum(text: Any) -> str:
    if not isinstance(text, str) or not _SUM.fullmatch(text):
        raise DamagedFile("a sum of atoms is none")
    return text
