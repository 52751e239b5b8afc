"""Runs side by side: what differs in their settings, their accuracies and their atoms."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from dasksvd.datasets.description import Description
from dasksvd.evaluate import Metrics
from dasksvd.parameters import TABLE, Parameter, n_nonzero
from dasksvd.runs.differences import Evaluated, difference
from dasksvd.runs.reference import load_metrics
from dasksvd.statistics import Corrected, corrected, share_text
from ui import cache, figures, texts
from ui.components import walls
from ui.state import View

#: Atoms of each class that are shown of each run, by the number of runs: smaller ones would not be seen.
MOST_ATOMS = {1: 20, 2: 20, 3: 12, 4: 8}
#: Pixels of the window's height that walls side by side leave to others.
AROUND = 470


def title(name: str) -> str:
    """A setting as tables call it: its symbol and unit."""
    row = TABLE.get(name)
    if row is None:
        return name
    unit = f" ({row.control.unit})" if row.control and row.control.unit else ""
    return f"{row.symbol or row.title}{unit}"


def shown(row: Parameter, what: Description) -> Any:
    """A run's setting in its unit; q is a share of the atoms also where it was given as a count."""
    value = getattr(what.settings, row.name)
    if row.name == "q" and isinstance(value, int):
        value = n_nonzero(value, what.n_atoms) / what.n_atoms
    scale = row.control.scale if row.control else 1
    return value if scale == 1 else round(scale * value, 2)


def value_text(value: Any) -> str:
    """A setting's value for a table of settings."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def show(view: View, ids: Sequence[str], names: Sequence[str]) -> None:
    """Compare some runs, which are called by their names."""
    readable = [run_id for run_id in ids if has_atoms(run_id)]
    problem = next((problem for problem in map(cache.why_unreadable, readable) if problem), "")
    if problem:
        st.error(f"One of them cannot be read: {problem}.")
        return
    if len(readable) < len(ids):
        st.info("A run without a finished iteration has no atoms yet.")
    _settings(ids, names)
    named = dict(zip(ids, names, strict=True))
    places = st.columns(len(readable)) if readable else []
    for number, (place, run_id) in enumerate(zip(places, readable, strict=True)):
        with place:
            show_atoms(view, run_id, named[run_id], f"compare_{number}", around=AROUND, among=len(readable))


def has_atoms(run_id: str) -> bool:
    """Whether a run has a finished iteration."""
    return run_id in cache.SHIPPED_NAMES or cache.store().run(run_id).n_finished() > 0


def headings(ids: Sequence[str], labels: dict[str, str]) -> list[str]:
    """Short names of some runs if they differ."""
    short = [cache.SHIPPED_NAMES.get(i) or cache.store().run(i).about.name for i in ids]
    return short if all(short) and len(set(short)) == len(short) else [labels[run_id] for run_id in ids]


def _settings(ids: Sequence[str], names: Sequence[str]) -> None:
    described = [cache.description(run_id) for run_id in ids]
    columns = [
        {"data": what.data, "classes": len(what.classes)} | {row.name: shown(row, what) for row in TABLE.values()}
        for what in described
    ]
    differ = [name for name in columns[0] if any(column[name] != columns[0][name] for column in columns)]
    differences = _differences(ids)
    rows = {"accuracy": [accuracy_text(run_id) or "–" for run_id in ids]}
    if differences:
        told = {run_id: f"{one.text}, {one.verdict}" for run_id, one in differences.items()}
        rows["difference to the first"] = [told.get(run_id, "–") for run_id in ids]
    rows |= {title(name): [value_text(column[name]) for column in columns] for name in differ}
    with st.container(key="facts_compared"):
        st.table(pd.DataFrame.from_dict(rows, orient="index", columns=[texts.plain(name) for name in names]))
    one = len(differ) == 1
    st.caption(
        f"{len(differ)} setting{' differs' if one else 's differ'}; all others are the same."
        if differ
        else "Their settings are the same."
    )
    if differences:
        st.caption(_how_sure(differences))


def _differences(ids: Sequence[str]) -> dict[str, Corrected]:
    """How much better each run is than the first, where both have an accuracy on the same data."""
    evaluated = {run_id: Evaluated(cache.base_run(run_id), found) for run_id in ids if (found := metrics(run_id))}
    first = evaluated.pop(ids[0], None)
    if first is None:
        return {}
    found = {run_id: difference(one, first) for run_id, one in evaluated.items()}
    return corrected({run_id: one for run_id, one in found.items() if one is not None})


def _how_sure(differences: Mapping[str, Corrected]) -> str:
    many = f" Better or worse: also as one of {len(differences)} tests (Holm)." if len(differences) > 1 else ""
    return (
        "Differences of accuracies in points, with 95 % intervals: image by image where two runs read the same "
        f"images, otherwise from two binomials.{many} They are about the images only; another seed moves them, too."
    )


def accuracy_text(run_id: str) -> str:
    """A run's accuracy with its interval and what it was measured on; empty if it has none."""
    found = accuracy(run_id)
    return "" if found is None else f"{share_text(found[0], found[2])} of {found[2]:,} {found[1]}"


def accuracy(run_id: str) -> tuple[float, str, int] | None:
    """Accuracy of a run, what it was measured on, and on how many."""
    found = metrics(run_id)
    return None if found is None else (found.accuracy, found.part, found.n_scored)


def metrics(run_id: str) -> Metrics | None:
    """How well a run is classified, None if it has not been evaluated; a shipped one at its largest size."""
    if run_id in cache.SHIPPED_NAMES:
        kept = load_metrics(run_id)
        return Metrics(**kept[max(kept)]["validation"])
    return cache.metrics(run_id)


def show_atoms(view: View, run_id: str, name: str, key: str, *, around: int, among: int = 1) -> None:
    """The wall of a run's first atoms, one of so many runs that are side by side."""
    trajectory, what = cache.trajectory(run_id), cache.description(run_id)
    done = len(trajectory.records)
    k, I = len(what.classes), min(MOST_ATOMS[among], done)
    selection = trajectory.reselect(view.alpha, view.beta, I, view.ranking)
    walls.show(
        figures.wall(
            selection.atoms.reshape(I, k, -1).transpose(1, 0, 2),
            f"{name}: {I} per class" if done == I else f"{name}: {I} of {done} per class",
            view.colors,
            rows=texts.class_labels(what.classes),
            x_title="iteration",
            around=around,
        ),
        f"Selected atoms of the run {name} at {view.weights_text}, one row per class.",
        key,
    )
