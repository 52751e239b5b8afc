"""What a search over the weights has found: a triangle for each size, and a closer look at its best regions."""

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from dasksvd import rankings
from dasksvd.datasets.parts import part_name
from dasksvd.search.lattice import PAPERS_STAGE_2, Point, as_text, coarse, fine, nearest, papers_regions
from dasksvd.search.plans import WeightsPlan
from dasksvd.search.weights import Row, best_regions, weight_rows, weight_scores
from reproduce import weights
from ui import cache, figures, links, sidebar
from ui.components import maps
from ui.panels import score_table, search_verdict
from ui.sidebar import View

#: Of equal width on the page; plotly's own buttons would cover the small maps.
PLAIN = {"displayModeBar": False}


def show(view: View, plan: WeightsPlan) -> None:
    """Stage 1 for all sizes, stage 2 for one, the comparison with noise, and the table."""
    scores, choices = weight_scores(cache.base_run(view.run_id)), cache.choices(view.run_id, plan.ranking)
    rows = weight_rows(choices, scores, coarse(plan.step), plan.sizes, plan.scored_by)
    k = len(view.classes)
    if not rankings.uses_weights(plan.ranking):
        title = rankings.RANKINGS[plan.ranking].title
        st.info(f"The ranking *{title}* does not use α and β: every point selects the same atoms.")
    own_scale = links.draw(
        st.toggle,
        "A colour scale for each size",
        key="own_scale",
        kind=links.SWITCH,
        default=False,
        help="On: shows the differences within one size. Off: one scale for all sizes.",
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
        search_verdict.show([row for row in rows if row.size == size], size)
        if view.run_id == cache.REFERENCE and _is_repeated(plan, size):
            search_verdict.show_repeated()
        centres = best_regions(rows, size)
        if centres:
            st.header(f"Stage 2: a closer look at {size} atoms per class")
            rows += _zooms(view, plan, size, centres, limits)
    score_table.show([_weights_record(row, k) for row in rows if row.summary], "grid_search.csv")


def _is_repeated(plan: WeightsPlan, size: int) -> bool:
    """Whether the measurement on other trajectories is about such dictionaries."""
    return (plan.scored_by, plan.ranking, size) == (weights.PLAN.scored_by, weights.PLAN.ranking, weights.PLAN.sizes[0])


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
        on_pick=lambda alpha, beta: sidebar.choose(alpha, beta, size, plan.ranking),
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
    lines.append("not scored yet" if summary is None else score_table.in_words(summary))
    lines.append(f"{row.size * k} atoms, {row.changed} differ from α = β = 0")
    if row.shared > 1:
        lines.append(f"{row.shared} points select the same atoms")
    if value is not None and decimals is not None:
        text = f"{value:.{decimals}f}" + text
    return figures.Cell(point.i, point.j, value, text, "\n".join(lines), (point.alpha, point.beta))


def _zooms(view: View, plan: WeightsPlan, size: int, centres: list[Point], limits: tuple[float, float]) -> list[Row]:
    """Maps of stage 2 around our regions and the paper's; the rows they show."""
    scores, choices = weight_scores(cache.base_run(view.run_id)), cache.choices(view.run_id, plan.ranking)
    regions = {f"R{place}": point for place, point in enumerate(centres, 1)}
    regions |= {
        f"paper's R{place}": point for place, point in enumerate(papers_regions(size), 1) if point not in centres
    }
    maps = {}
    for name, centre in regions.items():
        points = fine(centre, plan.fine_step)
        maps[name] = weight_rows(choices, scores, points, [size], plan.scored_by)
    shown = [row for rows in maps.values() for row in rows]
    limits = _limits(shown) if any(row.summary for row in shown) else limits
    for start in range(0, len(maps), 2):
        for place, name in zip(st.columns(2), list(maps)[start : start + 2], strict=False):
            rows = maps[name]
            _zoom(place, view, name, nearest(regions[name], plan.fine_step), rows, limits, plan.ranking)
    if size == 20 and plan.fine_step == 100:
        st.caption("In brackets: the paper's numbers. Points outside the triangle do not exist.")
    return shown


def _zoom(
    place, view: View, name: str, centre: Point, rows: Sequence[Row], limits: tuple[float, float], ranking: str
) -> None:
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
        on_pick=lambda alpha, beta: sidebar.choose(alpha, beta, rows[0].size, ranking),
    )


def _is_near(view: View, rows: Sequence[Row]) -> bool:
    return any(abs(row.point.alpha - view.alpha) + abs(row.point.beta - view.beta) < 1e-9 for row in rows)


def _weights_record(row: Row, k: int) -> dict:
    return {
        "alpha": row.point.alpha,
        "beta": row.point.beta,
        "atoms per class": row.size,
        **score_table.columns(row.summary),
        "step": f"1/{row.point.n}",
        "atoms unlike (0, 0)": row.changed,
        "of": row.size * k,
    }


def lattice_examples() -> None:
    """The paper's three steps."""
    for place, (title, figure) in zip(st.columns(3), _lattices().items(), strict=True):
        place.plotly_chart(figure, alt=f"The triangle of weights, {title}.", key=f"dots_{title}", config=PLAIN)


@st.cache_resource
def _lattices() -> dict[str, go.Figure]:
    steps = {f"Δ1 = 1/{n}: {len(coarse(n))} points": coarse(n) for n in (4, 6, 14)}
    points = {title: [(point.alpha, point.beta) for point in lattice] for title, lattice in steps.items()}
    return dict(zip(points, figures.lattice_dots(points), strict=True))
