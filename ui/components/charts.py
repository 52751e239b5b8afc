"""How every chart is shown: alt text, a picture to download, and a size that fits the visitor's screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

if TYPE_CHECKING:
    import plotly.graph_objects as go


def show(figure: go.Figure, alt: str, key: str, *, place=st, **options: Any):
    """Show a figure; its own menu downloads it as SVG.

    Parameters
    ----------
    figure : go.Figure
    alt : str
        What a person who cannot see the chart should know.
    key : str
        Also the name of the downloaded file.
    place : container, default=st
    options
        For ``st.plotly_chart``, such as ``on_select``.
    """
    if on_phone():  # a figure's own title would be cut off
        place.markdown(f"**{figure.layout.title.text}**")
        figure.update_layout(title=None, margin={"t": 10})
    picture = {"format": "svg", "filename": f"das-ksvd-{key}", "scale": 2}
    config = {
        "displaylogo": False,
        "displayModeBar": False if on_phone() else "hover",
        "toImageButtonOptions": picture,
        "modeBarButtonsToRemove": ["select2d", "lasso2d"],
    }
    return place.plotly_chart(figure, alt=alt, key=key, config=config, width="stretch", **options)


def on_phone() -> bool:
    """Whether the visitor uses a phone, according to the browser."""
    return "Mobi" in st.context.headers.get("User-Agent", "")
