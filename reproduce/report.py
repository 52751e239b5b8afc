"""The results beside the paper's numbers: rows for the dashboard and for docs/RESULTS.md."""

from collections import defaultdict
from dataclasses import dataclass
from statistics import median

from dasksvd.common.language import phrase, say
from dasksvd.metrics import n_weights
from dasksvd.parameters import PAPER
from dasksvd.statistics import (
    Corrected,
    Difference,
    Summary,
    corrected,
    paired,
    plus_minus,
    probability_better,
    summarise,
)
from reproduce.paper import METHODS, SIZES
from reproduce.results import command, load_results, measured_earlier

#: How methods are called where people read.
NAMES = {
    "das-ksvd": "DAS-KSVD, 200 atoms",
    "ksvd": "K-SVD, 200 atoms",
    "lc-ksvd2": "LC-KSVD2, 200 atoms",
    "raw-28": "raw pixels, 28 × 28",
    "raw-16": "raw pixels, 16 × 16",
    "activation only": "activation frequency only (α = 1)",
    "magnitude only": "coefficient magnitude only (β = 1)",
    "code's sign": "the authors' code's sign of m_re",
    "mdcs": "MDCS, the two-class measure",
    "random own atom": "a random atom of the right class",
    "worst own atom": "the worst atom of the right class",
    "any atoms": "any atoms, whoever uses them",
    "one auxiliary dictionary": "200 atoms of one auxiliary dictionary",
    "no noise": "no noise (τ2 = 0)",
    "constant noise": "the same noise in every iteration",
    "no memory": "no memory (τ1 = 1)",
    "variance noise": "noise from the variance",
    "das-ksvd, tuned": "DAS-KSVD, τ2 tuned",
    "ksvd, noise": "K-SVD on noisy signals, level tuned",
    "ksvd, mixed noise": "K-SVD with DAS-KSVD's mixture of noise",
    "lc-ksvd2, tuned": "LC-KSVD2 (= D-KSVD), weight tuned",
    "lc-ksvd2, noise": "LC-KSVD2 on noisy signals, tuned",
    "das-ksvd, fine-tuned": "DAS-KSVD's atoms, fine-tuned",
    "random images, fine-tuned": "random training images, fine-tuned",
    "gaussian, fine-tuned": "Gaussian atoms, fine-tuned",
    "mod": "MOD, 200 atoms",
    "k-means": "200 K-means centres",
    "random images": "200 random training images",
    "gaussian": "200 Gaussian atoms",
}
CLASSIFIER_NAMES = {"scg": "SCG, MSE", "modern": "ReLU, Adam"}
ENCODER_NAMES = {"omp": "OMP", "threshold": "largest correlations", "soft": "soft threshold"}
#: Stands behind a row of which a network used up its epochs, and what it says.
CUT_SHORT = " †"
ABOUT_CUT_SHORT = (
    "†: some of these networks used up their epochs (Adam has 60, SCG 1,000) "
    "before their validation error stopped falling."
)
#: What is said of the rows of an earlier protocol.
EARLIER = phrase("Rows of {names} were measured by an earlier protocol, with other random numbers (D18).")
#: Hidden units in table 2.
WIDTHS = (50, 100, 200, 300, 1000)


@dataclass(frozen=True)
class Row:
    """One network of a table.

    Attributes
    ----------
    method, classifier : str
    I, hidden, weights : int
    ours : Summary
        Of the rounds' test accuracies.
    paper : tuple of float or None
        Percent: mean, sd and best, or one number.
    seconds : float
        Median training time: a computer that was busy meanwhile does not count much.
    cut_short : int
        How many of its networks used up all epochs that they were allowed.
    """

    method: str
    classifier: str
    I: int
    hidden: int
    weights: int
    ours: Summary
    paper: tuple[float, ...] | None
    seconds: float
    cut_short: int = 0

    @property
    def name(self) -> str:
        """The method for people."""
        return NAMES.get(self.method, self.method)


