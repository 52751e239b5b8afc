"""The part of a report that shows a search: its best point, its map or curve, and all its scores."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from dasksvd.parameters import TABLE
from dasksvd.reports import drawings
from dasksvd.reports.html import table
from dasksvd.runs.source import SearchBase
from dasksvd.search.comparison import compare
from dasksvd.search.levels import settled
from dasksvd.search.outcomes import PRICES, Outcome, Price, best_of, front, outcomes, point_text
from dasksvd.search.plans import SearchPlan, SweepPlan, WeightsPlan
from dasksvd.search.results import rows_of
from dasksvd.search.space import title
from dasksvd.search.study_plan import StudyPlan
from dasksvd.search.sweep import sweep_key, sweep_scores
from dasksvd.search.weights import Row
from dasksvd.statistics import Noise, Summary, plus_minus, pooled_noise, summarise

_HOW = (
    '<p class="small">±: half of the 95 % interval, from the spread between the scores of a point, pooled over all '
    "points. One score of each point cannot tell it.</p>"
)


def search_part(run: SearchBase, plan: SearchPlan) -> str:
    """HTML of what a search has found so far."""
    return _KINDS[type(plan)](run, settled(run, plan))


def _weights(run: SearchBase, plan: WeightsPlan) -> str:
    """A map for each size, the best point and the gap to the paper's."""
    first, second = rows_of(run, plan)
    parts = []
    for size in plan.sizes:
        scored = [row for row in first if row.size == size and row.summary]
        if scored:
            parts.append(f"<div><h3>{size} atoms per class</h3>{_map(scored, plan.step)}{_best(first, size)}</div>")
    noise = pooled_noise(row.summary for row in first if row.summary)
    rows = [_line(row, noise) for row in (*first, *second) if row.summary]
    heads = ("atoms per class", "α", "β", "accuracy on validation images, %", "networks", "atoms unlike (0, 0)")
    maps = f'<div class="side">{"".join(parts)}</div>' if parts else "<p>Nothing is scored yet.</p>"
    return f"{maps}{_HOW}<details><summary>All {len(rows)} scores</summary>{table(rows, heads)}</details>"


def _map(rows: Sequence[Row], step: int) -> str:
    scores = {(row.point.i, row.point.j): 100 * row.summary.mean for row in rows if row.summary}
    best = max(scores, key=scores.__getitem__)
    return drawings.triangle(scores, step, best, f"Accuracy over the weights; the best point is {best} of {step}.")


def _best(rows: Sequence[Row], size: int) -> str:
    found = compare([row for row in rows if row.size == size])
    if found is None:
        return "<p>Not all points are scored.</p>"
    return (
        f"<p>Best: {escape(str(found.best.point))}, {escape(_in_percent(found.best.summary, found.noise))} %.<br>"
        f"Gap to the paper's {escape(str(found.paper.point))}: {escape(found.gap.text)} points; "
        f"{len(found.alike)} other points cannot be told from the best.</p>"
    )


def _line(row: Row, noise: Noise | None) -> list[Any]:
    score = row.summary
    return [
        row.size,
        f"{row.point.alpha:.3f}",
        f"{row.point.beta:.3f}",
        _in_percent(score, noise) if score else "",
        score.rounds if score else 0,
        row.changed,
    ]


def _sweep(run: SearchBase, plan: SweepPlan) -> str:
    """A curve for one parameter, a table in any case."""
    entries, found = sweep_scores(run, damage="ignore").entries, []
    for settings in plan.points(run.description.settings):
        entry = entries.get(sweep_key(settings, plan))
        values = [getattr(settings, name) for name in plan.axes]
        summary = summarise(list(entry.accuracies.values())) if entry and entry.accuracies else None
        found.append((values, summary, entry.problem if entry else ""))
    names = [TABLE[name].symbol for name in plan.axes]
    noise = pooled_noise(summary for _, summary, _ in found if summary)
    rows = [[*(f"{one:g}" for one in values), *_score(summary, problem, noise)] for values, summary, problem in found]
    return f"{_curve(names, found)}{_HOW}{table(rows, [*names, 'accuracy, %', 'networks'])}"


def _curve(names: Sequence[str], found: Sequence[tuple[list[float], Summary | None, str]]) -> str:
    known = [(values[0], summary) for values, summary, _ in found if summary]
    if len(names) > 1 or len(known) < 2:
        return ""
    noise = pooled_noise(summary for _, summary in known)
    best = max(summary.mean for _, summary in known)
    dots = [
        drawings.Dot(
            value,
            100 * summary.mean,
            100 * noise.half_width(summary.rounds) if noise else 0.0,
            "best" if summary.mean == best else "",
        )
        for value, summary in known
    ]
    return drawings.dots(dots, names[0], "accuracy, %", f"Accuracy over {names[0]}.")


def _score(summary: Summary | None, problem: str, noise: Noise | None) -> list[Any]:
    return [_in_percent(summary, noise), summary.rounds] if summary else [problem or "not scored", 0]


def _in_percent(summary: Summary | None, noise: Noise | None) -> str:
    """A mean with half of its 95 % interval, as the pages have it."""
    if summary is None:
        return "not scored"
    return plus_minus(100 * summary.mean, None if noise is None else 100 * noise.half_width(summary.rounds))


def _study(run: SearchBase, plan: StudyPlan) -> str:
    """What accuracy costs, the best point, and all points."""
    found = outcomes(run, plan)
    noise = pooled_noise(one.summary for one in found if one.summary)
    names, best = [title(name) for name in plan.axes], best_of(found)
    heads = [*names, "accuracy, %", "seeds", *(price.title for price in PRICES.values())]
    rows = [
        [
            *map(str, one.point),
            *_score(one.summary, one.problem, noise),
            *_prices(one),
        ]
        for one in found
    ]
    if best is None:
        return f"<p>Nothing is scored yet.</p>{table(rows, heads)}"
    charts = [_front(found, price, noise) for price in PRICES.values()]
    told = (
        f"Best of {len(found)}: {point_text(plan, best.point)}: {_in_percent(best.summary, noise)} %, over seeds "
        "of split, atoms and network. Marked with •: worth their price, no other point is as cheap and better."
    )
    return f'<p>{escape(told)}</p><div class="side">{"".join(charts)}</div>{_HOW}{table(rows, heads)}'


def _prices(one: Outcome) -> list[Any]:
    return [round(price.of(one), 2) for price in PRICES.values()]


def _front(found: Sequence[Outcome], price: Price, noise: Noise | None) -> str:
    """Accuracy against a price; points that are worth it stand out."""
    worth, dots = front(found, price), []
    for one in found:
        if one.summary:
            half = 100 * noise.half_width(one.summary.rounds) if noise else 0.0
            dots.append(drawings.Dot(price.of(one), 100 * one.summary.mean, half, "•" if one in worth else ""))
    return f"<div>{drawings.dots(dots, price.title, 'accuracy, %', f'Accuracy against {price.title}.')}</div>"


_KINDS: dict[type, Callable[[Any, Any], str]] = {WeightsPlan: _weights, SweepPlan: _sweep, StudyPlan: _study}
