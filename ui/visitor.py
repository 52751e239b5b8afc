"""Who asks: a name for one visit, which is all that the queue needs to know."""

import secrets

import streamlit as st


def name() -> str:
    """The visit's own name, made up once; ``st.session_state`` itself is one object for everybody."""
    return st.session_state.setdefault("visitor", secrets.token_hex(8))
