"""The paper's claims, and the evidence for and against each: computed from the stored results alone."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import fmean

from dasksvd.common.files import read_json
from dasksvd.common.language import say
from dasksvd.parameters import PAPER
from dasksvd.runs.reference import REFERENCE_GRID, load_reference
from dasksvd.search.lattice import Point, coarse
from dasksvd.search.weights import Choices
from dasksvd.statistics import Summary, summarise, unpaired
from reproduce import results, weights
from reproduce.paper import METHODS, ROUNDS, SIZES
from reproduce.report import CLASSIFIER_NAMES, WIDTHS
from reproduce.results import load_results
from reproduce.verdicts import Evidence, Pairs, Scores, Verdict, common, verdict, weigh

TEST, VALIDATION = "test images", "validation images"
#: Networks in as few letters as possible.
SHORT = {key: name.partition(",")[0] for key, name in CLASSIFIER_NAMES.items()}


@dataclass(frozen=True)
class Claim:
    """A claim of the paper.

    Attributes
    ----------
    key : str
    said : str
        The paper's words, shortened.
    source : str
        Where the paper says it.
    find : callable
        Returns the evidence, in the order in which it is told.
    tell : callable
        Makes one sentence of the evidence.
    sides : (str, str)
        What a negative and a positive difference mean.
    table : str
        Whose command measures it; empty for the search over the weights.
    part : str
        Which images were read.
    """

    key: str
    said: str
    source: str
    find: Callable[[], list[Evidence]]
    tell: Callable[[Sequence[Evidence]], str]
    sides: tuple[str, str]
    table: str
    part: str = TEST


def _scores(table: str) -> Mapping[tuple, Scores]:
    """Test accuracies by method, network, atoms per class and hidden units."""
    found: dict[tuple, dict[int, float]] = defaultdict(dict)
    for result in load_results(table).values():
        if result["encoder"] != "omp":
            continue
        key = result["method"], result["classifier"], result["I"], result["hidden"]
        found[key][result["round"]] = result["test_accuracy"]
    return found


def _per_network(tests: Callable[[str], Mapping[str, Pairs]]) -> list[Evidence]:
    return [one for classifier, name in SHORT.items() for one in weigh(name, tests(classifier))]


def _sizes() -> list[Evidence]:
    """Our means against the paper's, which are known by mean and standard deviation only."""
    scores = _scores("table1")
    evidence = []
    for classifier, name in SHORT.items():
        ours = {I: found for I in SIZES if (found := scores.get(("das-ksvd", classifier, I, 10 * I)))}
        if not ours:
            continue
        theirs = {I: Summary(*(value / 100 for value in SIZES[I]), ROUNDS) for I in ours}
        tests = {
            f"{I} atoms per class": unpaired(summarise(list(found.values())), theirs[I]) for I, found in ours.items()
        }
        rounds = set.intersection(*(set(found) for found in ours.values()))
        means = summarise([fmean(found[number] for found in ours.values()) for number in sorted(rounds)])
        # The standard deviation of a mean over the sizes is at most the mean of their standard deviations.
        papers = Summary(
            *(fmean(getattr(one, part) for one in theirs.values()) for part in ("mean", "sd", "best")), ROUNDS
        )
        evidence.append(Evidence(name, tests, unpaired(means, papers)))
    return evidence


def _more_atoms() -> list[Evidence]:
    scores, sizes = _scores("table1"), list(SIZES)

    def tests(classifier: str) -> Mapping[str, Pairs]:
        by_size = {I: scores["das-ksvd", classifier, I, 10 * I] for I in sizes}
        return {f"{few} → {many} atoms per class": common(by_size[many], by_size[few]) for few, many in pairwise(sizes)}

    return _per_network(tests)


def _figures() -> list[Evidence]:
    """Our rounds against the paper's figures, of which no spread is known."""
    scores = _scores("table2")

    def tests(classifier: str) -> Mapping[str, Pairs]:
        return {
            f"{hidden} hidden units": {
                number: (value, figure / 100)
                for number, value in scores["das-ksvd", classifier, PAPER.I, hidden].items()
            }
            for hidden, figure in METHODS["das-ksvd"].items()
        }

    return _per_network(tests)


def _against(other: str) -> list[Evidence]:
    """DAS-KSVD minus another method at every width."""
    scores = _scores("table2")

    def tests(classifier: str) -> Mapping[str, Pairs]:
        ours, theirs = (
            {hidden: scores[method, classifier, PAPER.I, hidden] for hidden in WIDTHS} for method in ("das-ksvd", other)
        )
        return {f"{hidden} hidden units": common(ours[hidden], theirs[hidden]) for hidden in WIDTHS}

    return _per_network(tests)


def _ablated(other: str) -> list[Evidence]:
    """DAS-KSVD minus a variant of it."""
    scores = _scores("ablation")
    ours, theirs = (scores[method, "modern", PAPER.I, 200] for method in ("das-ksvd", other))
    return weigh(SHORT["modern"], {"200 hidden units": common(ours, theirs)})


def _weights() -> list[Evidence]:
    """α = β = 0 minus other weights: in runs of their own, and in the shipped one between its networks."""
    return [*_other_runs(), *_shipped_run()]


def _name(alpha: float, beta: float) -> str:
    return f"α = {alpha:g}, β = {beta:g}"


def _other_runs() -> list[Evidence]:
    found = weights.stored_accuracies()
    tests = {
        _name(*point): {
            int(number): (means[weights.name(weights.PAPERS)], means[weights.name(point)])
            for number, means in found.items()
        }
        for point in weights.points()
    }
    return weigh("new runs", tests)


