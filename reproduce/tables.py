"""Which networks each table needs, and the files that keep their results."""

import platform
from collections.abc import Iterator
from importlib.metadata import version

from dasksvd.common.files import write_json
from dasksvd.common.parallel import each
from dasksvd.parameters import MEASURED, PAPER
from reproduce.paper import METHODS, SIZES
from reproduce.results import FILES, load_results, results_path
from reproduce.rounds import DICTIONARIES, learn_dictionaries
from reproduce.scoring import Task, score

ABLATED = [name for name in DICTIONARIES if name not in ("ksvd", "lc-ksvd2")]


def size_tasks(rounds: int) -> list[Task]:
    """Tables 1 and 3: the four sizes, as wide as they have atoms."""
    return [
        Task(number, "das-ksvd", I, 10 * I, classifier)
        for number in range(rounds)
        for classifier in ("scg", "modern")
        for I in SIZES
    ]


def method_tasks(rounds: int) -> list[Task]:
    """Table 2: methods and widths, both classifiers; narrow networks first."""
    widths = METHODS | {"raw-16": METHODS["raw-28"]}
    tasks = [
        Task(number, method, PAPER.I, hidden, classifier)
        for classifier in ("modern", "scg")
        for number in range(rounds)
        for method, columns in widths.items()
        for hidden in columns
    ]
    return sorted(tasks, key=lambda task: (task.hidden == 1000, task.classifier == "scg"))


def ablation_tasks(rounds: int) -> list[Task]:
    """What each part of the method brings: 200 atoms, 200 hidden units, today's network."""
    return [Task(number, method, PAPER.I, 200, "modern") for number in range(rounds) for method in ABLATED]


TABLES = {"table1": size_tasks, "table2": method_tasks, "table3": size_tasks, "ablation": ablation_tasks}


def reproduce(table: str, rounds: int, jobs: int = 1, scheduler: str = "") -> Iterator[tuple[int, int, dict]]:
    """Compute what is missing of a table, saving after every network.

    Yields
    ------
    done, total : int
    result : dict
    """
    tasks = TABLES[table](rounds)
    results = load_results(table)
    # The same network may stand in another table already.
    known = {key: result for other in FILES for key, result in load_results(other).items()}
    results |= {task.key: known[task.key] for task in tasks if task.key in known}
    if results:
        _save(table, results)
    missing = [task for task in tasks if task.key not in results]
    where = {"n_jobs": jobs, "scheduler": scheduler}
    # Dictionaries first, a round's by one process, because networks of a round share them.
    needed = {number: {task.method for task in missing if task.round == number} for number in range(rounds)}
    for number in each(learn_dictionaries, [pair for pair in needed.items() if pair[1]], **where):
        print(f"{table}: dictionaries of round {number} are ready", flush=True)
    scored = each(score, [(task,) for task in missing], **where)
    for done, result in enumerate(scored, start=len(tasks) - len(missing) + 1):
        results[Task(**{name: result[name] for name in Task.__dataclass_fields__}).key] = result
        _save(table, results)
        yield done, len(tasks), result


def _save(table: str, results: dict[str, dict]) -> None:
    packages = ("numpy", "numba", "scikit-learn", "pillow")
    rounds = 1 + max(result["round"] for result in results.values())
    write_json(
        results_path(table),
        {
            "command": f"python -m reproduce {table} --rounds {rounds}",
            "settings": MEASURED.as_dict() | {"seed": "the round"},
            "versions": {"python": platform.python_version(), **{name: version(name) for name in packages}},
            "results": dict(sorted(results.items())),
        },
    )
