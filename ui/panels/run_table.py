"""All runs as a table."""

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from dasksvd.parameters import Settings
from dasksvd.runs.store import Listed
from ui import cache, texts
from ui.controls import run_names
from ui.panels import compare

#: Settings in the table.
SHOWN = tuple(name for name in compare.TITLES if name not in ("re_sign", "streams"))


def show(lines: Iterable[Listed]) -> None:
    """The shipped run, then the runs of the store."""
    shipped = cache.description(cache.REFERENCE).settings
    rows = [{"name": cache.REFERENCE_NAME, "pinned": True} | _described(cache.REFERENCE, "shipped", shipped.I, shipped)]
    for line in lines:
        row = {"name": run_names.name(line), "pinned": line.about.pinned}
        if line.description is None:
            row |= {"state": f"damaged: {line.problem}"}
        else:
            row |= _described(line.run.id, cache.state(line), line.run.n_finished(), line.description.settings)
        rows.append(row | {"created": pd.Timestamp(line.about.created, unit="s")})
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="table")


def _described(run_id: str, state: str, done: int, settings: Settings) -> dict:
    """Cells of a run that can be read."""
    found = compare.accuracy(run_id)
    row = {
        "state": state,
        "accuracy": "–" if found is None else texts.percent(found[0]),
        "done": f"{done} / {settings.I}",
    }
    return row | {compare.TITLES[name]: getattr(settings, name) for name in SHOWN}
