"""What a search over the weights has found: the verdict, one large triangle, and small ones for all sizes."""

from collections.abc import Sequence

import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.datasets.parts import part_name
from dasksvd.search.comparison import Comparison, compare, network_noise
from dasksvd.search.lattice import as_text, coarse, nearest, papers_regions
from dasksvd.search.plans import WeightsPlan
from dasksvd.search.weights import Row, best_regions, weight_rows, weight_scores
from dasksvd.statistics import Difference, Noise
from reproduce import weights
from ui import cache, figures, frame, links, stored
from ui.components import charts, maps
from ui.figures import score_maps
from ui.panels import score_table, search_verdict, weight_zooms
from ui.panels.weight_cells import PICKED, cell, limits_of, pick, place_of
from ui.state import View

#: Pixels of the window's height that the rest of the first screen takes.
AROUND = 282
LEGEND = {
    score_maps.OUR_BEST: phrase("R1 ★, R2: our best regions"),
    score_maps.PAPERS_BEST: phrase("the paper's best"),
    score_maps.CURRENT: phrase("nearest to the α, β that are set"),
    score_maps.ALIKE: phrase("cannot be told from the best"),
    score_maps.EMPTY: phrase("not scored yet"),
}


def rows_of(view: View, plan: WeightsPlan) -> list[Row]:
    """Stage 1 at all sizes."""
    scores, choices = weight_scores(cache.base_run(view.run_id)), cache.choices(view.run_id, plan.ranking)
    return weight_rows(choices, scores, coarse(plan.step), plan.sizes, plan.scored_by)


def scored(view: View, plan: WeightsPlan) -> tuple[int, int]:
    """How many points of stage 1 have scores, and how many there are."""
    rows = rows_of(view, plan)
    return sum(row.summary is not None for row in rows), len(rows)


def show(view: View, plan: WeightsPlan) -> None:
    """The verdict and stage 1 for one size, the way to the others, stage 2, and the table."""
    rows = rows_of(view, plan)
    verdict = st.container()
    left, right = frame.beside(8, 6, key="search_maps")
    with right:
        size, own_scale = _pick_size(view, plan, rows)
    mine = [row for row in rows if row.size == size]
    found = compare(mine)
    if found is not None:
        with verdict:
            search_verdict.show(found, len(mine), _on_other_trajectories(view, plan, found))
    with left:
        _triangle(view, mine, plan, limits_of(mine if own_scale else rows), found)
    with right:
        _what_is_set(view)
    noises = {size: network_noise(row for row in rows if row.size == size) for size in plan.sizes}
    for zoomed in plan.zoomed:
        rows += weight_zooms.show(view, plan, zoomed, best_regions(rows, zoomed))
    records = [_record(row, len(view.classes), noises[row.size]) for row in rows if row.summary]
    score_table.show(records, "grid_search.csv")


def _on_other_trajectories(view: View, plan: WeightsPlan, found: Comparison) -> Difference | None:
    """The gap on other trajectories, if it was measured for the best point of this search."""
    measured = weights.PLAN
    shown = (view.run_id, plan.scored_by, plan.ranking, found.best.size)
    asked = (cache.REFERENCE, measured.scored_by, measured.ranking, measured.sizes[0])
    if shown != asked:
        return None
    return stored.computed("weights", weights.stored_difference, (found.best.point.alpha, found.best.point.beta))


def _pick_size(view: View, plan: WeightsPlan, rows: Sequence[Row]) -> tuple[int, bool]:
    """Which size is shown large, by its name or by its small map; and whether each has its own colours."""
    size = links.draw(
        st.segmented_control,
        say("Atoms per class"),
        list(plan.sizes),
        key="map_size",
        kind=links.WHOLE,
        default=plan.sizes[-1],
        check=plan.sizes.__contains__,
        required=True,
    )
    small = st.container(key="sizes_overview", gap="xsmall")
    own_scale = links.draw(
        st.toggle,
        say("A colour scale for each size"),
        key="own_scale",
        kind=links.SWITCH,
        default=True,
        help=say("On: shows the differences within one size. Off: one scale for all sizes."),
    )
    for start in range(0, len(plan.sizes), 4):
        columns = small.columns(4, gap="xsmall", **{"wrap": False} if charts.on_phone() else {})
        for place, one in zip(columns, plan.sizes[start : start + 4], strict=False):
            mine = [row for row in rows if row.size == one]
            _small(place, plan, mine, limits_of(mine if own_scale else rows), one == size)
    return size, own_scale


