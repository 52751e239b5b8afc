"""The results beside the paper's numbers: rows for the dashboard, Markdown for docs/RESULTS.md."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from dasksvd.common.files import read_json
from dasksvd.metrics import Difference, Summary, n_weights, paired, plus_minus, probability_better, summarise
from reproduce.paper import METHODS, SIZES
from reproduce.results import load_results, results_path

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
    "no noise": "no noise (τ2 = 0)",
    "no memory": "no memory (τ1 = 1)",
    "variance noise": "noise from the variance",
    "mod": "MOD, 200 atoms",
    "random images": "200 random training images",
    "gaussian": "200 Gaussian atoms",
}
CLASSIFIER_NAMES = {"scg": "SCG, MSE", "modern": "ReLU, Adam"}
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
    """

    method: str
    classifier: str
    I: int
    hidden: int
    weights: int
    ours: Summary
    paper: tuple[float, ...] | None
    seconds: float

    @property
    def name(self) -> str:
        """The method for people."""
        return NAMES.get(self.method, self.method)


def rows(table: str) -> list[Row]:
    """All networks of a table that have results, in the table's order."""
    grouped = defaultdict(list)
    for result in load_results(table).values():
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
    )


def command(table: str) -> str:
    """The command that made a table's results, or an empty text."""
    path = results_path(table)
    return read_json(path)["command"] if path.exists() else ""


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


def compare(table: str, first: str, second: str, hidden: int, classifier: str) -> Comparison | None:
    """Compare two methods of a table, None if they have no round in common."""
    pairs = _pairs(load_results(table).values(), first, second, hidden, classifier)
    if not pairs:
        return None
    ours, theirs = ([result["test_accuracy"] for result in results] for results in zip(*pairs, strict=True))
    means = sum(ours) / len(ours), sum(theirs) / len(theirs)
    return Comparison(first, second, hidden, classifier, means, probability_better(*means), paired(ours, theirs))


def _pairs(results: Iterable[dict], first: str, second: str, hidden: int, classifier: str) -> list[tuple[dict, dict]]:
    by_round: dict[str, dict[int, dict]] = {first: {}, second: {}}
    for result in results:
        if result["method"] in by_round and (result["hidden"], result["classifier"]) == (hidden, classifier):
            by_round[result["method"]][result["round"]] = result
    common = sorted(set(by_round[first]) & set(by_round[second]))
    return [(by_round[first][number], by_round[second][number]) for number in common]


def markdown() -> str:
    """The tables for docs/RESULTS.md."""
    return "\n".join([*_sizes_markdown(), "", *_methods_markdown(), "", *_ablation_markdown()])


def _sizes_markdown() -> list[str]:
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


def _methods_markdown() -> list[str]:
    lines = [["method", "by", *map(str, WIDTHS)], ["---"] * (2 + len(WIDTHS)), *methods_by_width()]
    return [*(f"| {' | '.join(line)} |" for line in lines), "", f"`{command('table2')}`"]


def _ablation_markdown() -> list[str]:
    lines = [
        "| what changes | test accuracy, % | difference, 95 % interval | rounds |",
        "| --- | --- | --- | --- |",
    ]
    for row in sorted(rows("ablation"), key=lambda row: -row.ours.mean):
        nothing = "nothing: " if row.method == "das-ksvd" else ""
        lines.append(f"| {nothing}{row.name} | {spread(row)} | {against_das(row)} | {row.ours.rounds} |")
    return [*lines, "", f"`{command('ablation')}`"]


def against_das(row: Row) -> str:
    """A variant's difference to DAS-KSVD in points, paired over the rounds; a dash for DAS-KSVD itself."""
    if row.method == "das-ksvd":
        return "–"
    found = compare("ablation", row.method, "das-ksvd", row.hidden, row.classifier)
    return "–" if found is None else found.difference.text


def _cell(row: Row | None) -> str:
    if row is None:
        return "–"
    return f"{spread(row)}, {100 * row.ours.best:.2f} ({row.ours.rounds} rounds)"


def spread(row: Row | None) -> str:
    """Mean and standard deviation in %; a dash where nothing is measured."""
    return "–" if row is None else row.ours.text
