"""The paper's tables beside ours: dictionary sizes, methods and widths."""

import math
from collections.abc import Iterable

import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.statistics import plus_minus
from reproduce import report
from reproduce.claims import SHORT
from reproduce.paper import METHODS, ROUNDS, SIZES, SIZES_IN_THE_TEXT
from ui import stored
from ui.panels import results
from ui.panels.results import Cell

EMPTY = Cell(math.nan, "")


def show() -> None:
    """Tables 1 and 3, then table 2."""
    _show_sizes()
    _show_methods()


def _show_sizes() -> None:
    st.header(say("Tables 1 and 3: four dictionary sizes, test accuracy in %"))
    found = stored.rows("table1")
    if not found:
        st.info(say("Not measured yet: run `python -m reproduce table1 --rounds 10`."))
        return
    ours = {(row.I, row.classifier): row for row in found}
    results.table([line for I in SIZES for line in _size(I, ours)], "sizes")
    text = ", ".join(
        say("{mean} for {I} atoms per class", mean=plus_minus(mean, sd), I=I)
        for I, (mean, sd, _) in SIZES_IN_THE_TEXT.items()
    )
    st.caption(
        say(
            "Mean ± sd of the rounds; the paper has ten. The paper's text differs from its table: {text} (D13). "
            "{about} {earlier}",
            text=text,
            about=say(report.ABOUT_CUT_SHORT),
            earlier=report.earlier_words("table1"),
        )
    )
    results.origin(_every_size(found), "sizes", stored.command("table1"))


def _size(I: int, ours: dict) -> Iterable[dict]:
    """The paper's line of a dictionary size, and ours below it."""
    mean, sd, best = SIZES[I]
    n = 10 * I
    yield {
        phrase("atoms"): say("**{I} per class**", I=I),
        phrase("by"): say("paper"),
        phrase("mean ± sd"): Cell(mean, plus_minus(mean, sd)),
        phrase("ours − paper"): EMPTY,
        phrase("best"): Cell(best, f"{best:.2f}"),
        phrase("rounds"): ROUNDS,
        phrase("network"): f"MLP-{n}-{n}-10",
        phrase("weights"): Cell(report.n_weights(n, n), f"{report.n_weights(n, n):,}"),
    }
    for row in (ours[I, classifier] for classifier in SHORT if (I, classifier) in ours):
        lead = 100 * row.ours.mean - mean
        yield {
            phrase("atoms"): "",
            phrase("by"): say("ours, {short}", short=SHORT[row.classifier]),
            phrase("mean ± sd"): results.spread(row),
            phrase("ours − paper"): Cell(lead, plus_minus(lead, signed=True)),
            phrase("best"): Cell(100 * row.ours.best, f"{100 * row.ours.best:.2f}"),
            phrase("rounds"): row.ours.rounds,
            phrase("network"): "",
            phrase("weights"): EMPTY,
        }


def _every_size(found: Iterable[report.Row]) -> list[dict]:
    return [
        _numbers(row) | {"atoms per class": row.I, "paper, mean": row.paper[0], "paper, sd": row.paper[1]}
        for row in found
        if row.paper
    ]


def _show_methods() -> None:
    st.header(say("Table 2: methods and hidden units, test accuracy in %"))
    found = stored.rows("table2")
    if not found:
        st.info(say("Not measured yet: run `python -m reproduce table2 --rounds 3`."))
        return
    ours = {(row.method, row.classifier, row.hidden): row for row in found}
    results.table([line for method in (*METHODS, "raw-16") for line in _method(method, ours)], "methods")
    st.caption(
        say(
            "Mean ± sd of the rounds; 200 atoms, or raw pixels. {rounds} The paper's caption calls its numbers the "
            "best rates, its text averages over 10 rounds (D17); our means are shown beside them. The paper's "
            "raw-pixel numbers are LeCun's of 1998 (D15); ours are measured like all other rows. {about} {earlier}",
            rounds=report.rounds_words("table2"),
            about=say(report.ABOUT_CUT_SHORT),
            earlier=report.earlier_words("table2"),
        )
    )
    results.origin([_numbers(row) for row in found], "methods", stored.command("table2"))


def _method(method: str, ours: dict) -> Iterable[dict]:
    """The paper's line of a method, and ours below it; a line without numbers is left out."""
    papers = METHODS.get(method, {})
    lines = {
        say("paper"): [
            Cell(papers[h], f"{papers[h]:.1f}") if h in papers else results.spread(None) for h in report.WIDTHS
        ]
    }
    for classifier, name in SHORT.items():
        lines[say("ours, {short}", short=name)] = [
            results.spread(ours.get((method, classifier, h))) for h in report.WIDTHS
        ]
    title = f"**{say(report.NAMES[method].removesuffix(', 200 atoms'))}**"
    for by, cells in lines.items():
        if any(cell.text != "–" for cell in cells):
            widths = dict(zip((say("{hidden} hidden", hidden=width) for width in report.WIDTHS), cells, strict=True))
            yield {phrase("method"): title, phrase("by"): by} | widths
            title = ""


def _numbers(row: report.Row) -> dict:
    """A network for the file."""
    return {
        "method": row.name,
        "hidden": row.hidden,
        "weights": row.weights,
        "trained by": report.CLASSIFIER_NAMES[row.classifier],
        "test accuracy, mean": 100 * row.ours.mean,
        "sd": None if row.ours.sd is None else 100 * row.ours.sd,
        "best": 100 * row.ours.best,
        "rounds": row.ours.rounds,
        "seconds": row.seconds,
        "paper": row.paper[0] if row.paper else None,
    }
