"""The list of pages."""

import streamlit as st


def build():
    """Declare the pages; return the one to run."""
    # Off in the configuration: until now there was only Streamlit's own list, of file names.
    st.set_option("client.showSidebarNavigation", True)
    return st.navigation(
        [
            st.Page("pages/overview.py", title="Overview", default=True),
            st.Page("pages/train.py", title="Train"),
            st.Page("pages/atoms.py", title="Atoms"),
            st.Page("pages/measures.py", title="Measures"),
            st.Page("pages/grid_search.py", title="Grid search"),
            st.Page("pages/accuracy.py", title="Accuracy"),
            st.Page("pages/draw.py", title="Draw"),
            st.Page("pages/runs.py", title="Runs"),
        ]
    )


def name(page) -> str:
    """What a page is called in links."""
    return page.url_path or "overview"
