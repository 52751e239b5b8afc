"""docs/RESULTS.md and docs/TABLES.md: texts with places filled from the stored results, so that no number is typed."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from dasksvd.common.files import read_json
from dasksvd.statistics import Difference, paired, summarise
from reproduce import claims, descriptions, repeat, report, results, weights
from reproduce.lines import readers
from reproduce.report import ENCODER_NAMES, NAMES
from reproduce.verdicts import verdict

#: Texts with places; the pages have their names.
TEXTS = sorted((Path(__file__).parent / "pages").glob("*.md"))
DOCS = Path(__file__).parents[1] / "docs"
_PLACE = re.compile(r"\{\{(.+?)\}\}")
NOTHING = "not measured yet"


def filled() -> dict[Path, str]:
    """The pages, every place filled."""
    return {DOCS / text.name: _PLACE.sub(_fill, text.read_text(encoding="utf-8")) for text in TEXTS}


def _fill(place: re.Match) -> str:
    name, *values = (part.strip() for part in place[1].split("|"))
    return PLACES[name](*values)


def differences_from_the_pages() -> list[str]:
    """Lines of the pages that do not follow from the results."""
    pages = [(path.read_text(encoding="utf-8").splitlines(), text.splitlines()) for path, text in filled().items()]
    return [line for one, other in pages for line in (*_only_in(one, other), *_only_in(other, one))]


def _only_in(lines: Sequence[str], others: Sequence[str]) -> list[str]:
    return [line for line in lines if line not in others]


def table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Lines as a Markdown table."""
    if not lines:
        return f"*{NOTHING.capitalize()}.*"
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, ["---"] * len(heads), *lines))


def _claims() -> str:
    lines = []
    for claim in claims.CLAIMS:
        found = claim.find()
        numbers = "; ".join(f"{one.by} {one.whole.text} ({one.whole.rounds} rounds)" for one in found) or "–"
        lines.append([f"{claim.said} ({claim.source})", f"**{verdict(found).value}**", numbers])
    return table(["the paper says", "we find", "points, 95 % interval"], lines)


def _ablation(encoder: str, classifier: str = "modern", study: str = "ablation") -> str:
    known = facts(study, encoder, classifier)
    lines = []
    for row, one in report.ablation(encoder, classifier, study).items():
        fact = known.get(row.method, {})
        name = f"**{row.name}**" if one is None else report.label(row)
        told = [one.text, one.verdict] if one else ["–", "–"]
        about = [f"{fact[key]:.2f}" if key in fact else "–" for key in ("mean_coherence", "nonzeros")]
        lines.append([name, report.spread(row), *told, *about, str(row.ours.rounds)])
    return table(
        ["dictionary", "accuracy, %", "− DAS-KSVD", "after Holm", "coherence", "non-zeros", "rounds"],
        lines,
    )


def facts(study: str, encoder: str, classifier: str) -> dict[str, dict[str, float]]:
    """Means over the rounds of what is known of a method's codes."""
    grouped: dict[str, list[dict]] = {}
    for result in results.load_results(study).values():
        if (result["encoder"], result["classifier"]) == (encoder, classifier) and "nonzeros" in result:
            grouped.setdefault(result["method"], []).append(result)
    keys = ("mean_coherence", "coherence", "nonzeros", "psnr")
    return {
        method: {key: sum(one[key] for one in found) / len(found) for key in keys} for method, found in grouped.items()
    }


def _difference(
    first: str, second: str, encoder: str = "omp", classifier: str = "modern", study: str = "ablation"
) -> str:
    """Two methods of the ablation with 200 hidden units.

    Behind a colon a method may name its encoder, and raw pixels their hidden units.  Against DAS-KSVD with the same
    encoder the verdict is that of the table, after Holm's correction.
    """
    (ours, hidden, by), (theirs, other_hidden, other) = (_network(method, encoder) for method in (first, second))
    if theirs == "das-ksvd" and (by == other or ours == "raw-16"):
        judged = {(row.method, row.hidden): one for row, one in report.ablation(other, classifier, study).items()}
        return _in_words(judged.get((ours, hidden)))
    found = report.accuracies(study, ours, hidden, classifier, by)
    against = report.accuracies(study, theirs, other_hidden, classifier, other)
    common = sorted(found.keys() & against.keys())
    return _in_words(
        paired(*([scores[number] for number in common] for scores in (found, against))) if common else None
    )


