"""The look of the whole app, as far as the theme's options do not reach."""

from pathlib import Path

import streamlit as st

_RULES = (Path(__file__).parent / "look.css").read_text(encoding="utf-8")


def apply() -> None:
    """Add the app's own rules to the page."""
    st.html(f"<style>{_RULES}</style>")
