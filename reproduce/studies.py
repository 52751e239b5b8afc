"""Which networks each table and study needs, and the files that keep their results."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

import numpy as np

from dasksvd.common.parallel import each
from dasksvd.parameters import PAPER
from reproduce import tuning
from reproduce.dictionaries import FAMILIES, FINE_TUNED, FIXED, atoms_of
from reproduce.paper import METHODS as PAPERS_METHODS
from reproduce.paper import SIZES
from reproduce.report import WIDTHS
from reproduce.results import load_comparable, save_results
from reproduce.rounds import Round
from reproduce.scoring import RAW, Features, Task, codes, features, round_of, score, train, train_scg

#: Widths that are measured in all rounds; the others in half of them.
MAIN_WIDTHS = (200, 300)
#: Methods that are also read by the paper's kind of network where parts are taken away.
SCG_TOO = ("das-ksvd", "random own atom", "worst own atom", "ksvd", "ksvd, noise", "lc-ksvd2, tuned", "raw-16")
#: Hidden units of networks on raw 16×16 pixels: as many weights as 200 codes with 200 hidden units, as many units, and
#: as many weights as that network and the values of 200 atoms.
RAW_WIDTHS = (158, 200, 350)
#: Rows that the story is told by: measured first, and again with other pictures.
MAIN_ROWS = ("das-ksvd", "random own atom", "worst own atom", "no noise", "ksvd", "ksvd, noise", "lc-ksvd2, tuned")
#: Clothes, row by row: first what the paper's trajectory gives, last what needs one of its own.
ROWS_OF_CLOTHES = (
    *("das-ksvd", "raw-16", "random own atom", "worst own atom", *FINE_TUNED, "random images"),
    *("ksvd", "ksvd, noise", "lc-ksvd2, tuned", "no noise"),
)
FASHION = "fashion_mnist"
#: Methods whose atoms have classes, so that residuals can classify.
OF_CLASSES = ("das-ksvd", "random images", "lc-ksvd2, tuned")
#: Methods that no claim stands on: measured last, in half of the rounds.
ASIDE = ("variance noise", "das-ksvd, tuned", "mod")
ENCODERS = ("omp", "threshold", "soft")


def size_tasks(rounds: int) -> list[Task]:
    """Tables 1 and 3: the four sizes, as wide as they have atoms."""
    return [
        Task(number, "das-ksvd", I, 10 * I, classifier)
        for classifier in ("modern", "scg")
        for number in range(rounds)
        for I in SIZES
    ]


def method_tasks(rounds: int) -> list[Task]:
    """Table 2: methods and widths, both classifiers; widths of the ablation first."""
    widths = PAPERS_METHODS | {"raw-16": PAPERS_METHODS["raw-28"]}
    return [
        Task(number, method, PAPER.I, hidden, classifier)
        for classifier in ("modern", "scg")
        for number in range(rounds)
        for method, columns in widths.items()
        for hidden in sorted(columns, key=lambda hidden: hidden not in MAIN_WIDTHS)
        if number < rounds_of(hidden, rounds)
    ]


def rounds_of(hidden: int, rounds: int) -> int:
    """Rounds for networks of some width."""
    return rounds if hidden in MAIN_WIDTHS else -(-rounds // 2)


def ablation_tasks(rounds: int, data: str = "mnist") -> list[Task]:
    """What each part of the method brings, and what other dictionaries do: 200 atoms, 200 hidden units.

    Half of the rounds with all rows come first, then the main rows in the others.
    """
    main = [name for name in (*FIXED, *FAMILIES) if name not in ASIDE]
    others = [name for name in main if name not in MAIN_ROWS]
    half = -(-rounds // 2)
    tasks = [task for number in range(half) for task in _of_a_round(number, main, data)]
    tasks += [task for number in range(half, rounds) for task in _of_a_round(number, MAIN_ROWS, data)]
    tasks += [task for number in range(half, rounds) for task in _of_all_encoders(number, others, data)]
    tasks += [task for number in range(half) for task in _of_all_encoders(number, ASIDE, data)]
    return tasks + [
        Task(number, method, PAPER.I, 200, "scg", "omp", data) for number in range(rounds) for method in SCG_TOO
    ]


def _of_a_round(number: int, methods: Iterable[str], data: str) -> list[Task]:
    raw = [Task(number, "raw-16", PAPER.I, hidden, "modern", "omp", data) for hidden in RAW_WIDTHS]
    tuned = [Task(number, method, PAPER.I, 200, "modern", "threshold", data) for method in FINE_TUNED]
    sums = [Task(number, method, PAPER.I, 0, "src", "omp", data) for method in OF_CLASSES]
    return _of_all_encoders(number, methods, data) + raw + tuned + sums


def _of_all_encoders(number: int, methods: Iterable[str], data: str) -> list[Task]:
    return [Task(number, method, PAPER.I, 200, "modern", encoder, data) for method in methods for encoder in ENCODERS]


def fashion_tasks(rounds: int) -> list[Task]:
    """The main rows with pictures of clothes; what is tuned is tuned on digits."""
    tasks = [task for number in range(rounds) for task in _of_a_round(number, MAIN_ROWS, FASHION)]
    return sorted(tasks, key=lambda task: ROWS_OF_CLOTHES.index(task.method))


def fashion_size_tasks(rounds: int) -> list[Task]:
    """Tables 1 and 3 with pictures of clothes."""
    return [Task(number, "das-ksvd", I, 10 * I, "modern", "omp", FASHION) for number in range(rounds) for I in SIZES]


def fashion_method_tasks(rounds: int) -> list[Task]:
    """Table 2 with pictures of clothes, of which only 16×16 pixels are shipped."""
    return [
        Task(number, method, PAPER.I, hidden, "modern", "omp", FASHION)
        for number in range(rounds)
        for method in ("das-ksvd", "ksvd", "lc-ksvd2", "raw-16")
        for hidden in WIDTHS
    ]


TABLES: dict[str, Callable[[int], list[Task]]] = {
    "table1": size_tasks,
    "table2": method_tasks,
    "table3": size_tasks,
    "ablation": ablation_tasks,
    "fashion": fashion_tasks,
    "fashion-table1": fashion_size_tasks,
    "fashion-table2": fashion_method_tasks,
}


def reproduce(
    table: str, rounds: int, jobs: int = 1, scheduler: str = "", network: str = ""
) -> Iterator[tuple[int, int, dict]]:
    """Compute what is missing of a table, of all networks or of one kind, saving after every network.

    Yields
    ------
    done, total : int
    result : dict
    """
    tasks = [task for task in TABLES[table](rounds) if network in ("", task.classifier)]
    results = load_comparable(table)
    # The same network may stand in another table already.
    known = {key: result for other in TABLES for key, result in load_comparable(other).items()}
    results |= {task.key: known[task.key] for task in tasks if task.key in known}
    if results:
        save_results(table, results)
    where = {"n_jobs": jobs, "scheduler": scheduler}
    missing = [task for task in tasks if task.key not in results]
    done = len(tasks) - len(missing)
    for _, group in groupby(missing, lambda task: task.round):  # a round at a time, so that rounds are whole
        batch = list(group)
        _learn_missing({(task.round, task.data, task.method) for task in batch}, where)
        for result in each(score, [(task,) for task in batch], **where):
            done += 1
            results[Task(**{name: result[name] for name in Task.__dataclass_fields__}).key] = result
            save_results(table, results)
            yield done, len(tasks), result


def _learn_missing(needed: set[tuple[int, str, str]], where: dict[str, Any]) -> None:
    """Learn dictionaries first, because networks share them; a trajectory before what is chosen from it."""
    trajectories = sorted(one for one in needed if one[2] == "das-ksvd")
    others = sorted(one for one in needed if one[2] not in (*RAW, "das-ksvd"))
    for batch in (trajectories, others):
        for number, method in each(learn, batch, **where):
            print(f"{method} of round {number} is ready", flush=True)


def learn(number: int, data: str, method: str) -> tuple[int, str]:
    """Learn a dictionary that is not kept yet."""
    atoms_of(Round(number, data), method, tuning.chosen("methods", method))
    return number, method


def wanted(kind: str) -> dict[str, tuple]:
    """What is to be chosen: name -> candidates."""
    if kind == "methods":
        return {name: family.candidates for name, family in FAMILIES.items()}
    if kind == "soft":
        return dict.fromkeys((*FIXED, *FAMILIES), tuning.SOFT)
    tasks = [task for task in (*size_tasks(1), *method_tasks(1), *ablation_tasks(1)) if task.classifier == "scg"]
    return dict.fromkeys((f"{task.method}/{task.I}/{task.hidden}" for task in tasks), tuning.STARTS)


def tune(kinds: Iterable[str], jobs: int = 1) -> Iterator[tuple[str, str, Any, float]]:
    """Choose what is to be chosen, kind after kind, because one stands on the other; saved after every candidate."""
    for kind in kinds:
        candidates = wanted(kind)
        if kind == "soft":
            _learn_missing({(0, "mnist", name) for name in candidates}, {"n_jobs": jobs})
        tasks = [(kind, *task) for task in tuning.missing(kind, candidates)]
        for name, candidate, accuracy in each(try_out, tasks, n_jobs=jobs):
            tuning.note(kind, name, candidate, accuracy, candidates[name])
            yield kind, name, candidate, accuracy


def try_out(kind: str, name: str, candidate: Any) -> tuple[str, Any, float]:
    """The validation accuracy of a candidate in round 0."""
    return name, candidate, TRIALS[kind](name, candidate)


def _try_method(name: str, candidate: Any) -> float:
    return _validated(Task(0, name, PAPER.I, 200, "modern"), atoms_of(round_of(0, "mnist"), name, candidate))


def _try_soft(name: str, level: float) -> float:
    atoms = atoms_of(round_of(0, "mnist"), name, tuning.chosen("methods", name))
    return _validated(Task(0, name, PAPER.I, 200, "modern", "soft"), atoms, level)


def _validated(task: Task, atoms: np.ndarray, level: float | None = None) -> float:
    """The accuracy on X_val; the test images are not even coded."""
    split, q = round_of(0, "mnist").split, PAPER.q
    parts = [codes(signals, atoms, task.encoder, q, level) for signals in (split.train_signals, split.val_signals)]
    model = train(task, Features(*parts, test=parts[1][:0]), round_of(0, "mnist"))
    return float(np.mean(model.predict(parts[1]) == split.val_labels))


def _try_start(name: str, start: float) -> float:
    method, I, hidden = name.split("/")
    task = Task(0, method, int(I), int(hidden), "scg")
    round_ = round_of(0, "mnist")
    seen, split = features(task, round_), round_.split
    model = train_scg(task, seen, split, start, max_epochs=tuning.START_EPOCHS)
    return float(np.mean(model.predict(seen.val) == split.val_labels))


TRIALS: dict[str, Callable[[str, Any], float]] = {"methods": _try_method, "soft": _try_soft, "scg": _try_start}