def _network(method: str, encoder: str) -> tuple[str, int, str]:
    """Method, hidden units and encoder."""
    name, _, own = method.partition(":")
    return (name, int(own or 200), "omp") if name == "raw-16" else (name, 200, own or encoder)


def _in_words(found: Difference | None) -> str:
    if found is None:
        return NOTHING
    return f"{found.text} ({found.verdict}, {found.rounds} round{'s' if found.rounds > 1 else ''})"


def _accuracy(
    method: str, encoder: str = "omp", classifier: str = "modern", hidden: str = "200", study: str = "ablation"
) -> str:
    found = report.accuracies(study, method, int(hidden), classifier, encoder)
    return f"{summarise(list(found.values())).text} %" if found else NOTHING


def _by(study: str, field: str, unit: str) -> str:
    """Accuracies of a study's methods, one column for each value of a field of its rows."""
    cells = {(row.method, getattr(row, field)): row for row in report.rows(study)}
    values = sorted({value for _, value in cells})
    lines = []
    for method in dict.fromkeys(method for method, _ in cells):
        mine = [cells.get((method, value)) for value in values]
        rounds = min(row.ours.rounds for row in mine if row is not None)
        lines.append([descriptions.short(method), *map(report.spread, mine), str(rounds)])
    return table(["method", *(f"{value} {unit}" for value in values), "rounds"], lines)


def _carries_over() -> str:
    """How many rows of the ablation say of clothes what they say of digits."""
    digits, clothes = (
        {(row.method, row.hidden): one for row, one in report.ablation(table=study).items() if one is not None}
        for study in ("ablation", "fashion")
    )
    common = digits.keys() & clothes.keys()
    if not common:
        return ""
    side = sum(digits[row].mean * clothes[row].mean > 0 for row in common)
    clear = [row for row in common if digits[row].verdict in ("better", "worse")]
    told = [clothes[row].verdict for row in clear]
    again = sum(one == digits[row].verdict for row, one in zip(clear, told, strict=True))
    against = sum(one in ("better", "worse") for one in told) - again
    return (
        f"Of {len(common)} rows that both data sets have, {side} lie on the same side of DAS-KSVD. Clearly better or "
        f"worse with digits: {len(clear)}; the same with clothes: {again}; clearly the other way round: {against}."
    )


def _sums() -> str:
    lines = []
    for method in NAMES:
        found = report.accuracies("ablation", method, 0, "src")
        if found:
            lines.append([NAMES[method], summarise(list(found.values())).text, str(len(found))])
    return table(["atoms", "accuracy of SRC, %", "rounds"], lines)


def _weights() -> str:
    found = weights.judged()
    clear = {place: one for place, one in found.items() if one.verdict in ("better", "worse")}
    if not found:
        return NOTHING
    rounds = next(iter(found.values())).rounds
    low, high = (function(found.values(), key=lambda one: one.mean) for function in (min, max))
    return (
        f"Of {len(found)} points on {rounds} trajectories {len(clear) or 'none'} can be told from (0, 0) after Holm's "
        f"correction; the differences lie between {low.text} and {high.text} points"
    )


def _every_weight() -> str:
    lines = [
        [f"{alpha:.2f}", f"{beta:.2f}", one.text, one.verdict, str(one.rounds)]
        for (alpha, beta), one in weights.judged().items()
    ]
    return table(["α", "β", "− (0, 0)", "after Holm", "trajectories"], lines)


def _curve(parameter: str, *keys: str) -> str:
    by_value: dict[float, list[dict]] = {}
    for result in results.load_results("curves").values():
        if result["parameter"] == parameter:
            by_value.setdefault(result["value"], []).append(result)
    lines = []
    for value, found in sorted(by_value.items()):
        accuracy = summarise([result["test_accuracy"] for result in found]).text
        means = [_mean(found, key) for key in keys]
        lines.append([f"{value:g}", accuracy, *means, str(len(found))])
    return table([parameter, "accuracy, %", *(key.replace("_", " ") for key in keys), "rounds"], lines)


