"""How light charts are shown: a component that changes in place, faster than a plotly chart is drawn anew."""

from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from dasksvd.figures import Plot

FILES = Path(__file__).parent / "plot_files"

_component = st.components.v2.component(
    "light_plot", **{kind: (FILES / f"plot.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")}
)


def show(plot: Plot, alt: str, key: str, *, place: Any = None, picked: int | None = None) -> None:
    """Show a plot; its own button downloads it as SVG.

    Parameters
    ----------
    plot : Plot
    alt : str
        What a person who cannot see the chart should know.
    key : str
        Also the name of the downloaded file.
    place : container, optional
    picked : int, optional
        The spot to mark; with it the spots can be picked, see :func:`picked_in`.
    """
    data = asdict(plot) | {"alt": alt, "name": f"das-ksvd-{key}", "picked": picked}
    with place if place is not None else nullcontext():
        _component(key=key, data=data, on_picked_change=lambda: None)


def picked_in(key: str, count: int) -> int | None:
    """The spot of a plot that was picked last, None before that."""
    state = st.session_state.get(key)
    sent = state.get("picked") if state else None
    return sent if isinstance(sent, int) and 0 <= sent < count else None
