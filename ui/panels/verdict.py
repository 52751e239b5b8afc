"""What of the paper holds, in sentences computed from the results."""

import streamlit as st

from reproduce import report
from reproduce.paper import SIZES
from ui.panels import results


def show() -> None:
    """One sentence for each claim that was measured."""
    lines = [_sizes(), *map(_against, ("ksvd", "lc-ksvd2")), _raw_pixels(), _measure()]
    st.markdown("\n".join(f"- {line}" for line in lines if line))


def _sizes() -> str:
    found = {(row.I, row.classifier): row for row in results.rows("table1")}
    measured = [I for I in SIZES if (I, "scg") in found]
    reached = [I for I in measured if 100 * found[I, "scg"].ours.mean >= SIZES[I][0]]
    return (
        f"**The paper's means for its four dictionary sizes**: reached for {len(reached)} of {len(measured)} measured "
        "sizes with the paper's own kind of network."
    )


def _against(other: str) -> str:
    counts = [_widths_ahead(other, classifier) for classifier in report.CLASSIFIER_NAMES]
    if not all(total for _, total in counts):
        return ""
    told = " and ".join(
        f"at {ahead} of {total} widths with {name}"
        for (ahead, total), name in zip(counts, report.CLASSIFIER_NAMES.values(), strict=True)
    )
    name = report.NAMES[other].partition(",")[0]
    return f"**DAS-KSVD's atoms read better than {name}'s** {told}; in the paper at every width."


def _raw_pixels() -> str:
    raw = [row for row in results.rows("table2") if row.method.startswith("raw") and row.classifier == "modern"]
    ours = [row for row in results.rows("table2") if row.method == "das-ksvd"]
    if not (raw and ours):
        return ""
    best_raw, best = max(raw, key=lambda row: row.ours.mean), max(ours, key=lambda row: row.ours.mean)
    verb = "beats" if best_raw.ours.mean > best.ours.mean else "does not beat"
    return (
        f"**Today's network on raw pixels {verb} every row**: {results.percent(best_raw)} ({best_raw.name}, "
        f"{best_raw.hidden} hidden units) against {results.percent(best)} for DAS-KSVD. A dictionary explains; it no "
        "longer wins."
    )


def _measure() -> str:
    if not {"das-ksvd", "random own atom"} <= {row.method for row in results.rows("ablation")}:
        return ""
    gain = results.compare("ablation", "random own atom", 200, "modern").difference
    return (
        f"**The measure itself brings {gain.text} points** (95 % interval, {gain.rounds} rounds) over taking a "
        "random atom of the right class; much of the rest comes from resampling and noise."
    )


def _widths_ahead(other: str, classifier: str) -> tuple[int, int]:
    """At how many widths DAS-KSVD's mean is above another method's, and how many were measured."""
    means = {(row.method, row.hidden): row.ours.mean for row in results.rows("table2") if row.classifier == classifier}
    pairs = [
        (mean, means[other, hidden])
        for (method, hidden), mean in means.items()
        if method == "das-ksvd" and (other, hidden) in means
    ]
    return sum(mine > theirs for mine, theirs in pairs), len(pairs)
