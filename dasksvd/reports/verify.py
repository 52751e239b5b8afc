"""Is a report true?  Everything in it is computed again from its settings, and compared.

On a machine of the same kind with the same versions every bit must be the same.  Elsewhere rounding differs, K-SVD
takes other turns and other atoms come out, so only errors and accuracies are compared, within a tolerance.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dasksvd.datasets.parts import check_description
from dasksvd.datasets.registry import OWN
from dasksvd.errors import DamagedFile
from dasksvd.reports.facts import Facts, RunFacts, run_facts, search_facts
from dasksvd.reports.machine import machine, unlike
from dasksvd.reports.recipes import REFERENCE
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.folder import Run, create_run
from dasksvd.runs.limits import plan_cost
from dasksvd.runs.reference import ReferenceRun
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute
from dasksvd.search.engine import Engine, search
from dasksvd.statistics import share_half_width

#: On another kind of machine: the share by which errors of K-SVD may differ, and points of 100 of mean scores.
ERRORS, SCORES = 0.02, 1.0


@dataclass(frozen=True)
class Verdict:
    """What a check has found.

    Attributes
    ----------
    differences : list of str
        What is not as the report says; empty if it is true.
    elsewhere : list of str
        In what this machine differs from that of the report; empty if all bits were compared.
    notes : list of str
        What was not computed again, and why.
    """

    differences: list[str]
    elsewhere: list[str]
    notes: list[str]

    @property
    def words(self) -> str:
        """The verdict in one line."""
        if self.differences:
            return f"different: {len(self.differences)} of its statements are not what comes out here"
        return "the same within tolerance, on another kind of machine" if self.elsewhere else "identical"


def expected_seconds(facts: Facts) -> float:
    """About how long it takes to compute the runs of a report again; a search takes longer."""
    return sum(plan_cost(one.description, one.plan).total for one in facts.runs if one.id != REFERENCE)


def verify(
    facts: Facts, store: Store | None = None, engine: Engine | None = None, say: Callable[[str], Any] | None = None
) -> Verdict:
    """Compute a report's runs and search again and compare.

    Parameters
    ----------
    facts : Facts
    store : Store, optional
        Where pictures of one's own are looked for.
    engine : Engine, optional
        Where a search is computed.
    say : callable(str), optional
        Told what is being computed.
    """
    say, store = say or (lambda text: None), store or Store()
    elsewhere = unlike(machine(), facts.machine)
    compare = _within_tolerance if elsewhere else _exactly
    differences, notes = [], []
    with tempfile.TemporaryDirectory(prefix="dasksvd-verify-") as place:
        for number, told in enumerate(facts.runs, 1):
            name = told.name or told.id
            say(f"computing run {number} of {len(facts.runs)} again: {name}")
            run = _again(told, Path(place) / f"run{number}", store)
            if told.id == REFERENCE:
                notes.append("The shipped run was compared with the installed file, not learned again.")
            differences += [f"{name}: {words}" for words in compare(told, run_facts(run))]
            if facts.plan is not None:
                say("searching again")
                search(run, facts.plan, engine)
                differences += _scores_differ(facts.scores, search_facts(run, facts.plan), bool(elsewhere))
    return Verdict(differences, elsewhere, notes)


def _again(told: RunFacts, folder: Path, store: Store) -> Run | ReferenceRun:
    """The run that comes out of the settings in a report."""
    what = told.description
    if told.id == REFERENCE:
        shipped = ReferenceRun(folder)
        if what != shipped.description:
            raise DamagedFile("the report says that the shipped run has other settings than it has")
        return shipped
    check_description(what)
    if what.data == OWN and not what.pictures:
        raise DamagedFile("this run learned from pictures in its own folder, which the report does not carry")
    if what.pictures and what.pictures not in store.library:
        raise DamagedFile(
            "this run learned from a data set that is not in your store; add it first (`data add`), then verify again"
        )
    run = create_run(folder, what, pictures=store.library.folder(what.pictures) if what.pictures else None)
    compute(run)
    if told.plan is not None:
        evaluate_run(run, told.plan)
    return run


def _exactly(told: RunFacts, found: RunFacts) -> list[str]:
    """What differs between the bits of a report and those that came out."""
    differences = []
    for number, (theirs, ours) in enumerate(zip(told.iterations, found.iterations, strict=False), 1):
        if theirs.atoms != ours.atoms:
            differences.append(f"the atoms of iteration {number} are others")
        elif theirs.chosen != ours.chosen:
            differences.append(f"iteration {number} chooses others of its atoms")
        elif theirs.error != ours.error:
            differences.append(f"iteration {number} ends at the error {ours.error:g}, not {theirs.error:g}")
    if len(told.iterations) != len(found.iterations):
        differences.append(f"it has {len(told.iterations)} of {len(found.iterations)} iterations")
    if told.atoms and told.atoms != found.atoms:
        differences.append("the structured dictionary is another one")
    if told.plan is None:
        return differences
    if told.accuracy != found.accuracy or told.n_scored != found.n_scored:
        differences.append(
            f"the accuracy is {100 * found.accuracy:.2f} % of {found.n_scored}, "
            f"not {100 * told.accuracy:.2f} % of {told.n_scored}"
        )
    if told.confusion != found.confusion:
        differences.append("the confusions of classes are others")
    return differences


def _within_tolerance(told: RunFacts, found: RunFacts) -> list[str]:
    """What differs by more than rounding can explain."""
    differences = [
        f"iteration {number} ends at the error {ours.error:.4g}, not {theirs.error:.4g}"
        for number, (theirs, ours) in enumerate(zip(told.iterations, found.iterations, strict=False), 1)
        if abs(theirs.error - ours.error) > ERRORS * max(ours.error, 1e-12)
    ]
    if told.plan is None:
        return differences
    # Two readings of the same images by networks on other atoms: each has an interval of its own.
    allowed = 2 * share_half_width(found.accuracy, max(1, found.n_scored))
    if told.n_scored != found.n_scored or abs(told.accuracy - found.accuracy) > allowed:
        differences.append(
            f"the accuracy is {100 * found.accuracy:.1f} % of {found.n_scored}, not {100 * told.accuracy:.1f} % of "
            f"{told.n_scored} (allowed: ± {100 * allowed:.1f})"
        )
    return differences


def _scores_differ(
    told: dict[str, dict[int, float]], found: dict[str, dict[int, float]], is_elsewhere: bool
) -> list[str]:
    if is_elsewhere:
        theirs, ours = (_mean(scores) for scores in (told, found))
        if abs(theirs - ours) <= SCORES / 100:
            return []
        return [f"the mean of all scores of the search is {100 * ours:.2f} %, not {100 * theirs:.2f} %"]
    wrong = [key for key, scores in told.items() if found.get(key) != scores]
    missing = len(set(found) - set(told))
    words = (
        [f"{len(wrong)} of {len(told)} scores of the search are others, the first one that of {wrong[0]}"]
        if wrong
        else []
    )
    return words + ([f"the search has {missing} more scores than the report"] if missing else [])


def _mean(scores: dict[str, dict[int, float]]) -> float:
    values = [share for found in scores.values() for share in found.values()]
    return sum(values) / len(values) if values else 0.0
