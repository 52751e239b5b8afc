"""Runs side by side: what differs in their settings, their accuracies and their atoms."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dasksvd.common.language import say
from dasksvd.evaluate import Metrics
from dasksvd.parameters import TABLE
from dasksvd.runs import contrast
from dasksvd.runs.differences import Evaluated, difference
from dasksvd.runs.reference import load_metrics
from dasksvd.statistics import Corrected, corrected, share_text
from ui import cache, figures, texts
from ui.components import walls
from ui.panels import run_rows
from ui.state import View

#: Atoms of each class that are shown of each run, by the number of runs: smaller ones would not be seen.
MOST_ATOMS = {1: 20, 2: 20, 3: 12, 4: 8}
#: Walls in a row, and in all; columns of the table of settings.
IN_A_ROW, MOST_WALLS, MOST_COLUMNS = 4, 12, 8
#: Pixels of the window's height that walls side by side leave to others.
AROUND = 485


def value_text(value: Any) -> str:
    """A setting's value for a table of settings."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def show(view: View, ids: Sequence[str], names: Sequence[str]) -> None:
    """Compare some runs, which are called by their names."""
    readable = [run_id for run_id in ids[:MOST_WALLS] if has_atoms(run_id)]
    problem = next((problem for problem in map(cache.why_unreadable, readable) if problem), "")
    if problem:
        st.error(say("One of them cannot be read: {problem}.", problem=problem))
        return
    if len(readable) < len(ids[:MOST_WALLS]):
        st.info(say("A run without a finished iteration has no atoms yet."))
    if len(ids) > MOST_COLUMNS:
        st.caption(
            say(
                "Of {count} runs, settings of the first {most_columns} and atoms of the first {most_walls}.",
                count=len(ids),
                most_columns=MOST_COLUMNS,
                most_walls=MOST_WALLS,
            )
        )
    caveat = _settings(ids[:MOST_COLUMNS], names[:MOST_COLUMNS])
    named = dict(zip(ids, names, strict=True))
    among = min(len(readable), IN_A_ROW)
    most = max((float(np.abs(first_atoms(view, run_id, among)).max()) for run_id in readable), default=1.0)
    for number, run_id in enumerate(readable):
        if number % IN_A_ROW == 0:
            places = st.columns(among)
        with places[number % IN_A_ROW]:
            show_atoms(view, run_id, named[run_id], f"compare_{number}", around=AROUND, among=among, most=most)
    if caveat:
        st.caption(caveat)


def has_atoms(run_id: str) -> bool:
    """Whether a run has a finished iteration."""
    return run_id in cache.SHIPPED_NAMES or cache.store().run(run_id).n_finished() > 0


def headings(ids: Sequence[str], labels: dict[str, str]) -> list[str]:
    """Short names of some runs if they differ."""
    short = [
        (cache.shipped_name(i) if i in cache.SHIPPED_NAMES else "") or cache.store().run(i).about.name for i in ids
    ]
    return short if all(short) and len(set(short)) == len(short) else [labels[run_id] for run_id in ids]


def sentence(ids: Sequence[str]) -> str:
    """What some runs differ in."""
    return texts.plain(contrast.sentence([cache.description(run_id) for run_id in ids]))


def _settings(ids: Sequence[str], names: Sequence[str]) -> str:
    """The table of what differs; returns what is to be said of the differences in accuracy."""
    described = [cache.description(run_id) for run_id in ids]
    columns = [
        {"data": cache.data_name(what), "classes": len(what.classes)}
        | {row.name: run_rows.shown(row, run_rows.plain(row, what)) for row in TABLE.values()}
        for what in described
    ]
    differ = [name for name in columns[0] if any(column[name] != columns[0][name] for column in columns)]
    differences = _differences(ids)
    rows = {say("accuracy"): [accuracy_text(run_id) or "–" for run_id in ids]}
    if differences:
        told = {run_id: f"{one.text}, {say(one.verdict)}" for run_id, one in differences.items()}
        rows[say("difference to the first")] = [told.get(run_id, "–") for run_id in ids]
    rows |= {say(run_rows.title(name)): [value_text(column[name]) for column in columns] for name in differ}
    with st.container(key="facts_compared"):
        st.table(pd.DataFrame.from_dict(rows, orient="index", columns=[texts.plain(name) for name in names]))
    return _how_sure(differences) if differences else ""


def _differences(ids: Sequence[str]) -> dict[str, Corrected]:
    """How much better each run is than the first, where both have an accuracy on the same data."""
    evaluated = {run_id: Evaluated(cache.base_run(run_id), found) for run_id in ids if (found := metrics(run_id))}
    first = evaluated.pop(ids[0], None)
    if first is None:
        return {}
    found = {run_id: difference(one, first) for run_id, one in evaluated.items()}
    return corrected({run_id: one for run_id, one in found.items() if one is not None})


def _how_sure(differences: Mapping[str, Corrected]) -> str:
    many = (
        say(" Better or worse: also as one of {count} tests (Holm).", count=len(differences))
        if len(differences) > 1
        else ""
    )
    return say(
        "Differences of accuracies in points, with 95 % intervals: image by image where two runs read the same "
        "images, otherwise from two binomials.{many} They are about the images only; another seed moves them, "
        "too.",
        many=many,
    )


def accuracy_text(run_id: str) -> str:
    """A run's accuracy with its interval and what it was measured on; empty if it has none."""
    found = metrics(run_id)
    if found is None:
        return ""
    scored = say(
        "{accuracy} of {count:,} {part}",
        accuracy=share_text(found.accuracy, found.n_scored),
        count=found.n_scored,
        part=say(found.part),
    )
    return scored + test_text(found)


def test_text(found: Metrics) -> str:
    """The final score on a test part, if the data have brought one; in other words than the accuracy before it."""
    if not found.n_tested:
        return ""
    return say(
        "; {test_accuracy} of {n_tested:,} test images",
        test_accuracy=share_text(found.test_accuracy, found.n_tested),
        n_tested=found.n_tested,
    )


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


def first_atoms(view: View, run_id: str, among: int = 1) -> np.ndarray:
    """The first selected atoms of a run, of shape (k, I, N), one of so many runs that are side by side."""
    trajectory = cache.trajectory(run_id)
    I = min(MOST_ATOMS[among], len(trajectory.records))
    selection = trajectory.reselect(view.alpha, view.beta, I, view.ranking)
    return selection.atoms.reshape(I, len(trajectory.classes), -1).transpose(1, 0, 2)


def show_atoms(
    view: View, run_id: str, name: str, key: str, *, around: int, among: int = 1, most: float | None = None
) -> None:
    """The wall of a run's first atoms; ``most`` is the value with the strongest colour in all walls side by side."""
    atoms, what = first_atoms(view, run_id, among), cache.description(run_id)
    I, done = atoms.shape[1], len(cache.trajectory(run_id).records)
    walls.show(
        figures.wall(
            atoms,
            say("{name}: {I} per class", name=name, I=I)
            if done == I
            else say("{name}: {I} of {done} per class", name=name, I=I, done=done),
            view.colors,
            rows=texts.class_labels(what.classes),
            x_title=say("iteration"),
            around=around,
            strength=None if most is None else np.abs(atoms).max(axis=2) / most,
        ),
        say(
            "Selected atoms of the run {name} at {weights_text}, one row per class.",
            name=name,
            weights_text=view.weights_text,
        ),
        key,
    )
