"""What a search over the weights says: our best against the paper's, and whether the difference is more than noise."""

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dasksvd.search.lattice import nearest, papers_regions
from dasksvd.search.weights import Row
from reproduce import weights

#: What a paired difference says about a preference that one trajectory has shown.
REPEATED = {
    "cannot be told apart": "the preference of this run does not repeat",
    "better": "the preference of this run repeats",
    "worse": "there, the opposite holds",
}


def show(rows: Sequence[Row], size: int) -> None:
    """Our best against the paper's best, and against the noise between networks."""
    if not rows or any(row.summary is None for row in rows):
        return
    best = max(rows, key=lambda row: row.summary.mean)
    best_in_paper = nearest(papers_regions(size)[0], rows[0].point.n)
    paper = next(row for row in rows if row.point == best_in_paper)
    left, middle, right = st.columns(3)
    left.metric(f"Our best, {size} per class: {best.point}", f"{best.summary.text} %")
    middle.metric(f"The paper's best: {paper.point}", f"{paper.summary.text} %")
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
                else "**no larger than the noise** between networks."
            )
        )


def show_repeated() -> None:
    """Whether the shipped search's best point is better on other trajectories, too."""
    found = weights.stored_difference()
    if found is not None:
        alpha, beta = weights.BEST
        st.markdown(
            f"On {found.rounds} other trajectories, ({alpha:.2f}, {beta:.2f}) against (0.00, 0.00) is "
            f"**{found.text} points** (95 % interval): {REPEATED.get(found.verdict, found.verdict)}.",
            help=f"`{weights.command()}`",
        )