def rows(table: str, encoder: str = "omp") -> list[Row]:
    """All networks of a table on codes by one encoder that have results, in the table's order."""
    grouped = defaultdict(list)
    for result in load_results(table).values():
        if result["encoder"] != encoder or result["classifier"] not in CLASSIFIER_NAMES:
            continue
        grouped[result["method"], result["classifier"], result["I"], result["hidden"]].append(result)
    made = [_row(table, *key, results) for key, results in grouped.items()]
    order = list(NAMES)
    return sorted(made, key=lambda row: (order.index(row.method), row.I, row.hidden, row.classifier))


def _row(table: str, method: str, classifier: str, I: int, hidden: int, results: list[dict]) -> Row:
    if table in ("table1", "table3"):
        paper = SIZES[I]
    else:
        number = METHODS.get(method, {}).get(hidden) if table == "table2" else None
        paper = None if number is None else (number,)
    return Row(
        method=method,
        classifier=classifier,
        I=I,
        hidden=hidden,
        weights=results[0]["weights"],
        ours=summarise([result["test_accuracy"] for result in results]),
        paper=paper,
        seconds=median(result["seconds"] for result in results),
        cut_short=sum(result["at_limit"] for result in results),
    )


@dataclass(frozen=True)
class Comparison:
    """Two methods with the same network in the same rounds.

    Attributes
    ----------
    first, second : str
    hidden : int
    classifier : str
    accuracies : tuple of float
        Means of the rounds that both have.
    better : float
        The paper's P(ε_ref < ε): that the first's true error is smaller.
    difference : Difference
        Over those rounds, first minus second.
    """

    first: str
    second: str
    hidden: int
    classifier: str
    accuracies: tuple[float, float]
    better: float
    difference: Difference


def compare(
    table: str, first: str, second: str, hidden: int, classifier: str, encoder: str = "omp"
) -> Comparison | None:
    """Compare two methods of a table, None if they have no round in common."""
    found = [accuracies(table, method, hidden, classifier, encoder) for method in (first, second)]
    common = sorted(found[0].keys() & found[1].keys())
    if not common:
        return None
    ours, theirs = ([one[number] for number in common] for one in found)
    means = sum(ours) / len(ours), sum(theirs) / len(theirs)
    return Comparison(first, second, hidden, classifier, means, probability_better(*means), paired(ours, theirs))


