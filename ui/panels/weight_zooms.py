"""Stage 2 of a search over the weights: a closer look at our best regions and at the paper's."""

from collections.abc import Sequence

import streamlit as st

from dasksvd.common.language import say
from dasksvd.datasets.parts import part_name
from dasksvd.search.comparison import network_noise
from dasksvd.search.lattice import PAPERS_STAGE_2, Point, fine, nearest, papers_regions
from dasksvd.search.plans import WeightsPlan
from dasksvd.search.weights import Row, weight_rows, weight_scores
from ui import cache, figures
from ui.components import maps
from ui.panels.weight_cells import cell, limits_of, pick
from ui.state import View


def show(view: View, plan: WeightsPlan, size: int, centres: list[Point]) -> list[Row]:
    """Maps around our regions and the paper's, two in a row; the rows they show."""
    if not centres:
        return []
    st.header(say("Stage 2: a closer look at {size} atoms per class", size=size))
    scores, choices = weight_scores(cache.base_run(view.run_id)), cache.choices(view.run_id, plan.ranking)
    regions = {f"R{place}": point for place, point in enumerate(centres, 1)}
    regions |= {
        f"the paper's R{place}": point for place, point in enumerate(papers_regions(size), 1) if point not in centres
    }
    found = {
        name: weight_rows(choices, scores, fine(centre, plan.fine_step), [size], plan.scored_by)
        for name, centre in regions.items()
    }
    shown = [row for rows in found.values() for row in rows]
    limits = limits_of(shown)
    for start in range(0, len(found), 2):
        for place, name in zip(st.columns(2), list(found)[start : start + 2], strict=False):
            with place:
                _map(view, plan, name, nearest(regions[name], plan.fine_step), found[name], limits)
    if _has_papers_numbers(plan, size):
        st.caption(say("In brackets: the paper's numbers. Points outside the triangle do not exist."))
    return shown


def _has_papers_numbers(plan: WeightsPlan, size: int) -> bool:
    return (size, plan.fine_step) == (20, 100)


def _map(
    view: View, plan: WeightsPlan, name: str, centre: Point, rows: Sequence[Row], limits: tuple[float, float]
) -> None:
    k, n, size = len(view.classes), centre.n, rows[0].size
    noise, part = network_noise(rows), say(part_name(view.description))
    papers = PAPERS_STAGE_2 if _has_papers_numbers(plan, size) else {}
    cells = [cell(row, k, part, noise, digits=2, papers=papers.get((row.point.i, row.point.j))) for row in rows]
    columns = {row.point.i: f"{row.point.alpha:.3g}" for row in rows}
    lines = {row.point.j: f"{row.point.beta:.3g}" for row in rows}
    maps.show(
        figures.score_map(
            cells,
            limits,
            f"{_called(name)}: {say('around {centre}', centre=centre)}",
            ("α", "β"),
            (columns, lines),
            frame=(view.alpha * n, view.beta * n) if _is_near(view, rows) else None,
        ),
        say("Stage 2 around {centre}: accuracy of {count} points.", centre=centre, count=len(rows)),
        "zoom_" + name.replace("the paper's", "papers").replace(" ", "_"),
        on_pick=lambda alpha, beta: pick(alpha, beta, size, plan.ranking),
    )


def _called(name: str) -> str:
    return name if len(name) <= 2 else say("The paper's {region}", region=name.rpartition(" ")[2])


def _is_near(view: View, rows: Sequence[Row]) -> bool:
    return any(abs(row.point.alpha - view.alpha) + abs(row.point.beta - view.beta) < 1e-9 for row in rows)
