"""The paper's tables beside ours: sizes, methods, significance and ablation."""

import pandas as pd
import streamlit as st

from dasksvd.metrics import plus_minus
from reproduce import report
from reproduce.paper import METHODS, SIZES_IN_THE_TEXT
from ui import figures, links, texts
from ui.components import charts
from ui.panels import results


def show_sizes() -> None:
    """Tables 1 and 3: the four sizes."""
    st.header("Tables 1 and 3: four dictionary sizes")
    if not results.rows("table1"):
        st.info("Not measured yet: run `python -m reproduce table1 --rounds 10`.")
        return
    lines = []
    for row in results.rows("table1"):
        mean, sd, best = row.paper
        lines.append(
            {
                "dictionary": f"{row.I} atoms per class",
                "network": f"MLP-{row.hidden}-{row.hidden}-10",
                "weights": f"{row.weights:,}",
                "trained by": report.CLASSIFIER_NAMES[row.classifier],
                "paper": plus_minus(mean, sd),
                "ours": report.spread(row),
                "difference": texts.signed(100 * row.ours.mean - mean),
                "paper, best of 10": f"{best:.2f}",
                f"ours, best of {row.ours.rounds}": f"{100 * row.ours.best:.2f}",
                "rounds": row.ours.rounds,
                "seconds": round(row.seconds),
            }
        )
    results.table(lines, "sizes", results.command("table1"))
    text = ", ".join(
        f"{plus_minus(mean, sd)} for {I} atoms per class" for I, (mean, sd, _) in SIZES_IN_THE_TEXT.items()
    )
    st.caption(f"All accuracies in % of the 10,000 test images. The paper's text differs from its table: {text} (D13).")


def show_methods() -> None:
    """Table 2: methods and widths."""
    st.header("Table 2: methods and widths")
    found = results.rows("table2")
    if not found:
        st.info("Not measured yet: run `python -m reproduce table2 --rounds 3`.")
        return
    names = report.CLASSIFIER_NAMES
    chosen = links.choose(
        st.segmented_control,
        "Network",
        names,
        key="classifier",
        default="modern",
        required=True,
        help="The paper's kind of network, or today's.",
    )
    series = {}
    for row in found:
        if row.classifier == chosen:
            point = (row.weights, 100 * row.ours.mean, 100 * (row.ours.sd or 0), f"{row.hidden} hidden units")
            series.setdefault(f"ours: {row.name}", []).append(point)
    for method, numbers in METHODS.items():
        inputs = 784 if method == "raw-28" else 200
        series[f"paper: {report.NAMES[method]}"] = [
            (report.n_weights(inputs, hidden), value, None, f"{hidden} hidden units")
            for hidden, value in numbers.items()
        ]
    charts.show(
        figures.accuracy_by_weights(
            series, f"Accuracy against size of the network ({report.CLASSIFIER_NAMES[chosen]})"
        ),
        "Test accuracy against the number of weights for each method; the table below has the numbers.",
        "methods",
    )
    lines = _every_network(found)
    results.table(lines, "methods", results.command("table2"), _methods_by_width())
    st.caption(
        "Test accuracy in %, mean ± sd of the rounds. The paper's caption calls its numbers the best rates, its text "
        "averages over 10 rounds (D17); our means are shown beside them. The paper's raw-pixel numbers are LeCun's of "
        "1998 (D15); ours are measured like all other rows. Six networks (SCG, 1000 hidden units) started badly, as "
        "seen on the test images, and were trained again with a start chosen on validation images. With SCG, the lead "
        "over K-SVD at 300 and more units depends on that start (DEVIATIONS, D11)."
    )
    with st.expander("Every network: weights, best of its rounds, seconds"):
        results.draw_table(pd.DataFrame(lines))


@st.cache_resource
def _methods_by_width() -> pd.DataFrame:
    columns = ["method", "by", *(f"{width} hidden" for width in report.WIDTHS)]
    return pd.DataFrame(report.methods_by_width(), columns=columns)


def _every_network(found: list[report.Row]) -> list[dict]:
    return [
        {
            "method": row.name,
            "hidden": row.hidden,
            "weights": f"{row.weights:,}",
            "trained by": report.CLASSIFIER_NAMES[row.classifier],
            "paper": "–" if row.paper is None else f"{row.paper[0]:.1f}",
            "ours": report.spread(row),
            "best": f"{100 * row.ours.best:.2f}",
            "rounds": row.ours.rounds,
            "seconds": round(row.seconds),
        }
        for row in found
    ]


def show_significance() -> None:
    """DAS-KSVD against each other method with the same network in the same rounds."""
    st.markdown(
        r"The paper takes the numbers of errors as binomials, approximates them by Gaussians, and asks for "
        r"$P(\varepsilon_\mathrm{ref} < \varepsilon)$. That treats two readings of the **same** test images as "
        "independent and leaves out that another round gives another dictionary and another network. So the difference "
        "is taken **round by round**, and its mean is shown with Student's 95 % interval. If 0 lies inside it, the "
        "rounds show no difference between the two."
    )
    lines = []
    for row in results.rows("table2"):
        found = None if row.method == "das-ksvd" else results.compare("table2", row.method, row.hidden, row.classifier)
        if found is None:
            continue
        lines.append(
            {
                "DAS-KSVD against": row.name,
                "hidden": row.hidden,
                "trained by": report.CLASSIFIER_NAMES[row.classifier],
                "DAS-KSVD (%)": f"{100 * found.accuracies[0]:.2f}",
                "other (%)": f"{100 * found.accuracies[1]:.2f}",
                "difference": found.difference.text,
                "DAS-KSVD is": found.difference.verdict,
                "rounds": found.difference.rounds,
                "the paper's P(ε_DAS < ε_other)": f"{found.better:.4f}",
            }
        )
    if lines:
        results.table(lines, "significance", results.command("table2"))
        st.caption(
            "Test accuracy in % of 10,000 images; differences in points. Each line is a test of its own: of twenty "
            "such lines about one shows a difference by chance."
        )
    else:
        st.info("Needs the results of Table 2: run `python -m reproduce table2 --rounds 3`.")


def show_ablation() -> None:
    """What each part of the method brings."""
    found = sorted(results.rows("ablation"), key=lambda row: -row.ours.mean)
    if not found:
        st.info("Not measured yet: run `python -m reproduce ablation --rounds 3`.")
        return
    names = [row.name for row in found]
    base = next((i for i, row in enumerate(found) if row.method == "das-ksvd"), 0)
    charts.show(
        figures.accuracy_dots(
            names, [100 * row.ours.mean for row in found], [100 * (row.ours.sd or 0) for row in found], base
        ),
        "Mean test accuracy of each variant: " + ", ".join(f"{row.name} {results.percent(row)}" for row in found),
        "ablation",
    )
    lines = [
        {
            "variant": row.name,
            "ours": report.spread(row),
            "against DAS-KSVD": report.against_das(row),
            "rounds": row.ours.rounds,
        }
        for row in found
    ]
    results.table(lines, "ablation", results.command("ablation"))
    st.caption(
        "All with 200 atoms, q = 20 %, and MLP-200-200-10 (ReLU, Adam); test accuracy in %, mean ± sd. Differences are "
        "taken round by round, with Student's 95 % interval."
    )
