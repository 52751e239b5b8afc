"""Two runs side by side."""

import pandas as pd
import streamlit as st

from dasksvd.runs.reference import load_metrics
from ui import cache, figures, texts
from ui.components import walls
from ui.controls import run_names
from ui.sidebar import View

#: Settings as the tables call them.
TITLES = {
    "q": "q",
    "t": "t",
    "tau1": "τ1",
    "tau2": "τ2",
    "alpha": "α",
    "beta": "β",
    "r_f": "r_f",
    "ksvd_iter": "K-SVD iterations",
    "noise": "noise",
    "re_sign": "sign of m_re",
    "seed": "seed",
    "streams": "random numbers, version",
    "ranking": "ranking",
}


def show(view: View) -> None:
    """Choose two runs; show what differs in their settings, their accuracies and their atoms."""
    names = cache.run_names()
    if len(names) < 2:
        st.info("To compare, you need a run of your own: start one on the Train page.")
        return
    first, second = st.columns(2)
    chosen = [_pick(first, "First run", names, "first_run", 0), _pick(second, "Second run", names, "second_run", 1)]
    if chosen[0] == chosen[1]:
        st.info("Both are the same run. Choose another one to compare it with.")
        return
    problem = next((problem for problem in map(cache.why_unreadable, chosen) if problem), "")
    if problem:
        st.error(f"One of the two cannot be read: {problem}.")
        return
    _settings(chosen, _headings(chosen, names))
    _atoms(view, chosen, st.columns(2))


def _pick(place, label: str, names: dict[str, str], key: str, usual: int) -> str:
    """A box for one of the two runs."""
    return run_names.pick(
        label,
        names,
        key=key,
        place=place,
        usual=usual,
        linked=True,
        instead="Another run is shown instead.",
        help="Any two runs with at least one finished iteration.",
    )


def _headings(ids: list[str], names: dict[str, str]) -> list[str]:
    """Short names of two runs if they differ."""
    short = [cache.REFERENCE_NAME if i == cache.REFERENCE else cache.store().run(i).about.name for i in ids]
    return short if all(short) and short[0] != short[1] else [names[run_id] for run_id in ids]


def _settings(ids: list[str], names: list[str]) -> None:
    described = [cache.description(run_id) for run_id in ids]
    columns = [vars(what.settings) | {"data": what.data, "classes": len(what.classes)} for what in described]
    differ = [name for name in columns[0] if columns[0][name] != columns[1][name]]
    accuracies = [accuracy(run_id) for run_id in ids]
    rows = {"accuracy": ["–" if value is None else f"{texts.percent(value[0])} of {value[1]}" for value in accuracies]}
    rows |= {TITLES.get(name, name): [f"{column[name]}" for column in columns] for name in differ}
    st.table(pd.DataFrame.from_dict(rows, orient="index", columns=[texts.plain(name) for name in names]))
    if not differ:
        st.caption("Their settings are the same.")
    else:
        st.caption(f"{len(differ)} settings differ; all others are the same.")


def accuracy(run_id: str) -> tuple[float, str] | None:
    """Accuracy of a run and what it was measured on."""
    if run_id == cache.REFERENCE:
        kept = load_metrics()
        found = kept[max(kept)]["validation"]
        return found["accuracy"], found["part"]
    metrics = cache.metrics(run_id)
    return None if metrics is None else (metrics.accuracy, metrics.part)


def _atoms(view: View, ids: list[str], places: list) -> None:
    for place, run_id, side in zip(places, ids, ("left", "right"), strict=True):
        trajectory, what = cache.trajectory(run_id), cache.description(run_id)
        k, I = len(what.classes), min(20, len(trajectory.records))
        selection = trajectory.reselect(view.alpha, view.beta, I, view.ranking)
        walls.show(
            figures.wall(
                selection.atoms.reshape(I, k, -1).transpose(1, 0, 2),
                f"{I} atoms per class at {view.weights_text}",
                view.colors,
                rows=[str(label) for label in what.classes],
                x_title="iteration",
            ),
            f"Selected atoms of the run {run_id}, one row per class.",
            f"compare_{side}",
            place=place,
        )
