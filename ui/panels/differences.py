"""DAS-KSVD against every other method with the same network in the same rounds, as a forest plot."""

import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.statistics import Corrected, corrected
from reproduce import report
from ui import figures, stored
from ui.components import forest
from ui.panels import results


def show() -> None:
    """All comparisons of table 2."""
    found = _comparisons()
    if not found:
        st.info(say("Needs the results of Table 2: run `python -m reproduce table2 --rounds 3`."))
        return
    judged = corrected({one: one.difference for one in found})
    forest.show(
        figures.forest(
            _groups(judged),
            say("DAS-KSVD minus other methods: same network, same rounds, test images"),
            (say("DAS-KSVD worse"), say("DAS-KSVD better")),
            list(report.CLASSIFIER_NAMES.values()),
            say("difference of test accuracies in points, with its 95 % interval"),
        ),
        say("Differences of test accuracies, DAS-KSVD minus another method; the table below has the numbers."),
        "significance",
    )
    st.caption(
        say(
            "A solid line is clear also as one of {count} tests, by Holm's correction. A dashed one is not: the "
            "rounds show no difference, or one that so many tests would show by chance.",
            count=len(found),
        )
    )
    lines = [_line(*one) for one in judged.items()]
    results.origin([_numbers(*one) for one in judged.items()], "significance", stored.command("table2"))
    with st.expander(say("The numbers, and the paper's own test")):
        st.markdown(
            say(
                r"The paper takes the numbers of errors as binomials, approximates them by Gaussians, and asks for "
                r"$P(\varepsilon_\mathrm{ref} < \varepsilon)$. That treats two readings of the **same** test images as "
                "independent and leaves out that another round gives another dictionary and another network. So the "
                "difference is taken **round by round**, and its mean is shown with Student's 95 % interval; *better* "
                "and *worse* are said after Holm's correction for all lines."
            )
        )
        results.table(lines, "significance")


def _comparisons() -> list[report.Comparison]:
    found = [
        stored.compare("table2", row.method, row.hidden, row.classifier)
        for row in stored.rows("table2")
        if row.method != "das-ksvd"
    ]
    return [one for one in found if one is not None]


def _groups(judged: dict[report.Comparison, Corrected]) -> dict[str, dict[str, dict[str, Corrected]]]:
    """Method -> width -> network -> difference; the methods that DAS-KSVD leads most come first."""
    groups: dict[str, dict[str, dict[str, Corrected]]] = {}
    for one, difference in judged.items():
        widths = groups.setdefault(say(report.NAMES[one.second]), {})
        widths.setdefault(say("{hidden} hidden", hidden=one.hidden), {})[report.CLASSIFIER_NAMES[one.classifier]] = (
            difference
        )
    order = list(report.CLASSIFIER_NAMES.values())
    sorted_groups = sorted(groups.items(), key=lambda item: -_lead(item[1]))
    return {
        name: {width: {kind: dots[kind] for kind in order if kind in dots} for width, dots in widths.items()}
        for name, widths in sorted_groups
    }


def _lead(widths: dict[str, dict[str, Corrected]]) -> float:
    means = [difference.mean for dots in widths.values() for difference in dots.values()]
    return sum(means) / len(means)


def _line(one: report.Comparison, judged: Corrected) -> dict:
    return {
        phrase("against"): say(report.NAMES[one.second]),
        phrase("hidden"): one.hidden,
        phrase("by"): report.CLASSIFIER_NAMES[one.classifier],
        "DAS-KSVD": results.Cell(100 * one.accuracies[0], f"{100 * one.accuracies[0]:.2f}"),
        phrase("other"): results.Cell(100 * one.accuracies[1], f"{100 * one.accuracies[1]:.2f}"),
        phrase("difference"): results.Cell(100 * one.difference.mean, one.difference.text),
        phrase("DAS-KSVD is"): say(judged.verdict),
        phrase("rounds"): one.difference.rounds,
        phrase("paper's P"): results.Cell(one.better, f"{one.better:.4f}"),
    }


def _numbers(one: report.Comparison, judged: Corrected) -> dict:
    """A comparison for the file."""
    half = one.difference.half_width
    return {
        "DAS-KSVD against": report.NAMES[one.second],
        "hidden": one.hidden,
        "trained by": report.CLASSIFIER_NAMES[one.classifier],
        "DAS-KSVD, test accuracy": 100 * one.accuracies[0],
        "other, test accuracy": 100 * one.accuracies[1],
        "difference": 100 * one.difference.mean,
        "half width of the 95 % interval": None if half is None else 100 * half,
        "p": one.difference.p,
        "p after Holm": judged.adjusted,
        "rounds": one.difference.rounds,
        "the paper's P(ε_DAS < ε_other)": one.better,
    }
