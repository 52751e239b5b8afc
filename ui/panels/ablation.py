"""What each part of the method brings: variants against DAS-KSVD, as a forest plot."""

import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.statistics import Corrected
from reproduce import report
from ui import figures, stored
from ui.components import forest
from ui.panels import results


def show(study: str = "ablation") -> None:
    """The variants of a study as a forest plot, and their numbers; nothing if there are none."""
    found = stored.computed(study, report.ablation, "omp", "modern", study)
    if not found:
        return
    differences = {say(report.label(row)): one for row, one in found.items() if one is not None}
    forest.show(
        figures.forest(
            {"": {name: {"ReLU, Adam": one} for name, one in differences.items()}},
            say("What each part of the method brings: variants minus DAS-KSVD, test images"),
            (say("variant worse"), say("variant better")),
            ["ReLU, Adam"],
            say("difference of test accuracies in points, with its 95 % interval"),
        ),
        say("Differences to DAS-KSVD: ") + ", ".join(f"{name} {one.text}" for name, one in differences.items()) + ".",
        "ablation",
    )
    lines = [
        {
            phrase("variant"): say(report.label(row)),
            phrase("test accuracy, %"): results.spread(row),
            phrase("variant − DAS-KSVD"): one.text if one else "–",
            phrase("after Holm"): say(one.verdict) if one else "–",
            phrase("rounds"): row.ours.rounds,
        }
        for row, one in found.items()
    ]
    st.caption(
        say(
            "All with 200 atoms, q = 20 % (40 of 200) and MLP-200-200-10; test accuracy, mean ± sd. Differences are "
            "taken round by round, with Student's 95 % interval. Solid: clear also as one of {count} tests (Holm's "
            "correction); dashed: not, even where the interval leaves out 0.",
            count=len(differences),
        )
    )
    results.origin([_numbers(row, one) for row, one in found.items()], study, stored.command(study))
    with st.expander(say("The numbers")):
        results.table(lines, "ablation")
        st.caption(say(report.ABOUT_CUT_SHORT))


def _numbers(row: report.Row, one: Corrected | None) -> dict:
    """A variant for the file."""
    half = one.half_width if one else None
    return {
        "variant": say(report.label(row)),
        "test accuracy, mean": 100 * row.ours.mean,
        "sd": None if row.ours.sd is None else 100 * row.ours.sd,
        "variant - DAS-KSVD": 100 * one.mean if one else None,
        "half width of the 95 % interval": None if half is None else 100 * half,
        "p": one.p if one else None,
        "p after Holm": one.adjusted if one else None,
        "rounds": row.ours.rounds,
    }
