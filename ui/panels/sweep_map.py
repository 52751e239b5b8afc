"""What a sweep over other parameters has found, as a map."""

from dasksvd.datasets.parts import part_name
from dasksvd.metrics import summarise
from dasksvd.search.plans import SweepPlan
from dasksvd.search.sweep import sweep_key, sweep_scores
from ui import cache, figures, texts
from ui.components import maps
from ui.panels import score_table
from ui.sidebar import View


def show(view: View, plan: SweepPlan) -> None:
    """The map of a sweep, and its table."""
    scores = sweep_scores(cache.base_run(view.run_id))
    names = list(plan.axes)
    places = [{value: place for place, value in enumerate(values)} for values in plan.axes.values()]
    cells, records = [], []
    for settings in plan.points(view.description.settings):
        entry = scores.entries.get(sweep_key(settings, plan))
        values = [getattr(settings, name) for name in names]
        label = ", ".join(f"{name} = {value:g}" for name, value in zip(names, values, strict=True))
        summary = summarise(list(entry.accuracies.values())) if entry and entry.accuracies else None
        state = (
            score_table.in_words(summary) if summary else entry.problem if entry and entry.problem else "not scored yet"
        )
        spots = [place[value] for place, value in zip(places, values, strict=True)]
        cells.append(
            figures.Cell(
                spots[0],
                spots[1] if len(spots) > 1 else 0,
                100 * summary.mean if summary else None,
                summary.text if summary else "",
                f"{label}\n{state}",
            )
        )
        if summary:
            records.append(dict(zip(names, values, strict=True)) | score_table.columns(summary))
    means = [cell.value for cell in cells if cell.value is not None] or [0.0, 100.0]
    ticks = [{place: f"{value:g}" for value, place in found.items()} for found in places]
    maps.show(
        figures.score_map(
            cells,
            (min(means) - 0.05, max(means) + 0.05),
            f"Accuracy on {part_name(view.description)} (%), {texts.ranked_by(plan.ranking, plan.alpha, plan.beta)}",
            (names[0], names[1] if len(names) > 1 else ""),
            (ticks[0], ticks[1] if len(ticks) > 1 else {}),
            height=150 + 90 * (len(ticks[1]) if len(ticks) > 1 else 1),
            font_size=14,
        ),
        f"Sweep over {' and '.join(names)}: {len(records)} of {len(cells)} points scored.",
        "sweep_map",
    )
    score_table.show(records, "sweep.csv")