def _shipped_run() -> list[Evidence]:
    """Networks of two dictionaries have nothing in common that could cancel."""
    choices, scores = Choices(load_reference()), read_json(REFERENCE_GRID)["scores"]

    def accuracies(point: Point) -> list[float]:
        key = choices.key(point, PAPER.I, weights.PLAN.classifier)
        return list(scores[key]["accuracies"].values()) if key in scores else []

    ours = accuracies(Point(0, 0, 1))
    others = {point: found for point in coarse(weights.PLAN.step)[1:] if (found := accuracies(point))}
    if not (ours and others):
        return []
    tests = {
        _name(point.alpha, point.beta): unpaired(summarise(ours), summarise(found)) for point, found in others.items()
    }
    means = [fmean(found) for found in zip(*others.values(), strict=False)]
    return [Evidence("shipped run", tests, unpaired(summarise(ours), summarise(means)))]


def counted(evidence: Sequence[Evidence], unit: str, better: str = "better", worse: str = "worse") -> str:
    """At how many places the difference is clear, for each network."""
    networks: dict[str, list[str]] = defaultdict(list)
    for one in evidence:
        counts = {better: one.count("better"), worse: one.count("worse")}
        clear = {word: count for word, count in counts.items() if count} or {better: 0}
        words = ", ".join(say("{word} at {count}", word=say(word), count=count) for word, count in clear.items())
        networks[say("{words} of {all} {unit}", words=words, all=len(one.tests), unit=say(unit))].append(one.by)
    text = "; ".join(
        say("{words} with {names}", words=words, names=say(" and ").join(names)) for words, names in networks.items()
    )
    return say("Clearly {text}.", text=text)


def _tell_weights(evidence: Sequence[Evidence]) -> str:
    parts = [
        say("{count} of {all} in {runs}", count=one.count("better"), all=len(one.tests), runs=_runs(one))
        for one in evidence
    ]
    return say("Clearly better than other weights: {parts}.", parts=", ".join(parts))


def _runs(one: Evidence) -> str:
    if one.by == "shipped run":
        return say("the shipped run")
    return say("{count} new runs", count=one.whole.rounds)


def _tell_measure(evidence: Sequence[Evidence]) -> str:
    found = {
        Verdict.HOLDS: say("Better than a random atom of its class."),
        Verdict.FAILS: say("Worse than a random atom of its class."),
    }.get(verdict(evidence), say("Cannot be told from a random atom of its class."))
    noise = _ablated("no noise")
    return found + (say(" The noise brings {text}.", text=noise[0].whole.text) if noise else "")


def _papers_lead(other: str) -> float:
    """By how many points DAS-KSVD leads in the paper, averaged over the widths that both have."""
    return fmean(METHODS["das-ksvd"][hidden] - figure for hidden, figure in METHODS[other].items())


CLAIMS = (
    Claim(
        "sizes",
        f"Four dictionary sizes read {', '.join(f'{mean:.2f}' for mean, _, _ in SIZES.values())} %",
        "Table 3",
        _sizes,
        partial(counted, unit="sizes", better="above the paper", worse="below"),
        ("below the paper", "above the paper"),
        "table1",
    ),
    Claim(
        "atoms",
        "More atoms for each class read better",
        "Table 3",
        _more_atoms,
        partial(counted, unit="steps"),
        ("more atoms worse", "more atoms better"),
        "table1",
    ),
    Claim(
        "figures",
        f"200 atoms read {min(METHODS['das-ksvd'].values())} to {max(METHODS['das-ksvd'].values())} %",
        "Table 2",
        _figures,
        partial(counted, unit="widths", better="above the paper", worse="below"),
        ("below the paper", "above the paper"),
        "table2",
    ),
    Claim(
        "ksvd",
        f"DAS-KSVD beats K-SVD, by {_papers_lead('ksvd'):.1f} points",
        "Table 2",
        partial(_against, "ksvd"),
        partial(counted, unit="widths"),
        ("DAS-KSVD worse", "DAS-KSVD better"),
        "table2",
    ),
    Claim(
        "lcksvd2",
        f"DAS-KSVD beats LC-KSVD2, by {_papers_lead('lc-ksvd2'):.1f} points",
        "Table 2",
        partial(_against, "lc-ksvd2"),
        partial(counted, unit="widths"),
        ("DAS-KSVD worse", "DAS-KSVD better"),
        "table2",
    ),
    Claim(
        "raw",
        f"It beats raw pixels (LeCun, 1998), by {_papers_lead('raw-28'):.1f} points, with fewer weights",
        "Table 2",
        partial(_against, "raw-28"),
        partial(counted, unit="widths"),
        ("DAS-KSVD worse", "DAS-KSVD better"),
        "table2",
    ),
    Claim(
        "weights",
        "α = β = 0 are the best weights of the measure",
        "Appendix",
        _weights,
        _tell_weights,
        ("α = β = 0 worse", "α = β = 0 better"),
        "",
        VALIDATION,
    ),
    Claim(
        "measure",
        "The measure finds the most discriminative atoms",
        "Sections 3, 5",
        partial(_ablated, "random own atom"),
        _tell_measure,
        ("chance better", "measure better"),
        "ablation",
    ),
)


def command(claim: Claim) -> str:
    """The command that measures a claim's evidence."""
    return results.command(claim.table or "weights")
