"""The numbers behind the curves: readers of changed images, and DAS-KSVD with one parameter changed at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dasksvd.common.language import phrase, say
from dasksvd.parameters import PAPER, PARAMETERS, TABLE
from dasksvd.statistics import Difference, corrected
from reproduce import descriptions
from reproduce.means import ONE_ROUND, Mean, Rounds, difference, grouped, mean, mean_of, place_of
from reproduce.report import ENCODER_NAMES
from reproduce.results import load_results

#: What readers are compared with.
PIXELS = "raw-16"
#: Curves of codes that are not parameters of the method: name, and the paper's value.
OTHERS: dict[str, tuple[str, float | None]] = {
    PIXELS: ("hidden units, raw pixels", None),
    "hidden": ("hidden units", 10 * PAPER.I),
    "omp": ("non-zeros of the codes, OMP", PAPER.q),
    "threshold": ("non-zeros of the codes, largest correlations", None),
    "soft": ("threshold λ of the codes, soft threshold", None),
}
#: What else is known of a point: field -> name.
FIELDS = {
    "psnr": phrase("PSNR of what is rebuilt, dB"),
    "mean_coherence": phrase("mean coherence of the atoms"),
    "own_energy": phrase("energy on the own class"),
}
#: Numbers of weights that differ by at most this share are called equal.
NEARLY = 0.01


# Readers of changed images


@dataclass(frozen=True)
class Reader:
    """One line for a kind of change.

    Attributes
    ----------
    method, encoder : str
    accuracies : dict of size to Mean
        On changed test images; size 0 is unchanged.
    to_pixels : dict of size to Difference
        Paired over the rounds; empty for raw pixels.
    """

    method: str
    encoder: str
    accuracies: dict[float, Mean]
    to_pixels: dict[float, Difference]

    @property
    def name(self) -> str:
        """The reader for people."""
        return descriptions.reader(self.method, self.encoder)

    @property
    def key(self) -> str:
        """Its name in links."""
        return self.method if descriptions.is_raw(self.method) else f"{self.method}/{self.encoder}"


def kinds() -> list[str]:
    """What was done to the images, in the order of the study."""
    return list(dict.fromkeys(kind for result in load_results("robustness").values() for kind in result["changed"]))


def readers(kind: str) -> list[Reader]:
    """Every reader's accuracies for a kind of change; raw pixels come first, then the study's order of methods."""
    found = [result for result in load_results("robustness").values() if kind in result["changed"]]
    groups = grouped(found, lambda result: (result["method"], result["encoder"]))
    by_size = {reader: _by_size(results, kind) for reader, results in groups.items()}
    pixels = next((sizes for (method, _), sizes in by_size.items() if method == PIXELS), {})
    order = [PIXELS, *(method for method in descriptions.DESCRIPTIONS if method != PIXELS)]
    encoders = list(ENCODER_NAMES)
    made = [_reader(method, encoder, sizes, pixels) for (method, encoder), sizes in by_size.items()]
    return sorted(made, key=lambda one: (place_of(one.method, order), encoders.index(one.encoder)))


def _by_size(results: Sequence[Mapping[str, Any]], kind: str) -> dict[float, dict[int, float]]:
    """Size -> round -> accuracy."""
    sizes: dict[float, dict[int, float]] = {0.0: {result["round"]: result["clean"] for result in results}}
    for result in results:
        for size, accuracy in result["changed"][kind].items():
            sizes.setdefault(float(size), {})[result["round"]] = accuracy
    return dict(sorted(sizes.items()))


def _reader(method: str, encoder: str, sizes: Mapping[float, Rounds], pixels: Mapping[float, Rounds]) -> Reader:
    pairs = {} if method == PIXELS else {size: difference(sizes[size], pixels.get(size, {})) for size in sizes}
    return Reader(
        method,
        encoder,
        {size: mean(rounds) for size, rounds in sizes.items()},
        dict(corrected({size: one for size, one in pairs.items() if one is not None})),
    )


def reader_words(reader: Reader) -> str:
    """Whether a reader stands changes better than raw pixels, by rule; unchanged images do not count."""
    verdicts = [one.verdict for size, one in reader.to_pixels.items() if size > 0]
    if not verdicts:
        return ""
    better, worse, count = verdicts.count("better"), verdicts.count("worse"), len(verdicts)
    if set(verdicts) == {ONE_ROUND}:
        return say("{name} against raw pixels: {verdict}.", name=reader.name, verdict=say(ONE_ROUND))
    if not better and not worse:
        return say("{name} and raw pixels cannot be told apart at any of {count} sizes.", name=reader.name, count=count)
    parts = [say("more at {better}", better=better)] * bool(better)
    parts += [say("fewer at {worse}", worse=worse)] * bool(worse)
    return say(
        "{name} reads clearly {parts} of {count} sizes, compared with raw pixels.",
        name=reader.name,
        parts=say(" and ").join(parts),
        count=count,
    )


# One parameter at a time


@dataclass(frozen=True)
class Point:
    """One value of a parameter.

    Attributes
    ----------
    parameter : str
    value : float
    accuracy : Mean
        On the test images.
    weights : int
    more : dict of field to Mean
        Of :data:`FIELDS` and ``nonzeros``, what is known.
    to_paper : Difference or None
        To the paper's value, paired over the rounds; None for that value itself, or if it has none.
    """

    parameter: str
    value: float
    accuracy: Mean
    weights: int
    more: dict[str, Mean]
    to_paper: Difference | None


def measured() -> list[str]:
    """The parameters that have results: those of the method first, raw pixels are none."""
    found = {result["parameter"] for result in load_results("curves").values()} - {PIXELS}
    order = [*(name for name in PARAMETERS if name not in OTHERS), *OTHERS]
    return sorted(found, key=lambda name: (place_of(name, order), name))


def title(parameter: str) -> str:
    """A parameter for people."""
    if parameter in OTHERS:
        return say(OTHERS[parameter][0])
    one = TABLE[parameter]
    return f"{one.symbol}, {say(one.title)}" if one.symbol else say(one.title)


def papers_value(parameter: str) -> float | None:
    """The value that the paper has, None if it has none."""
    return OTHERS[parameter][1] if parameter in OTHERS else getattr(PAPER, parameter)


def curve(parameter: str) -> list[Point]:
    """The points of a parameter from the smallest value to the largest."""
    found = [result for result in load_results("curves").values() if result["parameter"] == parameter]
    groups = dict(sorted(grouped(found, lambda result: float(result["value"])).items()))
    papers = papers_value(parameter)
    there = {} if papers is None else _accuracies(groups.get(float(papers), ()))
    points = [_point(parameter, value, results, {} if value == papers else there) for value, results in groups.items()]
    judged = corrected({point.value: point.to_paper for point in points if point.to_paper is not None})
    return [replace(point, to_paper=judged.get(point.value)) for point in points]


def _point(parameter: str, value: float, results: Sequence[dict[str, Any]], there: Rounds) -> Point:
    accuracies = _accuracies(results)
    known = {name: mean_of(results, name) for name in ("nonzeros", *FIELDS)}
    return Point(
        parameter,
        value,
        mean(accuracies),
        results[0]["weights"],
        {name: one for name, one in known.items() if one is not None},
        difference(accuracies, there),
    )


def _accuracies(results: Sequence[Mapping[str, Any]]) -> dict[int, float]:
    return {result["round"]: result["test_accuracy"] for result in results}


def curve_words(points: Sequence[Point]) -> str:
    """Which values are clearly better or worse than the paper's, by rule."""
    told = [(point.value, point.to_paper.verdict) for point in points if point.to_paper is not None]
    if not told:
        return ""
    papers = f"{papers_value(points[0].parameter):g}"
    if {verdict for _, verdict in told} == {ONE_ROUND}:
        return say("Against the paper's {value}, {parts}.", value=papers, parts=say(ONE_ROUND))
    groups = {
        phrase("clearly better"): [value for value, verdict in told if verdict == "better"],
        phrase("clearly worse"): [value for value, verdict in told if verdict == "worse"],
        phrase("not to be told apart"): [value for value, verdict in told if verdict not in ("better", "worse")],
    }
    listed = {say(words): ", ".join(f"{value:g}" for value in values) for words, values in groups.items() if values}
    parts = "; ".join(f"{words}: {values}" for words, values in listed.items())
    return say("Against the paper's {value}, {parts}.", value=papers, parts=parts)


def equal_weights(codes: Sequence[Point], pixels: Sequence[Point]) -> list[tuple[Point, Point, Difference]]:
    """Codes minus raw pixels, paired over the rounds, where both networks have nearly as many weights."""
    pairs = [
        (ours, theirs)
        for ours in codes
        for theirs in pixels
        if abs(ours.weights - theirs.weights) <= NEARLY * max(ours.weights, theirs.weights)
    ]
    found = [(ours, theirs, difference(ours.accuracy.rounds, theirs.accuracy.rounds)) for ours, theirs in pairs]
    return [(ours, theirs, one) for ours, theirs, one in found if one is not None]
