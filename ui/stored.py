"""What is made of the measured results: computed once, and again when one of their files has changed."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

from reproduce import report, results

Found = TypeVar("Found")


def computed(study: str, compute: Callable[..., Found], *args: Any) -> Found:
    """What a function makes of a study's results."""
    return _computed(_name(compute), args, _stamp([results.results_path(study)]), lambda: compute(*args))


def computed_from_all(compute: Callable[[], Found]) -> Found:
    """What a function makes of the results of all studies."""
    return _computed(_name(compute), (), _stamp(map(results.results_path, results.FILES)), compute)


def _name(function: Callable) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _stamp(paths: Iterable[Path]) -> str:
    """Which files there are, and when each was written."""
    return " ".join(f"{path}@{path.stat().st_mtime_ns if path.exists() else 0}" for path in paths)


@st.cache_resource(max_entries=256, show_spinner=False)
def _computed(name: str, args: tuple[Any, ...], stamp: str, _compute: Callable[[], Any]) -> Any:
    return _compute()


def command(study: str) -> str:
    """The command that gave a study's results."""
    return computed(study, results.command, study)


def rows(table: str) -> list[report.Row]:
    """All rows of a measured table."""
    return computed(table, report.rows, table)


def compare(table: str, method: str, hidden: int, classifier: str) -> report.Comparison | None:
    """DAS-KSVD against another method with the same network in the same rounds; None if either is missing."""
    return computed(table, report.compare, table, "das-ksvd", method, hidden, classifier)