def sizes_markdown() -> list[str]:
    """Tables 1 and 3 as lines of Markdown."""
    lines = [
        "| dictionary | network | weights | paper: mean ± sd, best | ours, SCG | ours, ReLU and Adam |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    found = {(row.I, row.classifier): row for row in rows("table1")}
    for I, (mean, sd, best) in SIZES.items():
        cells = [_cell(found.get((I, classifier))) for classifier in ("scg", "modern")]
        n = 10 * I
        lines.append(
            f"| {I} atoms per class | MLP-{n}-{n}-10 | {n_weights(n, n):,} | {plus_minus(mean, sd)}, {best:.2f} "
            f"| {cells[0]} | {cells[1]} |"
        )
    return [*lines, "", f"`{command('table1')}`"]


def methods_by_width() -> list[list[str]]:
    """Table 2 as the paper prints it: method, whose numbers, then one cell for each of ``WIDTHS``."""
    lines = []
    found = {(row.method, row.hidden, row.classifier): row for row in rows("table2")}
    for method in (*METHODS, "raw-16"):
        papers = METHODS.get(method, {})
        by = {"paper": [f"{papers[h]:.1f}" if h in papers else "–" for h in WIDTHS]}
        for classifier, name in CLASSIFIER_NAMES.items():
            by[f"ours, {name}"] = [spread(found.get((method, h, classifier))) for h in WIDTHS]
        known = {who: numbers for who, numbers in by.items() if set(numbers) != {"–"}}
        for place, (who, numbers) in enumerate(known.items()):
            lines.append([NAMES[method] if place == 0 else "", who, *numbers])
    return lines


def methods_markdown() -> list[str]:
    """Table 2 as lines of Markdown."""
    lines = [["method", "by", *map(str, WIDTHS)], ["---"] * (2 + len(WIDTHS)), *methods_by_width()]
    return [
        *(f"| {' | '.join(line)} |" for line in lines),
        "",
        f"{rounds_words('table2')} `{command('table2')}`".strip(),
    ]


def rounds_words(table: str) -> str:
    """How many rounds the rows of a table have, for each network, where that depends on the hidden units."""
    told = []
    for classifier, name in CLASSIFIER_NAMES.items():
        widths = defaultdict(list)  # counts of rounds -> hidden units
        for hidden in WIDTHS:
            counts = [row.ours.rounds for row in rows(table) if (row.classifier, row.hidden) == (classifier, hidden)]
            if counts:
                widths[min(counts), max(counts)].append(str(hidden))
        parts = [_rounds(few, many, found if len(widths) > 1 else []) for (few, many), found in widths.items()]
        told += [f"{name}: {'; '.join(parts)}."] if parts else []
    return " ".join(told)


def _rounds(few: int, many: int, hidden: list[str]) -> str:
    count = say("{few} to {many} rounds", few=few, many=many) if many > few else say("{few} rounds", few=few)
    return say("{count} at {hidden} hidden units", count=count, hidden=", ".join(hidden)) if hidden else count


def earlier_words(table: str) -> str:
    """Which networks of a table were measured by an earlier protocol; an empty text if none was."""
    found = measured_earlier(table)
    names = say(" and ").join(f'"{name}"' for classifier, name in CLASSIFIER_NAMES.items() if classifier in found)
    what = [say(EARLIER, names=names)] if names else []
    if "scg" in found:
        what.append(
            say(
                "It ended SCG after 1,000 epochs, which most networks used up, and one rule gave all methods their "
                "initial weights (D11). On validation images larger initial weights lift K-SVD's network of 300 units "
                "by more than DAS-KSVD's, so these rows favour DAS-KSVD."
            )
        )
    return " ".join(what)


def ablation(encoder: str = "omp", classifier: str = "modern", table: str = "ablation") -> dict[Row, Corrected | None]:
    """All variants of the ablation, the best first, minus DAS-KSVD; None for DAS-KSVD itself.

    A variant is better or worse only if it is so among all of them, by Holm's correction.  Raw pixels have no
    encoder; they are compared with codes by the one that is asked for.
    """
    pixels = [row for row in rows(table) if row.method.startswith("raw")] if encoder != "omp" else []
    mine = [row for row in [*rows(table, encoder), *pixels] if row.classifier == classifier]
    judged = corrected({row: one for row in mine if (one := difference_to_das(row, encoder, table)) is not None})
    order = sorted(mine, key=lambda row: -judged[row].mean if row in judged else 0.0)
    return {row: judged.get(row) for row in order}


def difference_to_das(row: Row, encoder: str = "omp", table: str = "ablation") -> Difference | None:
    """A variant of the ablation minus DAS-KSVD, paired over the rounds; None for DAS-KSVD itself."""
    if row.method == "das-ksvd":
        return None
    theirs = accuracies(table, "das-ksvd", PAPER.I * 10, row.classifier, encoder)
    own_encoder = "omp" if row.method.startswith("raw") else encoder
    ours = accuracies(table, row.method, row.hidden, row.classifier, own_encoder)
    common = sorted(ours.keys() & theirs.keys())
    return paired(*([found[number] for number in common] for found in (ours, theirs))) if common else None


def label(row: Row) -> str:
    """A row of the ablation for people: raw pixels are there with several widths."""
    return row.name if row.hidden == 200 else f"{row.name}, {row.hidden} hidden units"


def accuracies(table: str, method: str, hidden: int, classifier: str, encoder: str = "omp") -> dict[int, float]:
    """Test accuracies of one network by the round."""
    wanted = method, hidden, classifier, encoder
    return {
        result["round"]: result["test_accuracy"]
        for result in load_results(table).values()
        if (result["method"], result["hidden"], result["classifier"], result["encoder"]) == wanted
    }


def _cell(row: Row | None) -> str:
    if row is None:
        return "–"
    return f"{spread(row)}, {100 * row.ours.best:.2f} ({row.ours.rounds} rounds)"


def spread(row: Row | None) -> str:
    """Mean and standard deviation in %, marked if a network used up its epochs; a dash where nothing is measured."""
    return "–" if row is None else row.ours.text + CUT_SHORT * bool(row.cut_short)