def _small(place, plan: WeightsPlan, rows: Sequence[Row], limits: tuple[float, float], chosen: bool) -> None:
    """A size at a glance."""
    size = rows[0].size
    best = max((row.summary.mean for row in rows if row.summary), default=None)
    name = f"{size}" if best is None else f"{size}: {100 * best:.1f} %"
    maps.show_small(
        figures.score_map(
            [cell(row) for row in rows],
            limits,
            name,
            ("α", "β"),
            ({}, {}),
            ours=dict(zip(["R1"], map(place_of, best_regions(rows, size)), strict=False)),
        ),
        say("Show {size} atoms per class large", size=size)
        + ("" if best is None else say("; the best point has {best:.1f} %", best=100 * best)),
        f"mini_{size}",
        chosen=chosen,
        on_pick=lambda: links.put("map_size", str(size)),
        place=place,
    )


def _triangle(
    view: View, rows: Sequence[Row], plan: WeightsPlan, limits: tuple[float, float], found: Comparison | None
) -> None:
    n, size, k = plan.step, rows[0].size, len(view.classes)
    noise, alike = network_noise(rows), found.alike if found else frozenset()
    part = say(part_name(view.description))
    ticks = {i: as_text(i, n) for i in range(n + 1) if n <= 8 or i in (0, n) or 2 * i == n}
    missing = any(row.summary is None for row in rows)
    shown = {score_maps.ALIKE: alike, score_maps.OUR_BEST: found, score_maps.EMPTY: missing}
    chart = figures.score_map(
        [cell(row, k, part, noise, row.point in alike) for row in rows],
        limits,
        say("{size} per class: accuracy on {part} (%)", size=size, part=part),
        ("α", "β"),
        (ticks, ticks),
        ours=dict(zip(("R1 ★", "R2"), map(place_of, best_regions(rows, size)), strict=False)),
        papers={say("paper"): place_of(nearest(papers_regions(size)[0], n))},
        frame=_nearest_cell(view, n),
        legend={kind: say(text) for kind, text in LEGEND.items() if shown.get(kind, True)},
        around=AROUND,
    )
    done = sum(row.summary is not None for row in rows)
    maps.show(
        chart,
        say(
            "Triangle of weights for {size} atoms per class: {done} of {count} points scored.",
            size=size,
            done=done,
            count=len(rows),
        ),
        "triangle",
        corner=True,
        on_pick=lambda alpha, beta: pick(alpha, beta, size, plan.ranking),
    )


def _what_is_set(view: View) -> None:
    """What a click does or has just done, and the doors to what it changes."""
    here = (round(view.alpha, 4), round(view.beta, 4), view.I)
    if st.session_state.get(PICKED) == here:
        st.markdown(
            say(
                ":material/check_circle: α = {alpha:.2f}, β = {beta:.2f} and {I} atoms per class are now set on "
                "every page.",
                alpha=view.alpha,
                beta=view.beta,
                I=view.I,
            )
        )
    else:
        st.markdown(say("Click a cell to set its α, β and size on every page."))
    with st.container(horizontal=True, gap="small"):
        frame.door(say("Atoms"), "atoms", key="to_atoms", icon=":material/grain:")
        frame.door(say("Measures"), "measures", key="to_measures", icon=":material/bar_chart:")


def _nearest_cell(view: View, n: int) -> tuple[int, int]:
    """The lattice's point nearest to the sidebar's weights: small moves of these leave the maps as they are."""
    i = round(view.alpha * n)
    return i, min(round(view.beta * n), n - i)


def _record(row: Row, k: int, noise: Noise | None) -> dict:
    return {
        "alpha": row.point.alpha,
        "beta": row.point.beta,
        "atoms per class": row.size,
        **score_table.columns(row.summary, noise),
        "step": f"1/{row.point.n}",
        "atoms unlike (0, 0)": row.changed,
        "of": row.size * k,
    }


def lattice_examples() -> None:
    """The paper's three steps."""
    for place, n in zip(st.columns(3), (4, 6, 14), strict=True):
        points = coarse(n)
        cells = [
            figures.Cell(*place_of(point), None, "", f"α = {point.alpha:.3g}, β = {point.beta:.3g}") for point in points
        ]
        title = say("Δ1 = 1/{n}: {count} points", n=n, count=len(points))
        ticks = {0: "0", n: "1"}
        chart = figures.score_map(cells, (0, 1), title, ("α", "β"), (ticks, ticks))
        maps.show(chart, say("The triangle of weights, {title}.", title=title), f"lattice_{n}", place=place)