def _mean(found: list[dict], key: str) -> str:
    value = sum(result[key] for result in found) / len(found)
    return f"{value:.1f}" if key == "psnr" else f"{value:,.0f}" if key == "weights" else f"{value:.2f}"


def _robustness(kind: str) -> str:
    """Means of every reader, and its difference to raw pixels at the third size."""
    grouped: dict[tuple[str, str], dict[int, dict]] = {}
    for result in results.load_results("robustness").values():
        grouped.setdefault((result["method"], result["encoder"]), {})[result["round"]] = result
    if not grouped:
        return table([], [])
    sizes = list(next(iter(next(iter(grouped.values())).values()))["changed"][kind])
    raw = grouped.get(("raw-16", "omp"), {})
    lines = []
    for (method, encoder), rounds in grouped.items():
        cells = [f"{100 * _mean_at(rounds, kind, size):.1f}" for size in (None, *sizes)]
        gap = _gap(rounds, raw, kind, sizes[2]) if method != "raw-16" else None
        name = NAMES[method] if method == "raw-16" else f"{NAMES[method]}, {ENCODER_NAMES[encoder]}"
        lines.append([name, *cells, gap.text if gap else "–", str(len(rounds))])
    lines.sort(key=lambda line: -float(line[4]))
    return table([kind, "none", *sizes, f"− raw pixels at {sizes[2]}", "rounds"], lines)


def _against_pixels(kind: str) -> str:
    """How many readers of images changed in some way read better or worse than pixels, at the third size."""
    found = [one for one in readers(kind) if len(one.to_pixels) > 3]
    if not found:
        return NOTHING
    size = sorted(found[0].to_pixels)[3]
    verdicts = [one.to_pixels[size].verdict for one in found]
    counts = " and ".join(f"{verdicts.count(word)} clearly {word}" for word in ("better", "worse"))
    return f"of {len(found)} readers of codes {counts} than pixels at {size:g}"


def _mean_at(rounds: dict[int, dict], kind: str, size: str | None) -> float:
    return sum(one["clean"] if size is None else one["changed"][kind][size] for one in rounds.values()) / len(rounds)


def _gap(ours: dict[int, dict], theirs: dict[int, dict], kind: str, size: str) -> Difference | None:
    common = sorted(ours.keys() & theirs.keys())
    if not common:
        return None
    return paired(*([found[number]["changed"][kind][size] for number in common] for found in (ours, theirs)))


def _tuned() -> str:
    path = results.results_path("tuning")
    stored = read_json(path) if path.exists() else {}
    lines = [
        [NAMES[name], ", ".join(f"{value}: {100 * score:.2f}" for value, score in entry["scores"].items())]
        for name, entry in stored.get("methods", {}).items()
    ]
    return table(["method", "candidate: validation accuracy in round 0, %"], lines)


PLACES: dict[str, Callable[..., str]] = {
    "claims": _claims,
    "sizes": lambda: "\n".join(report.sizes_markdown()),
    "methods": lambda: "\n".join(report.methods_markdown()),
    "earlier": report.earlier_words,
    "about †": lambda: report.ABOUT_CUT_SHORT,
    "ablation": _ablation,
    "difference": _difference,
    "accuracy": _accuracy,
    "on fashion": lambda first, second: _difference(first, second, study="fashion"),
    "accuracy on fashion": lambda method, encoder="omp": _accuracy(method, encoder, study="fashion"),
    "carries over": _carries_over,
    "by": _by,
    "repeated": lambda: repeat.words() or NOTHING.capitalize() + ".",
    "src": _sums,
    "weights": _weights,
    "every weight": _every_weight,
    "chance": lambda: weights.chance_words() or NOTHING.capitalize() + ".",
    "curve": _curve,
    "robustness": _robustness,
    "against pixels": _against_pixels,
    "tuned": _tuned,
    "command": lambda study: f"`{results.command(study) or f'python -m reproduce {study}'}`",
}
