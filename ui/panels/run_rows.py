"""What is known of each run in a list: the values that the table shows, filters ask for, and charts draw."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from dasksvd.common.filters import Columns, parse
from dasksvd.common.language import phrase, say
from dasksvd.datasets.description import Description
from dasksvd.errors import ParameterError
from dasksvd.parameters import TABLE, Parameter, n_nonzero
from dasksvd.runs.listing import Score, score, score_of
from dasksvd.runs.reference import load_metrics
from dasksvd.runs.store import Listed
from ui import cache
from ui.controls import run_names

Row = dict[str, Any]
Rows = Mapping[str, Row]
#: Parameters that a list of runs shows.
SHOWN = [row for row in TABLE.values() if row.place != "none"]
#: What came out, in the order in which charts show it, and what people call it.
RESULTS = {"accuracy": phrase("accuracy (%)"), "weights": phrase("weights"), "seconds": phrase("seconds to read")}
#: What reads the codes.
READING = {"network": phrase("network"), "encoder": phrase("encoder"), "hidden": phrase("hidden units")}
#: What the runs can be sorted by.
SORTED_BY = (*RESULTS, "done", "created", "name", "state", "data", "group", *(row.name for row in SHOWN), *READING)
_NUMBERS = tuple(
    row.name for row in SHOWN if isinstance(row.default, int | float) and not isinstance(row.default, bool)
)
#: What filters can ask for; accuracies are percent, q is a share of the atoms.
COLUMNS = Columns(
    numbers=("accuracy", *_NUMBERS, "hidden", "weights", "seconds", "done"),
    texts=(
        *(
            "name",
            "group",
            "tags",
            "note",
            "state",
            "data",
            "measured",
            "created",
            "network",
            "encoder",
            "pinned",
            "id",
        ),
        *(row.name for row in SHOWN if row.name not in _NUMBERS),
    ),
    shares=("q", "done"),
    lists=("tags",),
    also={row.symbol: row.name for row in SHOWN if row.symbol} | {"tag": "tags", "iterations": "I"},
)


def title(name: str) -> str:
    """What a column of a list of runs is called, still to be said: a setting by its symbol and unit."""
    row = TABLE.get(name)
    if row is None:
        return (RESULTS | READING).get(name, name)
    unit = f" ({row.control.unit})" if row.control and row.control.unit else ""
    return f"{row.symbol or row.title}{unit}"


def said(name: str) -> str:
    """The same in the visitor's language."""
    return say(title(name))


def shown(row: Parameter, value: Any) -> Any:
    """A setting in the unit of its control."""
    scale = row.control.scale if row.control else 1
    return value if scale == 1 or value is None else round(scale * value, 2)


def plain(row: Parameter, what: Description) -> Any:
    """A run's setting; q is a share of the atoms also where it was given as a count."""
    value = getattr(what.settings, row.name)
    return n_nonzero(value, what.n_atoms) / what.n_atoms if row.name == "q" and isinstance(value, int) else value


def rows_of(lines: Iterable[Listed]) -> dict[str, Row]:
    """The runs of the store among the shipped ones, by their ids."""
    return cache.among_shipped({line.run.id: _of_store(line) for line in lines}, _shipped)


def found(rows: Rows, wanted: str) -> tuple[dict[str, Row], str]:
    """The rows that pass a filter, and what is wrong with it; then all of them."""
    try:
        test = parse(wanted, COLUMNS)
    except ParameterError as error:
        return dict(rows), str(error)
    return {run_id: row for run_id, row in rows.items() if test(row)}, ""


def in_order(rows: Rows, name: str, ascending: bool) -> dict[str, Row]:
    """The rows by a value, numbers as numbers, those without it last; as they are if no name is given."""
    if not name:
        return dict(rows)
    known = [run_id for run_id, row in rows.items() if row.get(name) is not None]
    known.sort(key=lambda run_id: _sortable(rows[run_id][name]), reverse=not ascending)
    return {run_id: rows[run_id] for run_id in dict.fromkeys([*known, *rows])}


def _sortable(value: Any) -> tuple[bool, Any]:
    is_text = isinstance(value, str)
    return is_text, value.casefold() if is_text else value


def best_of(rows: Rows) -> set[str]:
    """Of the runs on each data set, those with the highest accuracy."""
    best: dict[str, float] = {}
    for row in rows.values():
        if row.get("accuracy") is not None:
            best[row["data"]] = max(best.get(row["data"], 0.0), row["accuracy"])
    scored = {run_id: row for run_id, row in rows.items() if row.get("accuracy") is not None}
    return {run_id for run_id, row in scored.items() if row["accuracy"] == best[row["data"]]}


def differing(rows: Rows, names: Sequence[str]) -> list[str]:
    """Those columns in which some rows differ; nothing is a value, too."""
    values = rows.values()
    return [name for name in names if len({repr(row.get(name)) for row in values}) > 1]


def _shipped(run_id: str) -> Row:
    what, kept = cache.description(run_id), load_metrics(run_id)
    fixed = {"id": run_id, "name": cache.SHIPPED_NAMES[run_id], "state": "shipped", "pinned": "yes", "own": False}
    return fixed | _described(what, what.settings.I, _shipped_score(kept))


def _shipped_score(kept: Mapping[int, Any]) -> Score | None:
    from dasksvd.evaluate import Metrics

    return score_of(Metrics(**kept[max(kept)]["validation"]))


def _of_store(line: Listed) -> Row:
    about = line.about
    row: Row = {"id": line.run.id, "name": run_names.name(line), "pinned": "yes" if about.pinned else "no", "own": True}
    row |= {"group": about.group or None, "tags": ", ".join(about.tags) or None, "note": about.note or None}
    if about.created:
        row["created"] = datetime.fromtimestamp(about.created).isoformat(" ", "minutes")
    if line.description is None:
        return row | {"state": f"damaged: {line.problem}"}
    return row | {"state": cache.state(line)} | _described(line.description, line.run.n_finished(), score(line.run))


def _described(what: Description, done: int, found: Score | None) -> Row:
    """Cells of a run that can be read."""
    row: Row = {"done": done / what.settings.I, "data": cache.data_name(what)}
    row |= {setting.name: plain(setting, what) for setting in SHOWN}
    if found is None:
        return row
    numbers = {"accuracy": 100 * found.accuracy, "±": 100 * found.half_width, "measured": found.part}
    reading = {"network": found.classifier, "encoder": found.encoder, "hidden": found.hidden}
    return row | numbers | reading | {"weights": found.weights, "seconds": round(found.seconds, 2)}
