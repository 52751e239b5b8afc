"""Tables, charts and sentences from the measured results."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from dasksvd import load_mnist
from dasksvd.evaluate import Metrics, scored_images
from dasksvd.metrics import plus_minus
from dasksvd.runs.reference import load_metrics
from reproduce import report
from reproduce.paper import METHODS, SIZES, SIZES_IN_THE_TEXT
from ui import cache, figures, links, texts
from ui.components import charts, walls
from ui.sidebar import View

#: Misread digits shown at once.
N_WRONG = 20


@st.cache_resource
def _rows(table: str) -> list[report.Row]:
    return report.rows(table)


@st.cache_resource
def _command(table: str) -> str:
    return report.command(table)


@st.cache_resource
def _methods_by_width() -> pd.DataFrame:
    columns = ["method", "by", *(f"{width} hidden" for width in report.WIDTHS)]
    return pd.DataFrame(report.methods_by_width(), columns=columns)


def tabs(*names: str) -> Sequence:
    """Tabs of which the open one stands in links, in small letters."""
    kind = links.named({name: name.lower() for name in names})
    links.prepare("tab", kind, names[0], names.__contains__)
    found = st.tabs(names, key="tab", on_change="rerun")
    links.note("tab", kind, st.session_state["tab"], names[0])
    return found


def show_verdict() -> None:
    """What holds and what does not, computed from the results."""
    found = {(row.I, row.classifier): row for row in _rows("table1")}
    reached = [I for I in SIZES if (I, "scg") in found and 100 * found[I, "scg"].ours.mean >= SIZES[I][0]]
    raw = [row for row in _rows("table2") if row.method.startswith("raw") and row.classifier == "modern"]
    ours = [row for row in _rows("table2") if row.method == "das-ksvd"]
    lines = [
        f"**The paper's means for its four dictionary sizes**: reached for {len(reached)} of "
        f"{sum(1 for I in SIZES if (I, 'scg') in found)} measured sizes with the paper's own kind of network."
    ]
    for other in ("ksvd", "lc-ksvd2"):
        counts = [_widths_ahead(other, classifier) for classifier in report.CLASSIFIER_NAMES]
        if all(total for _, total in counts):
            told = " and ".join(
                f"at {ahead} of {total} widths with {name}"
                for (ahead, total), name in zip(counts, report.CLASSIFIER_NAMES.values(), strict=True)
            )
            name = report.NAMES[other].partition(",")[0]
            lines.append(f"**DAS-KSVD's atoms read better than {name}'s** {told}; in the paper at every width.")
    if raw and ours:
        best_raw, best = max(raw, key=lambda row: row.ours.mean), max(ours, key=lambda row: row.ours.mean)
        verb = "beats" if best_raw.ours.mean > best.ours.mean else "does not beat"
        lines.append(
            f"**Today's network on raw pixels {verb} every row**: {_percent(best_raw)} ({best_raw.name}, "
            f"{best_raw.hidden} hidden units) against {_percent(best)} for DAS-KSVD. A dictionary explains; it no "
            "longer wins."
        )
    ablated = {row.method: row for row in _rows("ablation")}
    if {"das-ksvd", "random own atom"} <= set(ablated):
        gain = _compare("ablation", "random own atom", 200, "modern").difference
        lines.append(
            f"**The measure itself brings {gain.text} points** (95 % interval, {gain.rounds} rounds) over taking a "
            "random atom of the right class; much of the rest comes from resampling and noise."
        )
    st.markdown("\n".join(f"- {line}" for line in lines))


def _widths_ahead(other: str, classifier: str) -> tuple[int, int]:
    """At how many widths DAS-KSVD's mean is above another method's, and how many were measured."""
    means = {(row.method, row.hidden): row.ours.mean for row in _rows("table2") if row.classifier == classifier}
    pairs = [
        (mean, means[other, hidden])
        for (method, hidden), mean in means.items()
        if method == "das-ksvd" and (other, hidden) in means
    ]
    return sum(mine > theirs for mine, theirs in pairs), len(pairs)


def _percent(row: report.Row) -> str:
    return f"{report.spread(row)} %"


def show_sizes() -> None:
    """Tables 1 and 3: the four sizes."""
    st.header("Tables 1 and 3: four dictionary sizes")
    if not _rows("table1"):
        st.info("Not measured yet: run `python -m reproduce table1 --rounds 10`.")
        return
    lines = []
    for row in _rows("table1"):
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
    _table(lines, "sizes", _command("table1"))
    text = ", ".join(
        f"{plus_minus(mean, sd)} for {I} atoms per class" for I, (mean, sd, _) in SIZES_IN_THE_TEXT.items()
    )
    st.caption(f"All accuracies in % of the 10,000 test images. The paper's text differs from its table: {text} (D13).")


def show_methods() -> None:
    """Table 2: methods and widths."""
    st.header("Table 2: methods and widths")
    found = _rows("table2")
    if not found:
        st.info("Not measured yet: run `python -m reproduce table2 --rounds 3`.")
        return
    names = report.CLASSIFIER_NAMES
    chosen = links.draw(
        st.segmented_control,
        "Network",
        list(names),
        key="classifier",
        kind=links.one_of(names, names),
        default="modern",
        check=names.__contains__,
        format_func=names.get,
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
    _table(lines, "methods", _command("table2"), _methods_by_width())
    st.caption(
        "Test accuracy in %, mean ± sd of the rounds. The paper's caption calls its numbers the best rates, its text "
        "averages over 10 rounds (D17); our means stand beside them. Its raw pixels are LeCun's 1998 figures (D15); "
        "ours are measured like all other rows. Six networks (SCG, 1000 hidden units) showed a faulty start on the "
        "test images and were trained again with one chosen on validation images. With SCG the lead over K-SVD at 300 "
        "and more units depends on that start (DEVIATIONS, D11)."
    )
    with st.expander("Every network: weights, best of its rounds, seconds"):
        _draw_table(pd.DataFrame(lines))


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


def _table(lines: list[dict], key: str, command: str, shorter: pd.DataFrame | None = None) -> None:
    """A table with its command and its file; the file has all lines even where a shorter table is shown."""
    frame = pd.DataFrame(lines)
    # Rounds may differ while a reproduction is on its way: one column for the best.
    best = [name for name in frame.columns if name.startswith("ours, best of ")]
    if len(best) > 1:
        frame["ours, best"] = frame[best].bfill(axis=1).iloc[:, 0]
        frame = frame.drop(columns=best)
    _draw_table(frame if shorter is None else shorter)
    left, right = st.columns([3, 1], vertical_alignment="center")
    left.code(command, language=None)  # the colours of a shell's words are too pale
    right.download_button(
        "Table · CSV",
        lambda: frame.to_csv(index=False),
        f"das-ksvd-{key}.csv",
        "text/csv",
        key=f"csv_{key}",
        on_click="ignore",
        width="stretch",
    )


def _draw_table(frame: pd.DataFrame) -> None:
    # No line break between a mean and its spread.
    shown = frame.replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}", regex=True)
    st.table(shown.set_index(shown.columns[0]))


def show_significance() -> None:
    """DAS-KSVD against each other method with the same network in the same rounds."""
    st.markdown(
        r"The paper takes the numbers of errors as binomials, approximates them by Gaussians, and asks for "
        r"$P(\varepsilon_\mathrm{ref} < \varepsilon)$. That treats two readings of the **same** test images as "
        "independent and leaves out that another round gives another dictionary and another network. So the difference "
        "is taken **round by round**, and its mean stands here with Student's 95 % interval. If 0 lies inside it, the "
        "rounds cannot tell the two apart."
    )
    lines = []
    for row in _rows("table2"):
        found = None if row.method == "das-ksvd" else _compare("table2", row.method, row.hidden, row.classifier)
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
        _table(lines, "significance", _command("table2"))
        st.caption(
            "Test accuracy in % of 10,000 images; differences in points. Each line is a test of its own: of twenty "
            "such lines about one shows a difference by chance."
        )
    else:
        st.info("Needs the results of Table 2: run `python -m reproduce table2 --rounds 3`.")


@st.cache_resource
def _compare(table: str, method: str, hidden: int, classifier: str) -> report.Comparison | None:
    return report.compare(table, "das-ksvd", method, hidden, classifier)


def show_ablation() -> None:
    """What each part of the method brings."""
    found = sorted(_rows("ablation"), key=lambda row: -row.ours.mean)
    if not found:
        st.info("Not measured yet: run `python -m reproduce ablation --rounds 3`.")
        return
    names = [row.name for row in found]
    base = next((i for i, row in enumerate(found) if row.method == "das-ksvd"), 0)
    charts.show(
        figures.accuracy_dots(
            names, [100 * row.ours.mean for row in found], [100 * (row.ours.sd or 0) for row in found], base
        ),
        "Mean test accuracy of each variant: " + ", ".join(f"{row.name} {_percent(row)}" for row in found),
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
    _table(lines, "ablation", _command("ablation"))
    st.caption(
        "All with 200 atoms, q = 20 %, and MLP-200-200-10 (ReLU, Adam); test accuracy in %, mean ± sd. Differences are "
        "taken round by round, with Student's 95 % interval."
    )


def show_mistakes(view: View) -> None:
    """Confusion matrix and misread digits of the current run."""
    metrics, images = _current(view)
    if metrics is None:
        st.info(
            "This run has not been evaluated. Runs started on the Train page are; or `python -m dasksvd evaluate RUN`."
        )
        return
    left, right = st.columns([3, 2])
    charts.show(
        figures.confusion(
            metrics.confusion,
            view.classes,
            f"{texts.percent(metrics.accuracy)} of {metrics.n_scored:,} {metrics.part} read right",
        ),
        f"Confusion matrix of {metrics.n_scored} {metrics.part}, true classes in rows, read classes in columns.",
        "confusion",
        place=left,
    )
    right.metric("Accuracy", texts.percent(metrics.accuracy), help=f"On {metrics.n_scored:,} {metrics.part}.")
    right.metric("Network", f"MLP-{metrics.n_atoms}-{metrics.hidden}-{len(view.classes)}")
    right.metric("Weights", f"{metrics.weights:,}")
    right.metric(
        "Energy left unexplained", texts.percent(metrics.error), help="By the sparse codes, mean over the images."
    )
    right.markdown(_commonest(metrics, view.classes))
    st.header("The surest mistakes")
    wrong = metrics.wrong[:N_WRONG]
    if not wrong:
        st.success("Nothing was misread.")
        return
    pictures = images(np.array([line[0] for line in wrong]))
    columns = 5 if charts.on_phone() else 10
    rows = -(-len(wrong) // columns)
    padded = np.zeros((rows * columns, pictures.shape[1]), np.float32)
    padded[: len(pictures)] = pictures
    told = [
        f"true {view.classes[line[1]]}, read {view.classes[line[2]]} ({texts.percent(line[4], 0)})" for line in wrong
    ]
    told += [""] * (len(padded) - len(told))
    wall = figures.wall(
        padded.reshape(rows, columns, -1),
        f"The {len(wrong)} misread digits the network was surest of; hover for the classes",
        figures.GREY,
        hover=[told[row * columns : (row + 1) * columns] for row in range(rows)],
        cell=110,
    )
    wall.marks.extend(
        figures.Mark(
            *divmod(i, columns), "rgb(214, 104, 36)", f"{view.classes[line[1]]} → {view.classes[line[2]]}", framed=False
        )
        for i, line in enumerate(wrong)
    )
    walls.show(wall, "Misread digits: " + "; ".join(filter(None, told)) + ".", "wrong")


def _current(view: View):
    """Metrics of the current run and a function that fetches its pictures."""
    if view.run_id != cache.REFERENCE:
        run = cache.store().run(view.run_id)
        found = cache.metrics(view.run_id)
        return found, lambda places: scored_images(run, places, found.part)
    kept = load_metrics()
    size = links.draw(
        st.segmented_control,
        "Atoms per class",
        list(kept),
        key="size",
        kind=links.WHOLE,
        default=max(kept),
        check=kept.__contains__,
        required=True,
        help="The reference run has a classifier for each of the paper's sizes.",
    )
    images = load_mnist().test_images
    return Metrics(
        **kept[size]["test"]
    ), lambda places: images[places].reshape(len(places), -1).astype(np.float32) / 255


def _commonest(metrics: Metrics, classes: list[str]) -> str:
    """The three commonest confusions in words."""
    matrix = np.array(metrics.confusion)
    np.fill_diagonal(matrix, 0)
    order = np.argsort(-matrix, axis=None, kind="stable")[:3]
    pairs = [divmod(int(cell), len(classes)) for cell in order if matrix.flat[cell]]
    return "\n".join(
        ["**Commonest confusions**", *(f"- {classes[i]} read as {classes[j]}: {matrix[i, j]} times" for i, j in pairs)]
    )
