"""The search at work, and what it has found."""

import math
from collections.abc import Callable, Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dasksvd.common.progress import clock
from dasksvd.datasets.parts import part_name
from dasksvd.errors import DamagedFile
from dasksvd.metrics import Summary, summarise
from dasksvd.runs.jobs import JobView
from dasksvd.search.grid_search import Row, best_regions, sweep_key, sweep_scores, weight_rows, weight_scores
from dasksvd.search.job import Search, resume_search
from dasksvd.search.lattice import PAPERS_STAGE_2, Point, as_text, coarse, fine, nearest, papers_regions
from dasksvd.search.plans import SweepPlan, WeightsPlan
from reproduce import weights
from ui import cache, figures, links, sidebar, texts, visitor
from ui.components import maps
from ui.panels import jobs_panel
from ui.sidebar import View

#: What a paired difference says about a preference that one trajectory has shown.
REPEATED = {
    "cannot be told apart": "the preference of this run does not repeat",
    "better": "the preference of this run repeats",
    "worse": "there it is the other way round",
}
#: Of equal width on the page; plotly's own buttons would cover the small maps.
PLAIN = {"displayModeBar": False}


def live(view: View, draw: Callable[[], None]) -> None:
    """Draw results, again every two seconds while a search on the run is at work."""
    job = Search(cache.base_run(view.run_id))
    busy = cache.jobs().job(job).state in jobs_panel.AT_WORK

    def all_of_it() -> None:
        if sidebar.is_due():
            st.rerun()  # a click while the search runs: the whole page, for the sidebar
        if job.has_plan():
            trouble = jobs_panel.start_waiting()
            now = cache.jobs().job(job)
            if busy and now.state not in jobs_panel.AT_WORK:
                st.rerun()
            _job_line(now)
            jobs_panel.explain(now, trouble)
        try:
            draw()
        except DamagedFile as error:  # the page itself is not there to catch it when only this part is drawn
            st.error(f"The scores of this run cannot be read: {texts.reason(error)}. The next search starts them anew.")
        links.write("search")

    (st.fragment(all_of_it, run_every=2.0) if busy else all_of_it)()


def _job_line(job: JobView) -> None:
    if job.state == "finished":
        return
    left, right = st.columns([5, 1], vertical_alignment="center")
    left.progress(job.share, text=_headline(job))
    if job.state in jobs_panel.AT_WORK:
        if right.button("Cancel", key="search_cancel", width="stretch"):
            jobs_panel.attempt(cache.jobs().cancel, job.run)
    elif right.button("Resume", key="search_resume", width="stretch"):
        jobs_panel.attempt(resume_search, cache.jobs(), job.run, owner=visitor.name())


def _headline(job: JobView) -> str:
    if job.state == "queued":
        return f"Waiting, place {job.position} in the queue"
    if job.state == "running":
        left = f", about {clock(job.seconds_left)} left" if job.seconds_left is not None else ", starting"
        return f"Searching: {job.status.iteration} of {job.status.total} networks{left}"
    headlines = {
        "new": "Not started yet",
        "cancelled": "Cancelled; every finished score is kept",
        "failed": f"Failed: {texts.reason(job.status.message)}",
        "died": "Its process has died; resume goes on from the last score",
    }
    return headlines[job.state]


