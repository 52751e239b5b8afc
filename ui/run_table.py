"""All runs as a table."""

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from dasksvd.settings import Settings
from dasksvd.store import Listed
from ui import compare, sources, texts

#: Settings in the table.
SHOWN = tuple(name for name in compare.TITLES if name not in ("re_sign", "streams"))


def show(lines: Iterable[Listed]) -> None:
    """The shipped run, then the runs of the store."""
    shipped = sources.describe_reference().settings
    rows = [
        {"name": sources.run_names()[sources.REFERENCE], "pinned": True}
        | _described(sources.REFERENCE, "shipped", shipped.I, shipped)
    ]
    for line in lines:
        row = {"name": line.about.name or line.run.id, "pinned": line.about.pinned}
        if line.description is None:
            row |= {"state": f"damaged: {line.problem}"}
        else:
            state = sources.jobs().job(line.run).state
            row |= _described(line.run.id, state, line.run.n_finished(), line.description.settings)
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
