"""Do any weights of the measures choose better atoms than the paper's?  Many trajectories, several networks on each."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dasksvd.common.parallel import each
from dasksvd.parameters import PAPER
from dasksvd.runs.folder import Run
from dasksvd.search.engine import Engine, search
from dasksvd.search.lattice import coarse
from dasksvd.search.plans import WeightsPlan
from dasksvd.search.weights import Choices, weight_rows, weight_scores
from dasksvd.statistics import Components, Corrected, Difference, corrected, paired, variance_components
from reproduce.results import load_comparable, load_results, save_results
from reproduce.rounds import Round

#: The paper's first stage at its largest size.
PLAN = WeightsPlan(sizes=(PAPER.I,), zoomed=(), seeds=3)
PAPERS = (0.0, 0.0)


def measure_weights(rounds: int, jobs: int = 1) -> Iterator[dict[str, Any]]:
    """Score the plan on the trajectories of the rounds, saving after each."""
    results = load_comparable("weights")
    missing = [(number,) for number in range(rounds) if str(number) not in results]
    for found in each(score_round, missing, n_jobs=jobs):
        results[str(found["round"])] = found
        save_results("weights", results)
        yield found


def score_round(number: int) -> dict[str, Any]:
    """Validation accuracies of every point's networks on one trajectory."""
    run = Round(number).run()
    search(run, PLAN, Engine(1, ""))
    return {"round": number, "validation_accuracy": _accuracies(run)}


def _accuracies(run: Run) -> dict[str, list[float]]:
    """Point -> accuracies of its networks on X_val."""
    choices, scores = Choices(run.trajectory), weight_scores(run)
    rows = weight_rows(choices, scores, coarse(PLAN.step), PLAN.sizes, PLAN.scored_by)
    return {name((row.point.alpha, row.point.beta)): list(scores.entries[row.key].accuracies.values()) for row in rows}


def name(point: tuple[float, float]) -> str:
    """A point in the file."""
    return f"{point[0]:.4g},{point[1]:.4g}"


def stored_accuracies() -> dict[str, Mapping[str, float]]:
    """What was measured: round -> point -> mean accuracy on X_val."""
    return {
        number: {point: float(np.mean(networks)) for point, networks in found["validation_accuracy"].items()}
        for number, found in load_results("weights").items()
    }


def points() -> list[tuple[float, float]]:
    """α and β of the points that every round has, without the paper's best."""
    found = list(stored_accuracies().values())
    places = [(point.alpha, point.beta) for point in coarse(PLAN.step)]
    return [place for place in places if place != PAPERS and all(name(place) in means for means in found)]


def stored_difference(point: tuple[float, float]) -> Difference | None:
    """How much better a point is than the paper's best, over the rounds; None if it was not measured."""
    found = stored_accuracies().values()
    if point not in points() or not found:
        return None
    return paired(*([means[name(place)] for means in found] for place in (point, PAPERS)))


def differences() -> dict[tuple[float, float], Difference]:
    """The same of every point that was measured."""
    return {place: one for place in points() if (one := stored_difference(place)) is not None}


def judged() -> dict[tuple[float, float], Corrected]:
    """The same, each as one test among all of them."""
    return corrected(differences())


def chance() -> Components | None:
    """How far equal things differ: networks, and trajectories with splits of their own, at the paper's weights."""
    papers = name(PAPERS)
    found = [one["validation_accuracy"] for one in load_results("weights").values()]
    return variance_components([networks[papers] for networks in found if papers in networks])


def chance_words(rounds: int = 5) -> str:
    """The same in a sentence, with what it means for two rows of a table; empty if nothing was measured."""
    found = chance()
    if found is None:
        return ""
    return (
        f"With the paper's settings the networks of one trajectory differ by {100 * found.between_networks:.2f} points "
        f"(standard deviation, on X_val), and trajectories, each with a split of its own, by "
        f"{100 * found.between_trajectories:.2f} more. Two means over {rounds} rounds each would need a gap of "
        f"{100 * found.noise(networks=1).floor(rounds):.2f} points to be told apart; so differences are taken round by "
        "round, which takes out what a split has in common."
    )