def weights_results(view: View, plan: WeightsPlan) -> None:
    """Stage 1 for all sizes, stage 2 for one, the comparison with noise, and the table."""
    scores, choices = weight_scores(cache.base_run(view.run_id)), cache.choices(view.run_id)
    rows = weight_rows(choices, scores, coarse(plan.step), plan.sizes, plan.classifier)
    k = len(view.classes)
    own_scale = links.draw(
        st.toggle,
        "A colour scale for each size",
        key="own_scale",
        kind=links.SWITCH,
        default=False,
        help="Shows the differences inside a size; off: one scale.",
    )
    limits = _limits(rows)
    for start in range(0, len(plan.sizes), 4):
        for place, size in zip(st.columns(4, gap="small"), plan.sizes[start : start + 4], strict=False):
            mine = [row for row in rows if row.size == size]
            _triangle(place, view, mine, plan, _limits(mine) if own_scale else limits)
    if not own_scale:
        st.plotly_chart(
            figures.colour_strip(limits, f"accuracy on {part_name(view.description)}"),
            alt=f"Colour scale from {limits[0]:.1f} to {limits[1]:.1f} percent.",
            key="strip",
            config=PLAIN,
        )
    st.caption(
        "Orange rings: R1 and R2, the two best regions that do not touch; ★ is our best. "
        "Violet dots: the paper's best. Framed: the point nearest to the weights in the sidebar."
    )
    for size in plan.zoomed:
        _verdict([row for row in rows if row.size == size], size)
        if view.run_id == cache.REFERENCE and size == weights.PLAN.sizes[0]:
            _repeated()
        centres = best_regions(rows, size)
        if centres:
            st.header(f"Stage 2: a closer look at {size} atoms per class")
            rows += _zooms(view, plan, size, centres, limits)
    _table([_weights_record(row, k) for row in rows if row.summary], "grid_search.csv")


def _limits(rows: Sequence[Row]) -> tuple[float, float]:
    """The scores' range in percent."""
    means = [100 * row.summary.mean for row in rows if row.summary]
    low, high = (min(means), max(means)) if means else (0.0, 100.0)
    return (low, high) if high - low > 0.1 else (low - 0.05, high + 0.05)


def _triangle(place, view: View, rows: Sequence[Row], plan: WeightsPlan, limits: tuple[float, float]) -> None:
    n, size, k = plan.step, rows[0].size, len(view.classes)
    centres = best_regions(rows, size)
    paper = nearest(papers_regions(size)[0], n)
    chart = figures.score_map(
        [_cell(row, k, decimals=1 if n <= 8 else None) for row in rows],
        limits,
        f"{size} per class, {size * k} atoms",
        ("α", "β"),
        ({0: "0", n: "1"} | _halves(n), {0: "0", n: "1"} | _halves(n)),
        rings={name: (point.i, point.j) for name, point in zip(("R1 ★", "R2"), centres, strict=False)},
        dashed={"paper": (paper.i, paper.j)},
        frame=_nearest_cell(view, n),
    )
    done = sum(row.summary is not None for row in rows)
    maps.show(
        chart,
        f"Triangle of weights for {size} atoms per class: {done} of {len(rows)} points scored.",
        f"triangle_{size}",
        place=place,
        on_pick=lambda alpha, beta: sidebar.choose(alpha, beta, size),
    )


def _nearest_cell(view: View, n: int) -> tuple[int, int]:
    """The lattice's point nearest to the sidebar's weights: small moves of these leave the maps as they are."""
    i = round(view.alpha * n)
    return i, min(round(view.beta * n), n - i)


