"""Does the best point of the shipped search repeat on other trajectories?"""

import platform
from importlib.metadata import version

from dasksvd.common.files import read_json, write_json
from dasksvd.common.progress import SearchLine
from dasksvd.metrics import Difference, paired
from dasksvd.parameters import PAPER
from dasksvd.runs.folder import Run
from dasksvd.search.engine import Engine, search
from dasksvd.search.lattice import coarse
from dasksvd.search.plans import WeightsPlan, plan_as_dict
from dasksvd.search.weights import Choices, weight_rows, weight_scores
from reproduce.results import RESULTS
from reproduce.rounds import Round

#: The corners of the triangle and the middles of its sides; the shipped search's best point is one of them.
PLAN = WeightsPlan(step=2, sizes=(PAPER.I,), zoomed=(), seeds=5)
BEST, PAPERS = (0.0, 0.5), (0.0, 0.0)
NAME = "weights.json"


def measure_weights(rounds: int, n_jobs: int = 1, scheduler: str = "") -> None:
    """Score the plan on the trajectories of rounds 1, 2, …; round 0 is the one whose best point is asked about."""
    accuracies = {}
    for number in range(1, rounds + 1):
        line = SearchLine()
        run = Round(number).run()
        search(run, PLAN, Engine(n_jobs, scheduler), line.update)
        line.close(f"round {number}")
        accuracies[str(number)] = _means(run)
        _save(accuracies)
    print(f"{BEST} against {PAPERS}: {difference(accuracies).text} points")


def _means(run: Run) -> dict[str, float]:
    """Point -> mean accuracy on X_val."""
    rows = weight_rows(Choices(run.trajectory), weight_scores(run), coarse(PLAN.step), PLAN.sizes, PLAN.scored_by)
    return {_name((row.point.alpha, row.point.beta)): round(row.summary.mean, 6) for row in rows}


def _name(point: tuple[float, float]) -> str:
    return f"{point[0]:g},{point[1]:g}"


def difference(accuracies: dict[str, dict[str, float]]) -> Difference:
    """How much better the shipped search's best point is than the paper's, over the rounds."""
    best, papers = ([means[_name(point)] for means in accuracies.values()] for point in (BEST, PAPERS))
    return paired(best, papers)


def stored_difference() -> Difference | None:
    """What was measured, None if nothing was."""
    path = RESULTS / NAME
    return difference(read_json(path)["validation_accuracy"]) if path.exists() else None


def command() -> str:
    """The command that measured it."""
    return read_json(RESULTS / NAME)["command"]


def _save(accuracies: dict[str, dict[str, float]]) -> None:
    found = difference(accuracies)
    packages = ("numpy", "numba")
    write_json(
        RESULTS / NAME,
        {
            "command": f"python -m reproduce weights --rounds {len(accuracies)}",
            "plan": plan_as_dict(PLAN),
            "versions": {"python": platform.python_version(), **{name: version(name) for name in packages}},
            "validation_accuracy": accuracies,
            "difference": {"points": [BEST, PAPERS], "mean": found.mean, "half_width": found.half_width},
        },
    )
