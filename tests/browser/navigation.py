"""The pages as the navigation declares them, so that a test of every page needs no list of its own."""

from pathlib import Path
from unittest.mock import patch

import streamlit as st

from ui import navigation


def _declared() -> list[dict]:
    """What :func:`ui.navigation.build` hands to Streamlit, outside of any server."""
    with (
        patch.object(st, "Page", lambda file, **options: {"file": file, **options}),
        patch.object(st, "navigation", lambda pages, **_: pages),
    ):
        pages = navigation.build()
    return [page for group in pages.values() for page in group] if isinstance(pages, dict) else list(pages)


#: Names in the sidebar, and paths behind the server's address, in the same order.
TITLES = [page["title"] for page in _declared()]
PATHS = ["" if page.get("default") else Path(page["file"]).stem for page in _declared()]
