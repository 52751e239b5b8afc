"""Tidy tables: one line for each thing that was measured, as CSV, or as Parquet where pyarrow is installed."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dasksvd.errors import ParameterError
from dasksvd.method.trajectory import Trajectory

Row = Mapping[str, Any]


def as_csv(rows: Sequence[Row]) -> str:
    r"""Lines with a header; what a row does not have is empty.

    Examples
    --------
    >>> as_csv([{"q": 0.2, "t": 5}, {"q": 0.1, "I": 2}])
    'q,t,I\n0.2,5,\n0.1,,2\n'
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, columns(rows), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows([{name: _safe(value) for name, value in row.items()} for row in rows])
    return text.getvalue()


def columns(rows: Sequence[Row]) -> list[str]:
    """All names of columns, in the order in which they come."""
    return list(dict.fromkeys(name for row in rows for name in row))


def _safe(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets a mark that it shows as text."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def measure_rows(
    trajectory: Trajectory, iteration: int, *, alpha: float, beta: float, ranking: str | None = None
) -> list[dict[str, Any]]:
    """The measures of every atom of an iteration (from 1), and whether it is selected."""
    if not 1 <= iteration <= len(trajectory.records):
        raise ParameterError(f"iteration must be in 1 … {len(trajectory.records)}, got {iteration}")
    record, names = trajectory.records[iteration - 1], [str(label) for label in trajectory.classes]
    measures, tables = record.measures, record.tables
    chosen = trajectory.reselect(alpha, beta, iteration, ranking).index[-1]
    together = measures.combined(alpha, beta)
    rows = []
    for atom in range(len(measures.af)):
        row: dict[str, Any] = {"atom": atom, "class": names[measures.top[atom]]}
        row |= {"second_class": names[measures.second[atom]], "m": float(together[atom])}
        row |= {f"m_{name}": float(getattr(measures, name)[atom]) for name in ("af", "cm", "re")}
        row["selected"] = bool(np.isin(atom, chosen))
        for name in ("p", "q", "r"):
            table = getattr(tables, name)
            row |= {f"{name}_{label}": float(table[c, atom]) for c, label in enumerate(names)}
        rows.append(row)
    return rows
