"""What a study has come to: each point with its scores and its price, the best so far, and who is worth its price."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from dasksvd.common.language import phrase
from dasksvd.cost import reading_products
from dasksvd.parameters import n_nonzero
from dasksvd.runs.source import SearchBase
from dasksvd.search.space import Values, title
from dasksvd.search.study import findings, points_of
from dasksvd.search.study_plan import StudyPlan
from dasksvd.search.trial import Finding, Trial
from dasksvd.statistics import Summary, summarise


@dataclass(frozen=True)
class Outcome:
    """A point of a study.

    Attributes
    ----------
    point : tuple
        Its values, in the order of the plan's axes.
    trial : Trial
        That of the first seed.
    summary : Summary or None
        Accuracy over the seeds that are found; None before the first.
    weights : int
        Of its network.
    products : int
        Multiply-adds to read one signal.
    seconds : float
        To code all signals and to train the network, where no other point had done so before.
    at : float
        When its last score came, in seconds since 1970.
    problem : str
        Why it has none.
    """

    point: Values
    trial: Trial
    summary: Summary | None = None
    weights: int = 0
    products: int = 0
    seconds: float = 0.0
    at: float = 0.0
    problem: str = ""


@dataclass(frozen=True)
class Price:
    """What accuracy can be paid with."""

    title: str
    of: Callable[[Outcome], float]


PRICES = {
    "weights": Price(phrase("weights of the network"), lambda one: one.weights),
    "products": Price(phrase("multiply-adds per image"), lambda one: one.products),
    "seconds": Price(phrase("seconds to code and train"), lambda one: one.seconds),
}


def outcomes(run: SearchBase, plan: StudyPlan) -> list[Outcome]:
    """All points of a study, in the order of its design."""
    known, what = findings(run).read(), run.description
    points = points_of(run, plan)
    trials = plan.trials(what, points)
    return [_outcome(run, point, [trials[point, seed] for seed in range(plan.seeds)], known) for point in points]


def _outcome(run: SearchBase, point: Values, trials: Sequence[Trial], known: dict[str, Finding]) -> Outcome:
    found = [known[trial.key] for trial in trials if trial.key in known]
    scored = [one for one in found if not one.problem]
    problem = next((one.problem for one in found if one.problem), "")
    if not scored:
        return Outcome(point, trials[0], problem=problem, at=max((one.at for one in found), default=0.0))
    first, what = trials[0], run.description
    q = first.settings.q if first.code_q is None else first.code_q
    count = n_nonzero(q, scored[0].n_atoms)
    size = what.signal_length, scored[0].n_atoms, count, scored[0].hidden, len(what.classes)
    return Outcome(
        point,
        first,
        summarise([one.accuracy for one in scored]),
        scored[0].weights,
        reading_products(first.plan.encoder, *size),
        fmean(one.seconds for one in scored),
        max(one.at for one in scored),
        problem,
    )


def point_text(plan: StudyPlan, point: Values) -> str:
    """The values of a point for people."""
    texts = (value if isinstance(value, str) else f"{value:g}" for value in point)
    return ", ".join(f"{title(name)} = {text}" for name, text in zip(plan.axes, texts, strict=True))


def best_of(found: Sequence[Outcome]) -> Outcome | None:
    """The point with the largest mean; of equal ones the one with the fewest weights."""
    scored = [one for one in found if one.summary]
    return max(scored, key=lambda one: (one.summary.mean if one.summary else 0, -one.weights), default=None)


def history(found: Sequence[Outcome]) -> list[tuple[Outcome, float]]:
    """Points in the order in which they were found, and the best mean up to each."""
    steps, best = [], 0.0
    for one in sorted((one for one in found if one.summary), key=lambda one: one.at):
        best = max(best, one.summary.mean if one.summary else 0.0)
        steps.append((one, best))
    return steps


def front(found: Sequence[Outcome], price: Price) -> list[Outcome]:
    """The points that are worth their price: none is at once as cheap and better, or as good and cheaper."""
    scored = [one for one in found if one.summary]
    best, kept = -1.0, []
    for one in sorted(scored, key=lambda one: (price.of(one), -(one.summary.mean if one.summary else 0))):
        if one.summary and one.summary.mean > best:
            best = one.summary.mean
            kept.append(one)
    return kept


def rows(run: SearchBase, plan: StudyPlan) -> list[dict[str, Any]]:
    """A tidy table: one line for each trial that is found."""
    known, made = findings(run).read(), []
    points = points_of(run, plan)
    for (point, _), trial in plan.trials(run.description, points).items():
        finding = known.get(trial.key)
        if finding is None:
            continue
        row: dict[str, Any] = dict(zip(plan.axes, point, strict=True)) | {"seed": trial.settings.seed}
        names = ("accuracy", "n_scored", "n_atoms", "hidden", "weights", "nonzeros", "seconds", "problem")
        values = {name: getattr(finding, name) for name in names}
        made.append(row | (values if not finding.problem else {"problem": finding.problem}))
    return made