def _halves(n: int) -> dict[int, str]:
    return {n // 2: "½"} if n % 2 == 0 else {}


def _cell(row: Row, k: int, decimals: int | None, text: str = "") -> figures.Cell:
    point, summary = row.point, row.summary
    value = None if summary is None else 100 * summary.mean
    lines = [f"α = {as_text(point.i, point.n)}, β = {as_text(point.j, point.n)}"]
    lines.append("not scored yet" if summary is None else _in_words(summary))
    lines.append(f"{row.size * k} atoms, {row.changed} of them not those of α = β = 0")
    if row.shared > 1:
        lines.append(f"{row.shared} points choose these very atoms")
    if value is not None and decimals is not None:
        text = f"{value:.{decimals}f}" + text
    return figures.Cell(point.i, point.j, value, text, "\n".join(lines), (point.alpha, point.beta))


def _in_words(summary: Summary) -> str:
    spread = "" if summary.sd is None else f" ± {100 * summary.sd:.2f}"
    return f"{100 * summary.mean:.2f}{spread} % ({summary.rounds} network{'s' if summary.rounds > 1 else ''})"


def _verdict(rows: Sequence[Row], size: int) -> None:
    """Our best against the paper's best, and against the noise between networks."""
    if not rows or any(row.summary is None for row in rows):
        return
    best = max(rows, key=lambda row: row.summary.mean)
    best_in_paper = nearest(papers_regions(size)[0], rows[0].point.n)
    paper = next(row for row in rows if row.point == best_in_paper)
    left, middle, right = st.columns(3)
    left.metric(f"Our best, {size} per class: {best.point}", _short(best.summary))
    middle.metric(f"The paper's best: {paper.point}", _short(paper.summary))
    sds = [row.summary.sd for row in rows if row.summary.sd is not None]
    noise = math.sqrt(sum(sd * sd for sd in sds) / len(sds)) if sds else None
    spread = pd.Series([row.summary.mean for row in rows]).std()
    right.metric(
        "Spread between points / between networks",
        f"{100 * spread:.2f} / {100 * noise:.2f}" if noise is not None else f"{100 * spread:.2f} / ?",
        help="Standard deviation of the means over all points, and of the networks of one point, in percentage points.",
    )
    if noise is not None:
        gap = best.summary.mean - paper.summary.mean
        error = noise * math.sqrt(1 / best.summary.rounds + 1 / paper.summary.rounds)
        clear = gap > 2 * error
        st.markdown(
            f"The gap between the two is **{100 * gap:.2f} points**, its standard error {100 * error:.2f}: "
            + (
                "more than twice that, but the best of many points is partly luck."
                if clear
                else "**not to be told from the noise** between networks."
            )
        )


def _repeated() -> None:
    """Whether the shipped search's best point is better on other trajectories, too."""
    found = weights.stored_difference()
    if found is not None:
        alpha, beta = weights.BEST
        st.markdown(
            f"On {found.rounds} other trajectories, ({alpha:.2f}, {beta:.2f}) against (0.00, 0.00) is "
            f"**{found.text} points** (95 % interval): {REPEATED.get(found.verdict, found.verdict)}.",
            help=f"`{weights.command()}`",
        )


def _short(summary: Summary) -> str:
    return f"{100 * summary.mean:.2f}" + ("" if summary.sd is None else f" ± {100 * summary.sd:.2f}") + " %"


def _zooms(view: View, plan: WeightsPlan, size: int, centres: list[Point], limits: tuple[float, float]) -> list[Row]:
    """Maps of stage 2 around our regions and the paper's; the rows they show."""
    scores, choices = weight_scores(cache.base_run(view.run_id)), cache.choices(view.run_id)
    regions = {f"R{place}": point for place, point in enumerate(centres, 1)}
    regions |= {
        f"paper's R{place}": point for place, point in enumerate(papers_regions(size), 1) if point not in centres
    }
    maps = {}
    for name, centre in regions.items():
        points = fine(centre, plan.fine_step)
        maps[name] = weight_rows(choices, scores, points, [size], plan.classifier)
    shown = [row for rows in maps.values() for row in rows]
    limits = _limits(shown) if any(row.summary for row in shown) else limits
    for start in range(0, len(maps), 2):
        for place, name in zip(st.columns(2), list(maps)[start : start + 2], strict=False):
            rows = maps[name]
            _zoom(place, view, name, nearest(regions[name], plan.fine_step), rows, limits)
    if size == 20 and plan.fine_step == 100:
        st.caption("In brackets: the paper's numbers. Points outside the triangle do not exist.")
    return shown


def _zoom(place, view: View, name: str, centre: Point, rows: Sequence[Row], limits: tuple[float, float]) -> None:
    k, n = len(view.classes), centre.n
    cells = []
    for row in rows:
        papers = PAPERS_STAGE_2.get((row.point.i, row.point.j)) if n == 100 and row.size == 20 else None
        cells.append(_cell(row, k, 2, f"\n({papers:.2f})" if papers else ""))
    columns = {row.point.i: f"{row.point.alpha:.3g}" for row in rows}
    lines = {row.point.j: f"{row.point.beta:.3g}" for row in rows}
    safe = name.replace("'", "").replace(" ", "_")
    maps.show(
        figures.score_map(
            cells,
            limits,
            f"{name}: around {centre}",
            ("α", "β"),
            (columns, lines),
            frame=(view.alpha * n, view.beta * n) if _is_near(view, rows) else None,
            height=380,
            font_size=13,
            window=(range(centre.i - 2, centre.i + 3), range(centre.j - 2, centre.j + 3)),
        ),
        f"Stage 2 around {centre}: accuracy of {len(rows)} points.",
        f"zoom_{safe}",
        place=place,
        on_pick=lambda alpha, beta: sidebar.choose(alpha, beta, rows[0].size),
    )


def _is_near(view: View, rows: Sequence[Row]) -> bool:
    return any(abs(row.point.alpha - view.alpha) + abs(row.point.beta - view.beta) < 1e-9 for row in rows)


def _weights_record(row: Row, k: int) -> dict:
    return {
        "alpha": row.point.alpha,
        "beta": row.point.beta,
        "atoms per class": row.size,
        "accuracy (%)": 100 * row.summary.mean,
        "sd": None if row.summary.sd is None else 100 * row.summary.sd,
        "networks": row.summary.rounds,
        "step": f"1/{row.point.n}",
        "atoms unlike (0, 0)": row.changed,
        "of": row.size * k,
    }


def _table(records: list[dict], file_name: str) -> None:
    if not records:
        return
    frame = pd.DataFrame(records).drop_duplicates().sort_values("accuracy (%)", ascending=False, ignore_index=True)
    with st.expander(f"All {len(frame)} scores as a table"):
        st.dataframe(
            frame,
            hide_index=True,
            column_config={
                "alpha": st.column_config.NumberColumn("α", format="%.4f"),
                "beta": st.column_config.NumberColumn("β", format="%.4f"),
                "accuracy (%)": st.column_config.NumberColumn(format="%.2f"),
                "sd": st.column_config.NumberColumn(format="%.2f"),
            },
            key="scores_table",
        )
        st.download_button("Download CSV", frame.to_csv(index=False), file_name, "text/csv", on_click="ignore")


def sweep_results(view: View, plan: SweepPlan) -> None:
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
        state = _in_words(summary) if summary else entry.problem if entry and entry.problem else "not scored yet"
        spots = [place[value] for place, value in zip(places, values, strict=True)]
        cells.append(
            figures.Cell(
                spots[0],
                spots[1] if len(spots) > 1 else 0,
                100 * summary.mean if summary else None,
                _short(summary)[:-2] if summary else "",
                f"{label}\n{state}",
            )
        )
        if summary:
            spread = None if summary.sd is None else 100 * summary.sd
            records.append(
                dict(zip(names, values, strict=True))
                | {"accuracy (%)": 100 * summary.mean, "sd": spread, "networks": summary.rounds}
            )
    means = [cell.value for cell in cells if cell.value is not None] or [0.0, 100.0]
    ticks = [{place: f"{value:g}" for value, place in found.items()} for found in places]
    maps.show(
        figures.score_map(
            cells,
            (min(means) - 0.05, max(means) + 0.05),
            f"Accuracy on {part_name(view.description)} (%), α = {plan.alpha:.2f}, β = {plan.beta:.2f}",
            (names[0], names[1] if len(names) > 1 else ""),
            (ticks[0], ticks[1] if len(ticks) > 1 else {}),
            height=150 + 90 * (len(ticks[1]) if len(ticks) > 1 else 1),
            font_size=14,
        ),
        f"Sweep over {' and '.join(names)}: {len(records)} of {len(cells)} points scored.",
        "sweep_map",
    )
    _table(records, "sweep.csv")


def lattice_examples() -> None:
    """The paper's three steps."""
    for place, (title, figure) in zip(st.columns(3), _lattices().items(), strict=True):
        place.plotly_chart(figure, alt=f"The triangle of weights, {title}.", key=f"dots_{title}", config=PLAIN)


@st.cache_resource
def _lattices() -> dict[str, go.Figure]:
    steps = {f"Δ1 = 1/{n}: {len(coarse(n))} points": coarse(n) for n in (4, 6, 14)}
    points = {title: [(point.alpha, point.beta) for point in lattice] for title, lattice in steps.items()}
    return dict(zip(points, figures.lattice_dots(points), strict=True))
