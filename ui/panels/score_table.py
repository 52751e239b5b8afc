"""The scores of a search as a table and as a file, and in words."""

import pandas as pd
import streamlit as st

from dasksvd.common.language import phrase, say, say_count
from dasksvd.statistics import Noise, Summary
from ui.panels.search_verdict import in_percent

#: Headings as the file has them; the table says them.
HEADINGS = (
    phrase("accuracy (%)"),
    phrase("networks"),
    phrase("sd"),
    phrase("atoms per class"),
    phrase("step"),
    phrase("atoms unlike (0, 0)"),
    phrase("of"),
)


def in_words(summary: Summary, noise: Noise | None, part: str) -> str:
    """Mean and interval, on which images, and how many networks they come from."""
    networks = say_count(summary.rounds, "{count} network", "{count} networks")
    return say("{summary} of the {part}, {networks}", summary=in_percent(summary, noise), part=part, networks=networks)


def columns(summary: Summary, noise: Noise | None) -> dict:
    """What the table says of one dictionary."""
    spread = None if summary.sd is None else 100 * summary.sd
    half_width = None if noise is None else 100 * noise.half_width(summary.rounds)
    return {"accuracy (%)": 100 * summary.mean, "±": half_width, "sd": spread, "networks": summary.rounds}


def show(records: list[dict], file_name: str) -> None:
    """The table, the best first, and its download; nothing without scores."""
    if not records:
        return
    frame = pd.DataFrame(records).drop_duplicates().sort_values("accuracy (%)", ascending=False, ignore_index=True)
    with st.expander(say("All {count} scores as a table", count=len(frame))):
        st.dataframe(
            frame,
            hide_index=True,
            column_config={name: say(name) for name in HEADINGS}
            | {
                "alpha": st.column_config.NumberColumn("α", format="%.4f"),
                "beta": st.column_config.NumberColumn("β", format="%.4f"),
                "accuracy (%)": st.column_config.NumberColumn(say("accuracy (%)"), format="%.2f"),
                "±": st.column_config.NumberColumn(format="%.2f", help=say("Half of the 95 % interval of the mean.")),
                "sd": st.column_config.NumberColumn(
                    say("sd"), format="%.2f", help=say("Between the networks of this dictionary.")
                ),
            },
            key="scores_table",
        )
        st.download_button(say("Download CSV"), frame.to_csv(index=False), file_name, "text/csv", on_click="ignore")
