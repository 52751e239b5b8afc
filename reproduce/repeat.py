"""One row of the tables measured again, dictionaries and all: does it land where the stored rounds say it must?"""

import platform
from collections.abc import Iterator
from datetime import date

from dasksvd.common.files import read_json, write_json
from dasksvd.parameters import PAPER
from reproduce.means import Mean, mean
from reproduce.report import accuracies
from reproduce.results import results_path, versions
from reproduce.scoring import Task, score

#: The paper's method with the ablation's network.
METHOD, HIDDEN, CLASSIFIER = "das-ksvd", 10 * PAPER.I, "modern"


def repeat(rounds: int) -> Iterator[tuple[int, float]]:
    """Measure the row again, saving after every round; the rounds of earlier repetitions are forgotten.

    Dictionaries that are kept (:data:`reproduce.rounds.CACHE`) are used, so delete them first.
    """
    found: dict[str, float] = {}
    for number in range(rounds):
        accuracy = score(Task(number, METHOD, PAPER.I, HIDDEN, CLASSIFIER))["test_accuracy"]
        found[str(number)] = accuracy
        write_json(
            results_path("repeat"),
            {
                "command": f"python -m reproduce repeat --rounds {rounds}",
                "versions": versions(),
                "processor": platform.machine(),
                "day": date.today().isoformat(),
                "test_accuracy": found,
            },
        )
        yield number, accuracy


def repeated() -> tuple[Mean, Mean] | None:
    """The stored rounds and the repeated ones; None if either is missing."""
    path = results_path("repeat")
    again = read_json(path)["test_accuracy"] if path.exists() else {}
    stored = accuracies("ablation", METHOD, HIDDEN, CLASSIFIER)
    if not (again and stored):
        return None
    return mean(stored), mean({int(number): accuracy for number, accuracy in again.items()})


def words() -> str:
    """Whether the repeated mean lies inside the interval of the stored rounds; empty if nothing was repeated."""
    found = repeated()
    if found is None:
        return ""
    stored, again = found
    inside = "inside" if stored.low <= again.value <= stored.high else "**outside**"
    return (
        f"The row of DAS-KSVD was measured again from nothing, dictionaries too, on another day ({_day()}): "
        f"{again.text} % ({len(again.rounds)} rounds), {inside} the interval of the stored rounds, {stored.text} %."
    )


def _day() -> str:
    """When the row was measured again."""
    return read_json(results_path("repeat"))["day"]
