"""The style of the whole app beyond the theme's options."""

from pathlib import Path

import streamlit as st

from ui import navigation

_RULES = (Path(__file__).parent / "look.css").read_text(encoding="utf-8")


def apply() -> None:
    """Add the app's own CSS to the page."""
    st.html(f"<style>{_RULES}{navigation.rules()}</style>")
