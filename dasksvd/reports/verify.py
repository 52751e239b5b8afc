"""Is a report true?  Everything in it is computed again from its settings, and compared, and so is what it shows.

On a machine of the same kind with the same versions every bit must be the same.  Elsewhere rounding differs, K-SVD
takes other turns and other atoms come out, so only errors and accuracies are compared, within a tolerance, and of the
page only its words and its accuracies.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dasksvd.datasets.parts import check_description
from dasksvd.datasets.registry import OWN
from dasksvd.errors import DamagedFile
from dasksvd.reports.facts import Facts, RunFacts, run_facts, search_facts
from dasksvd.reports.machine import machine, unlike
from dasksvd.reports.report import report
from dasksvd.reports.shown import differences as shown_differences
from dasksvd.reports.shown import when_made
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.folder import Run, create_run
from dasksvd.runs.limits import plan_cost
from dasksvd.runs.reference import SHIPPED, ReferenceRun
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute
from dasksvd.search.engine import Engine, search
from dasksvd.search.plans import SearchPlan
from dasksvd.search.results import keep_only
from dasksvd.search.space import ADAPTIVE
from dasksvd.search.study_plan import StudyPlan
from dasksvd.statistics import share_half_width, share_text

#: On another kind of machine: the share by which errors of K-SVD may differ, and points of 100 of mean scores.
ERRORS, SCORES = 0.02, 1.0
_ELSEWHERE = (
    "Of what the page shows, on this kind of machine only words and accuracies were compared, of a search nothing."
)


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
    return sum(plan_cost(one.description, one.plan).total for one in facts.runs if one.id not in SHIPPED)


def verify(
    facts: Facts,
    store: Store | None = None,
    engine: Engine | None = None,
    say: Callable[[str], Any] | None = None,
    page: str = "",
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
    page : str, optional
        The whole report, to compare what it shows.
    """
    say, store = say or (lambda text: None), store or Store()
    elsewhere = unlike(machine(), facts.machine)
    compare = _within_tolerance if elsewhere else _exactly
    differences, notes = [], []
    again: list[Run | ReferenceRun] = []
    with tempfile.TemporaryDirectory(prefix="dasksvd-verify-") as place:
        for number, told in enumerate(facts.runs, 1):
            name = told.name or told.id
            say(f"computing run {number} of {len(facts.runs)} again: {name}")
            run = _again(told, Path(place) / f"run{number}", store)
            again.append(run)
            if told.id in SHIPPED:
                notes.append("The shipped run was compared with the installed file, not learned again.")
            differences += [f"{name}: {words}" for words in compare(told, run_facts(run))]
            if facts.plan is not None:
                say("searching again")
                plan = _whole(facts.plan, facts.scores)
                search(run, plan, engine)
                found, _ = search_facts(run, plan)
                differences += _scores_differ(facts.scores, found, bool(elsewhere))
                notes += _later(facts.scores, found)
                keep_only(run, plan, facts.scores, facts.seconds)
        if page and not differences:
            differences += _page_differs(facts, again, page, bool(elsewhere))
            notes += [_ELSEWHERE] if elsewhere else []
    return Verdict(differences, elsewhere, notes)


def _whole(plan: SearchPlan, scores: Mapping[str, Mapping[int, float]]) -> SearchPlan:
    """A search without a limit of time, with as many networks as other searches on the run had trained for it."""
    if isinstance(plan, StudyPlan):
        begun = max(1, -(-len(scores) // plan.seeds))  # of points that are chosen one after the other, so many are told
        return replace(plan, minutes=0.0, points=min(plan.points, begun) if plan.design == ADAPTIVE else plan.points)
    return replace(plan, seeds=max([plan.seeds, *(seed + 1 for found in scores.values() for seed in found)]))


def _later(told: Mapping[str, Mapping[int, float]], found: Mapping[str, Mapping[int, float]]) -> list[str]:
    """What came out now and was not known when the report was made."""
    count = sum(len(scores) for scores in found.values()) - sum(len(scores) for scores in told.values())
    return [f"The search had not ended when the report was made: {count} more scores came out."] if count > 0 else []


def _page_differs(facts: Facts, again: Sequence[Run | ReferenceRun], page: str, is_elsewhere: bool) -> list[str]:
    """What the report shows that does not follow from what came out."""
    if is_elsewhere and facts.plan is not None:  # other points may be the best ones
        return []
    ours = report(again, facts.plan, when_made(page), facts)
    exact = None
    if is_elsewhere:
        pairs = zip(facts.runs, map(run_facts, again), strict=True)
        exact = {_accuracy_text(found): _accuracy_text(told) for told, found in pairs if told.plan is not None}
    return shown_differences(page, ours, exact)


def _accuracy_text(found: RunFacts) -> str:
    return share_text(found.accuracy, found.n_scored)


def _again(told: RunFacts, folder: Path, store: Store) -> Run | ReferenceRun:
    """The run that comes out of the settings in a report."""
    what = told.description
    if told.id in SHIPPED:
        shipped = ReferenceRun(folder, told.id)
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
    wrong = [key for key, scores in told.items() if not scores.items() <= found.get(key, {}).items()]
    if not wrong:
        return []
    return [f"{len(wrong)} of {len(told)} scores of the search are others, the first one that of {wrong[0]}"]


def _mean(scores: dict[str, dict[int, float]]) -> float:
    values = [share for found in scores.values() for share in found.values()]
    return sum(values) / len(values) if values else 0.0
