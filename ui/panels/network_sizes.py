"""Accuracy against the size of the network, for every method."""

from typing import Any

import streamlit as st

from dasksvd.common.language import say
from reproduce import report
from reproduce.paper import METHODS
from ui import figures, links, stored
from ui.components import charts
from ui.panels import results


def show() -> None:
    """One line for each method, ours and the paper's."""
    found = stored.rows("table2")
    if not found:
        st.info(say("Not measured yet: run `python -m reproduce table2 --rounds 3`."))
        return
    chosen = _pick_network(st)
    charts.show(
        figures.accuracy_by_weights(
            _ours(found, chosen) | _papers(),
            say(
                "Test accuracy against size of the network ({CLASSIFIER_NAMES})",
                CLASSIFIER_NAMES=report.CLASSIFIER_NAMES[chosen],
            ),
        ),
        say("Test accuracy against the number of weights for each method; the tables have the numbers."),
        "methods",
    )
    with st.expander(say("Every network: weights, best of its rounds, seconds")):
        results.table([_line(row) for row in found], "networks")
        st.caption(say(report.ABOUT_CUT_SHORT))


def keep() -> None:
    """Keep the chosen network in links."""
    _pick_network(None)


def _pick_network(place: Any) -> str:
    return links.choose(
        place and place.segmented_control,
        say("Network"),
        report.CLASSIFIER_NAMES,
        key="classifier",
        default="modern",
        required=True,
        help=say("The paper's kind of network, or today's."),
    )


def _ours(found: list[report.Row], classifier: str) -> dict[str, list[tuple]]:
    series: dict[str, list[tuple]] = {}
    for row in found:
        if row.classifier == classifier:
            point = (
                row.weights,
                100 * row.ours.mean,
                100 * (row.ours.sd or 0),
                say("{hidden} hidden units", hidden=row.hidden),
            )
            series.setdefault(say("ours: {name}", name=say(row.name)), []).append(point)
    return series


def _papers() -> dict[str, list[tuple]]:
    return {
        say("paper: {name}", name=say(report.NAMES[method])): [
            (
                report.n_weights(784 if method == "raw-28" else 200, hidden),
                value,
                None,
                say("{hidden} hidden units", hidden=hidden),
            )
            for hidden, value in numbers.items()
        ]
        for method, numbers in METHODS.items()
    }


def _line(row: report.Row) -> dict:
    return {
        "method": say(row.name),
        "hidden": row.hidden,
        "weights": results.Cell(row.weights, f"{row.weights:,}"),
        "by": report.CLASSIFIER_NAMES[row.classifier],
        "test accuracy": results.spread(row),
        "best": results.Cell(100 * row.ours.best, f"{100 * row.ours.best:.2f}"),
        "rounds": row.ours.rounds,
        "seconds": round(row.seconds),
    }
