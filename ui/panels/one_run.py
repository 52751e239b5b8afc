"""One run: its atoms, and beside them its accuracy and all its settings."""

import pandas as pd
import streamlit as st

from dasksvd.common.language import say
from dasksvd.datasets.description import Description
from dasksvd.parameters import Parameter
from ui import cache, frame, texts
from ui.panels import compare, run_rows
from ui.state import View

#: Pixels of the window's height that the wall leaves to others.
AROUND = 455
#: Width of the wall's column, as a multiple of the settings': most of it for 20 iterations, less for few.
WIDEST, NARROWEST, MANY = 1.9, 0.5, 20


def show(view: View, run_id: str, label: str) -> None:
    """Show a run that can be read; of another one, the table says what is wrong with it."""
    if cache.why_unreadable(run_id):
        return
    iterations = cache.description(run_id).settings.I
    left, right = frame.beside(max(NARROWEST, WIDEST * min(1, iterations / MANY)), 1, key="one_run")
    with left:
        if compare.has_atoms(run_id):
            compare.show_atoms(view, run_id, label, "compare_0", around=AROUND)
        else:
            st.info(_why_empty(run_id))
    with right.container(key="facts_run", gap="xsmall"):
        st.markdown(
            say("**Accuracy:** {found}", found=texts.plain(compare.accuracy_text(run_id) or say("not measured")))
        )
        st.table(_facts(run_id), border="horizontal", hide_header=True, width="content")
        if run_id != cache.REFERENCE:
            st.caption(say("Bold: not as in the reference run."))


def _why_empty(run_id: str) -> str:
    """What a run without atoms says of itself."""
    status = cache.store().run(run_id).status
    if status.state == "failed":
        return say("Failed: {why}", why=texts.reason(status.message))
    return say("This run has no finished iteration yet, and so no atoms.")


def _facts(run_id: str) -> pd.Series:
    """Names and values; what differs from the shipped run is bold."""
    what, usual = cache.description(run_id), cache.description(cache.REFERENCE)
    lines = {say("data"): _marked(cache.data_name(what), usual.data)}
    lines |= {_name(row): _marked(_value(row, what), _value(row, usual)) for row in run_rows.SHOWN}
    return pd.Series(lines, name="value")


def _value(row: Parameter, what: Description) -> object:
    return run_rows.shown(row, run_rows.plain(row, what))


def _marked(value: object, usual: object) -> str:
    text = texts.plain(compare.value_text(value))
    return text if value == usual else f"**{text}**"


def _name(row: Parameter) -> str:
    return f"{run_rows.title(row.name)} · {say(row.title)}" if row.symbol else say(row.title)
